// Rooms and conversations, and what is known of each.

import { Timeline } from "./timeline.js";
import { Unread } from "./unread.js";

/** @returns {string} the key of the place that an event, an answer or a request names */
export function keyOf({ room, with: name }) {
  return name === undefined || name === null ? `room:${room}` : `with:${name}`;
}

/** One room or conversation. The page reads it; only this folder writes. */
export class Place {
  room = null;
  with = null;
  topic = "";
  memberCount = 0;
  isPrivate = false;
  isArchived = false;
  /** The server told of it, to this person. */
  isListed = false;
  /** In it by one's own will: also while the link is cut. A conversation cannot be left. */
  isJoined = false;
  /** In it on this link: what is said there comes by itself. */
  isLive = false;
  isCaughtUp = true;
  /** Somebody has looked at it, so that its messages are kept at hand. */
  isOpened = false;
  /** The newest number that was seen: what is asked for after a cut begins behind it. */
  newest = 0;
  people = new Map();
  peopleCount = 0;
  /** Name to Date: since when. */
  typing = new Map();
  typingTimers = new Map();
  timeline = new Timeline();
  counter = new Unread();

  constructor(key) {
    this.key = key;
    const name = key.slice(key.indexOf(":") + 1);
    if (key.startsWith("with:")) this.with = name;
    else this.room = name;
    // What was said in a room before one came is not unread; in a conversation everything is.
    if (this.with !== null) this.counter.mark = 0;
  }

  /** How a request names it. */
  get address() {
    return this.with === null ? { room: this.room } : { with: this.with };
  }

  get items() {
    return this.timeline.items;
  }

  get isLoaded() {
    return this.timeline.isLoaded;
  }

  get isLoading() {
    return this.timeline.isLoading;
  }

  get hasOlder() {
    return this.timeline.hasOlder;
  }

  get hasNewer() {
    return this.timeline.hasNewer;
  }

  get mark() {
    return this.counter.mark;
  }

  get unread() {
    return this.counter.count;
  }

  get mentions() {
    return this.with === null ? this.counter.mentions : this.counter.count;
  }

  /** Nothing is known of it, as on the first day; but who looks at it still does. */
  reset() {
    Object.assign(this, new Place(this.key), { isOpened: this.isOpened });
  }

  /** Numbers only grow: what comes twice or late does not take the way back. */
  saw(seq) {
    if (seq > this.newest) this.newest = seq;
  }

  /**
   * The room has another history than the one that was seen, or so much came that it is read
   * anew.
   */
  startOver(seq) {
    this.timeline.clear();
    this.newest = seq;
  }
}

/** All places, by key. */
export class Places {
  map = new Map();
  #former = new Map();

  get(key) {
    return this.map.get(key) ?? null;
  }

  /** @returns {Place} that of the key, made where it is not there */
  make(key) {
    if (!this.map.has(key)) this.map.set(key, this.#former.get(key) ?? new Place(key));
    return this.map.get(key);
  }

  /** Somebody else begins. A place that is there again is the same object, empty. */
  clear() {
    for (const [key, place] of this.map) {
      place.reset();
      this.#former.set(key, place);
    }
    this.map.clear();
  }

  /**
   * Takes in the answer to `rooms`. What is not in it, and nobody is in or looks at, is no more;
   * unless the answer had no room for all.
   */
  take({ rooms, count }) {
    const listed = new Set();
    for (const told of rooms) {
      const key = keyOf({ room: told.name, with: told.with });
      const place = this.make(key);
      listed.add(key);
      place.topic = told.topic ?? "";
      place.memberCount = told.members;
      place.isPrivate = told.private === true;
      place.isArchived = told.archived === true;
      place.isListed = true;
      // Before the first mark the server does not count.
      const count = told.unread ?? (place.mark === 0 ? told.seq : 0);
      place.counter.counted({ count, seq: told.seq, mark: told.mark });
    }
    if (rooms.length < count) return;
    for (const [key, place] of this.map) {
      place.isListed = listed.has(key);
      const isHeld = place.isJoined || place.isOpened || place.items.length > 0;
      if (!listed.has(key) && !isHeld) this.map.delete(key);
    }
  }
}
