// Chooses the language of the page, and checks that every table has the same keys.

import { english } from "./words-en.js";
import { chinese } from "./words-zh.js";
import { endTime, speakTimes } from "./times.js";

const tables = { en: english, zh: chinese };

/** The languages there are, by code, each called as its speakers call it. */
export const languages = { en: "English", zh: "中文" };

/** The words of the present language: `t.send`, `t.unread(3)`. */
export let t = english;

/** The code of the present language. */
export let language = "en";

/** Speaks `code`, or what the browser asks for first among those there are. */
export function speak(code) {
  const asked = [code, ...(navigator.languages ?? [navigator.language])];
  const known = asked.map((one) => String(one).slice(0, 2).toLowerCase());
  language = known.find((one) => one in tables) ?? "en";
  t = tables[language];
  speakTimes(language);
  document.documentElement.lang = language === "zh" ? "zh-CN" : language;
  fill(document);
}

/** Puts words into the elements below `root` that ask for them by `data-words`. */
export function fill(root) {
  for (const one of root.querySelectorAll("[data-words]")) one.textContent = t[one.dataset.words];
  for (const one of root.querySelectorAll("[data-words-label]")) {
    const label = t[one.dataset.wordsLabel];
    one.setAttribute("aria-label", label);
    if (one.localName === "button") one.title = label;
  }
}

// These sentences begin with a name, which is written as its bearer writes it.
const namesFirst = new Set(["name-taken", "not-here"]);

/** What the server says, as a sentence: with a large letter at its head and an end. */
export function sentence(text, isName = false) {
  const head = isName ? text.charAt(0) : text.charAt(0).toUpperCase();
  return (head + text.slice(1)).replace(/[\p{L}\p{N}]$/u, "$&.");
}

const heldWords =
  /^you are (banned|muted) (?:(?:from|in) (\S+)|(?:from|on) this server); (.*)$/s;
const heldUntil = /^(?:come back|speak again) after (\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC(?:: (.*))?$/s;
const heldForGood = /^ask (?:whoever runs it|its moderators) to lift that(?:: (.*))?$/s;

/** Who is banned or muted, where, and for how long, in the reader's words and time; else null. */
function heldSentence(message) {
  const [, kind, room, rest] = heldWords.exec(message) ?? [];
  const [, date, time, because] = heldUntil.exec(rest) ?? [];
  const forGood = heldForGood.exec(rest);
  if (!kind || (!date && !forGood)) return null;
  const where = room && room !== "this" ? `#${room}` : t.wholeServer;
  const until = date ? endTime(new Date(`${date}T${time}Z`), new Date()) : null;
  const why = because ?? forGood?.[1];
  return (kind === "banned" ? t.bannedUntil : t.mutedUntil)(where, until, why);
}

/** A refusal in words. The server's own sentence, which is English, stands behind Chinese ones. */
export function explain(error) {
  const held = ["banned", "muted"].includes(error?.code) ? heldSentence(error.message) : null;
  if (held) return held;
  const known = t.errors[error?.code];
  if (known && language === "en") return known;
  const said = sentence(error?.message ?? String(error), namesFirst.has(error?.code));
  if (!known || known === said) return said;
  return said ? `${known}（${said}）` : known;
}

/** Throws where a table lacks a word, has one too many, or has text where others take numbers. */
export function check() {
  const shape = (table, path = "") => Object.entries(table).flatMap(([key, value]) => {
    const name = `${path}${key}`;
    return typeof value === "object" ? shape(value, `${name}.`) : [`${name}: ${typeof value}`];
  }).sort();
  // English has few errors: the server speaks it.
  const wanted = shape({ ...english, errors: {} }).join("\n");
  for (const [code, table] of Object.entries(tables)) {
    const found = shape({ ...table, errors: {} }).join("\n");
    if (found !== wanted) throw new Error(`the words of "${code}" are not those of "en"`);
  }
}
