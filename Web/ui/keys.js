// The keys that work everywhere on the page.

import { byId } from "./dom.js";
import { closeSide } from "./side.js";

/** Listens. `app` gives composer, places, search, go and log. */
export function listenForKeys(app) {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    if (document.documentElement.dataset.view !== "chat") return;
    if (document.querySelector("dialog[open], .menu")) return;
    if (pressed(app, event)) event.preventDefault();
  });
}

function pressed(app, event) {
  const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
  const isTyping = event.target.matches?.("input, textarea, select");
  if (key === "F6") return column(app, shiftKey ? -1 : 1);
  if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === "k") {
    app.search.open();
  } else if (key === "/" && !isTyping && !ctrlKey && !metaKey && !altKey) {
    app.search.open();
  } else if (ctrlKey && !shiftKey && !altKey && (key === "ArrowLeft" || key === "ArrowRight")) {
    // Within text these go a word on: there they stay what they are.
    if (isTyping && event.target.value) return false;
    return column(app, key === "ArrowLeft" ? -1 : 1);
  } else if (altKey && !ctrlKey && (key === "ArrowUp" || key === "ArrowDown")) {
    return room(app, key === "ArrowUp" ? -1 : 1);
  } else if (key === "Escape") {
    return escape(app, event);
  } else {
    return false;
  }
  return true;
}

function escape(app, event) {
  app.actions.hide();
  if (byId("side").contains(event.target)) closeSide();
  else if (event.target === app.composer.text && !app.composer.leave()) {
    if (app.log.isAtNewest) return false;
    app.toNewest();
  }
  app.composer.focus();
  return true;
}

function room(app, step) {
  const { order } = app.places;
  const at = order.findIndex((place) => place.key === app.key);
  const next = order[(at + step + order.length) % order.length];
  if (next) app.go(next.key);
  return true;
}

/** The columns that can be seen, in their order, with where the keyboard goes in each. */
function column(app, step) {
  const current = () => byId("places").querySelector("[aria-current]");
  const stops = [
    [byId("places"), () => current() ?? byId("add")],
    [byId("log"), () => byId("messages").querySelector(".row:last-child article")],
    [byId("composer"), () => app.composer.text],
    [byId("side"), () => byId("side-body").querySelector("input, button") ?? byId("side-title")],
  ].filter(([column]) => column.checkVisibility?.() ?? column.offsetParent !== null);
  const at = stops.findIndex(([column]) => column.contains(document.activeElement));
  for (let tried = 1; tried <= stops.length; tried += 1) {
    const to = stops[(at + step * tried + stops.length * 4) % stops.length][1]();
    if (!to) continue;
    to.focus();
    return true;
  }
  return false;
}
