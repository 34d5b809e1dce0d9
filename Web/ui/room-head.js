// The line above the messages: what the place is called, its topic, and what can be done with it.

import { ask, confirm } from "./dialog.js";
import { byId, element, icon } from "./dom.js";
import { openMenu } from "./menu.js";
import { language, t } from "./words.js";

/** The line. `app` gives chat, place, people and search. */
export class RoomHead {
  #app; #startLook = "";

  constructor(app) {
    this.#app = app;
    byId("people-open").addEventListener("click", () => app.people.toggle());
    byId("search-open").addEventListener("click", () => app.search.toggle());
    byId("room-more").addEventListener("click", (event) => this.#menu(event.currentTarget));
    byId("add").addEventListener("click", (event) => openMenu(event.currentTarget, [
      { text: t.findRoom, icon: "hash", action: () => app.findRoom() },
      { text: t.newConversation, icon: "reply", action: () => app.newConversation() },
      { text: t.useCode, icon: "lock", action: () => app.joinByCode() },
    ]));
  }

  /** Everything again. */
  render() {
    const { place } = this.#app;
    const title = byId("room-title");
    title.replaceChildren(...(place ? [
      place.room ? icon(place.isPrivate ? "lock" : "hash") : "",
      element("bdi", { dir: "auto" }, place.room ?? place.with)] : []));
    const topic = byId("room-topic");
    topic.textContent = place?.topic ?? "";
    topic.title = place?.topic ?? "";
    byId("room").classList.toggle("nowhere", !place);
    for (const id of ["people-open", "room-more"]) byId(id).hidden = !place?.room;
    byId("search-open").hidden = !place;
    // Whoever is not in a room is not told who comes and goes.
    const count = place?.isJoined ? place.memberCount : 0;
    byId("people-count").textContent = count ? String(count) : "";
    byId("people-open").setAttribute("aria-label",
      count ? `${t.people}: ${t.members(count)}` : t.people);
    this.renderStart();
  }

  /** What stands above the first message: that there is more, or that this is the beginning. */
  renderStart() {
    const { place } = this.#app;
    const look = JSON.stringify([place?.key, place?.hasOlder, place?.isLoading, place?.isJoined,
      place?.items.length > 0, this.#app.chat.state, language]);
    if (look === this.#startLook) return;
    this.#startLook = look;
    const nodes = this.#startOf(place);
    byId("log-start").replaceChildren(...nodes);
    byId("log").classList.toggle("empty", nodes[0]?.className === "blank");
  }

  #startOf(place) {
    if (!place) {
      if (this.#app.chat.state !== "open" || this.#app.key) return [];
      return [element("div", { class: "blank" }, icon("mark"), element("p", {}, t.nowhere),
        element("button", { type: "button", class: "main", onclick: () => this.#app.findRoom() },
          t.findRoom))];
    }
    if (place.hasOlder) return [element("p", { class: "hint" }, t.loadingOlder)];
    if (place.items.length) {
      return [element("p", { class: "hint" }, place.room
        ? t.beginning(`#${place.room}`) : t.beginningWith(place.with))];
    }
    if (place.isLoading || !place.isOpened) return [];
    return [element("div", { class: "blank" }, icon("mark"),
      element("p", {}, place.room ? t.emptyRoom : t.emptyConversation),
      place.isJoined || place.with ? element("button", { type: "button", class: "main",
        onclick: () => this.#app.composer.focus() }, t.sayHello) : null)];
  }

  #menu(button) {
    const { place, people } = this.#app;
    if (!place) return;
    const rank = people.myRank;
    openMenu(button, [
      { text: t.changeTopic, icon: "edit", action: () => this.#changeTopic(place) },
      place.isPrivate && { text: t.invite, icon: "add", action: () => this.#invite(place) },
      rank > 0 && { text: t.liftTitle, icon: "people", action: () => people.lift() },
      { text: t.leave, icon: "back", action: () => this.#leave(place) },
      rank > 1 && place.room !== "lobby"
        && { text: t.archive, icon: "delete", isGrave: true, action: () => this.#archive(place) },
    ]);
  }

  async #changeTopic(place) {
    const given = await ask({
      title: t.changeTopic, why: t.topicWhy, action: t.save,
      fields: [{ name: "topic", label: t.topic, value: place.topic ?? "", maxLength: 256 }],
    });
    if (given) await this.#app.run(this.#app.chat.setTopic(place.key, given.topic.trim()));
  }

  async #invite(place) {
    const given = await ask({
      title: t.invite, why: t.inviteWhy, action: t.inviteMake,
      fields: [
        { name: "uses", label: t.inviteUses, value: "1", type: "number", min: 1, max: 1_000_000 },
        { name: "seconds", label: t.howLong, value: "86400", options: [
          ["3600", t.oneHour], ["86400", t.oneDay], ["604800", t.oneWeek], ["", t.forGood]] },
      ],
    });
    if (!given) return;
    const uses = Number(given.uses) || 1;
    const seconds = given.seconds ? Number(given.seconds) : undefined;
    const code = await this.#app.run(this.#app.chat.invite(place.key, { uses, seconds }));
    if (!code) return;
    // Without TLS browsers have no clipboard: there it is shown and no more.
    const canCopy = Boolean(navigator.clipboard);
    const copied = await ask({
      title: t.invite, why: t.inviteMade, isShowing: !canCopy,
      action: canCopy ? t.copyBoth : t.close, cancel: t.close,
      attempt: () => canCopy && navigator.clipboard.writeText(`${place.room} ${code}`),
      fields: [
        { name: "room", label: t.roomName, value: place.room, isShown: true },
        { name: "code", label: t.code, value: code, isShown: true }],
    });
    if (copied && canCopy) this.#app.say(t.copied);
  }

  async #leave(place) {
    const title = t.leaveTitle(this.#app.placeName(place));
    if (await confirm({ title, why: t.leaveWhy, action: t.leave })) {
      await this.#app.run(this.#app.chat.leave(place.key));
      this.#app.go(null);
    }
  }

  async #archive(place) {
    const title = t.archiveTitle(this.#app.placeName(place));
    if (await confirm({ title, why: t.archiveWhy, action: t.archive, isGrave: true })) {
      await this.#app.run(this.#app.chat.archive(place.key));
    }
  }
}
