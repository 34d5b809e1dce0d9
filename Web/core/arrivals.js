// What the server tells by itself, put where it belongs.

import { gapItem, messageItem, topicItem, updateMessage } from "./items.js";
import { keyOf } from "./places.js";
import { mentions } from "./unread.js";

const gatherMs = 100;
const typingMsMax = 15_000;

/** Applies events to places, and tells the page what became of them. */
export class Arrivals {
  #desk;
  #gathered = new Map();
  #timer = null;

  constructor(desk) {
    this.#desk = desk;
  }

  /** One event (docs/wire/json.md, Events). One that is not known is ignored. */
  take(name, fields) {
    if (Object.hasOwn(handlers, name)) handlers[name](this, fields);
  }

  /** The link is no more: who was typing is not known any longer, nor is what was to come. */
  cut() {
    this.#flush();
    for (const place of this.#desk.places.map.values()) {
      place.isLive = false;
      place.isCaughtUp = true;
      for (const name of [...place.typing.keys()]) this.#stopTyping(place, name);
    }
  }

  tell(type, detail) {
    this.#desk.tell(type, detail);
  }

  get myName() {
    return this.#desk.session.me?.name ?? null;
  }

  // A conversation begins with its first message; in a room one is by having joined it.
  place(fields) {
    const key = keyOf(fields);
    const known = this.#desk.places.get(key);
    if (known || fields.with === undefined) return known;
    const place = this.#desk.places.make(key);
    this.tell("places", {});
    return place;
  }

  known(fields) {
    return this.#desk.places.get(keyOf(fields));
  }

  every() {
    return this.#desk.places.map.values();
  }

  message(place, fields) {
    place.saw(fields.seq);
    const waiting = fields.key === undefined ? null : this.#desk.outbox.take(fields.key);
    if (waiting) return this.settle(place, waiting, fields);
    const item = messageItem(place.key, fields, this.myName);
    this.#stopTyping(place, fields.from);
    const isMention = !item.isOwn && this.myName !== null && mentions(item.text, this.myName);
    if (!item.isOwn) {
      place.counter.came(item.seq, isMention);
      this.tell("place", { key: place.key });
    }
    const shown = this.show(place, item);
    const isNews = place.isCaughtUp && !item.isOwn && !item.isDeleted;
    if (isNews && shown !== "there") this.tell("message", { key: place.key, item, isMention });
    if (shown === "there") this.update(place, fields);
  }

  /** What was said here has its number: by the answer, or by its own event, whichever is first. */
  settle(place, item, fields) {
    const isShown = place.timeline.removeWaiting(item);
    updateMessage(item, fields);
    item.seq = fields.seq;
    const shown = this.show(place, item, { isQuiet: true });
    if (shown === "inserted") this.#changed(place, [item]);
    else if (isShown) this.#changed(place, [], [item]);
  }

  /** @returns {'inserted' | 'there' | 'beyond'} beyond: it belongs to what is not loaded */
  show(place, item, { isQuiet = false } = {}) {
    const { timeline } = place;
    timeline.late?.push(item);
    const first = timeline.first ?? 0;
    const isWithin = item.seq >= first || !timeline.hasOlder;
    const isBelow = !timeline.hasNewer || item.seq <= timeline.last;
    if (!timeline.isLoaded || !isWithin || !isBelow) return "beyond";
    if (!timeline.insert(item)) return "there";
    if (!isQuiet) this.#appended(place, item);
    return "inserted";
  }

  // It came before, by a page or before a cut: it may have been changed since.
  update(place, fields) {
    const item = place.timeline.find(fields.seq);
    if (item?.kind === "message" && updateMessage(item, fields)) this.#changed(place, [item]);
  }

  /** An `edited` or `deleted`. A page that is under way may have been read before it. */
  change(place, { seq, of, at }, alter) {
    place.saw(seq);
    const apply = () => {
      const item = place.timeline.find(of);
      if (item?.kind !== "message" || item.isDeleted) return null;
      if (item.edited && item.edited > new Date(at)) return null;
      alter(item);
      return item;
    };
    place.timeline.changes?.push(apply);
    const item = apply();
    if (item) this.#changed(place, [item]);
    this.#desk.recount(place);
  }

