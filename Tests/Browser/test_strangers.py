"""Pages of other origins, and names of elsewhere that lead here: nothing is heard, nothing read."""

import http.server
import threading

import parts
from case import BrowserCase
from waiting import until

CHAT_LINES = (
    "iam:mallory\nmsg:pwned\n"
    '{"id":1,"login":{"name":"mallory"}}\n{"id":2,"join":{"room":"lobby"}}\n'
    '{"id":3,"send":{"room":"lobby","text":"pwned"}}\n')


class HostilePage:
    """A server of another origin, whose page is empty: what it does is what a test runs in it."""

    def __init__(self, html="<!doctype html><title>elsewhere</title><p>elsewhere"):
        page = html.encode()

        class Answer(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(page)))
                self.end_headers()
                self.wfile.write(page)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def end(self):
        self.server.shutdown()
        self.server.server_close()


class StrangerTests(BrowserCase):
    # What is refused stands in the console; that it does is how a test sees the status.
    expected_console = (
        r"Failed to load resource|WebSocket connection to|blocked by CORS|Refused to|"
        r"Unsafe attempt|chrome-error|violates the following|favicon")

    def setUp(self):
        super().setUp()
        self.beck = self.server()
        self.watcher = self.program(self.beck, "watcher")
        self.watcher.call("join", room="lobby")
        self.watcher.event("joined", name="watcher")
        self.elsewhere = HostilePage()
        self.addCleanup(self.elsewhere.end)

    def strange_window(self, host, port=None):
        """A window with a page of another origin."""
        window = self.browser().window()
        self.addCleanup(window.close)
        window.go(f"http://{host}:{port or self.elsewhere.port}/")
        return window

    def nothing_was_heard(self):
        self.watcher.call("ping")
        self.assertEqual(self.watcher.events[1:], [], "somebody came, or said something")
        self.assertEqual(self.watcher.texts(), [])
        self.assertEqual(self.watcher.call("who", room="lobby")["count"], 1)

    def statuses(self, path):
        """The statuses of refused requests for this address, as the console has them."""
        return [line.split("status of ")[1][:3] for _, line in self.console()
                if line.startswith(path) and "status of " in line]

    def test_a_form_of_chat_lines_posted_from_another_origin_is_refused(self):
        for host in ("127.0.0.1", "localhost"):
            window = self.strange_window(host)
            for path in ("", "ws", "rooms/lobby/messages"):
                target = self.beck.address + path
                window.promise("""
                    const [target, lines] = arguments;
                    const frame = document.createElement('iframe');
                    frame.name = 'to';
                    document.body.append(frame);
                    const form = document.createElement('form');
                    Object.assign(form, {method: 'POST', action: target, target: 'to',
                      enctype: 'text/plain'});
                    const field = document.createElement('textarea');
                    Object.assign(field, {name: lines, value: 'x'});
                    form.append(field);
                    document.body.append(form);
                    await new Promise(done => { frame.onload = done; form.submit(); });
                    form.remove();
                    frame.remove();
                    """, target, CHAT_LINES)
                self.assertIn("403", self.statuses(target), self.console())
        self.nothing_was_heard()

    def test_fetches_from_another_origin_are_refused_and_unreadable(self):
        window = self.strange_window("localhost")
        window.watch_network()
        read = window.promise("""
            const [address, lines] = arguments;
            const outcomes = [];
            for (const path of ['', 'protocol.json', 'rooms/lobby/messages', 'ws']) {
              for (const mode of ['cors', 'no-cors']) {
                for (const method of ['GET', 'POST']) {
                  const options = {mode, method};
                  if (method === 'POST') {
                    options.body = lines;
                    options.headers = {'Content-Type': 'text/plain'};
                  }
                  try {
                    const answer = await fetch(address + path, options);
                    const text = await answer.text().catch(() => '');
                    outcomes.push([mode, method, path, answer.type, answer.status, text.length]);
                  } catch { outcomes.push([mode, method, path, 'refused', 0, 0]); }
                }
              }
            }
            return outcomes;
            """, self.beck.address, CHAT_LINES)
        self.assertEqual(len(read), 16)
        for mode, method, path, kind, status, length in read:
            self.assertIn(kind, ("refused", "opaque"), (mode, method, path))
            self.assertEqual((status, length), (0, 0), (mode, method, path))
        # The console does not tell the status of what Cross-Origin-Resource-Policy holds back.
        answered = self.browser().exchanges()
        self.assertEqual(len(answered), 16)
        for method, address, has_origin, status in answered:
            with self.subTest(f"{method} {address}", has_origin=has_origin):
                self.assertEqual(status == 403, has_origin)
        # Without CORS a GET has no Origin, and is answered; nobody can read it.
        self.assertEqual(sum(has_origin for _, _, has_origin, _ in answered), 12)
        self.nothing_was_heard()

    def test_a_websocket_from_another_origin_is_refused(self):
        for host in ("localhost", "127.0.0.1"):
            window = self.strange_window(host)
            outcome = window.promise("""
                const socket = new WebSocket(arguments[0], 'beck.json');
                return await new Promise(done => {
                  socket.onopen = () => done('open');
                  socket.onclose = event => done(event.code);
                });
                """, f"ws://127.0.0.1:{self.beck.port}/ws")
            self.assertEqual(outcome, 1006)
        self.nothing_was_heard()

    def test_no_other_page_shows_this_one_inside_itself(self):
        window = self.strange_window("localhost")
        window.promise("""
            const frame = document.createElement('iframe');
            await new Promise(done => {
              frame.onload = done;
              frame.src = arguments[0];
              document.body.append(frame);
            });
            """, self.beck.address)
        refused = until(
            lambda: [line for _, line in self.console()
                     if "frame-ancestors" in line or "X-Frame-Options" in line],
            "the browser says that it may not be shown in a frame")
        self.assertTrue(refused)

    def test_a_name_that_was_pointed_here_is_answered_421(self):
        window = self.strange_window("evil.example", self.beck.port)
        self.assertFalse(window.script(
            "return Boolean(document.querySelector(arguments[0]))", parts.SIGN_IN_NAME))
        outcomes = window.promise("""
            const outcomes = [];
            for (const path of ['/', '/app.js', '/protocol.json', '/rooms/lobby/messages']) {
              for (const method of ['GET', 'POST']) {
                const body = method === 'POST' ? arguments[0] : undefined;
                const answer = await fetch(path, {method, body});
                outcomes.push(answer.status);
              }
            }
            const socket = new WebSocket(`ws://${location.host}/ws`, 'beck.json');
            outcomes.push(await new Promise(done => {
              socket.onopen = () => done('open');
              socket.onclose = event => done(event.code);
            }));
            return outcomes;
            """, CHAT_LINES)
        self.assertEqual(outcomes, [421] * 8 + [1006])
        self.nothing_was_heard()


