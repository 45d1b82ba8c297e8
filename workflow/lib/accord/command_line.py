"""What all command lines share: the parser, the flags --config and --json, and the exit codes.

A mistake on a command line is told in one line, with what was probably meant, and has the exit code 2.
"""

import argparse
import difflib
import itertools
import json
import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any, NoReturn

from accord.errors import AccordError, Problem

DONE, FAILED, UNUSABLE, OPEN = range(4)
"""Exit codes: all is well; the answer is no, or something needs a look at once; the command line or an input can't be
used; done, but something is open that a person must look into. docs/commands.md has the table."""
STOPPED = 130
"""Exit code of who is stopped by Ctrl-C, as shells have it."""
CONFIG = "configuration files, later ones override earlier ones (default: config/config.yaml, if it exists)"


class Parser(argparse.ArgumentParser):
    """An ArgumentParser that takes no abbreviations, and tells a mistake in one line with what was probably meant."""

    def __init__(self, **given: Any):
        given.setdefault("allow_abbrev", False)
        super().__init__(**given)

    def error(self, message: str) -> NoReturn:
        """Exit with 2 and one line."""
        self.exit(UNUSABLE, f"{self.prog}: {message}; see `{self.prog} --help`\n")

    def parse_known_args(self, args: Any = None, namespace: Any = None):
        """As argparse has it, but whatever is unknown is an error: of an action, too, before anything is missed."""
        for word in self._own_flags(args or []):
            if word not in self.flags():
                self.error(f"unknown flag {word!r}{meant(word, self.flags())}")
        found, left = super().parse_known_args(args, namespace)
        if left:
            self.error(f"unexpected {' '.join(map(repr, left))}")
        return found, left

    def flags(self) -> dict[str, argparse.Action]:
        """Flag -> its action."""
        return self._option_string_actions

    def positionals(self) -> list[argparse.Action]:
        """What is given without a flag, but for the actions of a command."""
        return [one for one in self._actions if not one.option_strings and one not in self.subparsers()]

    def subparsers(self) -> list[argparse._SubParsersAction]:
        """The actions of a command, as argparse holds them; none or one."""
        return [one for one in self._actions if isinstance(one, argparse._SubParsersAction)]

    def _own_flags(self, words: Iterable[str]) -> list[str]:
        """The long flags among the words that this parser reads itself: those behind an action are the action's."""
        acts = bool(self.subparsers())
        own = itertools.takewhile(lambda word: word != "--" and not (acts and word[:1] != "-"), words)
        return [word.partition("=")[0] for word in own if word.startswith("--")]

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            known = list(map(str, action.choices))
            raise argparse.ArgumentError(action, f"{value!r} is not one of {', '.join(known)}{meant(value, known)}")


def meant(word: object, known: Iterable[str], likeness: float = 0.6) -> str:
    """` (did you mean 'verify'?)` where one of the known words is near; else "".

    likeness: the least share of letters in common, 0 to 1 (difflib).
    """
    near = difflib.get_close_matches(str(word), list(known), n=1, cutoff=likeness)
    return f" (did you mean {near[0]!r}?)" if near else ""


def actions(parser: Parser, told: dict[str, str], dest: str = "do") -> dict[str, Parser]:
    """Add actions to a command: name -> its parser, by name -> the line that tells what it does."""
    added = parser.add_subparsers(dest=dest, required=True, metavar="ACTION")
    return {name: added.add_parser(name, help=text, description=sentence(text)) for name, text in told.items()}


def config_flag(parser: argparse.ArgumentParser, text: str = CONFIG) -> None:
    """Add --config, which names the files of the project's settings."""
    parser.add_argument("--config", type=Path, nargs="+", default=[], metavar="FILE", help=text)


def json_flag(parser: argparse.ArgumentParser) -> None:
    """Add --json: one document on standard output and nothing else there."""
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def day(text: str) -> date:
    """The day that an argument is. Raises ArgumentTypeError, which says how a day is written."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a day written YYYY-MM-DD, as 2026-11-01") from None


def say(document: Any, text: str, flags: argparse.Namespace) -> None:
    """Print a result: the document with --json, else the text, if there is any."""
    if flags.json:
        print(as_json(document))
    elif text:
        print(text)


def as_json(document: Any) -> str:
    """A document as JSON, in ASCII; what is not a number is null, a path or a day is a text."""
    return json.dumps(_plain(document), indent=1, allow_nan=False)


def _plain(value: Any) -> Any:
    """A value as json can write it: tables are lists of rows, named tuples are maps."""
    if hasattr(value, "to_dict"):
        return _plain(value.to_dict("records"))
    if hasattr(value, "_asdict"):
        return _plain(value._asdict())
    if isinstance(value, dict):
        return {str(name): _plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if value is None or isinstance(value, str | bool | int | float):
        return value
    return None if type(value).__name__ in ("NAType", "NaTType") else str(value)


PLACE = "choose a writable place on a disk with free space"


@contextmanager
def writing(place: Path, flag: str = "--out") -> Iterator[None]:
    """In the block, a command writes what a flag names. Raises AccordError where the system doesn't let it."""
    try:
        yield
    except OSError as error:
        what = f"{place} can't be written ({error.strerror or type(error).__name__})"
        missing = isinstance(error, FileNotFoundError)
        hint = "its folder doesn't exist: create it, or correct the path" if missing else PLACE
        raise AccordError(Problem(flag, what, hint)) from None


def sentence(text: str) -> str:
    """A line of help as a sentence."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '?')) else '.'}"
