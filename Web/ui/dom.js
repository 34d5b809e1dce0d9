// Makes elements: nodes only, never text read as HTML. Knows nothing of chat.

/** The element with this id, which stands in index.html. */
export const byId = (id) => document.getElementById(id);

/**
 * A new element. `attributes` are set as attributes, but for `class`, functions under `onevent`
 * names, which listen, and properties under `.name`; what is null, undefined or false is left out.
 * Children are nodes or text; null and false are left out.
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key.startsWith(".")) made[key.slice(1)] = value;
    else made.setAttribute(key, value === true ? "" : value);
  }
  const isThere = (child) => child !== null && child !== undefined && child !== false;
  made.append(...children.flat(Infinity).filter(isThere));
  return made;
}

/** A picture out of the symbols of index.html; it says nothing to a screen reader. */
export function icon(name) {
  const namespace = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(namespace, "svg");
  picture.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(namespace, "use");
  use.setAttribute("href", `#i-${name}`);
  picture.append(use);
  return picture;
}

/** A button that is a picture: `label` is its name, also shown by the pointer. */
export function iconButton(name, label, onclick, more = {}) {
  return element("button",
    { type: "button", class: "icon", "aria-label": label, title: label, onclick, ...more },
    icon(name));
}

/** Text for screen readers alone. */
export const spoken = (text) => element("span", { class: "spoken" }, text);

/** A name of a person, which may run in any direction. */
export const nameOf = (name, more = {}) => element("bdi", { dir: "auto", ...more }, name);

/** The first letter as a person would call it, for a picture in place of a portrait. */
export function initial(name) {
  for (const character of name.normalize("NFC")) {
    if (/[\p{L}\p{N}]/u.test(character)) return character.toUpperCase();
  }
  return "·";
}

/** One of eight tints, the same for a name every time. */
export function tint(name) {
  let sum = 7;
  for (const character of name.toLowerCase()) sum = (sum * 31 + character.codePointAt(0)) % 65521;
  return `tint-${sum % 8}`;
}

/** A round picture for a name. */
export function avatar(name, isOwn = false) {
  const kind = isOwn ? "own" : tint(name);
  return element("span", { class: `avatar ${kind}`, "aria-hidden": "true" }, initial(name));
}

/** Runs at most once in so many milliseconds, the last call included. */
export function atMostEvery(milliseconds, action) {
  let timer = null, last = -Infinity;
  return (...given) => {
    clearTimeout(timer);
    const wait = last + milliseconds - performance.now();
    const run = () => { last = performance.now(); action(...given); };
    if (wait <= 0) run();
    else timer = setTimeout(run, wait);
  };
}
