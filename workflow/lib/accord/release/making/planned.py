"""The plan of a version: what shards must agree on before they write their files."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from accord.engine import table
from accord.release.disclosure import aggregates
from accord.release.disclosure.aggregates import Cell, Key
from accord.release.making import content
from accord.release.making.content import Digests
from accord.release.seal import versions

DECIDING = ("reserve", "min_k", "publish", "terms")
"""Settings that decide which images are released, and whether: nothing of them is told. Of terms, the clauses are."""
OPTIONAL = ("purpose", "creator", "clauses")
"""Settings that are told only where they say something."""
ACCOUNTS = ("waterfall", "video_waterfall")
"""What is told of images that are not in a version: another account of the same content makes no version."""
COMPOSITION = ["attribute", "value", "subjects"]


class Plan(NamedTuple):
    """Of a version: its number and the sha256 of all that goes in; what changed since the version before (as
    `versions.Changes`); counts by name, those of videos only where it has some; (attribute, value, subjects) of its
    composition."""

    version: str
    fingerprint: str
    previous: str
    removed: int
    added: int
    changed: int
    counts: dict[str, int]
    composition: list[list]

    @property
    def changes(self) -> versions.Changes:
        """What changed since the version before."""
        return versions.Changes(self.previous, self.removed, self.added, self.changed)


def read(path: Path) -> Plan:
    """The plan in a file."""
    told = json.loads(path.read_text())
    return Plan(**{name: told[name] for name in Plan._fields})


def latest(vault: Path, fingerprint: str) -> dict[str, Any] | None:
    """What the history says of the latest version, if that is of this content."""
    last = next(reversed(versions.history(vault)), None)
    return last if last and last["fingerprint"] == fingerprint else None


def about(
    passing: set[str],
    waterfall: pd.DataFrame,
    classes: pd.DataFrame,
    edits: pd.DataFrame,
    conversions: pd.DataFrame,
    annotators: pd.DataFrame,
    cells: Mapping[Key, Cell],
) -> dict[str, pd.DataFrame]:
    """What is told of a version as a whole."""
    return {
        "waterfall": waterfall,
        "classes": classes,
        "edits": edits[table.among(edits["image"], passing)],
        "conversions": conversions[table.among(conversions["image"], passing)],
        "annotators": annotators,
        "aggregates": aggregates.shown(cells),
    }


def about_videos(counts: Mapping[str, int], waterfall: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """What is told of a version's videos as a whole: nothing where it has none."""
    return {"video_waterfall": waterfall} if counts.get("videos") else {}


def fingerprint(images: dict[str, Digests], about: dict[str, pd.DataFrame], settings: dict) -> str:
    """The sha256 of all that goes into a version, but for its account of what is not in it."""
    told = {name: value for name, value in settings.items() if name not in DECIDING and (value or name not in OPTIONAL)}
    tables = {name: content.plain(rows) for name, rows in about.items() if name not in ACCOUNTS}
    return content.fingerprint(images, tables | {"settings": told})
