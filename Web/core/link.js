// One WebSocket at a time, and whether it is alive. Knows nothing of who is signed in.

const silenceMsMax = 20_000;
const answerMsMax = 10_000;
const openMsMax = 10_000;

/**
 * A link to the server. Browsers answer the server's WebSocket pings out of a script's sight, so
 * the script cannot tell a quiet link from a dead one but by asking: after a silence it sends a
 * `ping` of the dialect, and a link that does not answer is given up.
 */
export class Link {
  #socket = null;
  #isOpen = false;
  #timer = null;
  #isProbing = false;

  /**
   * @param {{url: string, WebSocket: Function, onObject: (line: object) => void, onCut: () =>
   * void}} options `onCut` is called once for each link that had been open
   */
  constructor({ url, WebSocket, onObject, onCut }) {
    Object.assign(this, { url, WebSocket, onObject, onCut });
  }

  /**
   * @returns {Promise<boolean>} true when it is open, false when it could not be, or was given up
   */
  connect() {
    this.drop();
    return new Promise((resolve) => {
      let socket;
      try {
        socket = new this.WebSocket(this.url, "beck.json");
      } catch {
        return resolve(false);
      }
      this.#socket = socket;
      this.#timer = setTimeout(() => this.#ended(socket), openMsMax);
      socket.onopen = () => this.#opened(socket, resolve);
      socket.onmessage = ({ data }) => this.#received(socket, data);
      socket.onclose = socket.onerror = () => this.#ended(socket);
      this.giveUp = () => resolve(false);
    });
  }

  /** @returns {boolean} whether it was handed to an open socket; not whether it arrived */
  send(line) {
    if (!this.#isOpen || this.#socket.readyState !== 1) return false;
    this.#socket.send(JSON.stringify(line, wellFormed));
    return true;
  }

  /** Lets go of the socket, and tells nobody. */
  drop() {
    const socket = this.#socket;
    clearTimeout(this.#timer);
    this.#socket = null;
    this.#isOpen = false;
    this.#isProbing = false;
    this.giveUp?.();
    this.giveUp = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = socket.onerror = null;
    try {
      socket.close();
    } catch {
      // It was no more than a try to open one.
    }
  }

  /** Asks for a sign of life now: the network changed, or the page was asleep. */
  probe() {
    if (!this.#isOpen || this.#isProbing) return;
    this.#isProbing = true;
    this.#wait(answerMsMax);
    this.send({ id: "alive", ping: {} });
  }

  #opened(socket, resolve) {
    if (socket !== this.#socket) return;
    this.giveUp = null;
    this.#isOpen = true;
    this.#heard();
    resolve(true);
  }

  #received(socket, data) {
    if (socket !== this.#socket) return;
    this.#heard();
    let line;
    try {
      line = JSON.parse(data);
    } catch {
      return;
    }
    if (line && typeof line === "object") this.onObject(line);
  }

  #ended(socket) {
    if (socket !== this.#socket) return;
    const wasOpen = this.#isOpen;
    this.drop();
    if (wasOpen) this.onCut();
  }

  #heard() {
    this.#isProbing = false;
    this.#wait(silenceMsMax);
  }

  #wait(ms) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#isProbing) this.#ended(this.#socket);
      else this.probe();
    }, ms);
  }
}

// Half of a surrogate pair can be typed and pasted, and is no text: the server refuses such a
// line.
function wellFormed(_, value) {
  if (typeof value !== "string") return value;
  return value.replace(/[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g, (found) =>
    found.length === 2 ? found : "\ufffd",
  );
}
