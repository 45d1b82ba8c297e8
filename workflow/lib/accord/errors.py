"""Errors that tell a person what is wrong, where, and what to do: all problems at once."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

SHOWN = 50


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


class AccordError(Exception):
    """Something that a person can put right. Carries every problem that was found."""

    def __init__(self, problems: Iterable[Problem] | Problem | str):
        if isinstance(problems, str):
            problems = Problem("accord", problems)
        self.problems = [problems] if isinstance(problems, Problem) else list(problems)
        super().__init__(self._text())

    def _text(self) -> str:
        count = len(self.problems)
        lines = [f"{count} problem{'s' if count != 1 else ''} found"]
        lines += [f"  - {problem}" for problem in self.problems[:SHOWN]]
        if count > SHOWN:
            lines.append(f"  ... and {count - SHOWN} more")
        return "\n".join(lines)


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
