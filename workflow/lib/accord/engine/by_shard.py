"""Steps that tell of each image by its own shard's tables: run shard by shard, so that memory is that of one."""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from accord.shards import SHARD

MARK = "by_shard"
AT_ONCE = 200_000
"""So many rows at most are read at once, where they are of several shards: some hundred MB in memory."""


class Divided(NamedTuple):
    """How a step is run shard by shard: which of its tables are divided, what is called for each shard, how its
    results are joined, what is made of others once, before the first shard, and with which flags it is run at once all
    the same."""

    tables: tuple[str, ...]
    each: Callable
    join: Callable[..., Any]
    once: dict[str, Callable]
    whole: dict[str, Any]


def by_shard(
    *tables: str,
    join: Callable[..., Any],
    each: Callable | None = None,
    whole: dict[str, Any] | None = None,
    **once: Callable,
) -> Callable[[Callable], Callable]:
    """Marks a step's `run`: its `tables` are given to it shard by shard. Called as a function it is what it was.

    each: what is called for a shard instead of `run`; takes those of the step's parameters that it names. join: takes
    the list of what it gave, and those parameters that it names.
    """

    def mark(run: Callable) -> Callable:
        setattr(run, MARK, Divided(tables, each or run, join, once, whole or {}))
        return run

    return mark


def divided(run: Callable, given: dict[str, Any]) -> tuple[str, ...]:
    """The tables of a step that are divided, by its flags: none where a file is no shard's."""
    how = getattr(run, MARK, None)
    if how is None or any(given.get(name) == value for name, value in how.whole.items()):
        return ()
    shards = {shard_of(path) for name in how.tables for path in given.get(name) or ()}
    return how.tables if len(shards) > 1 and None not in shards else ()


def results(run: Callable, paths: dict[str, list[Path]], read: Callable[[str, list[Path]], Any], values: dict) -> Any:
    """What a step gives, run for one shard after the other, or for a few small ones at once. read: name and files of a
    table -> the table."""
    how: Divided = getattr(run, MARK)
    values |= {name: make(values[name]) for name, make in how.once.items()}
    found = []
    for shards in _blocks([path for some in paths.values() for path in some]):
        of = {name: [path for path in some if shard_of(path) in shards] for name, some in paths.items()}
        found.append(how.each(**_named(how.each, values), **{name: read(name, some) for name, some in of.items()}))
    return how.join(found, **_named(how.join, values))


def _blocks(paths: list[Path]) -> list[set[str]]:
    """Shards that follow each other and are small enough to be read at once; every shard is in one block."""
    sizes: dict[str, int] = {}
    for path in paths:
        if name := shard_of(path):
            sizes[name] = sizes.get(name, 0) + _rows(path)
    made, held = [], AT_ONCE + 1
    for name, size in sorted(sizes.items()):
        if held + size > AT_ONCE:
            made.append(set())
            held = 0
        made[-1].add(name)
        held += size
    return made


def _rows(path: Path) -> int:
    """How many rows a table has; none where it is not there, which whoever reads it will say."""
    from pyarrow import ArrowInvalid, parquet

    try:
        return parquet.read_metadata(path).num_rows
    except (ArrowInvalid, FileNotFoundError):
        return 0


def _named(called: Callable, values: dict[str, Any]) -> dict[str, Any]:
    """Those of the values that a function has parameters for."""
    return {name: value for name, value in values.items() if name in inspect.signature(called).parameters}


def shard_of(path: Path) -> str | None:
    """The shard whose table a file is, by the folder that it lies in, or by its own name; None where it is nobody's."""
    return next((name for name in (path.parent.name, path.stem) if SHARD.fullmatch(name)), None)
