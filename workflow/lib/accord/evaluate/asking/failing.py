"""A model that fails, told with the picture that it failed on and the line of its adapter."""

import traceback
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from accord.errors import AccordError, Problem

HINT = "docs/models.md (your own model) says what the method is given, and what it has to answer"


def asked(model: dict, method: Callable, given: Sequence[Sequence], names: Sequence[str]) -> Any:
    """What a method of an adapter answers; given: its arguments, each with one item for each picture in `names`.

    Raises AccordError with the first picture on which it fails alone, or with all of them where it fails on none alone.
    """
    try:
        return method(*given)
    except AccordError:
        raise
    except Exception as error:
        for number, name in enumerate(names):
            failure = _failure(method, [[one[number]] for one in given])
            if failure is not None:
                raise AccordError(_problem(model, name, failure)) from None
        raise AccordError(_problem(model, f"{len(names)} pictures together", error)) from None


def names(rows: Iterable[Any]) -> list[str]:
    """What pictures of a shard are called in an error, by their rows."""
    return [f"picture {row.image}" for row in rows]


def _failure(method: Callable, given: Sequence[Sequence]) -> Exception | None:
    try:
        method(*given)
    except Exception as error:
        return error
    return None


def _problem(model: dict, name: str, error: Exception) -> Problem:
    file = Path(model.get("adapter", "").rpartition(":")[0])
    frames = traceback.extract_tb(error.__traceback__)[1:]
    own = [frame for frame in frames if Path(frame.filename) == file or Path(frame.filename) == file.resolve()]
    last = (own or list(frames) or [None])[-1]
    place = f"{file.as_posix() if own else Path(last.filename).name}, line {last.lineno}: " if last else ""
    said = f": {error}" if str(error) else ""
    return Problem(f"model {model['name']}, {name}", f"{place}{type(error).__name__}{said}", HINT)
