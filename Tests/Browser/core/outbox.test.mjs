// Exactly once: the outbox against a server that answers late, twice, or not at all.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MemoryStorage, Page, message, messages, pass, settled, stopTheClock } from './scripted.mjs'

stopTheClock()

test('a message has a key of 128 random bits, and is kept before it is sent', async () => {
  const page = await Page.inLobby()
  let keptAtSend = null
  const socket = page.script.socket
  const send = socket.send.bind(socket)
  socket.send = (text) => {
    if (text.includes('"send"')) keptAtSend = page.kept.map(({ key }) => key)
    send(text)
  }
  page.script.answers.send = null
  const first = page.chat.send('room:lobby', 'one')
  const second = page.chat.send('room:lobby', 'two')
  const [sent] = page.script.asked('send')
  assert.match(sent.key, /^[0-9a-f]{32}$/)
  assert.deepEqual(keptAtSend, [sent.key])
  assert.notEqual(first.sendKey, second.sendKey)
  assert.equal(first.delivery, 'sending')
  assert.equal(second.delivery, 'waiting')
})

test('one message of a place is under way at a time, in order; an answered one is kept no more', async () => {
  const page = await Page.inLobby()
  for (const text of ['one', 'two', 'three']) page.chat.send('room:lobby', text)
  for (const seq of [1, 2, 3]) {
    const open = page.script.open('send')
    assert.equal(open.length, 1)
    assert.equal(page.kept.length, 4 - seq)
    await page.script.answer(open[0], { seq, at: '2026-11-30T02:10:00.000Z' })
  }
  assert.deepEqual(page.texts, ['one', 'two', 'three'])
  assert.deepEqual(page.lobby.items.map(({ delivery }) => delivery), [null, null, null])
  assert.equal(page.kept.length, 0)
})

test('after a cut all that has no answer is sent again in order with the same keys', async () => {
  const page = await Page.inLobby()
  for (const text of ['one', 'two', 'three']) page.chat.send('room:lobby', text)
  const [first] = page.script.open('send')
  await page.script.cut()
  assert.equal(page.chat.state, 'waiting')
  page.chat.send('room:lobby', 'four')
  const keys = page.kept.map(({ key }) => key)
  page.script.answers.send = ({ key }) => ({ seq: keys.indexOf(key) + 1, at: new Date(0) })
  await pass(1_000)
  const again = page.script.asked('send').slice(1)
  assert.deepEqual(again.map(({ text }) => text), ['one', 'two', 'three', 'four'])
  assert.deepEqual(again.map(({ key }) => key), keys)
  assert.equal(again[0].key, first.send.key)
  assert.equal(page.kept.length, 0)
})

test('after a reload all that has no answer is sent again in order with the same keys', async () => {
  const page = await Page.inLobby()
  for (const text of ['one', 'two', 'three']) page.chat.send('room:lobby', text)
  const keys = page.kept.map(({ key }) => key)
  const after = page.reloaded()
  after.script.answers.send = ({ key }) => ({ seq: keys.indexOf(key) + 1, at: new Date(0) })
  after.script.answers.history = () => ({ messages: messages(1, 1), more: false })
  after.chat.start()
  after.chat.open('room:lobby')
  assert.deepEqual(after.texts, ['one', 'two', 'three'])
  await settled()
  await settled()
  await settled()
  const again = after.script.asked('send').slice(1)
  assert.deepEqual(again.map(({ key }) => key), keys)
  // The first one had been kept: its text is there once, as the server has it.
  assert.deepEqual(after.texts, ['text 1', 'two', 'three'])
  assert.equal(after.kept.length, 0)
})

test('its own event takes a message out of the outbox, and the answer behind it adds nothing', async () => {
  const page = await Page.inLobby()
  page.chat.send('room:lobby', 'one')
  const [open] = page.script.open('send')
  await page.script.say(message(4, { from: 'ann', text: 'one', key: open.send.key }))
  assert.equal(page.kept.length, 0)
  await page.script.answer(open, { seq: 4, at: '2026-11-30T02:10:00.123Z' })
  await page.script.say(message(4, { from: 'ann', text: 'one', key: open.send.key }))
  assert.deepEqual(page.lobby.items.map(({ seq }) => seq), [4])
  assert.equal(page.lobby.unread, 0)
})

test('an answer ahead of the events of others does not move what is asked for after a cut', async () => {
  const page = await Page.inLobby()
  await page.script.say(message(9))
  page.chat.send('room:lobby', 'mine')
  await page.script.answer(page.script.open('send')[0], { seq: 11, at: new Date(0) })
  await page.script.cut()
  page.script.answers.join = () => ({ room: 'lobby', seq: 11, members: 2 })
  await pass(1_000)
  assert.deepEqual(page.script.asked('join').at(-1), { room: 'lobby', after: 9 })
  await page.script.say(message(10))
  await page.script.say(message(11, { from: 'ann', text: 'mine' }))
  assert.deepEqual(page.lobby.items.map(({ seq }) => seq), [9, 10, 11])
})

