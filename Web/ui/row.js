// Makes the row of one item: its day, the line of what is new, and the message itself. In a message
// author and text come first and the time last, whatever stands where on the screen.

import { avatar, element, icon, nameOf, spoken } from "./dom.js";
import { isEmojiAlone, plain } from "./markup.js";
import { textNodes } from "./text.js";
import { clock, day, dayKey, inFull } from "./times.js";
import { explain, t } from "./words.js";

const groupMillisecondsMax = 5 * 60_000;
const groupRowsMax = 20;

const isNextOf = (item, before) => item.kind === "message" && before?.kind === "message"
  && before.from === item.from && !item.replyTo && item.at - before.at < groupMillisecondsMax;

/**
 * Whether a group begins at this item that its neighbours do not part: of a long one the name is
 * said again, so that it is in sight. `starts` has what was decided of those above it.
 */
export function isAmongMany(items, at, starts) {
  let rows = 1;
  for (let up = at; up > 0 && !starts.get(items[up].id) && isNextOf(items[up], items[up - 1]);
    up -= 1) {
    rows += 1;
    if (rows > groupRowsMax) return true;
  }
  return false;
}

/**
 * What decides how an item looks, besides itself: its day, whether it is the first of its author's
 * group, whether the line of what is new stands above it, and what it replies to.
 */
export function surroundings(item, before, { firstNew, found, starts, hasOlder }) {
  // What is not kept any more has no time, and no day.
  const isNewDay = item.at !== null && (before !== undefined || !hasOlder)
    && (!before?.at || dayKey(before.at) !== dayKey(item.at));
  const isFirstNew = item.id === firstNew;
  const isGrouped = !isNewDay && !isFirstNew && !starts.get(item.id) && isNextOf(item, before);
  return { isNewDay, isFirstNew, isGrouped, answered: item.replyTo ? found(item.replyTo) : null };
}

/** All of which a row is made, as text: where it is another, the row has to be made anew. */
export function looks(item, around, today) {
  const { answered } = around;
  return [
    item.kind, item.seq, item.from, item.text, item.delivery, item.error?.code, item.isDeleted,
    item.edited?.getTime(), item.at?.getTime(), item.gap?.from, around.isGrouped, around.isFirstNew,
    around.isNewDay && today, answered?.text, answered?.isDeleted, item.replyTo,
  ].join("\u0000");
}

/** The row of an item. `does` has what its buttons do: jump(seq), retry(item), discard(item). */
export function makeRow(item, around, { now, name, does }) {
  const isStart = item.kind === "message" && !around.isGrouped;
  const row = element("div", { class: isStart ? "row starts" : "row", "data-id": item.id });
  if (around.isNewDay) {
    row.append(element("h3", { class: "day" }, element("span", {}, day(item.at, now, t))));
  }
  if (around.isFirstNew) row.append(element("p", { class: "new" }, t.newMessages));
  row.append(item.kind === "message" ? message(item, around, name, does) : event(item));
  return row;
}

function message(item, around, name, does) {
  const kinds = ["message", around.isGrouped ? "grouped" : "first"];
  if (item.isOwn) kinds.push("own");
  if (item.edited && !item.isDeleted) kinds.push("changed");
  if (item.delivery) kinds.push(item.delivery);
  const body = bodyOf(item, name);
  if (!item.isOwn && body.querySelector(".mention.me")) kinds.push("names-me");
  return element("article",
    { class: kinds.join(" "), "data-seq": item.seq, tabindex: "-1" },
    around.isGrouped ? null : avatar(item.from, item.isOwn),
    nameOf(item.from, { class: "author" }),
    // In a group the name is for screen readers alone; what follows it needs a blank.
    item.isOwn && !around.isGrouped ? element("span", { class: "mine" }, t.you) : null,
    item.replyTo ? quote(item, around.answered, does) : null,
    body,
    foot(item, does));
}

function bodyOf(item, name) {
  if (item.isDeleted) return element("div", { class: "body deleted" }, element("p", {}, t.deleted));
  const isEmoji = isEmojiAlone(item.text);
  return element("div", { class: isEmoji ? "body emoji" : "body" }, textNodes(item.text, name));
}

function quote(item, answered, does) {
  const what = !answered ? t.replyFar : answered.isDeleted ? t.replyDeleted
    : plain(answered.text).slice(0, 160);
  return element("button",
    { type: "button", class: "quote", onclick: () => does.jump(item.replyTo) },
    spoken(`${t.replyTo} `),
    answered ? nameOf(answered.from) : null, " ",
    element("span", { dir: "auto" }, what));
}

function foot(item, does) {
  if (item.delivery === "failed") {
    return element("div", { class: "trouble", role: "alert" },
      element("span", {}, t.failed + (item.error ? explain(item.error) : "")),
      element("button", { type: "button", onclick: () => does.retry(item) }, t.retry),
      element("button", { type: "button", onclick: () => does.discard(item) }, t.discard));
  }
  if (item.delivery) {
    const word = item.delivery === "sending" ? t.sending : t.waiting;
    return element("span", { class: "when pending" }, word);
  }
  return element("span", { class: "when" },
    element("time", { datetime: item.at.toISOString(), title: inFull(item.at) }, clock(item.at)),
    item.edited && !item.isDeleted
      ? element("span", { class: "edited", title: t.editedAt(inFull(item.edited)) }, t.edited)
      : null);
}

function event(item) {
  if (item.kind === "gap") {
    return element("p", { class: "event gap" }, icon("more"), t.gap(item.gap.from, item.gap.to));
  }
  return element("p", { class: "event", "data-seq": item.seq },
    nameOf(item.from), " ",
    item.text ? t.topicSet : t.topicTaken, " ",
    item.text ? element("span", { dir: "auto", class: "topic" }, item.text) : null, " ",
    element("time", { datetime: item.at.toISOString(), title: inFull(item.at) }, clock(item.at)));
}
