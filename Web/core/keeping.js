// What outlives the page: by the tab, or by the browser. Storage that throws costs only the
// memory.

const roomsMax = 100;

/**
 * A Storage that cannot fail: where the browser forbids it or it is full, what is put there lives
 * as long as the page.
 */
class Shelf {
  #own = new Map();

  constructor(storage) {
    this.storage = storage;
  }

  get(name) {
    if (this.#own.has(name)) return this.#own.get(name);
    try {
      return JSON.parse(this.storage.getItem(name));
    } catch {
      return null;
    }
  }

  set(name, value) {
    try {
      if (value === null) this.storage.removeItem(name);
      else this.storage.setItem(name, JSON.stringify(value));
      this.#own.delete(name);
    } catch {
      this.#own.set(name, value);
    }
  }
}

/** @returns {?Storage} the window's, or null where merely to look at it throws */
export function storageNamed(name) {
  try {
    return globalThis[name] ?? null;
  } catch {
    return null;
  }
}

/** @returns {string} what two spellings of one name have in common */
export function sameName(name) {
  return name.normalize("NFKC").toLowerCase();
}

/**
 * What is kept, and where.
 *
 * The token, the outbox and the drafts are the tab's (`sessionStorage`). A tab's storage goes
 * with the tab, so that whoever opens the browser next is not signed in. A cookie would be sent
 * by the browser by itself, with requests that other pages cause; what a script has to add cannot
 * be. It can be read by scripts of this origin only, and the Content-Security-Policy lets no
 * script run but our own. Local storage has names of rooms, nothing secret.
 */
export class Keeping {
  #tab;
  #browser;

  constructor({ session, local }) {
    this.#tab = new Shelf(session);
    this.#browser = new Shelf(local);
  }

  /** @returns {?{token: string, name: string, guest: boolean}} */
  get pass() {
    const pass = this.#tab.get("beck.pass");
    return typeof pass?.token === "string" && typeof pass.name === "string" ? pass : null;
  }

  set pass(pass) {
    this.#tab.set("beck.pass", pass);
  }

  /** @returns {object[]} what this person has said and nobody has answered yet */
  outbox(name) {
    const entries = this.#tab.get(`beck.outbox:${sameName(name)}`);
    return Array.isArray(entries) ? entries.filter((entry) => typeof entry?.key === "string") : [];
  }

  setOutbox(name, entries) {
    this.#tab.set(`beck.outbox:${sameName(name)}`, entries.length ? entries : null);
  }

  /** @returns {?string[]} the rooms that this person is in; null where nothing is known */
  rooms(name) {
    const rooms = this.#browser.get(`beck.rooms:${sameName(name)}`);
    return Array.isArray(rooms) ? rooms.filter((room) => typeof room === "string") : null;
  }

  // Read before it is written: another tab of the same person may have changed it.
  addRoom(name, room) {
    const rooms = (this.rooms(name) ?? []).filter((other) => other !== room);
    this.#browser.set(`beck.rooms:${sameName(name)}`, [...rooms, room].slice(-roomsMax));
  }

  removeRoom(name, room) {
    const rooms = (this.rooms(name) ?? []).filter((other) => other !== room);
    this.#browser.set(`beck.rooms:${sameName(name)}`, rooms);
  }

  draft(name, place) {
    return String(this.#tab.get(`beck.drafts:${sameName(name)}`)?.[place] ?? "");
  }

  setDraft(name, place, text) {
    const slot = `beck.drafts:${sameName(name)}`;
    const drafts = { ...this.#tab.get(slot) };
    if (text) drafts[place] = text;
    else delete drafts[place];
    this.#tab.set(slot, Object.keys(drafts).length ? drafts : null);
  }

  /** @returns {[string, number][]} places, and how far they were read: what may not be told yet */
  marks(name) {
    const marks = this.#tab.get(`beck.marks:${sameName(name)}`);
    return Array.isArray(marks) ? marks.filter((mark) => Number.isInteger(mark?.[1])) : [];
  }

  setMarks(name, marks) {
    this.#tab.set(`beck.marks:${sameName(name)}`, marks.length ? marks : null);
  }

  /** Who leaves by choice leaves no words behind in this tab. */
  dropWords(name) {
    this.setMarks(name, []);
    this.#tab.set(`beck.drafts:${sameName(name)}`, null);
    this.setOutbox(name, []);
  }
}
