// Shows the items of one place: a window of rows between two spacers, so that the page has a
// bounded number of elements however much is loaded, and what one looks at stays where it is.

import { atMostEvery, byId } from "./dom.js";
import { isAmongMany, looks, makeRow, surroundings } from "./row.js";
import { dayKey } from "./times.js";

const rowPixelsLeast = 24;   // of a row, the least: so many rows at most are on a screen
const beyond = 40;           // rows kept above and below of what is seen
const nearEnd = 16;          // rows from the window's edge at which it is moved
const loadPixels = 900;      // from the end at which more is asked for
const bottomPixels = 32;     // from the bottom at which one counts as being there
const quietMilliseconds = 500;

/** The first item that is at or behind this number; items that wait have none yet. */
export function indexOfSeq(items, seq) {
  let low = 0, high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((items[middle].seq ?? Infinity) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The window. `app` gives chat and what rows do; `onSight` is called when one sees more. */
export class Log {
  #app; #place = null; #first = 0; #rows = new Map(); #heights = new Map(); #starts = new Map();
  #stuck = true; #newAfter = null; #quiet = null; #isAsking = false; #flashed = null;
  onSight = () => {};

  constructor(app) {
    this.#app = app;
    this.scroller = byId("log-scroll");
    this.list = byId("messages");
    this.above = byId("log-above");
    this.below = byId("log-below");
    this.scroller.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    let width = 0;
    const watch = new ResizeObserver(() => {
      const isOther = this.scroller.clientWidth !== width;
      width = this.scroller.clientWidth;
      if (!width) return;
      if (isOther) {
        this.#heights.clear();
        this.update("changed");
      }
      if (this.#isHeld) this.#toBottom();
    });
    watch.observe(this.scroller);
    watch.observe(this.list);
    this.#mark = atMostEvery(700, () => this.markRead());
  }

  #mark;

  get #items() { return this.#place?.items ?? []; }

  /** Whether the newest is in sight. */
  get isAtNewest() { return this.#stuck && !this.#place?.hasNewer; }

  /** Another place, or the same one in other words. Begins at what is new, else at the newest. */
  show(place, { keep = false } = {}) {
    const isOther = this.#place?.key !== place?.key;
    // Who only glanced at the place that is left has read what was in sight.
    if (isOther) this.markRead();
    this.#place = place;
    this.#rows.clear();
    this.list.replaceChildren();
    if (!keep) this.#newAfter = place && place.unread > 0 ? place.mark ?? 0 : null;
    if (isOther) {
      this.#heights.clear();
      this.#starts.clear();
    }
    this.#stuck = true;
    this.#begin();
  }

  #begin() {
    const { scroller } = this;
    this.#silence();
    this.#render(this.#items.length - 1);
    this.#toBottom();
    const fresh = this.#firstNew();
    if (fresh >= 0) {
      this.#render(fresh);
      const row = this.#rows.get(this.#items[fresh].id)?.element;
      const top = row ? this.#topOf(row) : 0;
      if (row && top < scroller.clientHeight * 0.25) {
        scroller.scrollTop += top - scroller.clientHeight * 0.25;
      }
    }
    this.#scrolled();
  }

  /** Where the line of what is new stands, if it stands anywhere: above somebody else's words. */
  #firstNew() {
    if (this.#newAfter === null) return -1;
    const at = this.#items.findIndex((item) => !item.isOwn && item.seq > this.#newAfter);
    // Where what was read last is not loaded, nobody knows where the new begins.
    return at > 0 || (at === 0 && !this.#place.hasOlder) ? at : -1;
  }

  /** The items changed: shows them as they are now, without moving what is in sight. */
  update(change) {
    if (!this.#place) return;
    // Who has scrolled away stays there, if what is in sight is still among the items.
    if (change === "reset" && (this.#stuck || !this.#hasAnchor())) {
      return this.show(this.#place);
    }
    if (change !== "appended") this.#silence();
    this.#renew();
    this.#scrolled();
  }

  /** The rows that belong here now: who is at the end stays there, else what is in sight does. */
  #renew() {
    if (this.#isHeld) {
      this.#render(this.#items.length - 1);
      this.#toBottom();
    } else this.#keeping(() => this.#render(this.#indexOfAnchor()));
  }

  /** What arrives from now on is new: said where the reader looks elsewhere. */
  noteAbsence() {
    const mark = this.#place?.mark ?? null;
    if (mark !== null && mark > (this.#newAfter ?? -1)) this.#newAfter = mark;
  }

  /** Nothing is new any more: the reader has answered. */
  clearNew() {
    if (this.#newAfter === null) return;
    this.#newAfter = null;
    this.update("changed");
  }

  /** Down to the newest that is loaded. */
  toNewest() {
    this.#stuck = true;
    this.#silence();
    this.#render(this.#items.length - 1);
    this.#toBottom();
    this.#scrolled();
  }

  /** Puts a loaded message into the middle and points at it; false where it is not loaded. */
  reveal(seq) {
    const at = indexOfSeq(this.#items, seq);
    if (this.#items[at]?.seq !== seq) return false;
    this.#stuck = false;
    this.#silence();
    this.#render(at);
    const row = this.#rows.get(this.#items[at].id).element;
    const room = this.scroller.clientHeight - row.offsetHeight;
    this.scroller.scrollTop += this.#topOf(row) - Math.max(room / 2, 16);
    this.#scrolled();
    this.#flashed?.classList.remove("flash");
    this.#flashed = this.#rows.get(this.#items[at].id).element;
    this.#flashed.classList.add("flash");
    this.#flashed.querySelector("article")?.focus({ preventScroll: true });
    return true;
  }

  /** The item of an element in the list, or undefined. */
  itemOf(element) {
    const id = element?.closest?.(".row")?.dataset.id;
    return id && this.#items.find((item) => String(item.id) === id);
  }

  /** Whether what is first in sight is still among the items. */
  #hasAnchor() {
    const id = this.#anchorRow()?.dataset.id;
    return id !== undefined && this.#items.some((item) => String(item.id) === id);
  }

  /** The item that is first in sight. */
  get top() { return this.#items[this.#indexOfAnchor()]; }

  /** Tells the server how far was read: to the last message that is wholly in sight. */
  markRead({ isSeen = this.#app.isSeen } = {}) {
    const place = this.#place;
    // What is not here yet nobody has read, though it is known how far it goes.
    if (!place?.isLoaded || !isSeen || !this.scroller.clientHeight) return;
    if (!place.isJoined && !place.with) return;
    let seq = 0;
    if (this.isAtNewest) seq = place.newest ?? 0;
    else {
      const bottom = this.scroller.getBoundingClientRect().bottom + 1;
      for (const [, row] of this.#rows) {
        if (row.item.seq > seq && row.element.getBoundingClientRect().bottom <= bottom) {
          seq = row.item.seq;
        }
      }
    }
    if (seq > (place.mark ?? 0)) this.#app.chat.markRead(place.key, seq);
  }

  // Where things are

  #topOf(node) {
    return node.getBoundingClientRect().top - this.scroller.getBoundingClientRect().top;
  }

  #height(item) { return this.#heights.get(item.id) ?? this.#usual; }

  #usual = 44;

  /** The row that is first in sight, by halving; null where a spacer is. */
  #anchorRow() {
    const rows = this.list.children;
    let low = 0, high = rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#topOf(rows[middle]) + rows[middle].offsetHeight <= 0) low = middle + 1;
      else high = middle;
    }
    const row = rows[low];
    return row && this.#topOf(row) < this.scroller.clientHeight ? row : null;
  }

  #indexOfAnchor() {
    const row = this.#anchorRow();
    const items = this.#items;
    if (row) {
      const at = items.findIndex((item) => String(item.id) === row.dataset.id);
      return at < 0 ? this.#first : at;
    }
    return this.#indexInSpacer();
  }

  #indexInSpacer() {
    const items = this.#items;
    const isAbove = this.#topOf(this.list) > 0;
    let at = isAbove ? 0 : Math.min(this.#first + this.#rows.size, items.length);
    let y = isAbove ? this.#topOf(this.above) : this.#topOf(this.below);
    while (at < items.length - 1 && y + this.#height(items[at]) < 0) y += this.#height(items[at++]);
    return at;
  }

  /** Runs `action`, then scrolls so that what was first in sight is where it was. */
  #keeping(action) {
    const rows = [...this.list.children];
    const from = this.#anchorRow();
    const near = from ? rows.slice(rows.indexOf(from), rows.indexOf(from) + 30) : [];
    const tops = near.map((row) => [row.dataset.id, this.#topOf(row.lastElementChild)]);
    const aimed = from ? null : this.#items[this.#indexInSpacer()];
    action();
    for (const [id, top] of tops) {
      const row = [...this.list.children].find((one) => one.dataset.id === id);
      if (!row) continue;
      const moved = this.#topOf(row.lastElementChild) - top;
      if (Math.abs(moved) > 0.5) this.scroller.scrollTop += moved;
      return;
    }
    const row = aimed && this.#rows.get(aimed.id)?.element;
    if (row) this.scroller.scrollTop += this.#topOf(row);
  }

  #toBottom() {
    this.scroller.scrollTop = this.scroller.scrollHeight;
    this.#lastTop = this.scroller.scrollTop;
  }

  #lastTop = 0;
  get #left() {
    return this.scroller.scrollHeight - this.scroller.clientHeight - this.scroller.scrollTop;
  }

  /** Whether who was at the end still is. A scroll is told of a while after it was made. */
  get #isHeld() {
    if (this.scroller.scrollTop < this.#lastTop - 1 && this.#left >= bottomPixels) {
      this.#stuck = false;
    }
    return this.#stuck && !this.#place?.hasNewer;
  }

  // The window

  /** Rows for the items around `center`, which is taken to be at the top of what is seen. */
  #render(center) {
    const items = this.#items;
    const seen = Math.ceil(this.scroller.clientHeight / rowPixelsLeast) + 1;
    const first = Math.max(0, Math.min(center - beyond, items.length - seen - beyond));
    const last = Math.min(items.length, Math.max(center, 0) + seen + beyond);
    this.#first = first;
    this.#sync(items, first, last);
    this.#space(items, first, last);
  }

  #sync(items, first, last) {
    const wanted = new Set(items.slice(first, last).map((item) => item.id));
    for (const [id, row] of this.#rows) {
      if (wanted.has(id)) continue;
      row.element.remove();
      this.#rows.delete(id);
    }
    const { hasOlder } = this.#place ?? {};
    // Nobody knows yet what stands above the first: it begins a group, and stays so when that is
    // known, or it would move; its day is said when it is known to begin there.
    if (hasOlder && items[0]) this.#starts.set(items[0].id, true);
    const context = {
      firstNew: items[this.#firstNew()]?.id, starts: this.#starts, hasOlder,
      found: (seq) => {
        const item = items[indexOfSeq(items, seq)];
        return item?.seq === seq && item.kind === "message" ? item : null;
      },
    };
    const now = new Date(), today = dayKey(now);
    const making = { now, name: this.#app.chat.me?.name, does: this.#app.does };
    let next = this.list.firstElementChild;
    for (let at = first; at < last; at += 1) {
      const item = items[at];
      // Decided once: a row that became another by what comes above it would move the rest.
      if (!this.#starts.has(item.id)) {
        this.#starts.set(item.id, isAmongMany(items, at, this.#starts));
      }
      const around = surroundings(item, items[at - 1], context);
      const look = looks(item, around, today);
      let row = this.#rows.get(item.id);
      if (!row || row.look !== look) {
        const fresh = makeRow(item, around, making);
        if (row) next = this.#replace(row, fresh, next);
        row = { element: fresh, look, item };
        this.#rows.set(item.id, row);
        this.#heights.delete(item.id);
      }
      if (row.element === next) next = next.nextElementSibling;
      else this.list.insertBefore(row.element, next);
    }
  }

  #replace(row, fresh, next) {
    const hadFocus = row.element.contains(document.activeElement);
    row.element.replaceWith(fresh);
    if (hadFocus) fresh.querySelector("article")?.focus({ preventScroll: true });
    return next === row.element ? fresh : next;
  }

  #space(items, first, last) {
    let sum = 0;
    // Behind another column nothing has a height.
    if (!this.scroller.clientHeight) return;
    for (const [id, row] of this.#rows) {
      const height = row.element.getBoundingClientRect().height;
      this.#heights.set(id, height);
      sum += height;
    }
    if (this.#rows.size > 8) this.#usual = sum / this.#rows.size;
    const total = (from, to) => {
      let height = 0;
      for (let at = from; at < to; at += 1) height += this.#height(items[at]);
      return height;
    };
    this.above.style.height = `${total(0, first)}px`;
    this.below.style.height = `${total(last, items.length)}px`;
  }

  #scrolled() {
    const { scroller } = this;
    const place = this.#place;
    if (!place) return this.onSight();
    const left = this.#left;
    this.#lastTop = scroller.scrollTop;
    this.#stuck = left < bottomPixels && !place.hasNewer;
    const at = this.#indexOfAnchor();
    const seen = Math.ceil(scroller.clientHeight / rowPixelsLeast);
    const end = this.#first + this.#rows.size;
    const isShort = (this.#first > 0 && at - this.#first < nearEnd)
      || (end < this.#items.length && end - at - seen < nearEnd);
    if (isShort) {
      this.#silence();
      this.#renew();
    }
    this.#ask(place, left);
    this.#mark();
    this.onSight();
  }

  async #ask(place, left) {
    if (this.#isAsking || place.isLoading) return;
    const wantsOlder = place.hasOlder && this.scroller.scrollTop < loadPixels;
    const wantsNewer = place.hasNewer && left < loadPixels;
    if (!wantsOlder && !wantsNewer) return;
    this.#isAsking = true;
    try {
      if (wantsOlder) await this.#app.chat.loadOlder(place.key);
      else await this.#app.chat.loadNewer(place.key);
    } catch { /* the connection's line says what is wrong; scrolling asks again */ }
    this.#isAsking = false;
    if (this.#place === place) this.onSight();
  }

  /** Keeps a screen reader from reading rows that are no news. */
  #silence() {
    this.list.setAttribute("aria-live", "off");
    clearTimeout(this.#quiet);
    const speakAgain = () => this.list.setAttribute("aria-live", "polite");
    this.#quiet = setTimeout(speakAgain, quietMilliseconds);
  }
}
