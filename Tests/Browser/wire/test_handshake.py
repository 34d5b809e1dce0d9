"""The opening handshake of RFC 6455 4: what is a WebSocket, and what is refused and how."""

import unittest

from beck import Server
from frames import close, text
from peer import Peer, answers, asks, is_frame


class HandshakeTests(unittest.TestCase):
    def setUp(self):
        self.server = Server("--memory", "--public-name", "chat.example",
                             "--allow-origin", "https://friend.example")
        self.addCleanup(self.server.end)

    def peer(self):
        peer = Peer(self.server.port)
        self.addCleanup(peer.close)
        return peer

    def answer(self, **more):
        """What a head like this is answered; a refusal has one sentence and no page."""
        peer = self.peer()
        peer.send(peer.request(**more))
        return peer.answer()

    def test_an_upgrade_is_answered_101_with_what_was_agreed(self):
        peer = self.peer()
        fields = peer.upgrade().fields
        self.assertEqual(fields["upgrade"].lower(), "websocket")
        self.assertEqual(fields["connection"].lower(), "upgrade")
        self.assertEqual(fields["sec-websocket-accept"], peer.accept)
        self.assertEqual(fields["sec-websocket-protocol"], "beck.json")
        self.assertNotIn("sec-websocket-extensions", fields)
        self.assertNotIn("content-length", fields)

    def test_tokens_are_compared_in_any_case_and_in_lists(self):
        for without, fields in [
            (("Upgrade",), [("Upgrade", "WebSocket")]),
            (("Connection",), [("Connection", "keep-alive, UPGRADE")]),
            (("Connection",), [("Connection", "keep-alive"), ("Connection", "Upgrade")]),
            (("Upgrade", "Connection"), [("upgrade", "websocket"), ("connection", "upgrade")]),
            (("Sec-WebSocket-Protocol",), [("Sec-WebSocket-Protocol", "other, beck.json")]),
            (("Sec-WebSocket-Protocol",), [("Sec-WebSocket-Protocol", "other"),
                                           ("Sec-WebSocket-Protocol", "beck.json")]),
        ]:
            with self.subTest(fields):
                self.assertEqual(self.answer(without=without, fields=fields).status, 101)

    def test_without_a_subprotocol_none_is_named(self):
        answer = self.answer(without=("Sec-WebSocket-Protocol",))
        self.assertEqual(answer.status, 101)
        self.assertNotIn("sec-websocket-protocol", answer.fields)

    def test_extensions_that_are_asked_for_are_not_agreed_to(self):
        answer = self.answer(fields=[
            ("Sec-WebSocket-Extensions", "permessage-deflate; client_max_window_bits, x-other")])
        self.assertEqual(answer.status, 101)
        self.assertNotIn("sec-websocket-extensions", answer.fields)

    def test_what_is_no_right_upgrade_is_refused(self):
        key = "Sec-WebSocket-Key"
        version = "Sec-WebSocket-Version"
        for status, more in [
            (426, dict(without=("Upgrade",))),
            (426, dict(without=("Connection",))),
            (426, dict(without=("Upgrade",), fields=[("Upgrade", "h2c")])),
            (426, dict(without=("Upgrade",), fields=[("Upgrade", "websockets")])),
            (426, dict(without=(version,))),
            (426, dict(without=(version,), fields=[(version, "8")])),
            (426, dict(without=(version,), fields=[(version, "14")])),
            (426, dict(without=(version,), fields=[(version, "13"), (version, "8")])),
            (400, dict(without=(key,))),
            (400, dict(without=(key,), fields=[(key, "")])),
            (400, dict(without=(key,), fields=[(key, "c2hvcnQ=")])),
            (400, dict(without=(key,), fields=[(key, "no base64 at all !!!!!==")])),
            (400, dict(fields=[(key, "dGhlIHNhbXBsZSBub25jZQ==")])),
            (400, dict(without=("Sec-WebSocket-Protocol",),
                       fields=[("Sec-WebSocket-Protocol", "irc, mqtt")])),
            (400, dict(without=("Host",))),
            (400, dict(fields=[("Host", "127.0.0.1")])),
            (405, dict(method="POST", fields=[("Content-Length", "0")])),
            (405, dict(method="PUT", fields=[("Content-Length", "0")])),
            (426, dict(version="HTTP/1.0")),
            (505, dict(version="HTTP/2.0")),
            (404, dict(target="/websocket")),
        ]:
            with self.subTest(str(more)):
                answer = self.answer(**more)
                self.assertEqual(answer.status, status, answer.body)
                self.assertTrue(answer.body.strip(), "a refusal says why")
                if status == 405:
                    self.assertIn("GET", answer.fields["allow"])
                if status == 426:
                    self.assertEqual(answer.fields["upgrade"], "websocket")
                    self.assertEqual(answer.fields["sec-websocket-version"], "13")

    def test_what_cannot_be_read_is_refused_by_no_terms_of_the_request_before_it(self):
        peer = self.peer()
        head = "HEAD /health HTTP/1.1\r\nHost: localhost\r\nOrigin: https://friend.example\r\n\r\n"
        peer.send(head.encode(), b"GET / HTTP/1.1\r\nno field\r\n\r\n")
        while peer._more():
            pass
        _, refusal, body = peer.held.split(b"\r\n\r\n", 2)
        self.assertTrue(refusal.startswith(b"HTTP/1.1 400 "), refusal)
        self.assertNotIn(b"Access-Control-Allow-Origin", refusal)
        length = int(refusal.split(b"Content-Length: ")[1].split(b"\r\n")[0])
        self.assertEqual(len(body), length, "a refusal of what is no HEAD has its body")

    def test_another_version_is_told_which_is_spoken(self):
        answer = self.answer(without=("Sec-WebSocket-Version",),
                             fields=[("Sec-WebSocket-Version", "7")])
        self.assertEqual(answer.status, 426)
        self.assertEqual(answer.fields["sec-websocket-version"], "13")

    def test_origins_are_this_host_and_those_listed(self):
        own = f"http://127.0.0.1:{self.server.port}"
        for origin, status in [
            (own, 101), ("https://friend.example", 101), ("http://friend.example", 403),
            ("http://127.0.0.1", 403), (f"http://localhost:{self.server.port}", 403),
            ("https://evil.example", 403), ("null", 403), ("", 403), (own + ".evil.example", 403),
            (f"http://evil.example:{self.server.port}", 403), ("https://friend.example.evil", 403),
        ]:
            with self.subTest(origin):
                self.assertEqual(self.answer(fields=[("Origin", origin)]).status, status)

    def test_hosts_are_addresses_and_names_of_this_server(self):
        port = self.server.port
        for host, status in [
            ("127.0.0.1", 101), (f"127.0.0.1:{port}", 101), (f"localhost:{port}", 101),
            (f"[::1]:{port}", 101), ("192.0.2.7", 101), ("chat.example", 101),
            (f"CHAT.example:{port}", 101), ("evil.example", 421), (f"evil.example:{port}", 421),
            ("chat.example.evil.example", 421), ("localhost.evil.example", 421),
            ("127.0.0.1.evil.example", 421),
        ]:
            with self.subTest(host):
                self.assertEqual(
                    self.answer(without=("Host",), fields=[("Host", host)]).status, status)

    def test_frames_that_come_with_the_head_are_heard(self):
        peer = self.peer()
        peer.send(peer.request() + text(asks("early")) + text(asks("earlier"))[:5])
        self.assertEqual(peer.answer().status, 101)
        self.assertTrue(is_frame(peer.frame(), answers("early")))
        peer.send(text(asks("earlier"))[5:])
        self.assertTrue(is_frame(peer.frame(), answers("earlier")))
        peer.send(close(1000))
        self.assertEqual(peer.until_close()[1], 1000)

    def test_a_head_byte_by_byte_is_the_same(self):
        peer = self.peer()
        peer.send(*[bytes([byte]) for byte in peer.request()])
        self.assertEqual(peer.answer().status, 101)

    def test_frames_behind_a_refused_upgrade_are_not_heard(self):
        watcher = self.peer()
        watcher.upgrade()
        watcher.send(text('{"id":1,"login":{"name":"watcher"}}'),
                     text('{"id":2,"join":{"room":"lobby"}}'))
        self.assertTrue(is_frame(watcher.frame(), answers(1)))
        peer = self.peer()
        peer.send(
            peer.request(fields=[("Origin", "https://evil.example")])
            + text('{"login":{"name":"mallory"}}') + text('{"join":{"room":"lobby"}}')
            + text('{"send":{"room":"lobby","text":"pwned"}}'))
        self.assertEqual(peer.answer().status, 403)
        self.assertIsNone(peer.frame(), "the connection ends")
        heard = watcher.until_answered()
        self.assertFalse([frame for frame in heard if b"mallory" in frame[1]], heard)
