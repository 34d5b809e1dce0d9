// The dialog of settings: language, appearance, notifications, being away, password, signing out.

import { choice, choose } from "./choices.js";
import { ask, field, openDialog } from "./dialog.js";
import { element } from "./dom.js";
import { mayHavePassword } from "./sign-in.js";
import { languages, speak, t } from "./words.js";

/** Opens it. */
export function openSettings(app) {
  const dialog = openDialog(t.settings, { kind: "settings" });
  const again = () => { dialog.close(); openSettings(app); };
  dialog.append(appearance(app, again), notices(app, again), being(app, dialog), keys(),
    element("p", { class: "buttons" },
      element("button", {
        type: "button", class: "grave-text", onclick: () => signOut(app, dialog),
      }, t.signOut),
      element("button", {
        type: "button", class: "main", onclick: () => dialog.close(),
      }, t.close)));
  dialog.querySelector("select").focus();
}

function appearance(app, again) {
  const language = field({
    name: "language", label: t.language, value: choice("language", ""),
    options: [["", t.automatic], ...Object.entries(languages)],
  });
  language.querySelector("select").addEventListener("change", (event) => {
    choose("language", event.target.value);
    speak(event.target.value);
    app.renderAll();
    again();
  });
  const theme = field({
    name: "theme", label: t.theme, value: choice("theme", ""),
    options: [["", t.automatic], ["light", t.light], ["dark", t.dark]],
  });
  theme.querySelector("select").addEventListener("change", (event) => {
    choose("theme", event.target.value);
    dispatchEvent(new Event("theme"));
  });
  return element("section", { class: "two" }, language, theme);
}

function notices({ notifier }, again) {
  const { state } = notifier;
  const button = state === "on"
    ? element("button", { type: "button", onclick: () => { notifier.turnOff(); again(); } },
      t.notifyOff)
    : element("button", {
      type: "button", "aria-disabled": String(state !== "off"), "aria-describedby": "notify-why",
      onclick: () => { if (state === "off") notifier.turnOn().then(again); },
    }, t.notifyOn);
  return element("section", {}, element("h3", {}, t.notifications),
    element("p", { class: "hint", id: "notify-why" }, notifier.words), button);
}

function being(app, dialog) {
  const { chat } = app;
  const away = field({
    name: "away", label: t.awayLabel, value: chat.away, maxLength: 256,
  });
  const form = element("form", { novalidate: true, class: "line" }, away,
    element("button", { type: "submit" }, t.save));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = form.querySelector("input").value.trim();
    dialog.close();
    await app.run(chat.setAway(text).then(() => app.say(t.done)));
  });
  const button = chat.me?.guest
    ? element("button", { type: "button", onclick: () => { dialog.close(); upgrade(app); } },
      t.upgrade)
    : element("button", { type: "button", onclick: () => { dialog.close(); password(app); } },
      t.changePassword);
  const may = mayHavePassword();
  return element("section", {}, element("h3", {}, chat.me?.guest ? t.guest : t.account),
    chat.me?.guest ? element("p", { class: "hint" }, may ? t.upgradeWhy : t.plainHTTP) : null,
    may ? button : null, form);
}

async function upgrade(app) {
  const given = await ask({
    title: t.upgrade, why: t.passwordRule, action: t.register, isOne: true,
    fields: [{ name: "password", label: t.password, type: "password" }],
    attempt: ({ password }) => app.chat.register({ name: app.chat.me.name, password }),
  });
  if (given) app.say(t.done);
}

async function password(app) {
  const given = await ask({
    title: t.changePassword, why: t.passwordRule, action: t.save, isOne: true,
    fields: [
      { name: "old", label: t.oldPassword, type: "password" },
      { name: "new", label: t.newPassword, type: "password" }],
    attempt: (fields) => app.chat.changePassword(fields).catch((error) => {
      throw error.code === "bad-password" ? new Error(t.oldPasswordWrong) : error;
    }),
  });
  if (given) app.say(t.passwordChanged);
}

async function signOut(app, dialog) {
  const { chat } = app;
  dialog.close();
  const why = [
    chat.unsent ? t.unsent(chat.unsent) : "", chat.me?.guest ? t.signOutGuest : t.signOutAccount,
  ].join(" ").trim();
  const given = await ask({
    title: t.signOutTitle, why, action: t.signOut,
    fields: [{ name: "where", label: t.signOutWhere, options: [
      ["here", t.signOutHere], ["everywhere", t.signOutEverywhere]] }],
  });
  if (given) await app.run(chat.signOut({ everywhere: given.where === "everywhere" }));
}

function keys() {
  const rows = [
    ["Enter", t.keyList.send], ["↑", t.keyList.editLast], ["F6", t.keyList.columns],
    ["Alt ↑ ↓", t.keyList.rooms], ["Ctrl K", t.keyList.search], ["/", t.keyList.search],
    ["Esc", t.keyList.composer], ["↑ ↓", t.keyList.rows], ["R  E  Del", t.keyList.rowKeys]];
  return element("details", {}, element("summary", {}, t.keys), element("dl", { class: "keys" },
    rows.map(([key, what]) => [
      element("dt", {}, key.split(/\s+/).map((one) => element("kbd", {}, one))),
      element("dd", {}, what)])));
}
