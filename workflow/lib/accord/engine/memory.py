"""Memory that is freed stays with the process: glibc would hand large arrays back, and fetch them anew page by page.

Garbage that only Python's collector finds is looked for seldom.
"""

import ctypes
import gc

LARGE = (1 << 30, 1 << 25)
"""Bytes up to which arrays come from memory that is kept, and how much of it may lie unused: the largest that the
system's glibc takes; old ones take no more than 32 MiB."""
TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3
"""Parameters of mallopt(3)."""
SELDOM = (50_000, 20, 50)
"""How many objects more there are before the collector looks at young, older and old ones: 700, 10 and 10 by default,
by which it looks at all that imports have made, again and again."""


def keep_freed() -> bool:
    """Keep what is freed, for the next array; whether the system's allocator can do so (glibc's can).

    A picture's arrays are as large as the last one's. Without this, the kernel clears their pages anew for each
    (benchmarks/look.py); the most that a process holds hardly changes, as it held as much for the last picture.
    """
    try:
        option = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):  # not glibc: musl and macOS have none, Windows opens no such library
        return False
    return all(any(option(name, size) for size in LARGE) for name in (TRIM_THRESHOLD, MMAP_THRESHOLD))


def collect_seldom() -> None:
    """Let the garbage collector of Python look at fewer objects: what nobody holds any more is freed without it."""
    gc.set_threshold(*SELDOM)
