// A menu below a button: arrows move, Escape or a press elsewhere closes it.

import { element, icon } from "./dom.js";

/** Opens a menu of `entries` ({text, icon, action, isGrave}; what is false is left out). */
export function openMenu(anchor, entries) {
  const menu = element("div", { class: "menu", role: "menu" });
  const close = (isBack) => {
    menu.remove();
    anchor.setAttribute("aria-expanded", "false");
    document.removeEventListener("pointerdown", outside, true);
    removeEventListener("resize", gone);
    document.removeEventListener("scroll", gone, true);
    if (isBack && anchor.isConnected) anchor.focus();
  };
  const gone = () => close(false);
  const outside = (event) => { if (!menu.contains(event.target)) close(false); };
  for (const entry of entries.filter(Boolean)) {
    menu.append(element("button", {
      type: "button", role: "menuitem", tabindex: "-1", class: entry.isGrave ? "grave" : null,
      onclick: () => { close(true); entry.action(); },
    }, icon(entry.icon ?? "more"), entry.text));
  }
  menu.addEventListener("keydown", (event) => moved(event, menu, close));
  anchor.closest("dialog, nav, main, aside").append(menu);
  anchor.setAttribute("aria-expanded", "true");
  placeBelow(menu, anchor.getBoundingClientRect());
  menu.firstElementChild?.focus();
  document.addEventListener("pointerdown", outside, true);
  addEventListener("resize", gone);
  document.addEventListener("scroll", gone, true);
}

function moved(event, menu, close) {
  const buttons = [...menu.children];
  const at = buttons.indexOf(document.activeElement);
  const to = {
    ArrowDown: at + 1, ArrowUp: at - 1 + buttons.length, Home: 0, End: buttons.length - 1,
  }[event.key];
  if (to !== undefined) {
    buttons[to % buttons.length].focus();
  } else if (event.key === "Escape" || event.key === "Tab") {
    close(true);
  } else if (event.key !== "Enter" && event.key !== " ") {
    return;
  } else {
    event.stopPropagation();
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}

function placeBelow(menu, box) {
  const { width, height } = menu.getBoundingClientRect();
  const left = Math.max(8, Math.min(box.left, innerWidth - width - 8));
  const isBelow = box.bottom + height + 12 < innerHeight;
  menu.style.left = `${left}px`;
  menu.style.top = `${isBelow ? box.bottom + 4 : Math.max(8, box.top - height - 4)}px`;
}
