// The markup of a message: what is a mark, what is an address, and what stays text.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isEmojiAlone, parse, plain } from "../../../Web/ui/markup.js";

/** The inlines of the only paragraph, each as [kind, text]. */
function inlines(text) {
  const [paragraph, ...more] = parse(text);
  assert.deepEqual(more, []);
  const flat = (node) => node.text ?? node.children.map(flat).join("");
  return paragraph.children.map((node) => [node.kind, flat(node)]);
}

/** The addresses in a text. */
const links = (text) => inlines(text).filter(([kind]) => kind === "link").map(([, href]) => href);

/** All characters of a tree, marks left out. */
function said(nodes) {
  return nodes.map((node) => node.text ?? said(node.children)).join("");
}

test("an address is one of http, https or mailto, and nothing else", () => {
  assert.deepEqual(links("https://a.example/x http://b.example mailto:ann@c.example"),
    ["https://a.example/x", "http://b.example", "mailto:ann@c.example"]);
  for (const text of ["javascript:alert(1)", "data:text/html,x", "ftp://a.example", "https://",
    "file:///etc/passwd", "xhttps://a.example", "mailto:nobody", "//a.example"]) {
    assert.deepEqual(links(text), [], text);
  }
});

test("what closes a sentence or a bracket around an address is not part of it", () => {
  for (const [text, href] of [
    ["see https://a.example.", "https://a.example"],
    ["(https://a.example/b)", "https://a.example/b"],
    ["https://a.example/b_(c)", "https://a.example/b_(c)"],
    ["(see https://a.example/b_(c)), then", "https://a.example/b_(c)"],
    ["**https://a.example**", undefined],
    ["https://a.example?x=1&y=2!", "https://a.example?x=1&y=2"],
    ["看https：https://a.example/好。", "https://a.example/好"],
    ['https://a.example/"onclick="x', "https://a.example/"],
    ["https://a.example/\u202egpj.exe", "https://a.example/"],
  ]) assert.equal(links(text)[0], href, text);
  assert.equal(parse("**https://a.example**")[0].children[0].children[0].href, "https://a.example");
});

test("emphasis has no blanks inside its stars, and no letters outside", () => {
  assert.deepEqual(inlines("*a* b"), [["emphasis", "a"], ["text", " b"]]);
  assert.deepEqual(inlines("**a b**"), [["strong", "a b"]]);
  assert.deepEqual(inlines("**a *b* c**"), [["strong", "a b c"]]);
  for (const text of ["2*3*4", "* a *", "a * b * c", "**", "*", "***a***", "*a\n\nb*"]) {
    assert.equal(said(parse(text)).replaceAll(/\n/g, ""), text.replaceAll(/\n/g, ""), text);
    assert.ok(parse(text).every(({ children }) => children.every(({ kind }) => kind === "text")));
  }
});

test("where a script has no blanks, marks need none around them", () => {
  assert.deepEqual(inlines("这是*重点*啊"), [["text", "这是"], ["emphasis", "重点"], ["text", "啊"]]);
  assert.deepEqual(links("看https://a.example，好"), ["https://a.example"]);
  assert.deepEqual(inlines("你好@ann")[1], ["mention", "@ann"]);
});

test("in code nothing else is a mark", () => {
  assert.deepEqual(inlines("`*a* https://b.example`"), [["code", "*a* https://b.example"]]);
  assert.deepEqual(inlines("``a ` b``"), [["code", "a ` b"]]);
  assert.deepEqual(parse("```\n*a*\n\n  b\n```"), [{ kind: "code", text: "*a*\n\n  b" }]);
  assert.deepEqual(parse("```swift\nlet a = 1\n```")[0], { kind: "code", text: "let a = 1" });
});

test("a fence without an end is text", () => {
  assert.deepEqual(said(parse("```\nfor ever")), "```\nfor ever");
});

test("lines that begin with > are a quote, and what follows is not", () => {
  const [quote, after] = parse("> a\n> *b*\nc");
  assert.equal(quote.kind, "quote");
  assert.equal(said(quote.children), "a\nb");
  assert.equal(said([after]), "c");
  assert.equal(parse("a > b")[0].kind, "paragraph");
});

test("newlines are kept", () => {
  assert.equal(said(parse("a\nb\n\nc")), "a\nb\n\nc");
});

test("a name behind @ is a mention, an address of mail is none", () => {
  assert.deepEqual(inlines("@ann, hi")[0], ["mention", "@ann"]);
  assert.deepEqual(inlines("@沈雨 在吗")[0], ["mention", "@沈雨"]);
  assert.deepEqual(inlines("ann@b.example"), [["text", "ann@b.example"]]);
});

test("the reader's own name is known whole, blanks and all", () => {
  const mentions = (text, name) => parse(text, name)[0].children
    .filter(({ kind }) => kind === "mention").map((node) => [node.text, Boolean(node.isOwn)]);
  assert.deepEqual(mentions("@Ada Lovelace, hi", "ada lovelace"), [["@Ada Lovelace", true]]);
  assert.deepEqual(mentions("(@Ada  Lovelace)", "Ada Lovelace"), [["@Ada  Lovelace", true]]);
  assert.deepEqual(mentions("@Ada Lovelacey", "Ada Lovelace"), [["@Ada", false]]);
  assert.deepEqual(mentions("@bob.smith and @Bob.", "bob"), [["@bob.smith", false], ["@Bob", true]]);
  assert.deepEqual(mentions("@bob你好", "bob"), [["@bob", true]]);
  assert.deepEqual(mentions("> @a.*b", "a.*b"), []);
  assert.deepEqual(mentions("@a.*b", "a.*b"), [["@a.*b", true]]);
});

test("one to six emoji alone are emoji, anything beside them is text", () => {
  for (const text of ["👍", "👨‍👩‍👧 ❤️", "🇩🇪", "1️⃣", "👍🏽👍🏽"]) {
    assert.ok(isEmojiAlone(text), text);
  }
  for (const text of ["", "1", "#", "a👍", "©", "👍".repeat(7)]) {
    assert.ok(!isEmojiAlone(text), text);
  }
});

test("as one line a text has no marks and no newlines", () => {
  assert.equal(plain("*a*\n> b\n```\nc\n```\n`d`"), "a b c d");
});

test("whatever is said can be read, and no text takes long", () => {
  for (const piece of ["*a ", "**a ", "`", "``a", "> ", "```\n", "```x\n", "@", "https://a",
    "mailto:", "((((", "[*`@", "> ```\n", "\u0301", "\ud83d"]) {
    const text = piece.repeat(Math.ceil(4_096 / piece.length));
    const began = process.cpuUsage();
    parse(text);
    isEmojiAlone(text);
    const { user } = process.cpuUsage(began);
    assert.ok(user < 500_000, `${JSON.stringify(piece)} takes ${user} µs`);
  }
});
