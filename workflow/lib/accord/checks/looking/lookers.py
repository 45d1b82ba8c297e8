"""What is looked for in pictures: the tables of each looker, and what the rows of an image are made from.

A looker is given some images at once, and what it says of one does not depend on the others: so its rows are kept from
one run to the next (accord.engine.kept).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from accord.checks.files.pixels import Shown
from accord.engine import kept
from accord.engine.parameter_types import Former, Kept
from accord.engine.table import Table, empty

PLACE = ["member", "offset", "size"]
"""Columns that say where a file lies in its bundle: they change when others leave it, and the sha256 tells the file."""

Digests = Mapping[str, str]


class Looker(NamedTuple):
    """One thing that is looked for. `module`: where its code is, `looking.<name>`; `tables`: output -> model;
    `settings`: what JSON can say; `own`: image -> digest of each table of which it reads the image's rows; `look`: some
    images and their pictures -> a table for each output."""

    module: str
    tables: Mapping[str, type[Table]]
    settings: Any
    own: Sequence[Digests]
    look: Callable[[pd.DataFrame, Shown], Sequence[pd.DataFrame]]


class Keeper:
    """The rows of a looker: those of its former outputs that hold, and those that are made now.

    digests: image -> digest of what its rows are made from, of all images that may be looked at.
    """

    def __init__(self, looker: Looker, images: Digests, former: Former) -> None:
        self._looker = looker
        basis = kept.basis(f"checks.{looker.module}", looker.settings)
        own = {image: [digest, *(part.get(image) for part in looker.own)] for image, digest in images.items()}
        self.digests = {image: kept.digest(basis, parts) for image, parts in own.items()}
        self._memories = {name: kept.memory(former, name, model) for name, model in looker.tables.items()}
        self._made: dict[str, list[pd.DataFrame]] = {name: [] for name in looker.tables}

    def holds(self, image: str) -> bool:
        """Whether all former outputs have the rows of an image as they would be made again."""
        return all(memory.holds(image, self.digests[image]) for memory in self._memories.values())

    def kept(self, name: str) -> pd.DataFrame:
        """The rows of an output that are taken over."""
        memory = self._memories[name]
        held = {image for image in self.digests if self.holds(image)}
        return memory.rows[memory.rows["image"].isin(held)]

    def look(self, images: pd.DataFrame, pictures: Shown) -> dict[str, pd.DataFrame]:
        """Make the rows of those images that no former output holds; output -> rows that were made."""
        wanted = images[images["image"].isin([image for image in images["image"] if not self.holds(image)])]
        made = self._looker.look(wanted, pictures) if len(wanted) else map(empty, self._looker.tables.values())
        found = dict(zip(self._looker.tables, made, strict=True))
        for name, rows in found.items():
            self._made[name].append(rows)
        return found

    def rows_of(self, name: str) -> Callable[[pd.DataFrame], pd.DataFrame]:
        """Some images -> their rows of an output, those that there are by then."""

        def rows(images: pd.DataFrame) -> pd.DataFrame:
            own = [part[part["image"].isin(images["image"])] for part in (self.kept(name), *self._made[name])]
            filled = [part for part in own if len(part)]
            return pd.concat(filled, ignore_index=True) if filled else empty(self._looker.tables[name])

        return rows

    def result(self, images: Sequence[str]) -> dict[str, Kept]:
        """Output -> the rows of these images, and what they were made from."""
        digests = {image: self.digests[image] for image in images}
        held = {image: digest for image, digest in digests.items() if self.holds(image)}
        return {
            name: kept.joined(memory._replace(digests=held), self._looker.tables[name], digests, self._made[name])
            for name, memory in self._memories.items()
        }


def digests(images: pd.DataFrame) -> dict[str, str]:
    """image -> digest of its row of table Images and of its file, wherever that lies."""
    return kept.by_item(images.drop(columns=PLACE))
