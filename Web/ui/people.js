// The right column: who is in the room, and what may be done with them.

import { ask, confirm } from "./dialog.js";
import { avatar, byId, element, nameOf, spoken } from "./dom.js";
import { openMenu } from "./menu.js";
import { openSide, closeSide, sideShows } from "./side.js";
import { t } from "./words.js";

const ranks = { owner: 2, moderator: 1, member: 0 };
const nameOrder = new Intl.Collator();

/** The list. `app` gives chat, place, key, run and converse. */
export class People {
  #app; #wasLive = false;

  constructor(app) { this.#app = app; }

  /** What one may do in this place: 0 as a member, 1 as a moderator, 2 as an owner. */
  get myRank() { return this.#rank(this.#app.chat.me?.name); }

  #rank(name) { return ranks[this.#app.place?.people?.get(name)?.role] ?? 0; }

  /** Opens or shuts the column. */
  toggle() {
    if (sideShows("people")) return closeSide();
    openSide("people", t.people);
    this.render();
    this.#load();
    byId("side-title").focus();
  }

  /** Another place: the list stays open where there is one. */
  show() {
    if (this.#app.place?.room) this.#load();
    else if (sideShows("people")) closeSide();
    this.#wasLive = this.#app.place?.isLive ?? false;
    this.render();
  }

  /** The place or the link changed: who is in a room, with what role, is asked for on each link. */
  renew() {
    const isLive = this.#app.place?.isLive ?? false;
    if (isLive && !this.#wasLive) this.#load();
    this.#wasLive = isLive;
  }

  #load() {
    const { place, chat } = this.#app;
    // Who may not ask sees nobody; the line of the connection says what else is wrong.
    if (place?.room && chat.state === "open") chat.loadPeople(place.key)?.catch?.(() => {});
  }

  /** Everything again. */
  render() {
    if (!sideShows("people")) return;
    const { place } = this.#app;
    const people = [...(place?.people ?? [])].sort(([a], [b]) => nameOrder.compare(a, b));
    const groups = [["owner", t.owners], ["moderator", t.moderators], ["member", t.membersTitle]];
    const body = byId("side-body");
    const top = body.scrollTop;
    const nodes = groups.flatMap(([role, title]) => {
      const those = people.filter(([, person]) => (person.role ?? "member") === role);
      if (!those.length) return [];
      return [
        element("h3", {}, `${title} · ${those.length}`),
        element("ul", { class: "people" }, those.map(([name, one]) => this.#entry(name, one)))];
    });
    const rest = (place?.memberCount ?? 0) - people.length;
    body.replaceChildren(...nodes,
      !people.length ? element("p", { class: "hint" }, t.noPeople)
        : rest > 0 ? element("p", { class: "hint" }, t.morePeople(rest)) : "");
    body.scrollTop = top;
  }

  #entry(name, { away }) {
    const isMe = this.#app.isMe(name);
    const why = away ? t.awayBecause(away) : "";
    return element("li", {}, element("button", {
      type: "button", class: away ? "person away" : "person", "aria-haspopup": "menu",
      onclick: (event) => this.#menu(event.currentTarget, name),
    },
    avatar(name, isMe),
    element("span", { class: "what" },
      nameOf(name), isMe ? element("span", { class: "mine" }, t.you) : null,
      why ? element("span", { class: "hint", dir: "auto" }, why) : null),
    spoken(`, ${t.personMenu("")}`)));
  }

  #menu(anchor, name) {
    const { composer, isMe } = this.#app;
    const mine = this.myRank, theirs = this.#rank(name);
    const mayRule = mine > theirs && !isMe(name);
    openMenu(anchor, [
      !isMe(name) && { text: t.writeTo, icon: "reply", action: () => this.#app.converse(name) },
      { text: t.mentionThem, icon: "people", action: () => composer.insert(`@${name}`) },
      mayRule && { text: t.kick, icon: "back", action: () => this.#kick(name) },
      mayRule && { text: t.mute, icon: "close", action: () => this.#measure("mute", name) },
      mayRule && { text: t.unmute, icon: "add", action: () => this.#lift("unmute", name) },
      mayRule && {
        text: t.ban, icon: "delete", isGrave: true, action: () => this.#measure("ban", name),
      },
      ...(mine > 1 && !isMe(name) ? this.#roles(name, theirs) : []),
    ]);
  }

  #roles(name, theirs) {
    return [["owner", t.makeOwner], ["moderator", t.makeModerator], ["member", t.makeMember]]
      .filter(([role]) => ranks[role] !== theirs)
      .map(([role, text]) => ({
        text, icon: "edit", action: async () => {
          if (!await confirm({ title: t.roleTitle(name), action: text })) return;
          await this.#app.run(this.#app.chat.setRole(this.#app.key, name, role));
          this.#load();
        },
      }));
  }

  async #kick(name) {
    const given = await ask({
      title: t.kickTitle(name), action: t.kick, isGrave: true,
      why: this.#app.place?.isPrivate ? t.kickWhyPrivate : t.kickWhy,
      fields: [{ name: "reason", label: t.reason, maxLength: 256 }],
    });
    if (!given) return;
    await this.#app.run(this.#app.chat.kick(this.#app.key, name, given.reason.trim()));
    this.#load();
  }

  async #measure(kind, name) {
    const words = kind === "ban" ? { title: t.banTitle(name), why: t.banWhy, action: t.ban }
      : { title: t.muteTitle(name), why: t.muteWhy, action: t.mute };
    const given = await ask({
      ...words, isGrave: true,
      fields: [
        { name: "reason", label: t.reason, maxLength: 256 },
        { name: "seconds", label: t.howLong, value: "3600", options: [
          ["600", t.tenMinutes], ["3600", t.oneHour], ["86400", t.oneDay],
          ["604800", t.oneWeek], ["", t.forGood]] }],
    });
    if (!given) return;
    const seconds = given.seconds ? Number(given.seconds) : undefined;
    const { chat, key } = this.#app;
    await this.#app.run(chat[kind](key, name, given.reason.trim(), seconds).then(() =>
      this.#app.say(t.done)));
    this.#load();
  }

  async #lift(kind, name) {
    const { chat, key } = this.#app;
    await this.#app.run(chat[kind](key, name).then(() => this.#app.say(t.done)));
  }

  /** Lifts a ban or a mute of somebody who is not in the list. */
  async lift() {
    const given = await ask({
      title: t.liftTitle, why: t.liftWhy, action: t.save, isOne: true,
      fields: [
        { name: "name", label: t.personName, maxLength: 64 },
        { name: "kind", label: t.liftTitle, value: "unban", options: [
          ["unban", t.unban], ["unmute", t.unmute]] }],
    });
    if (given) await this.#lift(given.kind, given.name.trim());
  }
}
