// Reads the little markup of a message into a tree. Pure: no page, no HTML, any text is good.
//
// A block is {kind: "paragraph", children}, {kind: "quote", children: blocks} or {kind: "code",
// text}. An inline is {kind: "text" | "code", text}, {kind: "strong" | "emphasis", children},
// {kind: "link", href, text} or {kind: "mention", text, name}, of the reader with `isOwn`.

const fence = "```";
const depthMax = 4;
const stressMax = 600;

/**
 * The blocks of a text. Every character that is no mark stays, newlines too. `name` is the
 * reader's, which may have blanks in it, and is then known behind an @ all the same.
 */
export function parse(text, name = "") {
  return blocks(text.replaceAll("\r\n", "\n"), 0, own(name));
}

/** What the name looks like behind an @; null for nobody. */
function own(name) {
  if (!name) return null;
  const spelled = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+");
  const letter = "\\p{L}\\p{N}\\p{M}_";
  return new RegExp(`^@${spelled}(?=${unspaced.source}|[.-]*(?:[^${letter}.-]|$))`, "iu");
}

/** The text as one line without marks, for quotes and notifications. */
export function plain(text) {
  const flat = (nodes) => nodes.map((node) => node.text ?? flat(node.children)).join("");
  return parse(text).map((block) => block.text ?? flat(block.children)).join(" ")
    .replace(/\s+/g, " ").trim();
}

const emoji = "\\p{Extended_Pictographic}(?:\\uFE0F|\\p{Emoji_Modifier})?";
const flagOrKey = "\\p{Regional_Indicator}{2}|[0-9#*]\\uFE0F\\u20E3";
const emojiAlone = new RegExp(
  `^(?:(?:${flagOrKey}|${emoji}(?:\\u200D${emoji})*)\\s*){1,6}$`, "u");

/** Whether the text is one to six emoji and nothing else. */
export function isEmojiAlone(text) {
  return text.length <= 120 && emojiAlone.test(text.trim()) && !/^[©®™\s]+$/.test(text);
}

function blocks(text, depth, me) {
  const found = [];
  let paragraph = [], quote = [];
  const end = () => {
    const said = paragraph.join("\n").replace(/^\n+|\n+$/g, "");
    if (said.trim()) found.push({ kind: "paragraph", children: inlines(said, 0, me) });
    if (quote.length) {
      found.push({ kind: "quote", children: blocks(quote.join("\n"), depth + 1, me) });
    }
    paragraph = [];
    quote = [];
  };
  const lines = text.split("\n");
  let isOpenEnded = false;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at];
    const closing = line.startsWith(fence) ? closingFence(lines, at, isOpenEnded) : -1;
    isOpenEnded ||= line.startsWith(fence) && closing < 0;
    if (closing >= 0) {
      end();
      found.push({ kind: "code", text: fenced(lines, at, closing) });
      at = closing;
    } else if (/^> ?\S/.test(line) && depth < depthMax) {
      if (paragraph.length) end();
      quote.push(line.replace(/^> ?/, ""));
    } else {
      if (quote.length) end();
      paragraph.push(line);
    }
  }
  end();
  return found;
}

/**
 * The line in which the fence of line `at` ends, the same one where it is all in one; else -1.
 * `isOpenEnded` says that none was found from a line above, so that none is below.
 */
function closingFence(lines, at, isOpenEnded) {
  const first = lines[at].slice(fence.length);
  if (first.trimEnd().endsWith(fence) && first.trim().length > fence.length) return at;
  if (isOpenEnded) return -1;
  for (let next = at + 1; next < lines.length; next += 1) {
    if (lines[next].trimEnd().endsWith(fence)) return next;
  }
  return -1;
}

