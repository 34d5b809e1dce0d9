// Says above old messages of which day they are, as long as one scrolls.

import { byId } from "./dom.js";
import { day } from "./times.js";
import { t } from "./words.js";

const shownMilliseconds = 1_500;

/** The sign. `log` gives top, scroller and isAtNewest. */
export class DaySign {
  #log; #timer = null; #lastTop = 0;

  constructor(log) {
    this.#log = log;
    this.sign = byId("day-sign");
  }

  /** What is in sight changed. */
  render() {
    const { scroller, isAtNewest } = this.#log;
    const isMoved = Math.abs(scroller.scrollTop - this.#lastTop) > 2;
    this.#lastTop = scroller.scrollTop;
    const at = isMoved && !isAtNewest ? this.#log.top?.at : null;
    if (!at) {
      if (isAtNewest) this.sign.classList.remove("shown");
      return;
    }
    const text = day(at, new Date(), t);
    if (this.sign.textContent !== text) this.sign.textContent = text;
    this.sign.classList.add("shown");
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.sign.classList.remove("shown"), shownMilliseconds);
  }
}
