// The link: silence, cuts, closings, and the state that is told meanwhile.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Page, message, pass, settled, stopTheClock } from './scripted.mjs'

stopTheClock()

test('the state is open only when the login was answered', async () => {
  const page = new Page()
  page.script.answers.login = null
  const done = page.chat.signIn({ name: 'ann' })
  await settled()
  assert.equal(page.script.socket.readyState, 1)
  assert.equal(page.script.socket.protocol, 'beck.json')
  assert.equal(page.chat.state, 'connecting')
  assert.equal(page.chat.me, null)
  await page.script.answer(page.script.open('login')[0], { name: 'Ann', token: 't', guest: true })
  await done
  assert.equal(page.chat.state, 'open')
  assert.deepEqual(page.chat.me, { name: 'Ann', guest: true })
})

test('a refused login is thrown, and nobody is signed in', async () => {
  const page = new Page()
  page.script.answers.login = null
  const expected = { name: 'ChatError', code: 'rate-limited', retryAfterMs: 900 }
  const refused = assert.rejects(page.chat.signIn({ name: 'ann' }), expected)
  await settled()
  await page.script.refuse(page.script.open('login')[0], 'rate-limited', { retryAfterMs: 900 })
  await refused
  assert.equal(page.chat.state, 'signed-out')
})

test('where no server is, signing in says so, and is not tried again behind one\'s back', async () => {
  const page = new Page()
  page.script.isReachable = false
  await assert.rejects(page.chat.signIn({ name: 'ann' }), { code: 'no-connection' })
  await pass(60_000)
  assert.equal(page.script.sockets.length, 1)
  assert.equal(page.chat.state, 'signed-out')
})

test('after 20 s of silence it asks, and a link that does not answer in 10 s is given up', async () => {
  const page = await Page.inLobby()
  await pass(19_999)
  assert.equal(page.script.asked('ping').length, 0)
  await pass(1)
  assert.equal(page.script.asked('ping').length, 1)
  await pass(9_999)
  assert.equal(page.chat.state, 'open')
  await pass(1)
  assert.equal(page.chat.state, 'waiting')
})

test('whatever comes is a sign of life', async () => {
  const page = await Page.inLobby()
  await pass(20_000)
  await page.script.say(message(1))
  await pass(10_000)
  assert.equal(page.chat.state, 'open')
  await pass(10_000)
  assert.equal(page.script.asked('ping').length, 2)
})

test('a try to open that hangs is given up after 10 s', async () => {
  const page = await Page.inLobby()
  await page.script.cut()
  page.script.isReachable = null
  await pass(600)
  assert.equal(page.chat.state, 'connecting')
  await pass(9_999)
  assert.equal(page.chat.state, 'connecting')
  await pass(1)
  assert.equal(page.chat.state, 'waiting')
})

test('pauses grow from half a second to 30 s, and the state tells when', async () => {
  const page = await Page.inLobby()
  page.script.isReachable = false
  await page.script.cut()
  const pauses = []
  for (let tries = 0; tries < 10; tries += 1) {
    assert.equal(page.chat.state, 'waiting')
    const ms = page.chat.retryAt - Date.now()
    pauses.push(ms)
    await pass(ms)
  }
  assert.ok(pauses[0] >= 400 && pauses[0] <= 600, `${pauses}`)
  assert.ok(pauses[4] >= 6_400 && pauses[4] <= 9_600, `${pauses}`)
  assert.ok(pauses.slice(7).every((ms) => ms >= 24_000 && ms <= 36_000), `${pauses}`)
  page.script.isReachable = true
  page.chat.retryNow()
  await settled()
  assert.equal(page.chat.state, 'open')
  assert.equal(page.chat.retryAt, null)
})

test('cuts soon after each login make the pauses grow to two seconds, a steady link ends that', async () => {
  const page = await Page.inLobby()
  for (let cuts = 0; cuts < 5; cuts += 1) {
    await page.script.cut()
    await pass(page.chat.retryAt - Date.now())
    assert.equal(page.chat.state, 'open')
  }
  await page.script.cut()
  const ms = page.chat.retryAt - Date.now()
  assert.ok(ms > 1_500 && ms < 2_500, `${ms}`)
  await pass(ms)
  await pass(5_000)
  await page.script.cut()
  assert.ok(page.chat.retryAt - Date.now() < 1_000)
})

test('a server that shuts down is left alone for as long as it says', async () => {
  const page = await Page.inLobby()
  await page.script.say({ closing: { reason: 'shutdown', message: 'back soon', retryAfterMs: 4_200 } })
  await page.script.cut()
  assert.equal(page.chat.retryAt - Date.now(), 4_200)
  assert.deepEqual(page.chat.reason, { code: 'shutdown', message: 'back soon' })
  await pass(4_200)
  assert.equal(page.chat.state, 'open')
  assert.equal(page.chat.reason, null)
})

for (const reason of ['kicked', 'banned', 'of-tomorrow']) {
  test(`${reason}: it does not come back by itself, and says why`, async () => {
    const page = await Page.inLobby()
    await page.script.say({ closing: { reason, message: 'go' } })
    await page.script.cut()
    await pass(120_000)
    assert.equal(page.chat.state, 'refused')
    assert.deepEqual(page.chat.reason, { code: reason, message: 'go' })
    assert.equal(page.script.sockets.length, 1)
  })
}

for (const reason of ['logged-out', 'account-ended']) {
  test(`${reason}: nobody is signed in any more, also after a reload`, async () => {
    const page = await Page.inLobby()
    await page.script.say({ closing: { reason, message: 'go' } })
    await page.script.cut()
    assert.equal(page.chat.state, 'signed-out')
    assert.equal(page.chat.reason.code, reason)
    const after = page.reloaded()
    after.chat.start()
    assert.equal(after.chat.state, 'signed-out')
  })
}

test('a name that is somebody else\'s for now is tried again', async () => {
  const page = await Page.inLobby()
  await page.script.cut()
  page.script.answers.login = null
  await pass(1_000)
  await page.script.refuse(page.script.open('login')[0], 'name-taken')
  assert.equal(page.chat.state, 'waiting')
  assert.equal(page.chat.reason.code, 'name-taken')
})

test('what was asked when the link broke is rejected, and nothing waits for ever', async () => {
  const page = await Page.inLobby()
  page.script.answers.search = null
  const lost = assert.rejects(page.chat.search({ query: 'x' }), { code: 'link-lost' })
  await page.script.cut()
  await lost
  await assert.rejects(page.chat.search({ query: 'x' }), { code: 'not-connected' })
})

test('signing out leaves no token, no draft and no message in the tab', async () => {
  const page = await Page.inLobby()
  page.chat.setDraft('room:lobby', 'half')
  page.chat.send('room:lobby', 'one')
  await page.chat.signOut()
  assert.equal(page.script.asked('quit').length, 1)
  assert.deepEqual([...page.session.values.keys()], [])
  assert.equal(page.chat.state, 'signed-out')
  assert.equal(page.chat.places.size, 0)
})

test('a guest that takes another name is the same person: rooms and what waits go along', async () => {
  const page = await Page.inLobby()
  page.chat.send('room:lobby', 'one')
  await page.chat.signIn({ name: 'eve' })
  assert.equal(page.script.sockets.length, 1)
  assert.equal(page.lobby.isJoined, true)
  assert.equal(page.kept.length, 0)
  assert.equal(JSON.parse(page.session.getItem('beck.outbox:eve')).length, 1)
  assert.deepEqual(JSON.parse(page.local.getItem('beck.rooms:eve')), ['lobby'])
})
