// Who is signed in, and the way back after a cut. Knows nothing of places.

import { Calls } from "./calls.js";
import { linkLost, noConnection, notConnected, refusal, signedOut } from "./errors.js";
import { Link } from "./link.js";

const pauseMsMin = 500;
const pauseMsMax = 30_000;
const steadyMsMin = 5_000;
// A link that is cut soon after each login is no reason to come back at once, each time.
const unsteadyTriesMax = 2;
const triesMax = 5;

// After these the same token is worth a try, of errors and of closings. All else will not go away
// by itself, what this program does not know included (docs/wire/json.md, Errors).
const passing = new Set([
  "rate-limited", "busy", "not-stored", "name-taken", "link-lost", "no-connection", "not-connected",
  "shutdown", "silent", "crowded", "too-many-connections", "too-many-mistakes",
]);
const endsPass = new Set(["bad-token", "logged-out", "account-ended", "quit"]);

/**
 * A session: one person in one tab, over as many links as it takes.
 *
 * `told` is `{state(), me(), opened({isAgain}), closed(), person(), event(name, fields)}`:
 * `opened` comes when a login was answered, `closed` when its link is no more, `person` when
 * somebody else than before is about to be signed in.
 */
export class Session {
  state = "signed-out";
  retryAt = null;
  reason = null;
  me = null;
  limits = {};

  #keeping;
  #told;
  #link;
  #calls;
  #timer = null;
  #tries = 0;
  #turn = 0;
  #steady = null;
  #closing = null;

