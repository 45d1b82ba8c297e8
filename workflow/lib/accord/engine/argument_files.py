"""`accord room.step @FILE`: a step whose command line is in a file, for want of room on a real one.

Linux limits what a process may be given to a quarter of its stack (`ulimit -s`), mostly 2 MiB, and never more than 6.
"""

import contextlib
import os
from collections.abc import Sequence
from pathlib import Path

MARK = "@"


def read(arguments: Sequence[str]) -> list[str]:
    """The arguments of a command; those of a step that is given `@FILE` alone are what the file has, NUL behind each.

    A file that can't be read is left for the command line to refuse.
    """
    name, *rest = arguments or [""]
    if "." in name and len(rest) == 1 and rest[0].startswith(MARK):
        with contextlib.suppress(OSError):
            listed = Path(rest[0].removeprefix(MARK)).read_bytes()
            return [name, *map(os.fsdecode, listed.split(b"\0")[:-1])]
    return list(arguments)
