// The page as a whole: which place is shown, and who is told when something changes.

import { Actions } from "./actions.js";
import { choice, choose } from "./choices.js";
import { Composer, isTouch } from "./composer.js";
import { DaySign } from "./day-sign.js";
import { ask, confirm } from "./dialog.js";
import { byId, element, iconButton } from "./dom.js";
import { listenForKeys } from "./keys.js";
import { Log, indexOfSeq } from "./log.js";
import { Notifier } from "./notify.js";
import { People } from "./people.js";
import { PlaceLists, hashOf, keyOfHash } from "./places.js";
import { findRoom, joinByCode } from "./rooms.js";
import { RoomHead } from "./room-head.js";
import { SearchPanel } from "./search.js";
import { openSettings } from "./settings.js";
import { closeSide } from "./side.js";
import { SignIn } from "./sign-in.js";
import { StateLine } from "./state-line.js";
import { explain, sentence, speak, t } from "./words.js";

const noticeMilliseconds = 7_000;

/** The page. `chat` is a Chat of core/chat.js, or anything with its interface. */
export class App {
  key = null;
  #arrived = 0; #frame = 0; #dirty = new Set(); #name = ""; #wasLooking = false;
  #wasBehind = false;

  constructor(chat) {
    this.chat = chat;
    speak(choice("language"));
    this.does = {
      jump: (seq) => this.jumpTo(this.key, seq),
      retry: (item) => chat.retry(item),
      discard: (item) => chat.discard(item),
    };
    this.isMe = (name) => name.toLowerCase() === chat.me?.name.toLowerCase();
    this.log = new Log(this);
    this.composer = new Composer(this);
    this.places = new PlaceLists(this);
    this.signIn = new SignIn(this);
    this.stateLine = new StateLine(this);
    this.head = new RoomHead(this);
    this.people = new People(this);
    this.search = new SearchPanel(this);
    this.notifier = new Notifier(this);
    this.actions = new Actions(this);
    const sign = new DaySign(this.log);
    this.log.onSight = () => {
      this.#showToNewest();
      sign.render();
    };
  }

