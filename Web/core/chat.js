// The chat as the page sees it: state, places, items, what can be done. The door to this folder.
// What the page may rely on besides: where an item stands is told by `place.items`, since an own
// message that waits is at the end and what comes meanwhile goes in front of it; `detail.dropped`
// of an `items` event has what is there no more. Of a replay there is no `message` event, and one
// `items` event for many. Who says something while `hasNewer` is brought back to now. A Place of a
// key stays the same object when somebody else signs in, empty.

import { Arrivals } from "./arrivals.js";
import { messageItem } from "./items.js";
import { Keeping, storageNamed } from "./keeping.js";
import { Membership } from "./membership.js";
import { Outbox } from "./outbox.js";
import { Pages } from "./pages.js";
import { Places, keyOf } from "./places.js";
import { Session } from "./session.js";
import { Signals } from "./signals.js";
import { signedOut } from "./errors.js";

export { ChatError } from "./errors.js";

/** The address of the server that the page came from. */
function ownAddress() {
  const url = new URL("/ws", location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}

/**
 * One person's chat in one tab.
 *
 * Events are CustomEvents: `state`, `me`, `places`, `place` {key}, `items` {key, change, items,
 * dropped}, `people` {key}, `typing` {key}, `notice` {text, error}, `message` {key, item,
 * isMention}, `kicked` {key, by, reason}, `going`. Methods that are `async` throw a ChatError;
 * those that are not never do for a lost link.
 */
export class Chat extends EventTarget {
  /** Why one is away; empty while one is here. */
  away = "";
  #session;
  #keeping;
  #places = new Places();
  #outbox;
  #pages;
  #membership;
  #arrivals;
  #signals;

  constructor({
    url,
    session = storageNamed("sessionStorage"),
    local = storageNamed("localStorage"),
    WebSocket = globalThis.WebSocket,
    random = globalThis.crypto,
  } = {}) {
    super();
    const keeping = new Keeping({ session, local });
    const told = this.#told();
    this.#keeping = keeping;
    this.#session = new Session({ url: url ?? ownAddress(), WebSocket, keeping, told });
    const desk = {
      session: this.#session,
      keeping,
      places: this.#places,
      tell: (type, detail) => this.#tell(type, detail),
      recount: (place) => this.#recount(place),
      look: (place) => this.#look(place),
      settle: (place, item, fields) => this.#arrivals.settle(place, item, fields),
    };
    this.#outbox = desk.outbox = new Outbox(desk, random);
    this.#pages = new Pages(desk);
    this.#membership = new Membership(desk);
    this.#arrivals = new Arrivals(desk);
    this.#signals = desk.signals = new Signals(desk);
    this.#watchNetwork();
  }

  /** 'signed-out' | 'connecting' | 'open' | 'waiting' | 'refused' */
  get state() {
    return this.#session.state;
  }

  get retryAt() {
    return this.#session.retryAt;
  }

  get reason() {
    return this.#session.reason;
  }

  get me() {
    return this.#session.me;
  }

  get limits() {
    return this.#session.limits;
  }

  /** Map of key to Place. The same map for good. */
  get places() {
    return this.#places.map;
  }

  /** How many own messages have no answer yet. */
  get unsent() {
    return this.#outbox.count;
  }

  /** Goes on with the token of this tab, if there is one. */
  start() {
    this.#session.start();
    if (!this.me) return;
    this.#outbox.open(this.me.name);
    this.#membership.remember(this.me.name, { isSame: true });
    this.#signals.back();
  }

  async signIn({ name, password }) {
    await this.#session.enter("login", { name, ...(password ? { password } : {}) });
  }

  async register({ name, password, code }) {
    await this.#session.enter("register", { name, password, ...(code ? { code } : {}) });
  }

  async changePassword({ old, new: fresh }) {
    await this.#session.changePassword({ old, new: fresh });
  }

  /**
   * Ends it in this tab, and forgets what the tab has of it: what is not sent, drafts, the token.
   * With `everywhere`, ends the person's other connections, too; then a guest's name is
   * anybody's.
   */
  async signOut({ everywhere = false } = {}) {
    const name = this.me?.name;
    await this.#session.leave({ everywhere });
    if (name) this.#keeping.dropWords(name);
  }

  retryNow() {
    this.#session.retryNow();
  }

  /** The rooms and conversations of the server, into `places`. */
  async refreshRooms() {
    await this.#membership.refresh();
  }

  async join(room, { code } = {}) {
    return this.#membership.enter("join", { room, ...(code ? { code } : {}) });
  }

  async leave(key) {
    await this.#membership.leave(this.#place(key));
  }

  async createRoom(room, { isPrivate = false, topic } = {}) {
    const fields = { room, ...(isPrivate ? { private: true } : {}), ...(topic ? { topic } : {}) };
    return this.#membership.enter("create", fields);
  }

  async archive(key) {
    await this.#session.askPatiently("archive", this.#place(key).address);
    this.#place(key).isArchived = true;
    this.#tell("place", { key });
  }

  async openConversation(name) {
    return this.#membership.enter("join", { with: name });
  }

  /** This place is looked at: its newest page is loaded if it was not. */
  open(key) {
    const place = this.#places.make(key);
    place.isOpened = true;
    this.#look(place);
  }

  /** Into the outbox at once. @returns {Item} */
  send(key, text, { replyTo } = {}) {
    if (!this.me) throw signedOut();
    const place = this.#place(key);
    this.#signals.typing(place, false);
    // What one says stands at the end: whoever looks at old messages is brought there.
    if (place.hasNewer) this.backToNow(key).catch(() => {});
    return this.#outbox.add(place, text, replyTo);
  }

  /** Sends one that failed again, as the last. */
  retry(item) {
    this.#outbox.retry(item);
  }

  discard(item) {
    this.#outbox.discard(item);
  }

  async edit(key, seq, text) {
    await this.#session.askPatiently("edit", { ...this.#place(key).address, seq, text });
  }

  async remove(key, seq) {
    await this.#session.askPatiently("delete", { ...this.#place(key).address, seq });
  }

  async loadOlder(key) {
    await this.#pages.older(this.#place(key));
  }

  async loadNewer(key) {
    await this.#pages.newer(this.#place(key));
  }

  /** Loads the pages around a number. @returns {Promise<?Item>} the message, where it is there */
  async jumpTo(key, seq) {
    const place = this.#place(key);
    place.isOpened = true;
    await this.#pages.around(place, seq);
    return place.timeline.find(seq);
  }

  async backToNow(key) {
    const place = this.#place(key);
    if (place.hasNewer || !place.timeline.isLoaded) await this.#pages.newest(place);
  }

  /** @returns {Promise<{messages: Item[], cursor: ?string}>} newest first */
  async search({ query, place, from, cursor }) {
    const fields = { query, ...(from ? { from } : {}), ...(cursor ? { cursor } : {}) };
    if (place) Object.assign(fields, this.#place(place).address);
    const ok = await this.#session.askPatiently("search", fields);
    const messages = ok.messages.map((found) => messageItem(keyOf(found), found, this.me?.name));
    return { messages, cursor: ok.cursor ?? null };
  }

  markRead(key, seq) {
    this.#signals.read(this.#place(key), seq);
  }

  setTyping(key, isOn) {
    this.#signals.typing(this.#place(key), isOn);
  }

  /** Away, and why; with an empty text, back. The others are told by the server. */
  async setAway(text) {
    await this.#session.askPatiently("away", text ? { text } : {});
    this.away = text;
    this.#arrivals.take("presence", { name: this.me.name, away: text || null });
    this.#tell("me", {});
  }

  /** Who is in the room, into `place.people`; at most 50, of `place.peopleCount`. */
  async loadPeople(key) {
    const place = this.#place(key);
    if (place.room === null) return;
    const { members, count } = await this.#session.askPatiently("who", place.address);
    place.people = new Map(
      members.map(({ name, role, away }) => [name, { role: role ?? null, away: away ?? null }]),
    );
    place.peopleCount = count;
    this.#tell("people", { key });
    const mine = place.people.get(this.me?.name);
    if (!mine || this.away === (mine.away ?? "")) return;
    // Before a reload one was away, or in another tab.
    this.away = mine.away ?? "";
    this.#tell("me", {});
  }

  async setTopic(key, text) {
    await this.#session.askPatiently("topic", { ...this.#place(key).address, text });
  }

  /** @returns {Promise<string>} the code of an invitation */
  async invite(key, { uses, seconds } = {}) {
    const fields = { ...this.#place(key).address, uses, seconds };
    return (await this.#session.askPatiently("invite", fields)).code;
  }

  async kick(key, name, reason) {
    await this.#moderate("kick", key, { name, reason });
  }

  async ban(key, name, reason, seconds) {
    await this.#moderate("ban", key, { name, reason, seconds });
  }

  async mute(key, name, reason, seconds) {
    await this.#moderate("mute", key, { name, reason, seconds });
  }

  async unban(key, name) {
    await this.#moderate("unban", key, { name });
  }

  async unmute(key, name) {
    await this.#moderate("unmute", key, { name });
  }

  async setRole(key, name, role) {
    await this.#moderate("role", key, { name, role });
  }

  draft(key) {
    return this.me ? this.#keeping.draft(this.me.name, key) : "";
  }

  setDraft(key, text) {
    if (this.me) this.#keeping.setDraft(this.me.name, key, text);
  }

  // Without a room it is for the whole server.
  async #moderate(method, key, fields) {
    const address = key === null ? {} : this.#place(key).address;
    await this.#session.askPatiently(method, { ...address, ...fields });
  }

  #place(key) {
    return this.#places.make(key);
  }

  #told() {
    return {
      state: () => this.#tell("state", {}),
      me: () => this.#tell("me", {}),
      event: (name, fields) => this.#event(name, fields),
      closed: () => this.#arrivals.cut(),
      opened: (how) => this.#opened(how),
      person: () => this.#startOver(),
    };
  }

  #opened({ isNew }) {
    const { name } = this.me;
    const isRenamed = this.#outbox.rename(name);
    const joined = [...this.places.values()].filter((place) => place.isJoined);
    if (isRenamed) for (const { room } of joined) this.#keeping.addRoom(name, room);
    const isIn = joined.length > 0;
    if (!isIn) this.#membership.remember(name);
    if (isNew || !isIn) this.#membership.comeBack().catch(() => {});
    this.#outbox.pump();
    this.#signals.again();
    // The server knows it no more after a cut.
    if (this.away) this.setAway(this.away).catch(() => {});
  }

  #startOver() {
    this.away = "";
    this.#outbox.close();
    this.#signals.clear();
    this.#arrivals.cut();
    const keys = [...this.places.keys()];
    this.#places.clear();
    this.#tell("places", {});
    for (const key of keys) this.#tell("items", { key, change: "reset", items: [], dropped: [] });
  }

  #event(name, fields) {
    this.#arrivals.take(name, fields);
    if (name !== "kicked") return;
    const place = this.places.get(keyOf(fields));
    if (place) this.#membership.isOut(place);
  }

  #look(place) {
    if (!place.isOpened || place.timeline.isLoaded || this.state !== "open") return;
    this.#pages.newest(place).catch(() => {});
  }

  #recount(place) {
    const { timeline, mark } = place;
    // The server counted what has not come here yet.
    if (place.newest < place.counter.countedTo) return;
    const reaches = !timeline.hasOlder || (timeline.first ?? 0) <= mark + 1;
    if (mark === null || !timeline.isLoaded || timeline.hasNewer || !reaches) return;
    const behind = timeline.settled.filter(
      (item) => item.kind === "message" && item.seq > mark && !item.isOwn && !item.isDeleted,
    );
    place.counter.exactly(behind.map((item) => item.seq), place.newest);
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  #watchNetwork() {
    // Who was told not to come back is not brought back by a cable.
    const look = () => this.state !== "refused" && this.retryNow();
    globalThis.addEventListener?.("pagehide", () => {
      this.#tell("going", {});
      this.#signals.away();
      this.#session.pause();
    });
    globalThis.addEventListener?.("pageshow", ({ persisted }) => persisted && look());
    globalThis.addEventListener?.("online", look);
    globalThis.addEventListener?.("offline", look);
    globalThis.document?.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") look();
    });
  }
}
