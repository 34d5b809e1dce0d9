// Which rooms one is in: entering, leaving, and being there again after a cut.

import { keyOf } from "./places.js";

// More than this is read anew from its end rather than replayed.
const replayMax = 1_000;
const firstRoom = "lobby";
const roomsOfOneMax = 100;

/** Joins, and joins again. */
export class Membership {
  #desk;
  #turn = 0;
  #isNewHere = false;

  constructor(desk) {
    this.#desk = desk;
  }

  /**
   * The rooms of the last visit, to be joined when there is a link; the first time, the lobby.
   * With `isSame` it is the person of that visit, not just the name: what came since is unread.
   * An account that this browser does not know may have been elsewhere: the server is asked.
   */
  remember(name, { isSame = false } = {}) {
    const rooms = this.#desk.keeping.rooms(name);
    this.#isNewHere = !rooms && !this.#desk.session.me.guest;
    if (this.#isNewHere) return;
    for (const room of rooms ?? [firstRoom]) {
      const place = this.#desk.places.make(keyOf({ room }));
      place.isJoined = true;
      if (isSame && rooms) place.counter.mark ??= 0;
    }
    this.#desk.tell("places", {});
  }

  /**
   * There is a link: everything that comes by being in a room, and what was missed, is asked for.
   */
  async comeBack() {
    const turn = ++this.#turn;
    const isLoaded = [...this.#desk.places.map.values()].some((place) => place.isLoaded);
    const listing = this.refresh().catch(() => null);
    // Only where something is held can the way to the present be too long.
    const seqs = isLoaded || this.#isNewHere ? await listing : null;
    if (turn !== this.#turn) return;
    if (this.#isNewHere) this.#takeUp();
    const places = [...this.#desk.places.map.values()];
    // The one that is looked at first.
    places.sort((a, b) => b.isOpened - a.isOpened);
    const entering = places
      .filter((place) => place.isJoined || place.isOpened)
      .map((place) => this.#again(place, seqs?.get(place.key)));
    await Promise.all([listing, ...entering]);
  }

  /** Asks for the list. @returns {Promise<Map<string, number>>} the newest number of each place */
  async refresh() {
    const answer = await this.#desk.session.askPatiently("rooms");
    this.#desk.places.take(answer);
    for (const place of this.#desk.places.map.values()) this.#desk.recount(place);
    this.#desk.tell("places", {});
    const keyOfTold = (told) => keyOf({ room: told.name, with: told.with });
    return new Map(answer.rooms.map((told) => [keyOfTold(told), told.seq]));
  }

  /** Joins or creates. @returns {Promise<string>} the key of the place */
  async enter(method, fields) {
    const ok = await this.#desk.session.askPatiently(method, fields);
    const place = this.#desk.places.make(keyOf(ok));
    this.#isIn(place, ok);
    if (fields.private) place.isPrivate = true;
    // Whether it is a private one only the list says.
    if (fields.code) this.refresh().catch(() => {});
    this.#desk.tell("places", {});
    return place.key;
  }

  async leave(place) {
    await this.#desk.session.ask("leave", place.address);
    this.isOut(place);
  }

  /** In it no more, by one's own will or not. */
  isOut(place) {
    place.isJoined = place.isLive = false;
    const name = this.#desk.session.me?.name;
    if (name && place.room !== null) this.#desk.keeping.removeRoom(name, place.room);
    this.#desk.tell("place", { key: place.key });
    this.#desk.tell("places", {});
  }

  // The rooms in which the person has read, here or elsewhere; where there are none, the lobby.
  #takeUp() {
    this.#isNewHere = false;
    const { places } = this.#desk;
    const known = [...places.map.values()].filter(({ room, mark }) => room && mark !== null);
    if (!known.length) known.push(places.make(keyOf({ room: firstRoom })));
    for (const place of known.slice(0, roomsOfOneMax)) place.isJoined = true;
    this.#desk.tell("places", {});
  }

  async #again(place, seq) {
    const { timeline } = place;
    if (timeline.isLoaded && seq - place.newest > replayMax) this.#forget(place, seq);
    const hasCursor = timeline.isLoaded;
    if (!place.isJoined && place.with === null) return this.#desk.look(place);
    place.isCaughtUp = !hasCursor;
    const after = hasCursor ? { after: place.newest } : {};
    try {
      const fields = { ...place.address, ...after };
      const ok = await this.#desk.session.askPatiently("join", fields);
      // Another history than the one that was seen: a backup was put back, or memory was lost.
      if (hasCursor && ok.seq < place.newest) this.#forget(place, ok.seq);
      this.#isIn(place, ok);
    } catch (error) {
      this.#refused(place, error);
    }
  }

  #forget(place, seq) {
    place.startOver(seq);
    place.isCaughtUp = true;
    const items = [...place.items];
    this.#desk.tell("items", { key: place.key, change: "reset", items, dropped: [] });
  }

  #isIn(place, ok) {
    place.memberCount = ok.members;
    if (place.room !== null) {
      place.isJoined = place.isLive = true;
      place.topic = ok.topic ?? "";
      this.#desk.keeping.addRoom(this.#desk.session.me.name, place.room);
    }
    if (!place.timeline.isLoaded) place.newest = ok.seq;
    // What was said before one came for the first time is not unread; what comes then is, also
    // after a reload.
    if (place.mark === null) this.#desk.signals.read(place, ok.seq);
    this.#desk.tell("place", { key: place.key });
    this.#desk.look(place);
    this.#desk.outbox.pump();
  }

  #refused(place, error) {
    if (error.isOfLink || error.isPassing || error.code === "signed-out") return;
    place.isCaughtUp = true;
    if (place.with === null) this.isOut(place);
    this.#desk.outbox.refuse(place, error);
    // A room that is gone since the last visit is no news.
    if (error.code !== "no-such-room") this.#desk.tell("notice", { text: error.message, error });
  }
}
