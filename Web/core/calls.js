// Pairs what was asked with its answer. Knows ids, not methods.

import { refusal } from "./errors.js";

/** Requests under way on one connection. */
export class Calls {
  #waiting = new Map();
  #last = 0;

  /**
   * @param {(line: object) => boolean} write puts the request on the wire, false where that
   * cannot be
   * @param {() => Error} lost makes the error of a request that could not be written
   */
  constructor(write, lost) {
    this.write = write;
    this.lost = lost;
  }

  /**
   * @returns {Promise<object>} what `ok` has; rejected with a ChatError
   */
  ask(method, fields = {}) {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      if (this.write({ id, [method]: fields })) return;
      this.#waiting.delete(id);
      reject(this.lost());
    });
  }

  /** @returns {boolean} whether the object was an answer (also one that nobody waits for) */
  answered(line) {
    if (line.ok === undefined && line.error === undefined) return false;
    const call = this.#waiting.get(line.id);
    this.#waiting.delete(line.id);
    if (call && line.error) call.reject(refusal(line.error));
    else if (call) call.resolve(line.ok);
    return true;
  }

  /** Nothing that was asked will be answered any more. */
  fail(error) {
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const call of all) call.reject(error);
  }
}
