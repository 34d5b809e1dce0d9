// Nothing missing, nothing twice: pages, replays, changes and counts of one place.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mentions } from '../../../Web/core/unread.js'
import { Page, message, messages, pass, settled, stopTheClock } from './scripted.mjs'

stopTheClock()

/** In a lobby that has so many messages, of which pages are given. */
function inLobbyOf(count) {
  return Page.inLobby((script) => {
    script.answers.join = () => ({ room: 'lobby', seq: count, members: 2 })
    script.answers.history = ({ before = count + 1, after, limit }) => {
      if (after !== undefined) {
        const last = Math.min(count, after + limit)
        return { messages: messages(after + 1, last), more: last < count }
      }
      const first = Math.max(1, before - limit)
      return { messages: messages(first, before - 1), more: first > 1 }
    }
  })
}

const seqs = (page) => page.lobby.items.map(({ seq }) => seq)
const range = (from, to) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

test('the first visit is in the lobby, the next in the rooms of the last', async () => {
  const page = await Page.inLobby()
  assert.deepEqual(page.script.asked('join'), [{ room: 'lobby' }])
  await page.chat.join('tea')
  page.script.answers.leave = () => ({})
  await page.chat.leave('room:lobby')
  const next = new Page(undefined, { local: page.local })
  await next.chat.signIn({ name: 'ann' })
  assert.deepEqual(next.script.asked('join'), [{ room: 'tea' }])
})

test('a place that is looked at has its newest page, and older ones in front when asked for', async () => {
  const page = await inLobbyOf(120)
  assert.deepEqual(seqs(page), range(71, 120))
  assert.equal(page.lobby.hasOlder, true)
  page.events.length = 0
  await Promise.all([page.chat.loadOlder('room:lobby'), page.chat.loadOlder('room:lobby')])
  assert.deepEqual(seqs(page), range(21, 120))
  const told = page.events.filter(({ type }) => type === 'items')
  assert.equal(told.length, 1)
  assert.equal(told[0].change, 'older')
  assert.deepEqual(told[0].items.map(({ seq }) => seq), range(21, 70))
  await page.chat.loadOlder('room:lobby')
  await page.chat.loadOlder('room:lobby')
  assert.deepEqual(seqs(page), range(1, 120))
  assert.equal(page.lobby.hasOlder, false)
  assert.equal(page.script.asked('history').length, 3)
})

test('what comes while the first page is under way is behind it', async () => {
  const page = await Page.inLobby((script) => {
    script.answers.history = null
  })
  await page.script.say(message(2))
  await page.script.say(message(3))
  const open = page.script.open('history')[0]
  await page.script.answer(open, { messages: messages(1, 2), more: false })
  assert.deepEqual(seqs(page), [1, 2, 3])
  assert.equal(page.lobby.unread, 3)
})

test('a change that comes while its message is under way is applied to it', async () => {
  const page = await Page.inLobby((script) => {
    script.answers.history = null
  })
  const at = '2026-11-30T03:00:00.000Z'
  await page.script.say({ edited: { room: 'lobby', seq: 4, of: 1, by: 'bob', at, text: 'better' } })
  await page.script.say({ deleted: { room: 'lobby', seq: 5, of: 2, by: 'bob', at } })
  const open = page.script.open('history')[0]
  await page.script.answer(open, { messages: messages(1, 3), more: false })
  assert.deepEqual(page.texts, ['better', '', 'text 3'])
  assert.equal(page.lobby.items[0].edited.toJSON(), at)
  assert.equal(page.lobby.items[1].isDeleted, true)
})

