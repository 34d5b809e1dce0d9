// A server of a test's own behind the WebSocket that the page's heart uses: it answers as it is told to.

import { beforeEach, afterEach, mock } from 'node:test'
import { Chat } from '../../../Web/core/chat.js'

/** In the file that calls this, time passes in the tests by `pass` alone. */
export function stopTheClock() {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'] }))
  afterEach(() => mock.timers.reset())
}

export async function pass(ms) {
  mock.timers.tick(ms)
  await settled()
}

/** A Storage in memory; with `isFull` or `isForbidden` it throws as browsers do. */
export class MemoryStorage {
  values = new Map()
  isFull = false
  isForbidden = false

  getItem(name) {
    if (this.isForbidden) throw new Error('SecurityError')
    return this.values.get(name) ?? null
  }

  setItem(name, value) {
    if (this.isForbidden || this.isFull) throw new Error('QuotaExceededError')
    this.values.set(name, value)
  }

  removeItem(name) {
    if (this.isForbidden) throw new Error('SecurityError')
    this.values.delete(name)
  }
}

/** Lets everything run that can run without time passing. */
export async function settled() {
  for (let turns = 0; turns < 8; turns += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** What a server without anything to tell answers. */
const answers = {
  login: ({ name, token }) => session(name ?? token.slice(2), true),
  register: ({ name }) => session(name, false),
  rooms: () => ({ rooms: [], count: 0 }),
  join: (fields) => ({ seq: 0, members: 1, ...address(fields) }),
  create: (fields) => ({ seq: 0, members: 1, ...address(fields) }),
  history: () => ({ messages: [], more: false }),
}

const session = (name, guest) => ({ name, guest, token: `t-${name}` })

function address({ room, with: name }) {
  return name === undefined ? { room } : { with: name }
}

/** The server's side: the sockets there were, and all requests that were not answered yet. */
export class Script {
  sockets = []
  heard = []
  /** Method to a function of its arguments; null where the test answers itself. */
  answers = { ...answers }
  /** Whether sockets open, fail, or (null) neither. */
  isReachable = true

  get WebSocket() {
    const script = this
    return class {
      readyState = 0
      constructor(url, protocol) {
        Object.assign(this, { url, protocol })
        script.sockets.push(this)
        setImmediate(() => script.#open(this))
      }

      send(text) {
        script.#hear(JSON.parse(text), this)
      }

      close() {
        this.readyState = 3
      }
    }
  }

  get socket() {
    return this.sockets.at(-1)
  }

  /** The arguments of all requests of one method, in the order in which they came. */
  asked(method) {
    return this.heard.filter((line) => line[method]).map((line) => line[method])
  }

  /** Requests of one method that nobody answered. */
  open(method) {
    return this.heard.filter((line) => line[method] && !line.isAnswered && line.socket === this.socket)
  }

  async answer(line, ok = {}) {
    line.isAnswered = true
    await this.say({ id: line.id, ok })
  }

  async refuse(line, code, more = {}) {
    line.isAnswered = true
    await this.say({ id: line.id, error: { code, message: `${code} it is`, ...more } })
  }

  async say(line) {
    this.socket.onmessage?.({ data: JSON.stringify(line) })
    await settled()
  }

  async cut() {
    this.socket.readyState = 3
    this.socket.onclose?.()
    await settled()
  }

  #open(socket) {
    if (socket.readyState !== 0 || this.isReachable === null) return
    socket.readyState = this.isReachable ? 1 : 3
    if (this.isReachable) socket.onopen?.()
    else socket.onclose?.()
  }

  #hear(line, socket) {
    line.socket = socket
    this.heard.push(line)
    const method = Object.keys(line).find((key) => key !== 'id' && key !== 'socket')
    const make = this.answers[method]
    if (!make) return
    setImmediate(() => {
      if (socket === this.socket && !line.isAnswered) this.answer(line, make(line[method]))
    })
  }
}

/** A page of a person: the heart of it, its storage, and the events that it gave. */
export class Page {
  events = []

  constructor(script = new Script(), { session, local } = {}) {
    this.script = script
    this.session = session ?? new MemoryStorage()
    this.local = local ?? new MemoryStorage()
    const { WebSocket } = script
    this.chat = new Chat({ url: 'ws://test/ws', session: this.session, local: this.local, WebSocket })
    for (const type of ['state', 'items', 'notice', 'message', 'kicked', 'place', 'me', 'typing']) {
      this.chat.addEventListener(type, ({ detail }) => this.events.push({ type, ...detail }))
    }
  }

  /** Signed in, in the lobby, and looking at it. */
  static async inLobby(prepare = () => {}) {
    const page = new Page()
    prepare(page.script)
    await page.chat.signIn({ name: 'ann' })
    page.chat.open('room:lobby')
    await settled()
    return page
  }

  /** The same tab after a reload. */
  reloaded() {
    this.script.socket.onclose = this.script.socket.onmessage = null
    return new Page(this.script, this)
  }

  get lobby() {
    return this.chat.places.get('room:lobby')
  }

  get texts() {
    return this.lobby.items.map(({ text }) => text)
  }

  get kept() {
    return JSON.parse(this.session.getItem('beck.outbox:ann') ?? '[]')
  }
}

/** A `message` event of the lobby. */
export function message(seq, more = {}) {
  const at = '2026-11-30T02:10:00.123Z'
  return { message: { room: 'lobby', seq, from: 'bob', text: `text ${seq}`, at, ...more } }
}

/** Messages of a page, from one number to another. */
export function messages(from, to) {
  const all = []
  for (let seq = from; seq <= to; seq += 1) all.push(message(seq).message)
  return all.map(({ room, ...rest }) => rest)
}
