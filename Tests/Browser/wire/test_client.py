"""Against another implementation's client, which is strict: the Python package websockets."""

import json
import threading
import unittest

from websockets.exceptions import ConnectionClosed, ConnectionClosedError, ConnectionClosedOK
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from beck import Server
from cases import MESSAGE_BYTES_MAX

BOUND_SECONDS = 15


class ClientTests(unittest.TestCase):
    flags = ("--memory",)

    def setUp(self):
        self.server = Server(*self.flags)
        self.addCleanup(self.server.end)

    def client(self, **more):
        more.setdefault("subprotocols", ["beck.json"])
        # Without pings of its own, and without a queue that stops reading when it is full: then
        # a close that has come is not seen.
        more.update(ping_interval=None, max_queue=None)
        client = connect(f"ws://127.0.0.1:{self.server.port}/ws", open_timeout=BOUND_SECONDS,
                         close_timeout=BOUND_SECONDS, max_size=MESSAGE_BYTES_MAX, **more)
        self.addCleanup(client.close)
        return client

    def ask(self, client, method, **arguments):
        """Asks, and gives the answer's `ok`; events before it are passed over."""
        client.send(json.dumps({"id": method, method: arguments}))
        return self.until(client, lambda line: line.get("id") == method)["ok"]

    def until(self, client, is_it):
        while True:
            line = json.loads(client.recv(BOUND_SECONDS, decode=True))
            if is_it(line):
                return line

    def test_the_handshake_agrees_on_the_subprotocol_and_on_no_extension(self):
        client = self.client(compression="deflate")
        self.assertEqual(client.subprotocol, "beck.json")
        self.assertEqual(client.protocol.extensions, [])

    def test_another_origin_is_refused_403(self):
        with self.assertRaises(InvalidStatus) as refused:
            self.client(origin="https://evil.example")
        self.assertEqual(refused.exception.response.status_code, 403)

    def test_two_clients_talk(self):
        ann, bob = self.client(), self.client()
        for client, name in ((ann, "ann"), (bob, "bob")):
            self.ask(client, "login", name=name)
            self.ask(client, "join", room="lobby")
        self.ask(ann, "send", room="lobby", text="κόσμε 😀\nsecond line", key="k1")
        heard = self.until(bob, lambda line: "message" in line)["message"]
        self.assertEqual((heard["from"], heard["text"]), ("ann", "κόσμε 😀\nsecond line"))

    def test_pings_are_answered_with_their_bytes(self):
        client = self.client()
        for payload in (b"", b"x", bytes(range(125))):
            self.assertTrue(client.ping(payload).wait(BOUND_SECONDS))
        self.assertGreater(client.latency, 0)

    def test_a_message_of_the_longest_size_is_heard_and_a_longer_one_closes_with_1009(self):
        client = self.client()
        request = '{"id":1,"ping":{}}'
        client.send(request + " " * (MESSAGE_BYTES_MAX - len(request)))
        self.assertEqual(json.loads(client.recv(BOUND_SECONDS))["id"], 1)
        client.send(request + " " * (MESSAGE_BYTES_MAX - len(request) + 1))
        with self.assertRaises(ConnectionClosedError) as closed:
            client.recv(BOUND_SECONDS)
        self.assertEqual(closed.exception.rcvd.code, 1009)
        self.assertTrue(closed.exception.rcvd.reason)

    def test_fragments_are_one_message(self):
        client = self.client()
        request = json.dumps({"id": "in pieces, κόσμε", "ping": {}}, ensure_ascii=False)
        client.send(iter([request[:5], request[5:9], "", *request[9:]]))
        self.assertEqual(json.loads(client.recv(BOUND_SECONDS))["id"], "in pieces, κόσμε")

    def test_long_pages_come_as_one_frame_each(self):
        client = self.client()
        self.ask(client, "login", name="ann")
        self.ask(client, "join", room="lobby")
        for number in range(20):
            self.ask(client, "send", room="lobby", text=f"{number} " + "x" * 4_000)
        page = self.ask(client, "history", room="lobby", limit=500)
        self.assertTrue(page["more"])
        self.assertGreater(len(json.dumps(page)), 50_000)

    def test_binary_closes_with_1003(self):
        client = self.client()
        client.send(b"\x00\x01")
        with self.assertRaises(ConnectionClosedError) as closed:
            client.recv(BOUND_SECONDS)
        self.assertEqual(closed.exception.rcvd.code, 1003)

    def test_a_client_that_closes_gets_its_close_back(self):
        client = self.client()
        client.close(code=1000, reason="enough")
        self.assertEqual((client.close_code, client.protocol.close_rcvd_then_sent), (1000, False))

    def test_quit_closes_with_1000(self):
        client = self.client()
        self.ask(client, "login", name="ann")
        client.send('{"quit":{}}')
        with self.assertRaises(ConnectionClosedOK) as closed:
            while True:
                client.recv(BOUND_SECONDS)
        self.assertEqual(closed.exception.rcvd.code, 1000)

    def test_ten_lines_that_are_no_requests_close_with_1008(self):
        client = self.client()
        for _ in range(10):
            client.send("no request")
        lines = []
        with self.assertRaises(ConnectionClosed) as closed:
            while True:
                lines.append(json.loads(client.recv(BOUND_SECONDS)))
        self.assertEqual(closed.exception.rcvd.code, 1008)
        self.assertEqual(sum("error" in line for line in lines), 10)
        self.assertEqual(lines[-1]["closing"]["reason"], "too-many-mistakes")

    def test_a_server_that_ends_says_so_and_closes_with_1001(self):
        client = self.client()
        self.ask(client, "login", name="ann")
        ending = threading.Thread(target=self.server.end)
        ending.start()
        closing = self.until(client, lambda line: "closing" in line)["closing"]
        with self.assertRaises(ConnectionClosed) as closed:
            client.recv(BOUND_SECONDS)
        ending.join()
        self.assertEqual(closing["reason"], "shutdown")
        self.assertEqual(closed.exception.rcvd.code, 1001)

    def test_a_hundred_clients_come_talk_and_go(self):
        clients = [self.client() for _ in range(100)]
        for number, client in enumerate(clients):
            client.send(json.dumps({"id": 1, "login": {"name": f"guest {number}"}}))
            client.send(json.dumps({"id": 2, "join": {"room": "lobby"}}))
        for client in clients:
            self.until(client, lambda line: line.get("id") == 2)
        clients[0].send('{"send":{"room":"lobby","text":"all of you"}}')
        for client in clients:
            heard = self.until(client, lambda line: "message" in line)
            self.assertEqual(heard["message"]["text"], "all of you")
