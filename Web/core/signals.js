// What is said about oneself in passing: read up to here, typing, away.

const markPauseMs = 1_000;
const typingAgainMs = 6_000;

/** Marks and typing, no more often than they are worth. */
export class Signals {
  #desk;
  #marks = new Set();
  #told = new Set();
  #marking = null;
  #typing = new Map();

  constructor(desk) {
    this.#desk = desk;
  }

  /** It was read up to this number. Told at once, then at most once a second. */
  read(place, seq) {
    const most = Math.max(place.newest, place.timeline.last);
    if (place.mark !== null && seq <= place.mark) return;
    if (!place.counter.read(Math.min(seq, most))) return;
    this.#desk.recount(place);
    this.#desk.tell("place", { key: place.key });
    this.#marks.add(place);
    if (!this.#marking) this.#sendMarks();
  }

  /** What was typed is told while it goes on, since the others forget it by themselves. */
  typing(place, isOn) {
    const saidAt = this.#typing.get(place.key);
    if (!isOn && saidAt === undefined) return;
    const now = Date.now();
    if (isOn && saidAt !== undefined && now - saidAt < typingAgainMs) return;
    if (isOn) this.#typing.set(place.key, now);
    else this.#typing.delete(place.key);
    this.#desk.session.ask("typing", { ...place.address, on: isOn }).catch(() => {});
  }

  /** The page goes away: what was read is told at once, and kept, since that may come too late. */
  away() {
    const { session, keeping } = this.#desk;
    clearTimeout(this.#marking);
    this.#sendMarks();
    const places = [...new Set([...this.#marks, ...this.#told])];
    if (session.me) keeping.setMarks(session.me.name, places.map(({ key, mark }) => [key, mark]));
  }

  /** The page is there again: what was read before is read, whether the server knows it or not. */
  back() {
    const { session, keeping, places } = this.#desk;
    for (const [key, seq] of keeping.marks(session.me.name)) {
      const place = places.get(key) ?? (key.startsWith("with:") ? places.make(key) : null);
      if (place?.counter.read(seq)) this.#marks.add(place);
    }
    keeping.setMarks(session.me.name, []);
  }

  /** There is a link again: what could not be told is told now. */
  again() {
    this.#typing.clear();
    if (!this.#marking) this.#sendMarks();
  }

  clear() {
    this.#typing.clear();
    this.#marks.clear();
    this.#told.clear();
  }

  #sendMarks() {
    this.#marking = null;
    if (this.#marks.size === 0 || this.#desk.session.state !== "open") return;
    const places = [...this.#marks];
    this.#marks.clear();
    for (const place of places) this.#send(place);
    this.#marking = setTimeout(() => this.#sendMarks(), markPauseMs);
  }

  async #send(place) {
    this.#told.add(place);
    try {
      await this.#desk.session.ask("mark", { ...place.address, seq: place.mark });
    } catch (error) {
      if (error.isOfLink || error.isPassing) this.#marks.add(place);
    }
    this.#told.delete(place);
  }
}