function fenced(lines, at, closing) {
  const cut = (line) => line.trimEnd().slice(0, -fence.length);
  if (closing === at) return cut(lines[at].slice(fence.length)).trim();
  const first = lines[at].slice(fence.length);
  // One word behind the fence is the name of a language: nothing here uses it.
  const inside = /^[\w+#.-]*\s*$/.test(first) ? [] : [first];
  inside.push(...lines.slice(at + 1, closing));
  if (cut(lines[closing]).trim()) inside.push(cut(lines[closing]));
  return inside.join("\n");
}

const opener = /[`*@]|(?:https?:\/\/|mailto:)/giu;

function inlines(text, depth, me) {
  const found = [];
  let from = 0;
  const put = (upTo) => {
    if (upTo > from) found.push({ kind: "text", text: text.slice(from, upTo) });
  };
  opener.lastIndex = 0;
  const starts = [...text.matchAll(opener)];
  for (const start of starts) {
    if (start.index < from) continue;
    const taken = take(text, start.index, start[0], depth, me);
    if (!taken) continue;
    put(start.index);
    found.push(taken.node);
    from = taken.end;
  }
  put(text.length);
  return found;
}

function take(text, at, mark, depth, me) {
  if (mark === "`") return code(text, at);
  if (mark === "*") return depth < depthMax ? stressed(text, at, depth, me) : null;
  if (mark === "@") return mention(text, at, me);
  return link(text, at);
}

function code(text, at) {
  let run = 1;
  while (text[at + run] === "`") run += 1;
  const mark = "`".repeat(run);
  const end = text.indexOf(mark, at + run + 1);
  const line = text.indexOf("\n", at);
  if (end < 0 || (line >= 0 && line < end)) return null;
  return { node: { kind: "code", text: text.slice(at + run, end) }, end: end + run };
}

// Chinese and Japanese put no blanks between words: their letters end nothing and begin nothing.
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const isWord = (character) => character !== undefined && /[\p{L}\p{N}]/u.test(character)
  && !unspaced.test(character);
const isBlank = (character) => character === undefined || /\s/.test(character);

function stressed(text, at, depth, me) {
  const mark = text[at + 1] === "*" ? "**" : "*";
  const first = at + mark.length;
  if (isWord(text[at - 1]) || isBlank(text[first]) || text[first] === "*") return null;
  const blank = text.indexOf("\n\n", first);
  // A bound on how far is looked, so that a text of openings alone is not looked through for each.
  const last = Math.min(blank < 0 ? text.length : blank, first + stressMax);
  for (let end = text.indexOf("*", first + 1); end >= 0 && end < last;
    end = text.indexOf("*", end + 1)) {
    let run = 1;
    while (text[end + run] === "*") run += 1;
    if (run === mark.length && !isBlank(text[end - 1]) && !isWord(text[end + run])) {
      const kind = mark === "**" ? "strong" : "emphasis";
      const children = inlines(text.slice(first, end), depth + 1, me);
      return { node: { kind, children }, end: end + run };
    }
    end += run - 1;
  }
  return null;
}

function mention(text, at, me) {
  if (isWord(text[at - 1])) return null;
  const near = text.slice(at, at + 80);
  const mine = me?.exec(near)?.[0];
  if (mine) {
    const name = mine.slice(1).replace(/\s+/g, " ");
    return { node: { kind: "mention", text: mine, name, isOwn: true }, end: at + mine.length };
  }
  const name = /^@([\p{L}\p{N}_][\p{L}\p{N}\p{M}_.-]*)/u.exec(near)?.[1];
  if (!name) return null;
  const kept = name.replace(/[.-]+$/, "");
  return { node: { kind: "mention", text: `@${kept}`, name: kept }, end: at + 1 + kept.length };
}

const pairs = { ")": "(", "]": "[", "}": "{", "）": "（", "」": "「", "】": "【" };

function link(text, at) {
  if (isWord(text[at - 1])) return null;
  // What never stands in an address ends it: blanks, quotes, angles, full-width signs.
  let href = /^[^\s<>"`。，、；！？“”‘’《》\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/u
    .exec(text.slice(at))[0];
  for (;;) {
    const last = href.at(-1);
    const isLoose = pairs[last] && occurrences(href, last) > occurrences(href, pairs[last]);
    if (!isLoose && !/[.,;:!?'*_~…]/.test(last)) break;
    href = href.slice(0, -last.length);
  }
  if (!isAddress(href)) return null;
  return { node: { kind: "link", href, text: href }, end: at + href.length };
}

const occurrences = (text, character) => text.split(character).length - 1;

function isAddress(href) {
  try {
    const url = new URL(href);
    if (url.protocol === "mailto:") return /^[^@]+@[^@]+$/.test(url.pathname);
    return (url.protocol === "http:" || url.protocol === "https:") && url.hostname !== "";
  } catch {
    return false;
  }
}
