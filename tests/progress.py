"""What a test run tells while it runs: how many tests of how many are done, and which run now.

A line every few seconds, or one line that changes where the output is a terminal; each failure at once. pytest's own
summary, with the failures and the slowest, follows at the end.
"""

import threading
import time
from collections import Counter

import pytest

SECONDS, SECONDS_ON_A_TERMINAL = 15, 1
NAMED = 3
"""Running tests that a line names, the longest first."""


class Progress:
    """A pytest plugin for the process that reports; `writer` is its terminal writer."""

    def __init__(self, writer):
        self._writer = writer
        self._total, self._counts = 0, Counter()
        self._running: dict[str, float] = {}
        self._begun, self._ended, self._lock = time.monotonic(), threading.Event(), threading.Lock()

    def pytest_collection_finish(self, session) -> None:
        self._total = self._total or len(session.items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids) -> None:
        self._total = len(ids)

    def pytest_runtestloop(self) -> None:
        threading.Thread(target=self._repeat, daemon=True).start()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._running[nodeid] = time.monotonic()

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self._running.pop(nodeid, None)

    @pytest.hookimpl(wrapper=True)
    def pytest_report_teststatus(self, report):
        """No letter for each test: the line has counts."""
        outcome, *_ = yield
        self._counts[outcome] += 1
        if outcome in ("failed", "error"):
            self._write(f"{outcome.upper()} {report.nodeid}\n")
        return outcome, "", ""

    def pytest_sessionfinish(self) -> None:
        self._ended.set()
        self._write(self.line() + "\n")

    def line(self) -> str:
        """How far the run is, and the tests that run longest."""
        done = sum(self._counts[outcome] for outcome in ("passed", "failed", "error", "skipped"))
        told = [
            f"{self._counts[outcome]} {outcome}" for outcome in ("failed", "error", "skipped") if self._counts[outcome]
        ]
        now = time.monotonic()
        longest = sorted(self._running.items(), key=lambda item: item[1])[:NAMED]
        running = [f"{nodeid.removeprefix('tests/')} ({now - since:.0f} s)" for nodeid, since in longest]
        head = f"{done:5} of {self._total} tests, {now - self._begun:.0f} s"
        return "; ".join([", ".join([head, *told]), *running])

    def _repeat(self) -> None:
        tty = self._writer.hasmarkup
        while not self._ended.wait(SECONDS_ON_A_TERMINAL if tty else SECONDS):
            if tty:
                self._write(f"{self.line()[: self._writer.fullwidth - 1]:{self._writer.fullwidth - 1}}\r")
            else:
                self._write(self.line() + "\n")

    def _write(self, text: str) -> None:
        with self._lock:
            self._writer.write(text, flush=True)
