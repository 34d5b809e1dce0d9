"""Frames over bare sockets: for each case of the lists, what comes back is what must."""

import unittest
from concurrent.futures import ThreadPoolExecutor

import cases
import texts
from beck import Server
from peer import Peer, is_frame


class FrameTests(unittest.TestCase):
    """One server for the cases of a family; a connection for each."""

    figures = ()

    def check(self, family):
        server = Server("--memory")
        self.addCleanup(server.end)
        listed = list(family())
        self.assertEqual(len({case.name for case in listed}), len(listed), "two have one name")
        with ThreadPoolExecutor(8) as some:
            problems = [p for p in some.map(lambda case: self.problem(server, case), listed) if p]
        self.figures = [f"{len(listed)} cases"]
        self.assertEqual(problems, [], f"{len(problems)} of {len(listed)} cases")

    @staticmethod
    def problem(server, case):
        """What is not as it must be, in a sentence; None if all is."""
        peer = Peer(server.port)
        try:
            peer.upgrade()
            peer.send(*case.sent)
            if case.ends is None:
                heard = peer.until_answered()
            else:
                heard, code, _ = peer.until_close()
                if code not in case.codes:
                    return f"{case.name}: closed with {code}, not {case.ends}"
            if len(heard) != len(case.frames):
                return f"{case.name}: {len(heard)} frames, not {len(case.frames)}: {heard[:4]}"
            # Pongs need not wait for the answers to what came before them, nor the other way.
            by_kind = [sorted(frames, key=lambda f: f[0]) for frames in (heard, case.frames)]
            for got, expected in zip(*by_kind):
                if not is_frame(got, expected):
                    return f"{case.name}: {got}, not {expected}"
        except (AssertionError, OSError) as problem:
            return f"{case.name}: {problem}"
        finally:
            peer.close()
        return None

    def test_frames_of_every_length_are_heard_however_they_are_cut(self):
        self.check(cases.framing)

    def test_the_longest_message_is_taken_and_a_longer_one_refused_at_its_head(self):
        self.check(cases.sizes)

    def test_a_ping_is_answered_with_its_bytes(self):
        self.check(cases.pings)

    def test_reserved_bits_and_opcodes_close_with_1002(self):
        self.check(cases.reserved)

    def test_fragments_make_one_message_with_control_frames_between(self):
        self.check(cases.fragmentation)

    def test_a_close_is_answered_with_its_code(self):
        self.check(cases.closings)

    def test_every_character_is_heard_wherever_it_is_cut(self):
        self.check(texts.good)

    def test_bad_utf8_closes_with_1007(self):
        self.check(texts.bad)

    def test_bad_utf8_at_every_position_closes_with_1007(self):
        self.check(texts.bad_at_every_position)

    def test_bad_utf8_is_refused_before_the_message_ends(self):
        self.check(texts.bad_early)

    def test_bad_utf8_is_refused_before_the_frame_ends(self):
        self.check(texts.bad_earlier)
