"""Errors that tell a person what is wrong, where, and what to do: all problems at once."""

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

SHOWN = 50
PLACES_SHOWN = 5
LINE = re.compile(r"(.+?)(?::|,? line |, row )([0-9]+)")
"""Where a problem is, with the line of a file at its end."""


@dataclass(frozen=True, order=True)
class Problem:
    """One thing that is wrong: where it is, what it is, and a hint at what to do."""

    where: str
    what: str
    hint: str = ""

    def __str__(self) -> str:
        hint = f"\n    hint: {self.hint}" if self.hint else ""
        return f"{self.where}: {self.what}{hint}"


def no_space(said: str) -> Problem:
    """A full disk, a quota that is used up, or a limit of the size of files; said: how the system calls it."""
    room = "for temporary files, set TMPDIR to a folder that has room (docs/scale.md says how much)"
    return Problem("disk", f"{said}, where results or temporary files are written", f"free some and run again; {room}")


def no_access(file: str | bytes | int | None, said: str) -> Problem:
    """A file that is locked, somebody else's, or on a disk that takes no writing; said: how the system calls it. Its
    folder is told, and not its name, which may be personal."""
    folder = str(Path(os.fsdecode(file)).parent) if isinstance(file, str | bytes) else "."
    hint = "see who owns it (ls -l), whether it is locked (lsattr), and how the disk is mounted; then run again"
    return Problem(folder, f"a file or folder in it can't be used ({said})", hint)


class AccordError(Exception):
    """Something that a person can put right. Carries every problem that was found."""

    def __init__(self, problems: Iterable[Problem] | Problem | str):
        if isinstance(problems, str):
            problems = Problem("accord", problems)
        self.problems = [problems] if isinstance(problems, Problem) else list(problems)
        super().__init__(self._text())

    def _text(self) -> str:
        grouped = list(_of_one_cause(self.problems))
        count = len(grouped)
        lines = [f"{count} problem{'s' if count != 1 else ''} found"]
        lines += [f"  - {problem}" for problem in grouped[:SHOWN]]
        if count > SHOWN:
            lines.append(f"  ... and {count - SHOWN} more")
        return "\n".join(lines)


def _of_one_cause(problems: Iterable[Problem]) -> Iterator[Problem]:
    """The problems in their order; those that are the same in more than PLACES_SHOWN lines of a file, or in so many
    places, as one."""
    causes: dict[tuple[str, str], dict[str, None]] = {}
    lines: dict[tuple[str, str, str], dict[str, Problem]] = {}
    for problem in problems:
        place = LINE.fullmatch(problem.where)
        file, line = (place[1], place[2]) if place else (problem.where, "")
        causes.setdefault((problem.what, problem.hint), {})[file] = None
        lines.setdefault((file, problem.what, problem.hint), {}).setdefault(line, problem)
    for (file, what, hint), by_line in lines.items():
        files, numbers, where = list(causes[what, hint]), list(by_line), next(iter(by_line.values())).where
        if len(files) > PLACES_SHOWN:
            if file == files[0]:
                yield Problem(where, f"{what} (in {len(files)} places; also {_shortened(files[1:])})", hint)
        elif len(numbers) > PLACES_SHOWN:
            yield Problem(where, f"{what} ({len(numbers)} times: lines {_shortened(numbers, ', ')})", hint)
        else:
            yield from by_line.values()


def _shortened(values: list[str], between: str = "; ") -> str:
    """The first values, and how many are left."""
    more = f" and {len(values) - PLACES_SHOWN} more" if len(values) > PLACES_SHOWN else ""
    return f"{between.join(values[:PLACES_SHOWN])}{more}"


class Collector(list[Problem]):
    """A list of problems that is filled on the way and raised at the end."""

    def add(self, where: str, what: str, hint: str = "", place: object = None) -> None:
        """Note a problem. `place`: more of where it is, with what stands there; only who asks for that is told it."""
        self.append(Problem(where, what, hint))


@contextmanager
def all_problems() -> Iterator[Collector]:
    """Collect problems in the block; raise them together as one AccordError when it ends."""
    problems = Collector()
    yield problems
    if problems:
        raise AccordError(problems)
