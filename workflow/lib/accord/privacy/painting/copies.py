"""The copies of a shard's pictures, written one after the other: made from the originals, or taken over as they were.

What a copy looks like depends on its own original, regions and segments, on settings, the model and code. A model that
paints several crops in one call makes it depend on the others, too, in the last bits: such copies are not taken over.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from accord.engine import kept
from accord.engine.parameter_types import Former, Kept
from accord.imaging import bundle as bundles
from accord.privacy.painting import rebuilt
from accord.privacy.painting.inpaint import Scene, Settings, Wanted, paint_out
from accord.privacy.painting.request import is_alone
from accord.privacy.tables import Conversions, Edits, Pictures

FILES = "files"
"""The name of the bundle among the outputs."""
TABLES = {"painted": Pictures, "edits": Edits, "conversions": Conversions}
NOTHING = Wanted([], [], "")


class Shard(NamedTuple):
    """Table Images, the bundle of the originals, and image -> what is to be painted, of those that have anything."""

    images: pd.DataFrame
    bundle: Path
    wanted: dict[str, Wanted]


class Copy(NamedTuple):
    """A picture that was written. row: of Images; member, width, height: where and what it is; edits: records;
    before: the original's pixels, where regions were painted now; digest: of all that it was made from, None where that
    is not all its own; is_kept: whether it was taken over."""

    row: Any
    member: bundles.Member
    width: int
    height: int
    edits: list[dict]
    conversions: list[str]
    before: np.ndarray | None
    digest: str | None
    is_kept: bool

    def record(self) -> dict:
        """Its row of Pictures."""
        return rebuilt.record(self.row, self.member, self.width, self.height)


class Past(NamedTuple):
    """What the last run wrote: the bundle, and the tables by name."""

    files: Path | None
    tables: dict[str, kept.Memory]

    @classmethod
    def of(cls, former: Former) -> Past:
        """As far as it is there."""
        return cls(former.get(FILES), {name: kept.memory(former, name, model) for name, model in TABLES.items()})

    def data(self, image: str, digest: str) -> bytes | None:
        """The file of a copy that was made from the same; None where there is none."""
        if self.files is None or not all(memory.holds(image, digest) for memory in self.tables.values()):
            return None
        rows = list(self.tables["painted"].of(image).itertuples())
        return bundles.unchanged(self.files, rows[0]) if len(rows) == 1 else None


def digests(shard: Shard, settings: Settings, model: Any) -> dict[str, str]:
    """Image -> digest of all that its copy is made from. model: what identifies the one that paints."""
    plain = kept.basis("privacy.painting.rebuilt", None)
    paints = kept.basis("privacy.painting.inpaint", [*settings[1:-1], model])
    told = {image: [paints, wanted.told(settings)] for image, wanted in shard.wanted.items()}
    return {row.image: kept.digest(plain, row.sha256, *told.get(row.image, [])) for row in shard.images.itertuples()}


def written(
    shard: Shard, settings: Settings, made_from: dict[str, str], past: Past, writer: bundles.BundleWriter
) -> Iterator[Copy]:
    """Write the copies of all images; `settings.batch` of those to paint side by side, before the others."""
    for group in _groups(shard, settings.batch):
        held = {row.image: past.data(row.image, made_from[row.image]) for row in group}
        new = [row for row in group if held[row.image] is None]
        originals = {row.image: rebuilt.read(bundles.read(shard.bundle, row)) for row in new}
        wanted = {row.image: shard.wanted.get(row.image, NOTHING) for row in new}
        scenes = {image: Scene.of(originals[image].pixels, wanted[image]) for image in wanted if wanted[image].regions}
        edits = list(paint_out(list(scenes.values()), settings))
        for row in group:
            image, data = row.image, held[row.image]
            if data is not None:
                yield _taken_over(row, data, made_from[image], past, writer)
                continue
            before, conversions = originals[image]
            after = scenes[image].pixels if image in scenes else before
            member = writer.add(_name(row), rebuilt.file(after))
            height, width = after.shape[:2]
            own = sorted((edit for edit in edits if edit["image"] == image), key=lambda edit: edit["region"])
            is_own = image not in scenes or is_alone(settings.painter())
            digest = made_from[image] if is_own else None
            seen = before if image in scenes else None
            yield Copy(row, member, width, height, own, sorted(conversions), seen, digest, False)


def tables(copies: list[Copy], past: Past) -> dict[str, Kept]:
    """The tables of all copies, by name."""
    new = [copy for copy in copies if not copy.is_kept]
    made = {
        "painted": [copy.record() for copy in copies],
        "edits": [edit for copy in new for edit in copy.edits],
        "conversions": [(copy.row.image, conversion) for copy in new for conversion in copy.conversions],
    }
    own = {copy.row.image: copy.digest for copy in copies if copy.digest}
    # Where a file lies depends on the others: its row is made anew, whoever made the file.
    held = {"painted": set(), "edits": own.keys(), "conversions": own.keys()}
    held = {name: images - {copy.row.image for copy in new} for name, images in held.items()}
    return {name: kept.joined(past.tables[name].only(held[name]), TABLES[name], own, made[name]) for name in TABLES}


def _groups(shard: Shard, batch: int) -> Iterator[list[Any]]:
    """Images to paint first, `batch` of them together; the others one by one, so that few are held at once."""
    ordered = sorted(shard.images.itertuples(), key=lambda row: row.image)
    painted = [row for row in ordered if row.image in shard.wanted]
    yield from (painted[start : start + batch] for start in range(0, len(painted), batch))
    yield from ([row] for row in ordered if row.image not in shard.wanted)


def _taken_over(row: Any, data: bytes, digest: str, past: Past, writer: bundles.BundleWriter) -> Copy:
    painted, edits, conversions = (past.tables[name].of(row.image) for name in TABLES)
    width, height = int(painted["width"].item()), int(painted["height"].item())
    member = writer.add(_name(row), data)
    told = edits.to_dict("records"), list(conversions["conversion"])
    return Copy(row, member, width, height, *told, None, digest, True)


def _name(row: Any) -> str:
    return f"{row.image}.png"