test('after a cut it asks behind the last event, changes included, and shows nothing twice', async () => {
  const page = await inLobbyOf(3)
  const at = '2026-11-30T03:00:00.000Z'
  await page.script.say({ edited: { room: 'lobby', seq: 4, of: 1, by: 'bob', at, text: 'better' } })
  await page.script.cut()
  page.script.answers.join = () => ({ room: 'lobby', seq: 6, members: 2 })
  await pass(1_000)
  assert.deepEqual(page.script.asked('join').at(-1), { room: 'lobby', after: 4 })
  assert.equal(page.lobby.isCaughtUp, false)
  page.events.length = 0
  await page.script.say(message(5))
  await page.script.say(message(6))
  await page.script.say({ caughtUp: { room: 'lobby', seq: 6 } })
  assert.equal(page.lobby.isCaughtUp, true)
  assert.deepEqual(seqs(page), [1, 2, 3, 5, 6])
  const told = page.events.filter(({ type }) => type === 'items')
  assert.deepEqual(told.map(({ items }) => items.map(({ seq }) => seq)), [[5, 6]])
  assert.equal(page.events.some(({ type }) => type === 'message'), false)
  await page.script.say(message(7))
  assert.equal(page.events.filter(({ type }) => type === 'message').length, 1)
})

test('what is not kept any more is told as a gap, between what was before and what is after', async () => {
  const page = await inLobbyOf(3)
  await page.script.cut()
  page.script.answers.join = () => ({ room: 'lobby', seq: 9, members: 2 })
  await pass(1_000)
  await page.script.say({ gap: { room: 'lobby', from: 4, to: 8 } })
  await page.script.say(message(9))
  assert.deepEqual(page.lobby.items.map(({ kind }) => kind).slice(2), ['message', 'gap', 'message'])
  assert.deepEqual(page.lobby.items[3].gap, { from: 4, to: 8 })
})

test('an absence of thousands is read anew from the end', async () => {
  const page = await inLobbyOf(3)
  await page.script.cut()
  page.script.answers.rooms = () => ({
    rooms: [{ name: 'lobby', members: 2, seq: 5_000, mark: 3, unread: 4_997 }],
    count: 1,
  })
  page.script.answers.join = () => ({ room: 'lobby', seq: 5_000, members: 2 })
  page.script.answers.history = () => ({ messages: messages(4_951, 5_000), more: true })
  await pass(1_000)
  await settled()
  assert.deepEqual(page.script.asked('join').at(-1), { room: 'lobby' })
  assert.deepEqual(seqs(page), range(4_951, 5_000))
  assert.equal(page.lobby.hasOlder, true)
  assert.equal(page.lobby.unread, 4_997)
})

test('a room whose newest number is less than the one seen has another history: it is read anew', async () => {
  const page = await inLobbyOf(60)
  await page.script.cut()
  page.script.answers.join = () => ({ room: 'lobby', seq: 2, members: 1 })
  page.script.answers.history = () => ({ messages: messages(1, 2), more: false })
  await pass(1_000)
  await settled()
  assert.deepEqual(seqs(page), [1, 2])
  assert.equal(page.lobby.newest, 2)
})

test('a jump loads what is around, does not mix in what comes live, and comes back to now', async () => {
  const page = await inLobbyOf(500)
  const found = await page.chat.jumpTo('room:lobby', 100)
  assert.equal(found.seq, 100)
  assert.deepEqual(seqs(page), range(71, 130))
  assert.deepEqual([page.lobby.hasOlder, page.lobby.hasNewer], [true, true])
  await page.script.say(message(501))
  assert.deepEqual(seqs(page), range(71, 130))
  await page.chat.loadNewer('room:lobby')
  assert.deepEqual(seqs(page), range(71, 180))
  await page.chat.backToNow('room:lobby')
  assert.deepEqual(seqs(page), range(451, 500))
  assert.equal(page.lobby.hasNewer, false)
})

test('the last page of newer ones joins what came while it was under way', async () => {
  const page = await inLobbyOf(200)
  await page.chat.jumpTo('room:lobby', 130)
  page.script.answers.history = null
  const loading = page.chat.loadNewer('room:lobby')
  await settled()
  await page.script.say(message(201))
  const open = page.script.open('history')[0]
  await page.script.answer(open, { messages: messages(161, 200), more: false })
  await loading
  assert.equal(page.lobby.hasNewer, false)
  assert.deepEqual(seqs(page).slice(-2), [200, 201])
})

test('what one says while one looks at old messages brings one back to now', async () => {
  const page = await inLobbyOf(200)
  await page.chat.jumpTo('room:lobby', 30)
  page.chat.send('room:lobby', 'mine')
  await settled()
  assert.equal(page.lobby.hasNewer, false)
  assert.equal(page.texts.at(-1), 'mine')
})

