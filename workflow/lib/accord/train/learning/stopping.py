"""A training that is asked to end (SIGTERM: its time is up, or its node is wanted) ends after the step at hand."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from accord.train.learning import processes

EXIT = 128 + signal.SIGTERM


@contextmanager
def asked() -> Iterator[threading.Event]:
    """An event that SIGTERM sets meanwhile, where this is the main thread.

    Of several processes the first one heeds it, since it writes; the others end when it has.
    """
    event = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield event
        return
    before = signal.signal(signal.SIGTERM, lambda *_: event.set() if processes.number() == 0 else None)
    try:
        yield event
    finally:
        signal.signal(signal.SIGTERM, before)
