// The words of the page: every language says all, and refusals are told as they came.

import assert from "node:assert/strict";
import { test } from "node:test";
import { english } from "../../../Web/ui/words-en.js";
import { chinese } from "../../../Web/ui/words-zh.js";
import { check, explain } from "../../../Web/ui/words.js";

test("the tables have the same keys, and numbers in the same places", () => {
  check();
  const was = chinese.send;
  delete chinese.send;
  assert.throws(check, /"zh"/);
  chinese.send = was;
  check();
});

test("every word of every table says something", () => {
  for (const table of [english, chinese]) {
    for (const [key, value] of Object.entries(table)) {
      if (key === "typing") assert.match(value(["ann", "bob"]), /ann.*bob/);
      else if (typeof value === "function") assert.match(value("7", "8", "9"), /7/, key);
      else if (typeof value === "string") assert.notEqual(value.trim(), "", key);
    }
  }
});

test("a refusal is told in the server's own words, as a sentence", () => {
  assert.equal(explain({ code: "muted", message: "you are muted" }), "You are muted.");
  assert.equal(explain({ code: "busy", message: "try again!" }), "Try again!");
});

test("a ban or a mute is told in local time", () => {
  process.env.TZ = "Asia/Shanghai";
  const until = "after 2031-11-30 20:10 UTC";
  const muted = explain({ code: "muted",
    message: `you are muted in tea; speak again ${until}: spam: again` });
  assert.match(muted, /^You are muted in #tea until .*1.*4:10.*: spam: again$/);
  assert.doesNotMatch(muted, /UTC/);
  assert.match(explain({ code: "banned",
    message: `you are banned from this server; come back ${until}` }),
  /^You are banned from the whole server until .*4:10[^:]*\.$/);
  assert.equal(explain({ code: "muted",
    message: "you are muted on this server; ask whoever runs it to lift that" }),
  "You are muted in the whole server until that is lifted.");
  assert.equal(explain({ code: "banned",
    message: "you are banned from tea; ask its moderators to lift that: flood" }),
  "You are banned from #tea until that is lifted: flood");
});

test("a name at the head of a refusal is written as it is", () => {
  assert.equal(explain({ code: "not-here", message: "bob is not here" }), "bob is not here.");
});

test("what the server says for programs is said for people", () => {
  assert.doesNotMatch(explain({ code: "bad-token", message: "this token is void" }), /token/);
});
