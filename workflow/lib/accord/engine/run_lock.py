"""The lock of a run: one process at a time changes a project's results, and a process that was killed holds nothing.

Snakemake's own lock is a list of files: a killed run leaves it, and two runs that start together don't see it. Beside
it, a file in `.snakemake/accord` names the process that works here, which locks the file for as long as it lives.
"""

import errno
import fcntl
import json
import os
import shutil
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from accord.engine import run_processes
from accord.errors import AccordError, Problem

SNAKEMAKE = Path(".snakemake")
SNAKEMAKE_LOCKS = "locks"
FILE = Path("accord/run.lock")
RUN, ERASURE = "a run", "an erasure"
LONGEST, SHOWN = 4096, 10
TRIES, PAUSE = 20, 0.05
"""Others lock the file for an instant to see whether anybody has; seconds between tries."""
WAIT, UNLOCK = "wait until it has finished", "make unlock CONFIG=FILE, the settings of the run"
_own: list[int] = []
"""Files that this process has locked."""


class Holder(NamedTuple):
    """Who locked a project: what it is, its process, when it did (UTC), its host, and whether its jobs run there."""

    what: str
    pid: int
    began: str
    host: str
    is_local: bool

    def __str__(self) -> str:
        return f"{self.what}, process {self.pid} on {self.host}, since {self.began[:19]}Z"


def take(what: str = RUN, *, snakemake: Path = SNAKEMAKE, is_local: bool = True, seen: str | None = None) -> None:
    """Lock the project for the rest of this process.

    Raises AccordError where another process has locked it, or has done so since `seen` (of `glance`): what this process
    has read is out of date then.
    """
    _lock(what, snakemake, is_local, seen)


@contextmanager
def held(what: str, snakemake: Path) -> Iterator[None]:
    """In the block, no run changes the project. Removes the lock of a killed run; raises AccordError for a live one."""
    refuse(snakemake)
    file = _lock(what, snakemake, True, None)
    try:
        refuse(snakemake)
        yield
    finally:
        _own.remove(file)
        os.ftruncate(file, 0)
        os.close(file)


def glance(snakemake: Path = SNAKEMAKE) -> str:
    """A text that is another one after any other process has held the lock, or if one holds it now."""
    return f"{_stamp(snakemake)} locked" if _locking(snakemake) else _stamp(snakemake)


def refuse(snakemake: Path = SNAKEMAKE) -> None:
    """Raises AccordError where a process works on the project; removes the lock that a killed run left."""
    if problem := remove_dead(snakemake):
        raise AccordError(problem)


def remove_dead(snakemake: Path = SNAKEMAKE) -> Problem | None:
    """Remove Snakemake's lock if its process and all of its jobs have ended; the problem (`live`) if they have not."""
    problem = live(snakemake)
    if problem is None:
        shutil.rmtree(snakemake / SNAKEMAKE_LOCKS, ignore_errors=True)
    return problem


def live(snakemake: Path = SNAKEMAKE) -> Problem | None:
    """The problem that the project is locked by a process that is alive, or may be; None where nothing locks it.

    Whether those of another host, of another user, or of a cluster are alive can't be known: they count.
    """
    folder = snakemake / SNAKEMAKE_LOCKS
    if problem := _locking(snakemake):
        return problem
    if not (folder.is_dir() and any(folder.iterdir())):
        return None
    return _unknown(folder, _holder(snakemake)) or _jobs(snakemake, _holder(snakemake))


def _locking(snakemake: Path) -> Problem | None:
    """The problem that another process, which is alive, has locked the project."""
    if _own or not _is_locked(snakemake):
        return None
    return Problem("workflow", f"is locked by {_holder(snakemake) or 'another process'}", WAIT)


def _unknown(folder: Path, holder: Holder | None) -> Problem | None:
    """The problem that nobody can tell from here whether the jobs of a lock have ended."""
    locked = f"is locked by {holder or 'another user'}"
    if os.geteuid() not in (0, folder.stat().st_uid) or (holder and holder.host != socket.gethostname()):
        return Problem("workflow", locked, f"{WAIT}; if it was killed: {UNLOCK}")
    if holder and not holder.is_local:
        hint = f"if it was killed, its jobs may run on the cluster: cancel them (docs/cluster.md), then {UNLOCK}"
        return Problem("workflow", locked, hint)
    return None


def _jobs(snakemake: Path, holder: Holder | None) -> Problem | None:
    """The problem that the Snakemake which locked the project, or a job that a killed one left, is alive."""
    jobs = run_processes.jobs(snakemake.resolve().parent, holder.pid if holder else None)
    if not jobs:
        return None
    numbers = ", ".join(map(str, jobs[:SHOWN]))
    return Problem("workflow", f"is locked: processes of a run are alive: {numbers}", "wait until they have finished")


def _holder(snakemake: Path) -> Holder | None:
    """Who locked the project last; None where nobody did."""
    try:
        told: dict[str, Any] = json.loads(_content(snakemake))
        return Holder(*(kind(told[name]) for name, kind in Holder.__annotations__.items()))
    except (ValueError, KeyError, TypeError):
        return None


def _stamp(snakemake: Path) -> str:
    """When the lock file was last written, and what it says; "" without one."""
    with suppress(OSError):
        return f"{(snakemake / FILE).stat().st_mtime_ns} {_content(snakemake)}"
    return ""


def _content(snakemake: Path) -> str:
    try:
        with (snakemake / FILE).open(errors="replace") as file:
            return file.read(LONGEST)
    except OSError:
        return ""


def _is_locked(snakemake: Path) -> bool:
    """Whether a living process has locked the file."""
    try:
        file = os.open(snakemake / FILE, os.O_RDWR)
    except OSError:
        return False
    try:
        return not _flock(file)
    finally:
        os.close(file)


def _lock(what: str, snakemake: Path, is_local: bool, seen: str | None) -> int:
    """The open, locked file, which now names this process."""
    before = _stamp(snakemake)
    file = _open(snakemake / FILE)
    try:
        if not any(_flock(file) or time.sleep(PAUSE) for _ in range(TRIES)):
            who = _holder(snakemake) or "another process"
            raise AccordError(Problem("workflow", f"is locked by {who}", WAIT))
        if seen is not None and seen != (_stamp(snakemake) if before else ""):
            raise AccordError(Problem("workflow", "another process worked here while this one started", "run again"))
        own = Holder(what, os.getpid(), datetime.now(UTC).isoformat(), socket.gethostname(), is_local)
        os.ftruncate(file, 0)
        os.pwrite(file, json.dumps(own._asdict()).encode(), 0)
    except BaseException:
        os.close(file)
        raise
    _own.append(file)
    return file


def _open(path: Path) -> int:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        hint = "see who owns it: one who may write there runs the workflow"
        raise AccordError(Problem(str(path), f"can't be written ({error.strerror})", hint)) from None


def _flock(file: int) -> bool:
    """Lock an open file; False where another process has. A file system without such locks never has one."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in (errno.EWOULDBLOCK, errno.EACCES)
    return True
