// History by the page: the newest, older and newer ones, and those around a message.

import { signedOut } from "./errors.js";
import { gapItem, messageItem } from "./items.js";

const pageMessages = 50;
const aroundMessages = 30;

/**
 * Loads pages of a place into its timeline. While one is under way, what comes live is put aside
 * in `late` (and changes in `changes`), since it may belong behind the page and not be in it.
 */
export class Pages {
  #desk;
  // By timeline: that of a place begins anew with another person.
  #underWay = new WeakMap();

  constructor(desk) {
    this.#desk = desk;
  }

  /** The newest page, in place of what is loaded. */
  newest(place) {
    return this.#load(place, "newest", async () => {
      const page = await this.#page(place, { limit: pageMessages });
      place.timeline.clear();
      this.#put(place, page);
      place.timeline.hasOlder = page.more;
      // All up to here is in the page, or older than it.
      place.saw(place.timeline.last);
      this.#end(place, { change: "reset" });
    });
  }

  older(place) {
    const { timeline } = place;
    if (!timeline.isLoaded) return this.newest(place);
    if (!timeline.hasOlder) return Promise.resolve();
    return this.#load(place, "older", async () => {
      const page = await this.#page(place, { before: timeline.first, limit: pageMessages });
      const items = this.#put(place, page);
      timeline.hasOlder = page.more;
      this.#tell(place, { change: "older", items, dropped: timeline.trim("newer") });
    });
  }

  newer(place) {
    const { timeline } = place;
    if (!timeline.isLoaded) return this.newest(place);
    if (!timeline.hasNewer) return Promise.resolve();
    return this.#load(place, "newer", async () => {
      const page = await this.#page(place, { after: timeline.last, limit: pageMessages });
      const items = this.#put(place, page);
      timeline.hasNewer = page.more;
      const dropped = timeline.trim("older");
      this.#end(place, { change: "newer", items, dropped });
    });
  }

  /** The pages around a number, unless it is loaded. */
  around(place, seq) {
    if (place.timeline.find(seq)) return Promise.resolve();
    return this.#load(place, `around ${seq}`, async () => {
      const [before, after] = await Promise.all([
        this.#page(place, { before: seq + 1, limit: aroundMessages }),
        this.#page(place, { after: seq, limit: aroundMessages }),
      ]);
      place.timeline.clear();
      this.#put(place, before);
      this.#put(place, after);
      place.timeline.hasOlder = before.more;
      place.timeline.hasNewer = after.more;
      this.#end(place, { change: "reset" });
    });
  }

  // One load of a place at a time; who asks for the same meanwhile gets the same.
  async #load(place, what, work) {
    const { timeline } = place;
    const busy = this.#underWay.get(timeline);
    if (busy?.what === what) return busy.done;
    const done = (async () => {
      await busy?.done.catch(() => {});
      timeline.isLoading = true;
      timeline.late = [];
      timeline.changes = [];
      this.#desk.tell("place", { key: place.key });
      try {
        await work();
      } finally {
        timeline.late = timeline.changes = null;
        timeline.isLoading = false;
        if (this.#underWay.get(timeline)?.done === done) this.#underWay.delete(timeline);
        this.#desk.tell("place", { key: place.key });
      }
    })();
    this.#underWay.set(timeline, { what, done });
    return done;
  }

  async #page(place, fields) {
    const { timeline } = place;
    const asked = { ...place.address, ...fields };
    const page = await this.#desk.session.askPatiently("history", asked);
    // It was asked for by the person before.
    if (place.timeline !== timeline) throw signedOut();
    return page;
  }

  // @returns the items that were not there before
  #put(place, page) {
    const myName = this.#desk.session.me?.name;
    const items = page.messages.map((message) => messageItem(place.key, message, myName));
    if (page.gap) items.push(gapItem(place.key, page.gap));
    const fresh = items.filter((item) => place.timeline.insert(item));
    place.timeline.isLoaded = true;
    for (const change of place.timeline.changes) change();
    return fresh.sort((a, b) => a.seq - b.seq);
  }

  // The page reaches to the end, or not: what came meanwhile belongs behind it, or to a later
  // page.
  #end(place, { change, items = null, dropped = [] }) {
    const { timeline } = place;
    const late = timeline.hasNewer ? [] : timeline.late.filter((item) => timeline.insert(item));
    for (const again of timeline.changes) again();
    const shown = items ? [...items, ...late] : place.items;
    this.#tell(place, { change, items: shown, dropped });
  }

  #tell(place, detail) {
    this.#desk.recount(place);
    this.#desk.tell("items", { key: place.key, dropped: [], ...detail, items: [...detail.items] });
  }
}
