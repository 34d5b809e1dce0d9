// Finds a room, makes one, or joins one by invitation.

import { ask, openDialog } from "./dialog.js";
import { element, icon } from "./dom.js";
import { explain, t } from "./words.js";

const shownMax = 100;
const nameRule = /^[\p{L}\p{N}_.-]{1,64}$/u;

/** Opens the list of rooms, in which one can also name a new one. */
export function findRoom(app) {
  const { chat } = app;
  const dialog = openDialog(t.findRoom, { kind: "tall" });
  const input = element("input", {
    type: "search", "aria-label": t.filterRooms, placeholder: t.filterRooms, autocomplete: "off",
    maxlength: "64", autocapitalize: "off", spellcheck: "false",
  });
  const list = element("ul", { class: "found-rooms" });
  const error = element("p", { class: "error", role: "alert", hidden: true });
  const go = async (promise) => {
    try {
      const key = await promise;
      dialog.close();
      app.go(key);
    } catch (refused) {
      error.textContent = explain(refused);
      error.hidden = false;
    }
  };
  const render = () => {
    const asked = input.value.trim().replace(/^#/, "");
    const places = [...chat.places.values()]
      .filter((place) => place.room?.includes(asked.toLowerCase())
        && (place.isListed || place.isJoined))
      .sort((a, b) => (b.memberCount ?? 0) - (a.memberCount ?? 0) || (a.room < b.room ? -1 : 1));
    const isThere = places.some((place) => place.room === asked.toLowerCase());
    list.replaceChildren(
      ...places.slice(0, shownMax).map((place) => roomEntry(place, go, app)),
      asked && !isThere ? newRoom(asked, go, app) : "",
      !asked && !places.some((place) => !place.isJoined)
        ? element("li", { class: "hint" }, t.noOtherRooms) : "");
  };
  input.addEventListener("input", render);
  const form = element("form", { novalidate: true }, input, error, list);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    list.querySelector("button")?.click();
  });
  dialog.append(form, element("p", { class: "buttons" },
    element("button", { type: "button", onclick: () => { dialog.close(); joinByCode(app); } },
      t.useCode),
    element("button", { type: "button", onclick: () => dialog.close() }, t.close)));
  input.focus();
  render();
  app.run(chat.refreshRooms()).then(render);
}

function roomEntry(place, go, app) {
  const action = place.isJoined ? () => go(place.key) : () => go(app.chat.join(place.room));
  return element("li", {},
    icon(place.isPrivate ? "lock" : "hash"),
    element("div", { class: "what" },
      element("bdi", {}, place.room),
      element("span", { class: "hint", dir: "auto" },
        [t.members(place.memberCount ?? 0), place.topic].filter(Boolean).join(" · "))),
    element("button", { type: "button", onclick: action }, place.isJoined ? t.open : t.join,
      element("span", { class: "spoken" }, ` ${place.room}`)));
}

function newRoom(name, go, app) {
  if (!nameRule.test(name)) return element("li", { class: "hint" }, t.roomRule);
  const isPrivate = element("input", { type: "checkbox" });
  return element("li", { class: "new-room" },
    icon("add"),
    element("div", { class: "what" },
      element("bdi", {}, t.createRoom(name)),
      element("label", { class: "hint" }, isPrivate, " ", t.createPrivate)),
    element("button", {
      type: "button",
      onclick: () => go(app.chat.createRoom(name, { isPrivate: isPrivate.checked })),
    }, t.create));
}

/** Asks for a room and its code. */
export async function joinByCode(app) {
  const given = await ask({
    title: t.useCode, why: t.codeWhy, action: t.join, isOne: true,
    fields: [
      { name: "room", label: t.roomName, maxLength: 140 },
      { name: "code", label: t.code, maxLength: 64 }],
    attempt: (fields) => {
      // Both may have been copied at once, as the one who invites is given them.
      const [room, code] = `${fields.room} ${fields.code}`.trim().split(/\s+/);
      return app.chat.join(room.replace(/^#/, ""), { code }).catch((error) => {
        throw code && error.code === "no-such-room" ? new Error(t.codeWrong) : error;
      });
    },
  });
  if (given) app.go(given.done);
}
