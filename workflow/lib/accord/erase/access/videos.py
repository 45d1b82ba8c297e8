"""A person's videos: as they were delivered where nobody else is in them, else with everybody else painted out.

Who else is in them: people whom the delivery lists, and faces and bodies that privacy found and that no box explains. A
video that shows other listed people is painted anew for her, since they stay in the one that is published; so is one
that no run has painted, as hers where she withdrew. What can't be proven to show nobody else is withheld.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pyarrow.parquet as pq

from accord.erase.access.pictures import BARRED, UNREADABLE
from accord.errors import AccordError
from accord.imaging import bundle
from accord.imaging.bundle import Member, Window

UNPROVEN = "could not be painted so that nobody else is proven to be visible"


class Video(NamedTuple):
    """A video: its file, or none and why it is withheld; whether it was painted, which takes away the sound too."""

    image: str
    file: Path | Window | None
    withheld: str = ""
    painted: bool = False


def find(
    results: Path, subject: str, images: frozenset[str], barred: frozenset[str], how: dict[str, float], folder: Path
) -> Iterator[Video]:
    """The videos among her images that are still there; barred: sha256 of delivered files; how: the settings
    privacy.videos; folder: where those that are painted for her are written."""
    for table in sorted(results.glob("intake/*/videos.parquet")):
        shard = table.parent.name
        mine = [("image", "in", set(images))]
        rows = pq.read_table(table, filters=mine, partitioning=None).to_pylist() if images else []
        people, boxes = (_rows(table.with_name(f"video_{name}.parquet"), mine) for name in ("people", "boxes"))
        painted = {row["image"]: row for row in _rows(results / "privacy" / shard / "videos.parquet", mine)}
        for row in sorted(rows, key=lambda row: row["image"]):
            image = row["image"]
            others = {one["subject"] for one in people if one["image"] == image} - {subject}
            made = painted.get(image, {})
            own = [one for one in boxes if (one["image"], one["subject"]) == (image, subject)]
            if row["sha256"] in barred:
                yield Video(image, None, BARRED)
            elif made.get("source_sha256") == row["sha256"] and not others:
                tar = results / "privacy" / shard / "videos.tar"
                yield _opened(table.with_name("videos.tar"), row) if not made["tracks"] else _opened(tar, made, True)
            else:
                yield _painted(table.with_name("videos.tar"), row, own, how, folder)


def _opened(tar: Path, row: dict[str, Any], painted: bool = False) -> Video:
    try:
        return Video(row["image"], bundle.window(tar, _member(row)), painted=painted)
    except (AccordError, OSError):
        return Video(row["image"], None, UNREADABLE)


def _painted(tar: Path, row: dict[str, Any], boxes: list[dict[str, Any]], how: dict[str, float], folder: Path) -> Video:
    """A video without everybody but her; as it was delivered where nobody else was found."""
    from accord.privacy.videos import redacting
    from accord.privacy.videos.bystanders import How
    from accord.privacy.videos.known import people

    columns = ["person", "kind", "seconds", "x", "y", "width", "height"]
    known = pd.DataFrame(boxes).rename(columns={"subject": "person"}) if boxes else pd.DataFrame(columns=columns)
    given, opened = How(**how), _opened(tar, row)
    if opened.file is None:
        return opened
    file = folder / f"{row['image']}.mp4"
    made = redacting.redact(row["image"], opened.file, people(known, given.gap), file, given)
    if not made.proven:
        return Video(row["image"], None, UNPROVEN)
    return Video(row["image"], file, painted=True) if any(made.tracks.values()) else opened


def _member(row: dict[str, Any]) -> Member:
    return Member(*(row[name] for name in Member._fields))


def _rows(path: Path, filters: list[tuple]) -> list[dict[str, Any]]:
    return pq.read_table(path, filters=filters, partitioning=None).to_pylist() if path.is_file() else []
