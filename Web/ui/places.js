// The left column: rooms and conversations, what is unread in them, and who one is.

import { avatar, byId, element, icon, initial, nameOf, spoken } from "./dom.js";
import { t } from "./words.js";

/** What an address has behind its # for a place. */
export const hashOf = (key) => `#/${encodeURIComponent(key).replace("%3A", ":")}`;

/** The key of a place in an address, or null. */
export function keyOfHash(hash) {
  try {
    const key = decodeURIComponent(hash.replace(/^#\//, ""));
    return /^(room|with):./.test(key) ? key : null;
  } catch {
    return null;
  }
}

const placeOrder = new Intl.Collator();

/** The column. */
export class PlaceLists {
  #app;

  constructor(app) {
    this.#app = app;
    this.rooms = byId("rooms");
    this.conversations = byId("conversations");
  }

  /** The places in the order in which they stand. */
  get order() {
    const all = [...this.#app.chat.places.values()];
    const { key } = this.#app;
    const rooms = all.filter((place) => place.room && (place.isJoined || place.key === key));
    const others = all.filter((place) => place.with);
    rooms.sort((a, b) => placeOrder.compare(a.room, b.room));
    others.sort((a, b) => (b.unread > 0) - (a.unread > 0) || placeOrder.compare(a.with, b.with));
    return [...rooms, ...others];
  }

  /** Everything again. */
  render() {
    const { order } = this;
    const focused = document.activeElement?.closest?.("#places li")?.dataset.key;
    const put = (list, places, empty) => list.replaceChildren(...(places.length
      ? places.map((place) => this.#entry(place))
      : [element("li", { class: "empty" }, empty())]));
    put(this.rooms, order.filter((place) => place.room), () => [
      element("p", {}, t.noRooms),
      element("button", { type: "button", onclick: () => this.#app.findRoom() }, t.findRoom),
    ]);
    put(this.conversations, order.filter((place) => place.with), () => [
      element("p", {}, t.noConversations),
      element("button", { type: "button", onclick: () => this.#app.newConversation() },
        t.newConversation),
    ]);
    if (focused) {
      [...document.querySelectorAll("#places li")]
        .find((one) => one.dataset.key === focused)?.querySelector("a")?.focus();
    }
    this.#renderMe();
  }

  #entry(place) {
    const isHere = place.key === this.#app.key;
    const unread = isHere && this.#app.isSeen ? 0 : place.unread;
    const name = place.room ?? place.with;
    const link = element("a", {
      href: hashOf(place.key), "aria-current": isHere ? "page" : null,
      class: unread > 0 ? "unread" : null,
    },
    place.with ? avatar(name) : icon(place.isPrivate ? "lock" : "hash"),
    nameOf(name, { class: "name" }),
    place.isPrivate ? spoken(` (${t.privateRoom})`) : null,
    !isHere && this.#app.chat.draft(place.key) ? [
      element("span", { class: "pencil" }, icon("edit")), spoken(` (${t.draftThere})`),
    ] : null,
    unread > 0 ? this.#badge(place, unread) : null);
    return element("li", { "data-key": place.key }, link);
  }

  #badge(place, unread) {
    const loud = place.mentions > 0 || Boolean(place.with);
    const shown = unread > 999 ? "999+" : String(unread);
    const isNamed = Boolean(place.room) && place.mentions > 0;
    const words = isNamed
      ? `${t.unread(unread)}, ${t.mentions(place.mentions)}` : t.unread(unread);
    return [
      element("span", { class: loud ? "badge loud" : "badge", "aria-hidden": "true" },
        isNamed ? "@ " : "", shown),
      spoken(` – ${words}`),
    ];
  }

  #renderMe() {
    const { me, away } = this.#app.chat;
    byId("my-avatar").textContent = me ? initial(me.name) : "";
    byId("my-name").textContent = me?.name ?? "";
    byId("my-standing").textContent = me ? (me.guest ? t.guest : t.account) : "";
    if (away) byId("my-standing").textContent += ` · ${t.awayBecause(away)}`;
  }
}
