// Keeps this browser's choices: language, theme, notifications. Storage that is shut harms nothing.

const prefix = "beck.";
const held = new Map();

/** The choice of this name, or `otherwise`. */
export function choice(name, otherwise) {
  if (held.has(name)) return held.get(name);
  try {
    return localStorage.getItem(prefix + name) ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Keeps a choice; without storage it holds until the page is left. */
export function choose(name, value) {
  held.set(name, value);
  try {
    localStorage.setItem(prefix + name, value);
  } catch { /* held above */ }
}
