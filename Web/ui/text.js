// Makes nodes of a message's tree. Text stays text; only addresses that markup.js knows are links.

import { element } from "./dom.js";
import { parse } from "./markup.js";

/** The nodes of a message. `name` is the reader's: what calls them so is painted louder. */
export function textNodes(text, name) {
  return parse(text, name).map(blockNode);
}

function blockNode(block) {
  if (block.kind === "code") {
    // A long line scrolls sideways, so that the keyboard must be able to reach it.
    return element("pre", { tabindex: "0", dir: "ltr" }, element("code", {}, block.text));
  }
  if (block.kind === "quote") {
    return element("blockquote", {}, block.children.map(blockNode));
  }
  return element("p", { dir: "auto" }, block.children.map(inlineNode));
}

function inlineNode(node) {
  const children = () => node.children.map(inlineNode);
  switch (node.kind) {
    case "code": return element("code", { dir: "ltr" }, node.text);
    case "strong": return element("strong", {}, children());
    case "emphasis": return element("em", {}, children());
    case "mention":
      return element("span", { class: node.isOwn ? "mention me" : "mention" }, node.text);
    case "link":
      return element("a", {
        href: node.href, target: "_blank", rel: "noopener noreferrer nofollow", dir: "ltr",
      }, node.text);
    default: return document.createTextNode(node.text);
  }
}

/** The text as nodes in which the words of a search are marked. */
export function foundNodes(text, query) {
  const words = [...query.matchAll(/"([^"]+)"|(\S+)/g)].map((found) => found[1] ?? found[2])
    .filter(Boolean);
  if (!words.length) return [text];
  const safe = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return text.split(new RegExp(`(${safe.join("|")})`, "iu"))
    .map((part, at) => (at % 2 ? element("mark", {}, part) : part));
}
