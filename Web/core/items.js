// What stands in a room, as values for the page: messages, topics, and gaps.

let lastID = 0;

/**
 * @typedef {object} Item
 * @property {string} id stable for the page's life
 * @property {'message' | 'topic' | 'gap'} kind
 * @property {?number} seq null while it waits; of a gap the last number in it
 * @property {?string} from
 * @property {string} text
 * @property {?Date} at when it was said; of what waits, when it was typed
 * @property {?number} replyTo
 * @property {?Date} edited
 * @property {boolean} isDeleted
 * @property {boolean} isOwn
 * @property {string} key the key of its place
 * @property {?string} sendKey what makes it safe to send again
 * @property {null | 'waiting' | 'sending' | 'failed'} delivery
 * @property {?{code: string, message: string}} error why it failed
 * @property {?{from: number, to: number}} gap both included
 */
function item(key, fields) {
  lastID += 1;
  return {
    id: `item-${lastID}`,
    kind: "message",
    seq: null,
    from: null,
    text: "",
    at: null,
    replyTo: null,
    edited: null,
    isDeleted: false,
    isOwn: false,
    key,
    sendKey: null,
    delivery: null,
    error: null,
    gap: null,
    ...fields,
  };
}

/** @returns {Item} of a `message` event, or a message of a page (docs/wire/json.md, Events) */
export function messageItem(place, message, myName) {
  const isOwn = message.key !== undefined || message.from === myName;
  return item(place, { ...messageFields(message), seq: message.seq, isOwn });
}

/**
 * Brings an item up to what the server says of it now.
 * @returns {boolean} whether it is another now
 */
export function updateMessage(item, message) {
  const before = JSON.stringify(item);
  Object.assign(item, messageFields(message), { sendKey: message.key ?? item.sendKey });
  Object.assign(item, { delivery: null, error: null });
  return JSON.stringify(item) !== before;
}

function messageFields(message) {
  return {
    from: message.from,
    text: message.text,
    at: new Date(message.at),
    replyTo: message.replyTo ?? null,
    edited: message.edited ? new Date(message.edited) : null,
    isDeleted: message.deleted === true,
    sendKey: message.key ?? null,
  };
}

/** @returns {Item} of a `topic` event */
export function topicItem(place, { seq, by, text, at }, myName) {
  return item(place, {
    kind: "topic", seq, from: by, text, at: new Date(at), isOwn: by === myName,
  });
}

/** @returns {Item} of numbers whose messages are not kept any more */
export function gapItem(place, { from, to }) {
  return item(place, { kind: "gap", seq: to, gap: { from, to } });
}

/** @returns {Item} of something that was just said */
export function waitingItem(place, { text, key, replyTo, at }, myName) {
  return item(place, {
    from: myName, text, sendKey: key, replyTo: replyTo ?? null, at: new Date(at), isOwn: true,
    delivery: "waiting",
  });
}