  constructor({ url, WebSocket, keeping, told }) {
    this.#keeping = keeping;
    this.#told = told;
    this.#link = new Link({
      url,
      WebSocket,
      onObject: (line) => this.#received(line),
      onCut: () => this.#cut(),
    });
    this.#calls = new Calls((line) => this.#link.send(line), notConnected);
  }

  /** Goes on as the person of this tab, if there is one. */
  start() {
    const pass = this.#keeping.pass;
    if (!pass || this.state !== "signed-out") return;
    this.me = { name: pass.name, guest: pass.guest };
    this.#told.me();
    this.#attempt();
  }

  /** Logs in or registers: on the link there is, or a new one. Throws a ChatError. */
  async enter(method, fields) {
    const isOnLink = this.state === "open";
    const isSame = isOnLink && this.me.guest && (method === "register" || !fields.password);
    const turn = ++this.#turn;
    clearTimeout(this.#timer);
    try {
      if (!isOnLink) await this.#reach();
      const ok = await this.#calls.ask(method, fields);
      if (turn !== this.#turn) throw linkLost();
      if (!isSame) this.#told.person();
      this.#accept(ok, { isAgain: false });
    } catch (error) {
      if (turn === this.#turn && this.state !== "open") this.#out(null);
      throw error;
    }
  }

  async changePassword(fields) {
    this.#accept(await this.ask("password", fields), { isRenewed: true });
  }

  /** Ends it here; with `everywhere`, all tokens of the person are made void as well. */
  async leave({ everywhere = false } = {}) {
    if (everywhere) await this.ask("logout");
    else this.#link.send({ quit: {} });
    this.#keeping.pass = null;
    this.#told.person();
    this.#out(null);
    this.#told.closed();
  }

  /** Tries now rather than later; while there is a link, asks whether it lives. */
  retryNow() {
    if (this.state === "open") this.#link.probe();
    else if (this.state === "waiting" || (this.state === "refused" && this.#keeping.pass)) {
      this.#attempt();
    }
  }

  /** The page goes away, perhaps to come back: the server is told now, not when it finds out. */
  pause() {
    if (this.state !== "open" && this.state !== "connecting") return;
    this.#turn += 1;
    this.#link.drop();
    this.#calls.fail(linkLost());
    this.#failed(linkLost());
    this.#told.closed();
  }

  /** @returns {Promise<object>} what `ok` has; rejected with a ChatError */
  ask(method, fields) {
    if (this.state !== "open") {
      return Promise.reject(this.state === "signed-out" ? signedOut() : notConnected());
    }
    return this.#calls.ask(method, fields);
  }

  /** Asks, and again where it is refused for a moment only. For what can be asked twice. */
  async askPatiently(method, fields) {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.ask(method, fields);
      } catch (error) {
        if (!error.isPassing || tries === triesMax) throw error;
        const ms = error.retryAfterMs ?? pauseMs(tries);
        await new Promise((resolve) => setTimeout(resolve, ms));
      }
    }
  }

  // Opens a link for a login to come.
  async #reach() {
    this.#set("connecting");
    this.#closing = null;
    this.#calls.fail(linkLost());
    if (!(await this.#link.connect())) throw noConnection();
  }

  // One try to come back by the token.
  async #attempt() {
    const turn = ++this.#turn;
    clearTimeout(this.#timer);
    try {
      await this.#reach();
      if (turn !== this.#turn) return;
      const ok = await this.#calls.ask("login", { token: this.#keeping.pass?.token ?? "" });
      if (turn === this.#turn) this.#accept(ok, { isAgain: true });
    } catch (error) {
      if (turn === this.#turn) this.#failed(error);
    }
  }

  #accept(ok, { isAgain, isRenewed = false }) {
    this.me = { name: ok.name, guest: ok.guest };
    this.limits = ok.limits ?? this.limits;
    this.#keeping.pass = { token: ok.token, ...this.me };
    this.#closing = null;
    this.reason = null;
    clearTimeout(this.#steady);
    this.#tries = Math.min(this.#tries, unsteadyTriesMax);
    this.#steady = setTimeout(() => (this.#tries = 0), steadyMsMin);
    const isNew = this.state !== "open";
    this.#told.me();
    this.#set("open");
    if (!isRenewed) this.#told.opened({ isAgain, isNew });
  }

  #received(line) {
    if (this.#calls.answered(line)) return;
    for (const [name, fields] of Object.entries(line)) {
      if (name === "closing") this.#closing = fields;
      if (fields && typeof fields === "object") this.#told.event(name, fields);
    }
  }

  #cut() {
    const wasOpen = this.state === "open";
    this.#calls.fail(this.#closing ? closingError(this.#closing) : linkLost());
    if (!wasOpen) return;
    this.#turn += 1;
    clearTimeout(this.#steady);
    this.#failed(this.#closing ? closingError(this.#closing) : linkLost());
    this.#told.closed();
  }

  #failed(error) {
    this.#link.drop();
    const reason = error.isOfLink ? null : { code: error.code, message: error.message };
    if (endsPass.has(error.code)) {
      this.#keeping.pass = null;
      return this.#out(reason);
    }
    this.reason = reason;
    if (!passing.has(error.code)) return this.#set("refused");
    this.#tries += 1;
    const ms = error.retryAfterMs ?? pauseMs(this.#tries);
    this.retryAt = new Date(Date.now() + ms);
    this.#timer = setTimeout(() => this.#attempt(), ms);
    this.#set("waiting");
  }

  #out(reason) {
    this.#turn += 1;
    clearTimeout(this.#timer);
    this.#link.drop();
    this.#calls.fail(signedOut());
    this.me = null;
    this.reason = reason;
    this.#told.me();
    this.#set("signed-out");
  }

  #set(state) {
    if (state !== "waiting") this.retryAt = null;
    this.state = state;
    this.#told.state();
  }
}

const closingError = (closing) =>
  refusal({ ...closing, code: closing.reason, retryAfterMs: closing.retryAfterMs });

/**
 * @returns {number} how long to wait before try number `tries`, in ms: longer each time, and
 * jittered
 */
export function pauseMs(tries) {
  const ms = Math.min(pauseMsMin * 2 ** (tries - 1), pauseMsMax);
  return Math.round(ms * (0.8 + 0.4 * Math.random()));
}