test('too fast: nothing more is sent for retryAfterMs, then in order with the same key', async () => {
  const page = await Page.inLobby()
  page.chat.send('room:lobby', 'one')
  page.chat.send('room:lobby', 'two')
  const [open] = page.script.open('send')
  await page.script.refuse(open, 'rate-limited', { retryAfterMs: 700 })
  await pass(699)
  assert.equal(page.script.asked('send').length, 1)
  assert.equal(page.lobby.items[0].delivery, 'waiting')
  page.script.answers.send = () => ({ seq: page.script.asked('send').length, at: new Date(0) })
  await pass(1)
  const [first, again, last] = page.script.asked('send')
  assert.equal(again.key, first.key)
  assert.equal(last.text, 'two')
})

for (const code of ['not-stored', 'busy']) {
  test(`${code}: tried again by itself, after pauses that grow`, async () => {
    const page = await Page.inLobby()
    page.chat.send('room:lobby', 'one')
    await page.script.refuse(page.script.open('send')[0], code)
    await pass(600)
    assert.equal(page.script.asked('send').length, 2)
    await page.script.refuse(page.script.open('send')[0], code)
    await pass(600)
    assert.equal(page.script.asked('send').length, 2)
    await pass(600)
    assert.equal(page.script.asked('send').length, 3)
  })
}

test('any other refusal fails with the words of the server, and does not hold up what is behind', async () => {
  const page = await Page.inLobby()
  const item = page.chat.send('room:lobby', 'one')
  page.chat.send('room:lobby', 'two')
  await page.script.refuse(page.script.open('send')[0], 'muted')
  assert.equal(item.delivery, 'failed')
  assert.deepEqual(item.error, { code: 'muted', message: 'muted it is' })
  await page.script.answer(page.script.open('send')[0], { seq: 1, at: new Date(0) })
  assert.deepEqual(page.texts, ['two', 'one'])
  page.chat.retry(item)
  const [first, , again] = page.script.asked('send')
  assert.equal(again.key, first.key)
  await page.script.refuse(page.script.open('send')[0], 'muted')
  page.chat.discard(item)
  assert.deepEqual(page.texts, ['two'])
  assert.equal(page.kept.length, 0)
})

test('what failed is there after a reload, failed, and is not sent by itself', async () => {
  const page = await Page.inLobby()
  page.chat.send('room:lobby', 'one')
  await page.script.refuse(page.script.open('send')[0], 'muted')
  const after = page.reloaded()
  after.chat.start()
  await settled()
  assert.equal(after.lobby.items[0].delivery, 'failed')
  assert.equal(after.script.asked('send').length, 1)
})

test('a text over the limit fails here, and the line is not sent', async () => {
  const page = await Page.inLobby()
  const item = page.chat.send('room:lobby', 'é'.repeat(2_049))
  assert.equal(item.delivery, 'failed')
  assert.equal(item.error.code, 'too-long')
  assert.equal(page.script.asked('send').length, 0)
  page.chat.send('room:lobby', 'é'.repeat(2_048))
  assert.equal(page.script.asked('send').length, 1)
})

test('half of a surrogate pair is sent as U+FFFD, a whole pair as it is', async () => {
  const page = await Page.inLobby()
  page.chat.send('room:lobby', 'a\ud83d b \ud83d\ude00')
  assert.equal(page.script.asked('send')[0].text, 'a\ufffd b \ud83d\ude00')
})

for (const fault of ['isForbidden', 'isFull']) {
  test(`storage that throws (${fault}) costs what a reload would need, and nothing else`, async () => {
    const session = new MemoryStorage()
    const local = new MemoryStorage()
    session[fault] = local[fault] = true
    const page = new Page(undefined, { session, local })
    page.script.answers.send = () => ({ seq: 1, at: new Date(0) })
    await page.chat.signIn({ name: 'ann' })
    page.chat.open('room:lobby')
    page.chat.setDraft('room:lobby', 'half a sentence')
    await settled()
    page.chat.send('room:lobby', 'one')
    await settled()
    assert.deepEqual(page.texts, ['one'])
    assert.equal(page.lobby.items[0].delivery, null)
    assert.equal(page.chat.draft('room:lobby'), 'half a sentence')
  })
}

test('what waits stays through bad-token until somebody signs in by the same name', async () => {
  const page = await Page.inLobby()
  page.chat.send('room:lobby', 'one')
  await page.script.cut()
  page.script.answers.login = null
  await pass(1_000)
  await page.script.refuse(page.script.open('login')[0], 'bad-token')
  assert.equal(page.chat.state, 'signed-out')
  assert.equal(page.chat.reason.code, 'bad-token')
  page.script.answers.login = ({ name }) => ({ name, token: 'other' })
  await page.chat.signIn({ name: 'bob' })
  await settled()
  assert.equal(page.script.asked('send').length, 1)
  await page.chat.signOut()
  await page.chat.signIn({ name: 'ann' })
  await settled()
  const [first, again] = page.script.asked('send')
  assert.deepEqual(again, first)
})
