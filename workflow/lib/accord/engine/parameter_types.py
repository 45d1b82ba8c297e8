"""Kinds of parameters that a step's signature may name besides tables and plain values."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, NamedTuple, NewType

from accord.engine import flag_types

Sink = NewType("Sink", Path)
"""A file that the step writes itself (a bundle). It is given a temporary name and renamed when the step has ended."""

Folder = NewType("Folder", Path)
"""A folder that is read; recorded by name, its content is accounted for by the step's own tables."""

Private = NewType("Private", Path)
"""Something in the vault; recorded by name only, since a digest of it could be matched later."""

Files = NewType("Files", dict)
"""Files that a step returns together: name -> text, a table where the name ends in .parquet (checked where it is
Typed), a dict where it ends in .json. Names are relative to the folder of the first path that `--out` gives."""

Count = Annotated[int, flag_types.count]
"""Of something that a step needs at least one of."""

Seed = Annotated[int, flag_types.seed]
"""Of random numbers."""


class Former(dict[str, Path]):
    """The outputs of the step by the names of fields, sinks and Files, as they lie from its last run, where they do:
    what `accord.engine.kept` takes rows from. No flag gives it."""


class Kept(NamedTuple):
    """A returned table of which rows may be taken over the next time: the rows, and item (an image) -> digest of what
    its rows were made from; an item may have none."""

    rows: Any
    digests: dict[str, str]


class Pieces(NamedTuple):
    """A returned table that is written piece by piece (`accord.engine.pieces`): tables one after the other, and the
    first column that they are sorted by, of which no two pieces have the same value."""

    rows: Iterator[Any]
    by: str


class Typed(NamedTuple):
    """A returned table whose model depends on what the step was told: the rows, and the table model they obey."""

    rows: Any
    model: Any
