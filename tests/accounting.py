"""What tests cost, for benchmarks/tests.py: a line of JSON for each test, start of a process, and step of a run."""

import json
import os
import time
from pathlib import Path

import pytest

FILE = "ACCORD_TESTS_COST"
"""The environment variable with the file that the lines go to; without it nothing is counted."""

SELDOM = (50_000, 20, 50)
"""How many objects more there are before the garbage collector looks at young, older and old ones: by default it looks
at a test process's millions again and again, a tenth of what tests cost."""

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
"""Environment of processes that run tests and steps: there is one a core already, and threads of small sums mostly
wait for each other, which costs, too."""


def write(file: str, kind: str, name: str, **seconds: float) -> None:
    """Add a line; processes may write at once."""
    line = json.dumps({"kind": kind, "name": name, **seconds}) + "\n"
    with Path(file).open("a") as opened:
        opened.write(line)


def spent() -> tuple[float, float, float]:
    """CPU seconds of this process, CPU seconds of programs that it ran to their end, seconds of the clock."""
    times = os.times()
    return times.user + times.system, times.children_user + times.children_system, time.monotonic()


class Accounts:
    """A pytest plugin of each process that runs tests."""

    def __init__(self, file: str):
        self._file, self._begun = file, False

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        before = spent()
        if not self._begun:
            self._begun = True
            write(self._file, "start", "pytest", own=before[0])
        result = yield
        own, programs, wall = (after - of for after, of in zip(spent(), before, strict=True))
        write(self._file, "test", item.nodeid, own=own, programs=programs, wall=wall)
        return result
