"""CPU seconds of a process and of all that it starts, wherever that ends: by a control group of its own."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

NANOSECONDS, MICROSECONDS = 1e9, 1e6


class Meter:
    """A control group below this process's own, which it enters; all that it starts from then on is counted.

    What waits for its children can tell their time, too (RUSAGE_CHILDREN), but not that of what a daemon buries unseen,
    such as the jobs of a Slurm.
    """

    def __init__(self, parent: Path, usage: str):
        """Raises OSError where no group can be made or entered: mostly for want of rights."""
        self._parent, self._folder, self._usage = parent, parent / f"accord-{os.getpid()}", usage
        self._folder.mkdir()
        (self._folder / "cgroup.procs").write_text(str(os.getpid()))

    def seconds(self) -> float:
        text = (self._folder / self._usage).read_text()
        if self._usage == "cpuacct.usage":
            return int(text) / NANOSECONDS
        return int(dict(line.split() for line in text.splitlines())["usage_usec"]) / MICROSECONDS

    def leave(self) -> None:
        """Go back, and take the group away where nothing is left in it."""
        with contextlib.suppress(OSError):
            (self._parent / "cgroup.procs").write_text(str(os.getpid()))
            self._folder.rmdir()


def meter() -> Meter | None:
    """A meter of this process; None where the machine gives none."""
    for parent, usage in _groups():
        with contextlib.suppress(OSError, ValueError, KeyError):
            made = Meter(parent, usage)
            made.seconds()
            return made
    return None


def _groups() -> Iterator[tuple[Path, str]]:
    """This process's control groups that count CPU time, of version 1 and 2, and the file that tells it."""
    try:
        lines = Path("/proc/self/cgroup").read_text().splitlines()
    except OSError:
        return
    for line in lines:
        _, kinds, path = line.split(":", 2)
        if "cpuacct" in kinds.split(","):
            yield Path("/sys/fs/cgroup", kinds) / path.lstrip("/"), "cpuacct.usage"
        elif not kinds:
            yield from (
                (Path(root) / path.lstrip("/"), "cpu.stat") for root in ("/sys/fs/cgroup", "/sys/fs/cgroup/unified")
            )
