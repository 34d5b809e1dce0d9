// Search, in the right column: words, where, and by whom; each finding leads to its place.

import { byId, element, nameOf } from "./dom.js";
import { field } from "./dialog.js";
import { plain } from "./markup.js";
import { closeSide, openSide, sideShows } from "./side.js";
import { foundNodes } from "./text.js";
import { brief, inFull } from "./times.js";
import { explain, t } from "./words.js";

const pagesMax = 50;

/** The panel. `app` gives chat, key, place and jumpTo. */
export class SearchPanel {
  #app; #asked = { query: "", from: "", isHere: true }; #found = []; #cursor; #round = 0;
  #isSearching = false; #isDone = false; #refused = null;

  constructor(app) { this.#app = app; }

  /** Opens or shuts the column. */
  toggle() {
    if (sideShows("search")) return closeSide();
    this.open();
  }

  /** Opens the column, ready to type. */
  open() {
    if (!sideShows("search")) {
      openSide("search", t.search);
      this.#build();
    }
    this.query.focus();
    this.query.select();
  }

  /** Another place: what was found stays, and "here" is another. */
  show() { if (sideShows("search") && !this.#app.place) closeSide(); }

  /** The words of the panel, in the present language. */
  renderWords() {
    if (!sideShows("search")) return;
    byId("side-title").textContent = t.search;
    this.#build();
  }

  #build() {
    const asked = this.#asked;
    this.query = element("input", {
      type: "search", id: "search-query", name: "query", value: asked.query, dir: "auto",
      autocomplete: "off", maxlength: "256", "aria-label": t.searchFor, placeholder: t.searchFor,
      enterkeyhint: "search",
    });
    this.form = element("form", { role: "search", novalidate: true }, this.query,
      element("div", { class: "two" },
        field({ name: "where", label: t.searchWhere, value: asked.isHere ? "here" : "all",
          options: [["here", t.here], ["all", t.everywhere]] }),
        field({ name: "from", label: t.searchFrom, value: asked.from, placeholder: t.anybody,
          maxLength: 64 })),
      element("button", { type: "submit" }, t.search));
    this.status = element("p", { class: "hint", role: "status" });
    this.list = element("ul", { class: "findings" });
    this.form.addEventListener("submit", (event) => { event.preventDefault(); this.#search(); });
    this.form.addEventListener("change", (event) => {
      if (event.target.localName === "select" && this.query.value.trim()) this.#search();
    });
    byId("side-body").replaceChildren(this.form, this.status, this.list);
    this.#render();
  }

  #search() {
    const given = Object.fromEntries(new FormData(this.form));
    this.#asked = {
      query: given.query.trim(), from: given.from.trim(), isHere: given.where === "here",
    };
    this.#found = [];
    this.#cursor = undefined;
    this.#isDone = false;
    if (this.#asked.query) this.#next();
    else this.#render();
  }

  async #next() {
    const { query, from, isHere } = this.#asked;
    const round = this.#round += 1;
    this.#isSearching = true;
    this.#refused = null;
    this.#render();
    const place = isHere ? this.#app.key : undefined;
    try {
      // An empty page with a cursor only says that much was looked at: on it goes.
      for (let pages = 0, found = 0; !found && pages < pagesMax; pages += 1) {
        const page = await this.#app.chat.search({
          query, from: from || undefined, place, cursor: this.#cursor,
        });
        if (round !== this.#round) return;
        found = page.messages.length;
        this.#found.push(...page.messages);
        this.#cursor = page.cursor;
        if (!this.#cursor) break;
      }
      this.#isDone = true;
    } catch (error) {
      if (round !== this.#round) return;
      this.#refused = error;
    }
    this.#isSearching = false;
    this.#render();
  }

  #render() {
    const found = this.#found;
    this.status.classList.toggle("error", this.#refused !== null);
    this.status.textContent = this.#refused ? explain(this.#refused)
      : this.#isSearching ? t.searching
        : !this.#isDone ? t.searchWhy
          : found.length || this.#cursor ? t.found(found.length, !this.#cursor) : t.nothingFound;
    this.list.replaceChildren(...found.map((item) => this.#entry(item)),
      this.#cursor && !this.#isSearching
        ? element("li", {}, element("button",
          { type: "button", class: "wide", onclick: () => this.#next() }, t.more)) : "");
  }

  #entry(item) {
    const place = item.key.replace(/^room:/, "#").replace(/^with:/, "");
    return element("li", {}, element("button", {
      type: "button", class: "finding",
      onclick: () => {
        if (matchMedia("(max-width: 760px)").matches) closeSide();
        this.#app.jumpTo(item.key, item.seq);
      },
    },
    nameOf(item.from, { class: "author" }), " ",
    element("span", { class: "text", dir: "auto" },
      foundNodes(around(plain(item.text), this.#asked.query), this.#asked.query)), " ",
    element("span", { class: "hint" },
      this.#asked.isHere ? null : element("bdi", {}, `${place} · `),
      element("time", { datetime: item.at.toISOString(), title: inFull(item.at) },
        brief(item.at, new Date())))));
  }
}

/** Of a long text the part in which the first word stands. */
function around(text, query) {
  const word = query.replaceAll('"', "").split(/\s+/)[0].toLowerCase();
  const at = text.toLowerCase().indexOf(word);
  const start = at > 120 ? text.indexOf(" ", at - 60) + 1 : 0;
  const cut = text.slice(start, start + 280);
  return `${start ? "… " : ""}${cut}${start + 280 < text.length ? " …" : ""}`;
}
