// What was said and has no answer yet: kept by the tab until it has one, and sent in order, once.

import { waitingItem } from "./items.js";
import { pauseMs } from "./session.js";

const keyBytes = 16;
const textBytesMax = 4_096;

/**
 * The outbox of one person in one tab.
 *
 * Each message has a key of 128 random bits, and is in the tab's storage before it is sent. It
 * leaves when it is answered, or when its own event comes. What is in it after a cut or a reload
 * is sent again with the same key, of which the server keeps one (docs/wire/json.md, `send`). One
 * message of a place is under way at a time: with more, one that is refused for a moment would be
 * overtaken.
 */
export class Outbox {
  #desk;
  #random;
  #entries = [];
  #items = new Map();
  #owner = null;
  #sending = new Set();
  #hold = null;
  #refusals = 0;

  /**
   * @param {{session, keeping, places, tell, settle}} desk `settle(place, item, fields)` shows it
   * as said
   */
  constructor(desk, random) {
    this.#desk = desk;
    this.#random = random;
  }

  /** How much waits, what failed included. */
  get count() {
    return this.#entries.length;
  }

  /** From now on it is this person's: what waits for the name is there again. */
  open(name) {
    if (this.#owner === name) return;
    this.close();
    this.#owner = name;
    for (const entry of this.#desk.keeping.outbox(name)) this.#show(entry);
  }

  /**
   * The person is called so now. The keys are the person's, and go along.
   * @returns {boolean} whether it was called otherwise
   */
  rename(name) {
    if (this.#owner === null || this.#owner === name) {
      this.open(name);
      return false;
    }
    this.#desk.keeping.setOutbox(this.#owner, []);
    this.#owner = name;
    for (const entry of this.#desk.keeping.outbox(name)) this.#show(entry);
    this.#save();
    return true;
  }

  /** Nobody's for the moment. What waits stays in the tab's storage. */
  close() {
    clearTimeout(this.#hold);
    this.#hold = null;
    this.#owner = null;
    this.#entries = [];
    this.#items.clear();
    this.#sending = new Set();
  }

  /** @returns {Item} */
  add(place, text, replyTo) {
    const bytes = this.#random.getRandomValues(new Uint8Array(keyBytes));
    const key = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    const entry = { key, place: place.key, text, replyTo: replyTo ?? null, at: Date.now() };
    const most = this.#desk.session.limits.textBytes ?? textBytesMax;
    if (new TextEncoder().encode(text).length > most) {
      const message = `A message has at most ${most} bytes; send it in parts.`;
      entry.error = { code: "too-long", message };
    }
    const item = this.#show(entry);
    this.#save();
    this.#changed(place, item, { change: "appended" });
    this.pump();
    return item;
  }

  retry(item) {
    const entry = this.#entries.find(({ key }) => key === item.sendKey);
    if (!entry?.error) return;
    const place = this.#desk.places.make(entry.place);
    this.#entries = [...this.#entries.filter((other) => other !== entry), entry];
    entry.error = item.error = null;
    item.delivery = "waiting";
    place.timeline.removeWaiting(item);
    place.timeline.addWaiting(item);
    this.#save();
    this.#changed(place, item);
    this.pump();
  }

  discard(item) {
    const place = this.#desk.places.get(item.key);
    if (!this.#items.has(item.sendKey) || item.delivery === "sending") return;
    this.#remove(item.sendKey);
    if (place?.timeline.removeWaiting(item)) this.#changed(place, null, { dropped: [item] });
  }

  /** @returns {?Item} the one that waits with this key; it waits no more */
  take(key) {
    const item = this.#items.get(key) ?? null;
    if (item) this.#remove(key);
    return item;
  }

  /** What waits for this place will not get there. */
  refuse(place, error) {
    for (const entry of this.#entries) {
      if (entry.place === place.key && !entry.error) this.#fail(entry, error);
    }
  }

  /** Sends what can be sent now. */
  pump() {
    if (this.#hold || this.#desk.session.state !== "open") return;
    const seen = new Set();
    for (const entry of [...this.#entries]) {
      if (entry.error || seen.has(entry.place)) continue;
      seen.add(entry.place);
      const place = this.#desk.places.make(entry.place);
      const isReady = place.with !== null || place.isLive || !place.isJoined;
      if (isReady && !this.#sending.has(entry.place)) this.#send(entry, place);
    }
  }

  async #send(entry, place) {
    const { key, text, replyTo } = entry;
    const sending = this.#sending;
    sending.add(entry.place);
    this.#deliver(entry, "sending");
    try {
      const ok = await this.#desk.session.ask("send", { ...place.address, text, key, replyTo });
      this.#refusals = 0;
      const item = this.take(key);
      const from = this.#desk.session.me?.name ?? item?.from;
      if (item) this.#desk.settle(place, item, { ...ok, from, text, key, replyTo });
    } catch (error) {
      if (!this.#items.has(key)) {
        // Its own event came first, or it is another person's outbox by now.
      } else if (error.isOfLink || error.code === "signed-out") this.#deliver(entry, "waiting");
      else if (error.isPassing) this.#holdOn(entry, error);
      else this.#fail(entry, error);
    }
    sending.delete(entry.place);
    this.pump();
  }

  #holdOn(entry, error) {
    this.#refusals += 1;
    this.#deliver(entry, "waiting");
    clearTimeout(this.#hold);
    this.#hold = setTimeout(() => {
      this.#hold = null;
      this.pump();
    }, error.retryAfterMs ?? pauseMs(this.#refusals));
  }

  #fail(entry, { code, message }) {
    entry.error = { code, message };
    this.#save();
    this.#deliver(entry, "failed");
  }

  #deliver(entry, delivery) {
    const item = this.#items.get(entry.key);
    if (!item) return;
    item.delivery = delivery;
    item.error = entry.error ?? null;
    this.#changed(this.#desk.places.make(entry.place), item);
  }

  #show(entry) {
    const place = this.#desk.places.make(entry.place);
    const item = waitingItem(place.key, entry, this.#owner);
    if (entry.error) Object.assign(item, { delivery: "failed", error: entry.error });
    this.#entries.push(entry);
    this.#items.set(entry.key, item);
    place.timeline.addWaiting(item);
    return item;
  }

  #remove(key) {
    this.#items.delete(key);
    this.#entries = this.#entries.filter((entry) => entry.key !== key);
    this.#save();
  }

  #save() {
    if (this.#owner !== null) this.#desk.keeping.setOutbox(this.#owner, this.#entries);
  }

  #changed(place, item, { change = "changed", dropped = [] } = {}) {
    this.#desk.tell("items", { key: place.key, change, items: item ? [item] : [], dropped });
  }
}

