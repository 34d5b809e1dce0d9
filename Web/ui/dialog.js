// Asks something in a dialog of the page: fields and two buttons. Gives what was written, or null.

import { element } from "./dom.js";
import { explain, t } from "./words.js";

let ids = 0;

/** Opens an empty dialog with a title, which is gone when it is closed. */
export function openDialog(title, { onClose = () => {}, kind = "" } = {}) {
  const id = `dialog-${ids += 1}`;
  const back = document.activeElement;
  const dialog = element("dialog", { "aria-labelledby": id, class: kind },
    element("h2", { id }, title));
  dialog.addEventListener("close", () => {
    const isHeld = dialog.contains(document.activeElement);
    dialog.remove();
    // This comes a while after the closing: who has gone on to another place writes there by now.
    if ((isHeld || document.activeElement === document.body) && back?.isConnected) back.focus();
    onClose();
  });
  // A press beside it closes it, as Escape does.
  dialog.addEventListener("pointerdown", (event) => {
    if (event.target !== dialog) return;
    const box = dialog.getBoundingClientRect();
    if (event.clientX < box.left || event.clientX > box.right
      || event.clientY < box.top || event.clientY > box.bottom) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** A field with its label: text, or one of `options` ([value, words]). */
export function field({ name, label, value = "", options, isShown, ...more }) {
  const id = `field-${ids += 1}`;
  const control = options
    ? element("select", { id, name }, options.map(([one, words]) =>
      element("option", { value: one, ".selected": one === value }, words)))
    : element("input", {
      id, name, value, readonly: isShown, dir: "auto",
      autocomplete: more.type === "password" ? "new-password" : "off",
      type: more.type ?? "text", maxlength: more.maxLength, min: more.min, max: more.max,
      placeholder: more.placeholder,
    });
  if (isShown) control.addEventListener("focus", () => control.select());
  return element("p", { class: "labelled" }, element("label", { for: id }, label), control);
}

/**
 * Asks for the given fields. Resolves to what is in them by name, or to null where it was
 * called off. `isGrave` paints the button as what cannot be undone. What `attempt` does with what
 * is given is awaited: where it is refused, the dialog says why and stays, with all that was
 * written; else its value stands as `done` beside the fields.
 */
export function ask({
  title, why, fields = [], action, cancel = t.cancel, isGrave, isShowing, isOne = false, attempt,
}) {
  return new Promise((resolve) => {
    let given = null;
    const dialog = openDialog(title, { onClose: () => resolve(given) });
    const refusal = element("p", { class: "error", role: "alert", hidden: true });
    const form = element("form", { novalidate: true },
      why ? element("p", { class: "hint" }, why) : null,
      fields.map(field),
      refusal,
      element("p", { class: "buttons" },
        isShowing ? null
          : element("button", { type: "button", onclick: () => dialog.close() }, cancel),
        element("button", { type: "submit", class: isGrave ? "main grave" : "main" }, action)));
    let isBusy = false;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (isBusy) return;
      const values = Object.fromEntries(new FormData(form));
      if (isOne && !Object.values(values)[0].trim()) return form.querySelector("input").focus();
      try {
        isBusy = true;
        if (attempt) values.done = await attempt(values);
        given = values;
        dialog.close();
      } catch (error) {
        refusal.textContent = explain(error);
        refusal.hidden = false;
      }
      isBusy = false;
    });
    dialog.append(form);
    const first = form.querySelector("input");
    (first ?? form.querySelector(".main")).focus();
    first?.select();
  });
}

/** Asks whether something should be done. */
export const confirm = async (asked) => await ask(asked) !== null;
