// What can be done with a message: buttons beside the one that is pointed at or has the keyboard.
// They stand behind the log, not in it, so that a screen reader does not read them as news.

import { byId, iconButton } from "./dom.js";
import { t } from "./words.js";

/** The buttons. `app` gives log, composer, people, remove, run and say. */
export class Actions {
  #app; #row = null; #wasShown = false; #isTouch = false;

  constructor(app) {
    this.#app = app;
    this.bar = byId("actions");
    const { list, scroller } = app.log;
    list.addEventListener("pointerover", (event) => {
      if (event.pointerType === "mouse") this.#show(event.target.closest(".row"));
    });
    list.addEventListener("focusin", (event) => this.#show(event.target.closest(".row")));
    list.addEventListener("pointerdown", (event) => {
      // The press gives the row the focus, which shows its buttons: only a second one hides them.
      this.#wasShown = event.target.closest(".row") === this.#row;
      this.#isTouch = event.pointerType === "touch";
    });
    list.addEventListener("click", (event) => this.#tapped(event));
    scroller.addEventListener("pointerleave", () => this.#leave());
    scroller.addEventListener("focusout", (event) => {
      if (!scroller.contains(event.relatedTarget)) this.hide();
    });
    list.addEventListener("keydown", (event) => this.#pressed(event));
    this.bar.addEventListener("keydown", (event) => this.#moved(event));
    // A row that goes, or is made anew, takes its buttons with it.
    new MutationObserver(() => { if (this.#row && !this.#row.isConnected) this.hide(); })
      .observe(list, { childList: true });
  }

  hide() {
    this.#row?.classList.remove("pointed");
    this.#row = null;
    this.bar.hidden = true;
  }

  #leave() {
    const focused = document.activeElement?.closest?.("#messages .row");
    if (this.bar.contains(document.activeElement)) return;
    if (focused) this.#show(focused);
    else this.hide();
  }

  /** On a phone nothing can be pointed at: a tap shows the buttons, and another hides them. */
  #tapped(event) {
    if (event.target.closest("a, button, pre")) return;
    if (!this.#isTouch || String(getSelection())) return;
    const row = event.target.closest(".row");
    if (this.#wasShown) this.hide();
    else this.#show(row);
  }

  #show(row) {
    if (!row || row === this.#row) return;
    const item = this.#app.log.itemOf(row);
    const can = item ? this.#can(item) : [];
    this.hide();
    if (!can.length) return;
    this.#row = row;
    row.classList.add("pointed");
    this.bar.replaceChildren(...can.map(({ picture, label, action, name }) =>
      iconButton(picture, label, () => { this.hide(); action(); }, { "data-action": name })));
    this.bar.hidden = false;
    const article = row.querySelector("article");
    const top = article.getBoundingClientRect().top
      - this.#app.log.scroller.getBoundingClientRect().top + this.#app.log.scroller.scrollTop;
    this.bar.style.top = `${Math.max(top - 16, 4)}px`;
  }

  #can(item) {
    const app = this.#app;
    if (item.kind !== "message" || item.isDeleted || item.seq === null || item.delivery) return [];
    const mayRule = app.people.myRank > 0;
    const isMember = app.place?.isJoined || app.place?.with;
    return [
      isMember && { name: "reply", picture: "reply", label: t.reply,
        action: () => app.composer.reply(item) },
      isMember && item.isOwn && { name: "edit", picture: "edit", label: t.edit,
        action: () => app.composer.edit(item) },
      navigator.clipboard && { name: "copy", picture: "copy", label: t.copy,
        action: () => app.run(navigator.clipboard.writeText(item.text).then(() =>
          app.say(t.copied))) },
      isMember && (item.isOwn || mayRule) && { name: "delete", picture: "delete",
        label: t.remove, action: () => app.remove(item) },
    ].filter(Boolean);
  }

  #pressed(event) {
    const article = event.target.closest("article");
    if (!article || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target !== article && event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const name = { r: "reply", e: "edit", c: "copy", Delete: "delete" }[event.key];
    if (step) {
      const all = [...this.#app.log.list.querySelectorAll("article")];
      const next = all[all.indexOf(article) + step];
      if (next) next.focus();
      else if (step > 0) this.#app.composer.focus();
    } else if (name) {
      const button = this.bar.querySelector(`[data-action="${name}"]`);
      if (!button) return;
      button.click();
    } else return;
    event.preventDefault();
  }

  #moved(event) {
    const buttons = [...this.bar.children];
    const at = buttons.indexOf(document.activeElement);
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    buttons[(at + step + buttons.length) % buttons.length].focus();
  }
}
