// The loaded part of one place's messages: without holes, in order, and of a bounded number.

const itemsMax = 2_000;
// What is let go at once: not an item for each that comes, which the page would have to follow.
const itemsSlack = 200;

/**
 * What is loaded of a place, by number, and behind it what is waiting to be sent, in the order in
 * which it was said. What is loaded has no hole: it lies between `hasOlder` and `hasNewer`.
 */
export class Timeline {
  /** All of it: by number, then what waits. The same array for good. */
  items = [];
  hasOlder = false;
  hasNewer = false;
  isLoaded = false;
  isLoading = false;
  /** While a page is under way: what came live, and changes to make again when the page is here. */
  late = null;
  changes = null;
  #settled = 0;

  /** @returns {?number} the number before which older ones are asked for */
  get first() {
    const item = this.#settled ? this.items[0] : null;
    return item ? (item.gap?.from ?? item.seq) : null;
  }

  /**
   * @returns {number} the number behind which newer ones are asked for; 0 where nothing is loaded
   */
  get last() {
    return this.#settled ? this.items[this.#settled - 1].seq : 0;
  }

  /** @returns {object[]} those that have a number */
  get settled() {
    return this.items.slice(0, this.#settled);
  }

  find(seq) {
    const at = this.#position(seq);
    return at < this.#settled && this.items[at].seq === seq ? this.items[at] : null;
  }

  /**
   * Puts an item with a number where it belongs.
   * @returns {boolean} false where it is there already
   */
  insert(item) {
    const at = this.#position(item.seq);
    if (at < this.#settled && this.items[at].seq === item.seq) return false;
    this.items.splice(at, 0, item);
    this.#settled += 1;
    return true;
  }

  addWaiting(item) {
    this.items.push(item);
  }

  /** @returns {boolean} whether it was there */
  removeWaiting(item) {
    const at = this.items.indexOf(item, this.#settled);
    if (at < 0) return false;
    this.items.splice(at, 1);
    return true;
  }

  /** Forgets what is loaded, not what waits. */
  clear() {
    this.items.splice(0, this.#settled);
    this.#settled = 0;
    this.isLoaded = this.hasOlder = this.hasNewer = false;
  }

  /**
   * Lets go of what is too much, at the end that nobody looks at.
   * @param {'older' | 'newer'} end @returns {object[]} what was let go
   */
  trim(end) {
    if (this.#settled <= itemsMax + itemsSlack) return [];
    const count = this.#settled - itemsMax;
    this.#settled = itemsMax;
    if (end === "older") this.hasOlder = true;
    else this.hasNewer = true;
    return this.items.splice(end === "older" ? 0 : itemsMax, count);
  }

  // The first place among the settled whose number is not less.
  #position(seq) {
    let low = 0;
    let high = this.#settled;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.items[middle].seq < seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
