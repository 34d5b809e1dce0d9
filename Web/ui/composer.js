// Where one writes: a new message, a reply or an edit; keeps a draft for each place.

import { byId, element, iconButton, nameOf } from "./dom.js";
import { plain } from "./markup.js";
import { t } from "./words.js";

const typingAgainMilliseconds = 3_000;
const warnBytes = 400;
// Where CSS does it, nothing has to be measured.
const isFitting = globalThis.CSS?.supports?.("field-sizing", "content") ?? false;

/** Bytes of a text as the server counts them. */
const bytes = new TextEncoder();
const size = (text) => bytes.encode(text).length;

/** The composer. `app` gives chat, key, place, log, run and say. */
export class Composer {
  #app; #mode = { kind: "new" }; #key = null; #typedAt = -Infinity; #stopTyping = null;

  constructor(app) {
    this.#app = app;
    this.form = byId("composer");
    this.text = byId("composer-text");
    this.button = byId("send");
    this.about = byId("composer-about");
    this.hint = byId("composer-hint");
    this.outside = byId("outside");
    this.outside.querySelector("button").addEventListener("click", () => app.joinHere());
    this.form.addEventListener("submit", (event) => { event.preventDefault(); this.submit(); });
    this.text.addEventListener("input", () => this.#typed());
    this.text.addEventListener("keydown", (event) => this.#pressed(event));
    this.text.addEventListener("blur", () => this.#typing(false));
    // A tap on the button must not take the phone's keyboard away.
    this.button.addEventListener("pointerdown", (event) => event.preventDefault());
  }

  /** Another place: its draft, and no reply or edit. */
  show(key) {
    if (this.#key !== key) {
      this.#typing(false);
      this.#key = key;
      this.#mode = { kind: "new" };
      this.text.value = key ? this.#app.chat.draft(key) ?? "" : "";
    }
    this.render();
    this.#fit();
  }

  /** Says everything again, in the present language. */
  render() {
    const { place } = this.#app;
    const isIn = Boolean(place?.isJoined || place?.with) && !place.isArchived;
    this.form.hidden = !isIn;
    this.outside.hidden = isIn || !place;
    if (!isIn && place) {
      this.outside.querySelector("p").textContent = place.isArchived ? t.archived : t.notJoined;
      const button = this.outside.querySelector("button");
      button.textContent = t.join;
      button.hidden = place.isJoined;
    } else if (place) {
      const label = t.messageTo(this.#app.placeName(place));
      this.text.placeholder = label;
      this.text.setAttribute("aria-label", label);
    }
    this.#renderAbout();
  }

  focus() { this.text.focus({ preventScroll: true }); }

  /** Answers a message. */
  reply(item) {
    this.#leaveEdit();
    this.#mode = { kind: "reply", item };
    this.render();
    this.#fit();
    this.focus();
  }

  /** Changes a message of one's own. */
  edit(item) {
    if (this.#mode.kind !== "edit") this.#app.chat.setDraft(this.#key, this.text.value);
    this.#mode = { kind: "edit", item };
    this.text.value = item.text;
    this.render();
    this.#fit();
    this.focus();
    this.text.setSelectionRange(item.text.length, item.text.length);
  }

  /** Puts text where the caret is: a name, for one. */
  insert(text) {
    const { value, selectionStart: at } = this.text;
    const gap = at > 0 && !/\s/.test(value[at - 1]) ? " " : "";
    this.text.setRangeText(`${gap}${text} `, at, this.text.selectionEnd, "end");
    this.focus();
    this.#typed();
  }

  /** Leaves reply or edit; true where there was one. */
  leave() {
    if (this.#mode.kind === "new") return false;
    this.#leaveEdit();
    this.#mode = { kind: "new" };
    this.render();
    this.#fit();
    return true;
  }

  #leaveEdit() {
    if (this.#mode.kind === "edit") this.text.value = this.#app.chat.draft(this.#key) ?? "";
  }

  submit() {
    const { chat } = this.#app;
    const text = this.text.value.trim();
    if (!text || size(text) > this.#bytesMax) return;
    const mode = this.#mode, key = this.#key;
    this.#typing(false);
    if (mode.kind === "edit") {
      this.leave();
      if (text !== mode.item.text) this.#app.run(chat.edit(key, mode.item.seq, text));
      return;
    }
    this.#mode = { kind: "new" };
    this.text.value = "";
    chat.setDraft(key, "");
    chat.send(key, text, mode.kind === "reply" ? { replyTo: mode.item.seq } : {});
    this.render();
    this.#fit();
    this.#app.log.clearNew();
    this.#app.toNewest();
  }

  get #bytesMax() { return this.#app.chat.limits?.textBytes ?? 4_096; }

  #typed() {
    if (this.#mode.kind !== "edit") {
      this.#app.chat.setDraft(this.#key, this.text.value);
      this.#typing(this.text.value.trim() !== "");
    }
    this.#fit();
  }

  #typing(on) {
    clearTimeout(this.#stopTyping);
    const isOn = this.#typedAt > 0;
    if (on) {
      this.#stopTyping = setTimeout(() => this.#typing(false), 2 * typingAgainMilliseconds);
      if (performance.now() - this.#typedAt < typingAgainMilliseconds) return;
      this.#typedAt = performance.now();
    } else {
      if (!isOn) return;
      this.#typedAt = -Infinity;
    }
    if (this.#key) this.#app.chat.setTyping(this.#key, on);
  }

  #pressed(event) {
    // What an input method makes of Enter and Escape is its own affair.
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === "Enter" && !event.shiftKey && !event.altKey && !isTouch()) {
      event.preventDefault();
      this.submit();
    } else if (event.key === "ArrowUp" && this.text.value === "" && !event.altKey
      && !event.ctrlKey && !event.metaKey) {
      const item = this.#app.lastOwn();
      if (!item) return;
      event.preventDefault();
      this.edit(item);
    }
  }

  #renderAbout() {
    const { kind, item } = this.#mode;
    this.about.hidden = kind === "new";
    if (kind === "new") return;
    const what = kind === "edit" ? [t.editing] : [
      `${t.replyingTo} `, nameOf(item.from), " ",
      element("span", { class: "said", dir: "auto" }, plain(item.text).slice(0, 160)),
    ];
    const close = () => { this.leave(); this.focus(); };
    this.about.replaceChildren(
      element("p", {}, what), iconButton("close", t.cancel, close));
  }

  /** As high as the text, up to the half of CSS; and says where the text is too long. */
  #fit() {
    const { text } = this;
    if (!isFitting) {
      text.style.height = "auto";
      text.style.height = `${text.scrollHeight}px`;
    }
    const left = this.#bytesMax - size(text.value.trim());
    this.hint.textContent = left < 0 ? t.tooLong(-left) : left < warnBytes ? t.room(left) : "";
    this.hint.classList.toggle("error", left < 0);
    this.button.disabled = text.value.trim() === "" || left < 0;
  }
}

/** Whether there is no keyboard to speak of: Enter is then a new line. */
export const isTouch = () => matchMedia("(hover: none) and (pointer: coarse)").matches;