test('a bounded number of items is held, let go at the end that nobody asked for', async () => {
  const page = await inLobbyOf(3_000)
  while (page.lobby.hasOlder) {
    await page.chat.loadOlder('room:lobby')
    assert.ok(page.lobby.items.length <= 2_250, `${page.lobby.items.length}`)
  }
  assert.equal(page.lobby.items[0].seq, 1)
  assert.equal(page.lobby.hasNewer, true)
  while (page.lobby.hasNewer) {
    await page.chat.loadNewer('room:lobby')
    assert.ok(page.lobby.items.length <= 2_250, `${page.lobby.items.length}`)
  }
  assert.equal(page.lobby.items.at(-1).seq, 3_000)
  const held = seqs(page)
  assert.deepEqual(held, range(held[0], 3_000))
  for (let seq = 3_001; seq <= 3_400; seq += 1) await page.script.say(message(seq))
  assert.ok(page.lobby.items.length <= 2_250, `${page.lobby.items.length}`)
  assert.deepEqual(seqs(page), range(seqs(page)[0], 3_400))
})

test('unread are the messages of others behind the mark; a mark takes its part away', async () => {
  const page = await inLobbyOf(3)
  assert.equal(page.lobby.unread, 0)
  await page.script.say(message(4))
  await page.script.say(message(5, { from: 'ann' }))
  await page.script.say(message(6, { text: 'are you there, Ann?' }))
  assert.deepEqual([page.lobby.unread, page.lobby.mentions], [2, 1])
  page.chat.markRead('room:lobby', 4)
  assert.deepEqual([page.lobby.unread, page.lobby.mentions], [1, 1])
  await page.script.say({ marked: { room: 'lobby', seq: 6 } })
  assert.deepEqual([page.lobby.unread, page.lobby.mentions], [0, 0])
  assert.deepEqual(page.script.asked('mark').map(({ seq }) => seq), [3])
})

test('marks are told once a second at most, the last one always', async () => {
  const page = await inLobbyOf(3)
  await pass(1_000)
  for (let seq = 4; seq < 40; seq += 1) {
    await page.script.say(message(seq))
    page.chat.markRead('room:lobby', seq)
  }
  await pass(1_000)
  assert.deepEqual(page.script.asked('mark').map(({ seq }) => seq), [3, 4, 39])
})

test('a place that nobody looked at counts what the server counted and what comes', async () => {
  const page = await Page.inLobby((script) => {
    script.answers.rooms = () => ({
      rooms: [
        { with: 'bob', members: 2, seq: 9, mark: 5, unread: 4 },
        { name: 'tea', members: 3, seq: 7 },
      ],
      count: 2,
    })
  })
  const place = page.chat.places.get('with:bob')
  assert.equal(place.unread, 4)
  await page.script.say({ message: { ...message(10).message, room: undefined, with: 'bob' } })
  assert.deepEqual([place.unread, place.mentions], [5, 5])
  assert.equal(page.chat.places.get('room:tea').isJoined, false)
})

test('the first word of somebody makes a conversation', async () => {
  const page = await Page.inLobby()
  const { room, ...first } = message(1, { text: 'psst' }).message
  await page.script.say({ message: { ...first, with: 'bob' } })
  const place = page.chat.places.get('with:bob')
  assert.equal(place.with, 'bob')
  assert.equal(place.unread, 1)
  page.script.answers.history = () => ({ messages: [first], more: false })
  page.chat.open('with:bob')
  await settled()
  assert.deepEqual(place.items.map(({ text }) => text), ['psst'])
})

test('who is put out of a room is told, and is not brought back by a cut', async () => {
  const page = await Page.inLobby()
  await page.script.say({ kicked: { room: 'lobby', by: 'bob', reason: 'noise' } })
  const told = page.events.find(({ type }) => type === 'kicked')
  assert.deepEqual([told.key, told.by, told.reason], ['room:lobby', 'bob', 'noise'])
  assert.equal(page.lobby.isJoined, false)
  await page.script.cut()
  await pass(1_000)
  assert.equal(page.chat.state, 'open')
  assert.equal(page.script.asked('join').length, 1)
})

