// How much of a place has not been read. Counts; knows nothing of where the numbers come from.

const remembered = 1_000;

/**
 * Unread messages of one place. What came before this page was there the server has counted; what
 * came since is remembered by number, so that a mark in the middle takes away the right part.
 */
export class Unread {
  /** What has been read, by number; null before anything is known. */
  mark = null;
  #base = { count: 0, seq: 0 };
  #seen = [];
  #mentions = [];

  get count() {
    return this.#base.count + this.#seen.length;
  }

  /** The number up to which the count is known, seen here or not. */
  get countedTo() {
    return this.#base.seq;
  }

  get mentions() {
    return this.#mentions.length;
  }

  /** The server's count, of what lies behind the mark, up to `seq`. */
  counted({ count, seq, mark }) {
    this.#base = { count, seq };
    this.#seen = this.#seen.filter((number) => number > seq);
    if (mark !== undefined && mark !== null) this.read(mark);
    // What was read while the link was cut the server does not know of yet.
    this.#clampBase();
  }

  /** A message of somebody else came. */
  came(seq, isMention) {
    if (seq <= (this.mark ?? 0)) return;
    if (isMention) note(this.#mentions, seq);
    if (seq > this.#base.seq) note(this.#seen, seq);
  }

  /** Everything up to this number was read. @returns {boolean} whether that is news */
  read(seq) {
    if (this.mark !== null && seq <= this.mark) return false;
    this.mark = seq;
    this.#seen = this.#seen.filter((number) => number > seq);
    this.#mentions = this.#mentions.filter((number) => number > seq);
    this.#clampBase();
    return true;
  }

  /** All that lies behind the mark is loaded: these are the numbers, and no others. */
  exactly(numbers, upTo) {
    this.#base = { count: 0, seq: upTo };
    this.#seen = numbers;
  }

  // There cannot be more behind the mark than numbers.
  #clampBase() {
    const most = Math.max(0, this.#base.seq - (this.mark ?? 0));
    this.#base.count = Math.min(this.#base.count, most);
  }
}

// Numbers come nearly in order, and seldom twice.
function note(numbers, seq) {
  if (numbers.includes(seq)) return;
  numbers.push(seq);
  if (numbers.length > remembered) numbers.shift();
}

// These put no blanks between words.
const unspacedScripts = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"];

/** @returns {boolean} whether a text calls somebody by name */
export function mentions(text, name) {
  const spelled = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const scripts = unspacedScripts.map((script) => `\\p{Script=${script}}`).join("");
  const end = "(?![\\p{L}\\p{N}_])";
  // Behind an @ a name may go on into the next word, where its script does so.
  const pattern = `@${spelled}(?:${end}|(?=[${scripts}]))|(?<![\\p{L}\\p{N}_])${spelled}${end}`;
  return new RegExp(pattern, "iu").test(text);
}