class PlainAddressTests(BrowserCase):
    #: An address for documentation (RFC 5737), which the browser is told leads here: a page over
    #: http from another machine of the network. Nothing is sent to the real one.
    HOST = "192.0.2.7"
    expected_console = r"WebSocket connection to|Cross-Origin-Opener-Policy"

    def test_over_plain_http_a_guest_can_chat_without_a_secure_context(self):
        server = self.server()
        bob = self.page(server, "bob")
        page = self.page(Address(f"http://{self.HOST}:{server.port}/"))
        page.sign_in("ann")
        self.assertEqual(
            page.window.script("return [isSecureContext, typeof crypto.randomUUID,"
                               " typeof navigator.clipboard]"),
            [False, "undefined", "undefined"])
        page.say_at_once(["one", "two", "three"], then_reload=True)
        page.is_open()
        page.shows(["one", "two", "three"])
        bob.shows(["one", "two", "three"])
        # A key of 128 random bits came with each, or the reload would have doubled something.
        self.assertEqual(self.program(server, "eve").texts(), ["one", "two", "three"])

    def test_over_plain_http_no_password_is_asked_for_and_it_says_why(self):
        server = self.server()
        page = self.page(Address(f"http://{self.HOST}:{server.port}/"))
        page.window.element(parts.SIGN_IN_PLAIN)
        hidden = page.window.script(
            "return arguments[0].every(s => !document.querySelector(s).checkVisibility())",
            [parts.SIGN_IN_PASSWORD, parts.WAY_ACCOUNT, parts.WAY_REGISTER])
        self.assertTrue(hidden)


class Address:
    """Where a page is, of no server or link of the test's own."""

    def __init__(self, address):
        self.address = address
