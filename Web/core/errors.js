// What was refused, or could not be done, as a value that can be thrown and shown.

/**
 * A refusal of the server (docs/wire/json.md, Errors), or one of this side's own. Codes of this
 * side: `no-connection` (the server was not reached), `link-lost` (cut before the answer; what
 * was asked for may have been done), `signed-out` (nobody is signed in), and `not-connected`
 * (there is no link just now, and nothing was asked). Everything else is the server's, and so is
 * its sentence.
 */
export class ChatError extends Error {
  /**
   * @param {string} code for programs
   * @param {string} message one sentence for people
   * @param {?number} retryAfterMs when the same can succeed, where that is known
   */
  constructor(code, message, retryAfterMs = null) {
    super(message);
    this.name = "ChatError";
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }

  /** Whether the same request can succeed later, with nothing changed. */
  get isPassing() {
    return ["rate-limited", "not-stored", "busy"].includes(this.code);
  }

  /** Whether it was the link that failed, not the request that was refused. */
  get isOfLink() {
    return ["no-connection", "link-lost", "not-connected"].includes(this.code);
  }
}

/** @returns {ChatError} of an `error` object as the server sends it */
export function refusal({ code, message, retryAfterMs }) {
  return new ChatError(String(code), String(message ?? code), retryAfterMs ?? null);
}

/** @returns {ChatError} */
export const noConnection = () => new ChatError("no-connection", "The server cannot be reached.");

/** @returns {ChatError} */
export const linkLost = () =>
  new ChatError("link-lost", "The connection was lost before the answer came.");

/** @returns {ChatError} */
export const notConnected = () =>
  new ChatError("not-connected", "There is no connection just now.");

/** @returns {ChatError} */
export const signedOut = () => new ChatError("signed-out", "Sign in first.");
