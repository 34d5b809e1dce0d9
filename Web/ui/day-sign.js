// Says above old messages of which day they are, as long as one scrolls.

import { byId } from "./dom.js";
import { day } from "./times.js";
import { t } from "./words.js";

const shownMilliseconds = 1_500;
const signPixels = 40;  // from the top, what the sign would lie over

/** The sign. `log` gives top, scroller, list and isAtNewest. */
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
    const isSaid = isAtNewest || this.#isSaidBelow();
    const at = isMoved && !isSaid ? this.#log.top?.at : null;
    if (!at) {
      if (isSaid) this.sign.classList.remove("shown");
      return;
    }
    const text = day(at, new Date(), t);
    if (this.sign.textContent !== text) this.sign.textContent = text;
    this.sign.classList.add("shown");
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.sign.classList.remove("shown"), shownMilliseconds);
  }

  /** Whether the room begins in sight, or a day does where the sign would stand. */
  #isSaidBelow() {
    const { scroller, list } = this.#log;
    const { top } = scroller.getBoundingClientRect();
    const first = list.getBoundingClientRect().top;
    if (first >= top && !list.previousElementSibling.offsetHeight) return true;
    return [...list.querySelectorAll(".day")].some((line) => {
      const box = line.getBoundingClientRect();
      return box.bottom > top && box.top < top + signPixels;
    });
  }
}
