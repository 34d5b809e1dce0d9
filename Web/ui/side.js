// The right column, which shows one thing at a time, or nothing.

import { byId } from "./dom.js";

const buttons = { people: "people-open", search: "search-open" };
let back = null;

/** Whether the column shows this. */
export const sideShows = (what) => byId("side").dataset.shows === what;

/** Shows `what` under a title; its body is empty then. */
export function openSide(what, title) {
  const side = byId("side");
  if (side.hidden) back = document.activeElement;
  side.hidden = false;
  side.dataset.shows = what;
  byId("side-title").textContent = title;
  byId("side-body").replaceChildren();
  document.documentElement.dataset.side = what;
  told(what);
}

/** Shuts the column, and gives the keyboard back to where it was. */
export function closeSide() {
  const side = byId("side");
  const hadFocus = side.contains(document.activeElement);
  side.hidden = true;
  delete side.dataset.shows;
  delete document.documentElement.dataset.side;
  told(null);
  if (hadFocus) (back?.isConnected ? back : byId("composer-text")).focus();
}

function told(what) {
  for (const [shows, id] of Object.entries(buttons)) {
    byId(id).setAttribute("aria-expanded", String(shows === what));
  }
}

byId("side-close").addEventListener("click", closeSide);
