"""Runs the tests of this folder in a few processes, a line a test; ends with how many passed."""

import argparse
import multiprocessing
import shutil
import sys
import threading
import time
import traceback
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent


class Outcome(unittest.TestResult):
    """Keeps what a failed test leaves, while its windows are still there."""

    def addError(self, test, problem):
        super().addError(test, problem)
        self._keep(test)

    def addFailure(self, test, problem):
        super().addFailure(test, problem)
        self._keep(test)

    @staticmethod
    def _keep(test):
        if hasattr(test, "keep_artefacts"):
            test.keep_artefacts()


def tests():
    """All tests below this folder."""
    sys.path[:0] = [str(HERE), str(HERE / "wire")]
    found = []

    def gather(suite):
        for each in suite:
            if isinstance(each, unittest.TestSuite):
                gather(each)
            else:
                found.append(each)

    for folder in (HERE, HERE / "wire"):
        if folder.is_dir():
            gather(unittest.TestLoader().discover(str(folder), top_level_dir=str(folder)))
    return found


def work(pipe):
    """A process that runs the tests whose names come, one at a time, in one browser."""
    by_id = {test.id(): test for test in tests()}
    while (name := pipe.recv()) is not None:
        test, outcome, began = by_id[name], Outcome(), time.monotonic()
        test.run(outcome)
        seconds = time.monotonic() - began
        problems = [text for _, text in outcome.failures + outcome.errors]
        skipped = [reason for _, reason in outcome.skipped]
        if problems:
            end_browser()
        pipe.send((seconds, problems, skipped, getattr(test, "figures", [])))
    end_browser()


def end_browser():
    try:
        from case import BrowserCase
        BrowserCase.end_browser()
    except Exception:
        traceback.print_exc()


class Worker:
    """One process, and the thread of this one that feeds it."""

    def __init__(self, take, tell):
        self.take, self.tell = take, tell
        self.process = None
        self.thread = threading.Thread(target=self._feed)
        self.thread.start()

    def _begin(self):
        context = multiprocessing.get_context("spawn")
        self.pipe, far = context.Pipe()
        self.process = context.Process(target=work, args=(far,))
        self.process.start()
        far.close()

    def _feed(self):
        while (test := self.take()) is not None:
            if self.process is None:
                self._begin()
            bound = getattr(test, "seconds_max", 60)
            began = time.monotonic()
            try:
                self.pipe.send(test.id())
                if not self.pipe.poll(bound):
                    raise EOFError(f"it was not at its end in {bound} s")
                outcome = self.pipe.recv()
            except (EOFError, OSError) as problem:
                self.process.kill()
                self.process = None
                sentence = str(problem) or "the process of the test has ended"
                outcome = (time.monotonic() - began, [sentence], [], [])
            self.tell(test, *outcome)
        if self.process is not None:
            self.pipe.send(None)
            self.process.join(20)
            self.process.kill()


def words(test):
    """The rule that a test is named by."""
    return test.id().rsplit(".", 1)[-1].removeprefix("test_").replace("_", " ")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="run only tests whose id has one of these")
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--list", action="store_true", help="say which there are")
    asked = parser.parse_args()
    chosen = [t for t in tests() if not asked.names or any(n in t.id() for n in asked.names)]
    if asked.list or not chosen:
        print("\n".join(t.id() for t in chosen) or "no test has such a name")
        return 0 if chosen else 1
    # Those that wait longest begin first, and a class stays with one browser.
    chosen.sort(key=lambda t: -getattr(t, "waits_seconds", 0))
    from case import FAILURES
    shutil.rmtree(FAILURES, ignore_errors=True)
    counts, lock, began = {"ok": 0, "FAILED": 0, "skipped": 0}, threading.Lock(), time.monotonic()

    def take():
        with lock:
            return chosen.pop(0) if chosen else None

    def tell(test, seconds, problems, skipped, figures):
        kind = "FAILED" if problems else "skipped" if skipped else "ok"
        with lock:
            counts[kind] += 1
            print(f"{kind:7} {seconds:5.1f} s  {words(test)}", flush=True)
            for line in figures + skipped:
                print(f"{'':17}{line}", flush=True)
            for text in problems:
                print(f"  {test.id()}\n" + "\n".join("    " + l for l in text.splitlines()))

    for worker in [Worker(take, tell) for _ in range(min(asked.workers, len(chosen)))]:
        worker.thread.join()
    if counts["FAILED"]:
        print(f"pictures, pages and console lines of what failed: {FAILURES}")
    print(f"browser tests: {time.monotonic() - began:.0f} s")
    print(f"{counts['ok']} passed, {counts['FAILED']} failed, {counts['skipped']} skipped")
    return 1 if counts["FAILED"] else 0


if __name__ == "__main__":
    sys.exit(main())
