"""Sums of weights, held against the stated ones in one place; a file is read for it once in a process."""

import time
from pathlib import Path

from accord.engine import provenance

SETTLED = 2_000_000_000
"""Nanoseconds after which a further change of a file shows in its time: clocks of file systems are coarse."""

_known: dict[tuple[str, int, int, int], str] = {}


def sha256(path: Path) -> str:
    """The sha256 of a file, in hexadecimal digits: remembered while its size, time of change and inode are the same."""
    status = path.stat()
    key = (str(path.absolute()), status.st_size, status.st_mtime_ns, status.st_ino)
    if key in _known:
        return _known[key]
    found = provenance.sha256(path)
    if time.time_ns() - status.st_mtime_ns > SETTLED:
        _known[key] = found
    return found


def fault(path: Path, stated: str) -> str:
    """What is wrong with a file of which a sum is stated, as the end of a sentence; "" where it has that sum."""
    found = sha256(path)
    return "" if found == stated else f"sha256 {found[:12]}..., but {stated[:12]}... was expected"
