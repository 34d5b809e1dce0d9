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

test("a name at the head of a refusal is written as it is", () => {
  assert.equal(explain({ code: "not-here", message: "bob is not here" }), "bob is not here.");
});

test("what the server says for programs is said for people", () => {
  assert.doesNotMatch(explain({ code: "bad-token", message: "this token is void" }), /token/);
});