  /** Begins: goes on where this tab was, or asks for a name. */
  start() {
    this.#listen();
    listenForKeys(this);
    byId("to-newest").addEventListener("click", () => { this.toNewest(); this.composer.focus(); });
    byId("back").addEventListener("click", () => { this.go(null); });
    byId("settings-open").addEventListener("click", () => openSettings(this));
    addEventListener("hashchange", () => this.#route());
    document.addEventListener("visibilitychange", () => this.#looked());
    addEventListener("focus", () => this.#looked());
    addEventListener("blur", () => this.#looked());
    this.chat.start();
    this.#showView();
  }

  /** The place that is shown, or null. */
  get place() { return (this.key && this.chat.places.get(this.key)) ?? null; }

  /** Whether somebody looks at the page. */
  get isLooking() { return document.visibilityState === "visible" && document.hasFocus(); }

  /** Whether somebody looks at the messages: on a phone they may be behind the list of rooms. */
  get isSeen() { return this.isLooking && this.log.scroller.clientHeight > 0; }

  /** What a place is called in a sentence. */
  placeName(place) { return place.room ? `#${place.room}` : place.with; }

  /** Shows a place; null shows the list of them, where there is no room for both. */
  go(key) {
    const hash = key ? hashOf(key) : "";
    if (location.hash === hash || (!hash && !location.hash)) return this.#route();
    if (hash) location.hash = hash;
    else {
      history.pushState(null, "", location.pathname + location.search);
      this.#route();
    }
  }

  /** To the newest message, loading it where it is not. */
  toNewest() {
    this.#arrived = 0;
    if (this.place?.hasNewer) {
      this.run(this.chat.backToNow(this.key).then(() => this.log.toNewest()));
    } else this.log.toNewest();
    this.#showToNewest();
  }

  /** Shows a message of a place, wherever in its history it is. */
  async jumpTo(key, seq) {
    if (key !== this.key) this.go(key);
    document.documentElement.dataset.pane = "room";
    this.#flush();
    if (this.log.reveal(seq)) return;
    await this.run(this.chat.jumpTo(key, seq));
    this.#flush();
    if (this.key === key && !this.log.reveal(seq)) this.say(t.notThere);
  }

  /** The last message of one's own that can be changed, in the present place. */
  lastOwn() {
    return this.place?.items.findLast((item) => item.isOwn && item.kind === "message"
      && !item.isDeleted && !item.delivery && item.seq !== null) ?? null;
  }

  /** The message of this number in the present place, if it is loaded. */
  found(seq) {
    const item = this.place?.items[indexOfSeq(this.place.items, seq)];
    return item?.seq === seq ? item : null;
  }

  /** Waits for something; where it is refused, says why, and gives undefined. */
  async run(promise) {
    try {
      return await promise;
    } catch (error) {
      this.say(t.wentWrong + explain(error), "error");
      return undefined;
    }
  }

  /** Says a sentence in a corner of the page, for a while. */
  say(text, kind = "") {
    const notice = element("div", { class: `notice ${kind}` },
      element("p", { dir: "auto" }, text),
      iconButton("close", t.close, () => notice.remove()));
    const all = byId("notices");
    all.append(notice);
    while (all.childElementCount > 3) all.firstElementChild.remove();
    setTimeout(() => notice.remove(), noticeMilliseconds);
  }

  findRoom() { findRoom(this); }

  joinByCode() { joinByCode(this); }

  /** Enters the room that is shown. */
  async joinHere() {
    if (await this.run(this.chat.join(this.place.room))) this.composer.focus();
  }

  /** Asks for a name, and opens the conversation. */
  async newConversation() {
    const given = await ask({
      title: t.newConversation, why: t.newConversationWhy, action: t.write, isOne: true,
      fields: [{ name: "name", label: t.personName, maxLength: 64 }],
      attempt: ({ name }) => this.chat.openConversation(name.trim().replace(/^@/, "")),
    });
    if (given) this.go(given.done);
  }

  async converse(name) {
    const key = await this.run(this.chat.openConversation(name));
    if (key) this.go(key);
  }

  /** Asks before a message is taken away for good. */
  async remove(item) {
    const asked = { title: t.removeTitle, why: t.removeWhy, action: t.remove, isGrave: true };
    if (await confirm(asked)) {
      await this.run(this.chat.remove(this.key, item.seq));
    }
  }

  /** Back to the form, with the name that one had. */
  signInAgain() {
    const root = document.documentElement;
    const wasIn = root.dataset.view === "chat";
    root.dataset.view = "sign-in";
    // Who comes next may be somebody else: nothing of this person stays on the page.
    this.key = null;
    this.#shown = false;
    this.log.show(null);
    closeSide();
    byId("notices").replaceChildren();
    document.title = "Beck";
    if (wasIn && !this.chat.reason) {
      history.replaceState(null, "", location.pathname + location.search);
    }
    this.signIn.show(this.chat.reason, this.chat.reason ? this.#name : "");
  }

  /** Everything again, after another language was chosen. */
  renderAll() {
    this.signIn.render();
    this.log.show(this.place, { keep: true });
    for (const part of ["places", "head", "stateLine", "composer"]) this[part].render();
    this.stateLine.renderTyping();
    this.people.render();
    this.search.renderWords();
    this.notifier.renderTitle();
    this.#showToNewest();
  }

  #listen() {
    const { chat } = this;
    const on = (name, action) => {
      chat.addEventListener(name, (event) => action(event.detail ?? {}));
    };
    on("state", () => {
      if (chat.state !== "open") {
        // What was in sight before a cut was read.
        this.log.markRead();
        this.#wasBehind = false;
      }
      this.#showView();
      this.people.renew();
    });
    on("me", () => {
      this.#name = chat.me?.name ?? this.#name;
      this.#later("places", "log");
    });
    on("places", () => {
      // Until it is known what there is, the list is not seen: it would grow under the eyes.
      if (chat.state === "open") document.documentElement.dataset.ready = "";
      this.#later("places", "head", "route");
    });
    on("place", ({ key }) => {
      this.#later("places", ...(key === this.key ? ["head"] : []));
      if (key === this.key) this.people.renew();
    });
    on("items", ({ key, change }) => this.#items(key, change));
    on("people", ({ key }) => { if (key === this.key) this.#later("people"); });
    on("going", () => this.#looked({ isGoing: true }));
    on("typing", ({ key }) => { if (key === this.key) this.stateLine.renderTyping(); });
    on("notice", ({ text, error }) => this.#noticed(text, error));
    on("message", ({ key, item, isMention }) => {
      if (key === this.key) this.#cameHere();
      this.notifier.told(key, item, isMention);
    });
    on("kicked", ({ key, by, reason }) => {
      const place = chat.places.get(key);
      const name = place ? this.placeName(place) : String(key ?? "").replace(/^room:/, "#");
      this.say(reason ? t.kickedBecause(name, by, reason) : t.kicked(name, by), "error");
    });
  }

  /** The server says the same at each sign-in: once in this browser is enough. */
  #noticed(text, error) {
    if (error) return this.say(explain(error));
    if (choice("told") === text) return;
    choose("told", text);
    this.say(sentence(text));
  }

  /** Somebody said something here: counted where the reader does not see it. */
  #cameHere() {
    this.#wasLooking = this.isLooking;
    if (this.isSeen && this.log.isAtNewest) return;
    this.#arrived += 1;
    if (!this.isSeen) this.log.noteAbsence();
    this.#showToNewest();
  }

  #items(key, change) {
    if (key !== this.key) return;
    if (change === "appended") {
      // What was missed while there was no link is new, as a whole.
      if (!this.#wasBehind && !this.place.isCaughtUp) this.log.noteAbsence();
      this.#wasBehind = !this.place.isCaughtUp;
      return this.#later("items");
    }
    // Whatever waits to be shown is shown with it.
    this.#dirty.delete("items");
    this.head.renderStart();
    this.log.update(change);
  }

  /** Shows parts again before the next frame, once however often they change. */
  #later(...parts) {
    for (const part of parts) this.#dirty.add(part);
    // A hidden page is given no frames, and still has to keep up.
    this.#frame ||= document.visibilityState === "visible"
      ? requestAnimationFrame(() => this.#flush()) : setTimeout(() => this.#flush(), 50);
  }

  #flush() {
    this.#frame = 0;
    const dirty = this.#dirty;
    this.#dirty = new Set();
    if (dirty.has("route")) this.#route();
    if (dirty.has("log")) this.log.update("changed");
    if (dirty.has("items")) this.log.update("appended");
    if (dirty.has("places")) {
      this.places.render();
      this.notifier.renderTitle();
    }
    if (dirty.has("head")) {
      this.head.render();
      this.composer.render();
      // The room was entered meanwhile: who has the keyboard nowhere goes on by writing.
      if (document.activeElement === document.body && !isTouch()) this.composer.focus();
    }
    if (dirty.has("people")) {
      this.people.render();
      this.head.render();
    }
  }

  #showView() {
    const { state, me } = this.chat;
    const root = document.documentElement;
    const isIn = me !== null && state !== "signed-out";
    if (!isIn && (state === "connecting" || state === "waiting")) {
      // A form that is sent shows the connection's trouble itself.
      if (root.dataset.view === "start") root.dataset.view = "chat";
    } else if (!isIn && state !== "open") {
      if (root.dataset.view !== "sign-in") this.signInAgain();
    } else if (root.dataset.view === "start"
      || (root.dataset.view !== "chat" && state === "open")) {
      root.dataset.view = "chat";
      this.places.render();
      this.#route();
    }
    if (state === "waiting") root.dataset.ready = "";
    this.stateLine.render();
  }

  #route() {
    const root = document.documentElement;
    if (root.dataset.view !== "chat") return;
    let key = keyOfHash(location.hash);
    root.dataset.pane = key ? "room" : "rooms";
    // On a wide page there is always a place beside the list.
    if (!key) key = this.key ?? this.places.order.find((place) => place.isJoined)?.key ?? null;
    if (key && key !== this.key) this.#show(key);
    else if (key && this.place && !this.#shown) this.#show(key);
    else if (!key) this.#show(null);
  }

  #shown = false;

  #show(key) {
    const isOther = key !== this.key;
    this.key = key;
    if (key) this.chat.open(key);
    const { place } = this;
    this.#arrived = 0;
    this.#shown = Boolean(place);
    // An empty room has no log to measure: that goes before anything is put there.
    this.head.renderStart();
    this.log.show(place);
    this.composer.show(place ? key : null);
    this.head.render();
    this.places.render();
    this.stateLine.renderTyping();
    if (isOther) {
      this.people.show();
      this.search.show();
      if (!isTouch()) this.composer.focus();
    }
    this.notifier.renderTitle();
  }

  /** Somebody began to look at the page, or looks elsewhere: what was in sight was read. */
  #looked({ isGoing = false } = {}) {
    if (this.isLooking || this.#wasLooking) this.log.markRead({ isSeen: true });
    this.#wasLooking = this.isLooking && !isGoing;
    this.#later("places");
  }

  #showToNewest() {
    const button = byId("to-newest");
    if (this.log.isAtNewest && this.isSeen) this.#arrived = 0;
    const isAway = Boolean(this.place) && !this.log.isAtNewest;
    button.hidden = !isAway;
    if (!isAway) return;
    const text = this.#arrived ? t.toNewestCount(this.#arrived) : t.toNewest;
    if (button.dataset.text === text) return;
    button.dataset.text = text;
    button.replaceChildren(text);
    button.classList.toggle("fresh", this.#arrived > 0);
  }
}
