// One line that says how the connection is, and what can be done; and who is typing.

import { byId, element } from "./dom.js";
import { explain, t } from "./words.js";

/** The line. `app` gives chat, place and signInAgain. */
export class StateLine {
  #app; #timer = null; #shown = "";

  constructor(app) {
    this.#app = app;
    this.state = byId("state");
    this.typing = byId("typing");
  }

  /** Everything again; by itself once a second while the next try is awaited. */
  render() {
    const { state, reason, retryAt } = this.#app.chat;
    clearInterval(this.#timer);
    this.state.dataset.state = state;
    document.documentElement.dataset.connection = state;
    if (state === "waiting") {
      this.#wait(retryAt);
      this.#timer = setInterval(() => this.#wait(this.#app.chat.retryAt), 1_000);
    } else if (state === "refused" || state === "signed-out") {
      const why = reason ? explain(reason) : "";
      this.#put(element("span", {}, t.refused + why),
        this.#button(t.signInAgain, () => this.#app.signInAgain()));
    } else {
      this.#put(element("span", {}, state === "open" ? t.connected : t.connecting));
    }
  }

  #wait(retryAt) {
    const seconds = Math.max(0, Math.ceil((retryAt - Date.now()) / 1_000));
    const text = this.state.querySelector(".countdown");
    if (text) text.textContent = t.waitingFor(seconds);
    // Only the first is said aloud: a countdown is not news.
    else this.#put(element("span", { class: "countdown", "aria-live": "off" },
      t.waitingFor(seconds)), this.#button(t.tryNow, () => this.#app.chat.retryNow()));
  }

  #button(text, onclick) {
    return element("button", { type: "button", class: "link", onclick }, text);
  }

  #put(...nodes) {
    const text = nodes.map((node) => node.textContent).join(" ");
    const isSame = text === this.#shown && this.state.childElementCount === nodes.length;
    this.#shown = text;
    if (!isSame || this.state.querySelector(".countdown")) this.state.replaceChildren(...nodes);
  }

  /** Who is typing in the present place. */
  renderTyping() {
    const names = [...(this.#app.place?.typing?.keys() ?? [])]
      .filter((name) => name !== this.#app.chat.me?.name);
    const text = names.length ? t.typing(names) : "";
    if (this.typing.textContent !== text) this.typing.textContent = text;
  }
}
