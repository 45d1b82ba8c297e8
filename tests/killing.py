"""Processes that are killed before a chosen one of the changes that they make to files."""

import os
import signal
import sys
from collections.abc import Callable

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
CHANGES = ("os.remove", "os.rename", "os.rmdir", "os.mkdir", "sqlite3.connect")
FAILED = b"failed"


class Counter:
    """Counts what changes files (bytecode apart), and kills its own process before the n-th of these (never: 0)."""

    def __init__(self, fatal: int):
        self.seen, self.fatal = 0, fatal

    def __call__(self, event: str, arguments: tuple) -> None:
        writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITING
        if (writes or event in CHANGES) and "__pycache__" not in str(arguments[0]):
            self.seen += 1
            if self.seen == self.fatal:
                os.kill(os.getpid(), signal.SIGKILL)


def changes(call: Callable[[], None], fatal: int = 0) -> int | None:
    """How many changes a call made in a process of its own; None where it was killed, before the `fatal`-th.

    Raises AssertionError where the call failed by itself.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        told = FAILED
        try:
            counter = Counter(fatal)
            sys.addaudithook(counter)
            call()
            told = str(counter.seen).encode()
        finally:
            os.write(writing, told)
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read()
    _, status = os.waitpid(child, 0)
    assert told != FAILED, "it failed without having been killed"
    return None if os.WIFSIGNALED(status) else int(told)
