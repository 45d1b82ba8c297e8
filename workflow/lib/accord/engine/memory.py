"""Memory that is freed stays with the process: glibc would hand large arrays back, and fetch them anew page by page."""

import ctypes

LARGE = (1 << 30, 1 << 25)
"""Bytes up to which arrays come from memory that is kept, and how much of it may lie unused: the largest that the
system's glibc takes; old ones take no more than 32 MiB."""
TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3
"""Parameters of mallopt(3)."""


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