  typing(place, name, isOn) {
    if (!isOn) return this.#stopTyping(place, name);
    // Who is cut off does not say that nothing is being written any more.
    const timer = setTimeout(() => this.#stopTyping(place, name), typingMsMax);
    clearTimeout(place.typingTimers.get(name));
    place.typingTimers.set(name, timer);
    if (place.typing.has(name)) return;
    place.typing.set(name, new Date());
    this.tell("typing", { key: place.key });
  }

  caughtUp(place, seq) {
    place.saw(seq);
    this.#flush();
    place.isCaughtUp = true;
    this.#desk.recount(place);
    this.tell("place", { key: place.key });
  }

  #stopTyping(place, name) {
    clearTimeout(place.typingTimers.get(name));
    place.typingTimers.delete(name);
    if (place.typing.delete(name)) this.tell("typing", { key: place.key });
  }

  #changed(place, items, dropped = []) {
    this.#flush();
    this.tell("items", { key: place.key, change: "changed", items, dropped });
  }

  // A replay comes as many events: the page is told of them together.
  #appended(place, item) {
    const gathered = this.#gathered.get(place) ?? [];
    gathered.push(item);
    this.#gathered.set(place, gathered);
    if (place.isCaughtUp) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), gatherMs);
  }

  #flush() {
    clearTimeout(this.#timer);
    this.#timer = null;
    const all = [...this.#gathered];
    this.#gathered.clear();
    for (const [place, items] of all) {
      const dropped = place.timeline.trim("older");
      this.tell("items", { key: place.key, change: "appended", items, dropped });
    }
  }
}

const handlers = {
  message(arrivals, fields) {
    const place = arrivals.place(fields);
    if (place) arrivals.message(place, fields);
  },

  edited(arrivals, fields) {
    const place = arrivals.known(fields);
    if (!place) return;
    arrivals.change(place, fields, (item) => {
      Object.assign(item, { text: fields.text, edited: new Date(fields.at) });
    });
  },

  deleted(arrivals, fields) {
    const place = arrivals.known(fields);
    if (!place) return;
    arrivals.change(place, fields, (item) => Object.assign(item, { text: "", isDeleted: true }));
  },

  topic(arrivals, fields) {
    const place = arrivals.known(fields);
    if (!place) return;
    place.saw(fields.seq);
    place.topic = fields.text;
    arrivals.tell("place", { key: place.key });
    arrivals.show(place, topicItem(place.key, fields, arrivals.myName));
  },

  gap(arrivals, fields) {
    const place = arrivals.known(fields);
    if (!place) return;
    place.saw(fields.to);
    arrivals.show(place, gapItem(place.key, fields));
  },

  caughtUp(arrivals, fields) {
    const place = arrivals.known(fields);
    if (place) arrivals.caughtUp(place, fields.seq);
  },

  joined(arrivals, fields) {
    came(arrivals, fields, (place) => {
      if (!place.people.has(fields.name)) place.people.set(fields.name, { role: null, away: null });
    });
  },

  left(arrivals, fields) {
    came(arrivals, fields, (place) => {
      place.people.delete(fields.name);
      arrivals.typing(place, fields.name, false);
    });
  },

  typing(arrivals, fields) {
    const place = arrivals.known(fields);
    if (place) arrivals.typing(place, fields.name, fields.on);
  },

  presence(arrivals, { name, away }) {
    for (const place of arrivals.every()) {
      if (!place.people.has(name)) continue;
      place.people.set(name, { ...place.people.get(name), away: away ?? null });
      arrivals.tell("people", { key: place.key });
    }
  },

  marked(arrivals, fields) {
    const place = arrivals.known(fields);
    if (place?.counter.read(fields.seq)) arrivals.tell("place", { key: place.key });
  },

  kicked(arrivals, fields) {
    const place = arrivals.known(fields);
    if (!place) return;
    arrivals.tell("kicked", { key: place.key, by: fields.by, reason: fields.reason ?? null });
  },

  notice(arrivals, { text }) {
    arrivals.tell("notice", { text });
  },
};

// `joined` and `left` of a big room have a count in place of a name.
function came(arrivals, fields, apply) {
  const place = arrivals.known(fields);
  if (!place) return;
  place.memberCount = fields.members;
  if (fields.name !== undefined) apply(place);
  arrivals.tell("place", { key: place.key });
  arrivals.tell("people", { key: place.key });
}