test('what waits for a room that cannot be entered any more fails with the reason', async () => {
  const page = await Page.inLobby()
  page.chat.send('room:lobby', 'one')
  await page.script.cut()
  page.script.answers.join = null
  await pass(1_000)
  await page.script.refuse(page.script.open('join')[0], 'banned')
  assert.equal(page.lobby.items[0].delivery, 'failed')
  assert.equal(page.lobby.items[0].error.code, 'banned')
  assert.equal(page.script.asked('send').length, 1)
})

test('who types is shown until the message, the word that it is over, or 15 s', async () => {
  const page = await Page.inLobby()
  const typing = (name, on) => page.script.say({ typing: { room: 'lobby', name, on } })
  for (const name of ['bob', 'eve', 'kim']) await typing(name, true)
  await page.script.say(message(1))
  await typing('eve', false)
  assert.deepEqual([...page.lobby.typing.keys()], ['kim'])
  await pass(14_999)
  assert.equal(page.lobby.typing.size, 1)
  await pass(1)
  assert.equal(page.lobby.typing.size, 0)
})

test('whoever enters by a code is told whether the room is private', async () => {
  const page = await Page.inLobby()
  page.script.answers.rooms = () => (
    { rooms: [{ name: 'den', members: 2, seq: 0, private: true }], count: 1 })
  const key = await page.chat.join('den', { code: 'c0de' })
  await settled()
  assert.equal(page.chat.places.get(key).isPrivate, true)
})

test('who is away is so in the list of people too, and again after a cut', async () => {
  const page = await Page.inLobby((script) => {
    script.answers.away = () => ({})
    script.answers.who = () => ({ members: [{ name: 'ann' }], count: 1 })
  })
  await page.chat.loadPeople('room:lobby')
  await page.chat.setAway('at lunch')
  assert.equal(page.lobby.people.get('ann').away, 'at lunch')
  assert.equal(page.chat.away, 'at lunch')
  await page.script.cut()
  await pass(1_000)
  assert.deepEqual(page.script.asked('away'), [{ text: 'at lunch' }, { text: 'at lunch' }])
  await page.chat.setAway('')
  assert.equal(page.lobby.people.get('ann').away, null)
})

test('whoever was away before a reload is so behind it, as the list of people says', async () => {
  const page = await Page.inLobby((script) => {
    script.answers.who = () => ({ members: [{ name: 'ann', away: 'at lunch' }], count: 1 })
  })
  await page.chat.loadPeople('room:lobby')
  assert.equal(page.chat.away, 'at lunch')
  page.script.answers.who = () => ({ members: [{ name: 'ann' }], count: 1 })
  await page.chat.loadPeople('room:lobby')
  assert.equal(page.chat.away, '')
})

test('an account that this browser does not know is in the rooms that it has read in', async () => {
  const page = new Page()
  page.script.answers.rooms = () => ({
    rooms: [
      { with: 'bob', members: 1, seq: 2, mark: 2 },
      { name: 'tea', members: 3, seq: 9, mark: 7, unread: 2 },
      { name: 'lobby', members: 3, seq: 7 },
    ],
    count: 3,
  })
  page.script.answers.login = ({ name }) => ({ name, guest: false, token: 't' })
  await page.chat.signIn({ name: 'ann', password: 'a long one' })
  await settled()
  assert.deepEqual(page.script.asked('join'), [{ room: 'tea' }])
  assert.equal(page.chat.places.get('room:tea').unread, 2)
  const next = new Page(undefined, { local: page.local })
  next.script.answers.login = page.script.answers.login
  await next.chat.signIn({ name: 'ann', password: 'a long one' })
  assert.deepEqual(next.script.asked('join'), [{ room: 'tea' }])
})

test('a name behind @ is the whole word, unless the script has no blanks', () => {
  for (const text of ['@bob', 'hi, @bob!', 'Bob: look', '@bob你好', '你好@bob']) {
    assert.ok(mentions(text, 'bob'), text)
  }
  for (const text of ['@bobby', 'bobbin', '@bob_2', 'kebob']) {
    assert.ok(!mentions(text, 'bob'), text)
  }
  assert.ok(mentions('@Ada Lovelace, hi', 'ada lovelace'))
})
