// Says on the desktop, and in the title, what came while nobody looked.

import { choice, choose } from "./choices.js";
import { plain } from "./markup.js";
import { t } from "./words.js";

/** Notifications and the title. `app` gives chat, place, go and isLooking. */
export class Notifier {
  #app;

  constructor(app) { this.#app = app; }

  /** "on", "off", or why they cannot be: "denied", "insecure", "missing". */
  get state() {
    if (!globalThis.isSecureContext) return "insecure";
    if (!("Notification" in globalThis)) return "missing";
    if (Notification.permission === "denied") return "denied";
    const isOn = Notification.permission === "granted" && choice("notify") === "on";
    return isOn ? "on" : "off";
  }

  /** Asks the browser, which asks the person. Only ever called by a button. */
  async turnOn() {
    if (await Notification.requestPermission() === "granted") choose("notify", "on");
  }

  turnOff() { choose("notify", "off"); }

  /** A message of somebody else came. */
  told(key, item, isMention) {
    const place = this.#app.chat.places.get(key);
    if (!place || this.#app.isLooking || this.state !== "on") return;
    if (!place.with && !isMention) return;
    const title = place.with ? item.from : `${item.from} · #${place.room}`;
    try {
      const shown = new Notification(title, {
        body: plain(item.text).slice(0, 200), tag: `beck.${key}`, icon: "icon.svg",
      });
      shown.onclick = () => { window.focus(); this.#app.go(key); shown.close(); };
    } catch { /* phones have the name, and want a worker for it */ }
  }

  /** The title: how much is unread, and where one is. */
  renderTitle() {
    const { chat, place, key, isSeen } = this.#app;
    let count = 0;
    for (const one of chat.places.values()) {
      if ((one.isJoined || one.with) && !(isSeen && one.key === key)) count += one.unread || 0;
    }
    const where = place && chat.me ? `${this.#app.placeName(place)} – ` : "";
    document.title = `${count && chat.me ? `(${count}) ` : ""}${where}Beck`;
  }

  /** Why it is as it is, in words. */
  get words() {
    return { on: t.notifyIsOn, off: t.notifyWhy, denied: t.notifyDenied,
      insecure: t.notifyInsecure, missing: t.notifyMissing }[this.state];
  }
}
