"""A person's videos: the frames that privacy looked at, written anew, with everybody else painted out.

Never the delivered file: nobody looked at its other tracks, at what an edit list hides, and at its metadata.
Who else is in the frames: people whom the delivery lists, and faces and bodies that privacy found and that no box
explains. A video that shows other listed people is painted anew for her, since they stay in the one that is published;
so is one that no run has painted, as hers where she withdrew. What can't be proven to show nobody else is withheld, as
is what a reviewer withheld.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pyarrow.parquet as pq

from accord.erase.access.pictures import UNREADABLE
from accord.errors import AccordError
from accord.imaging import bundle
from accord.imaging.bundle import Member, Window
from accord.queues import DISMISS, VIDEOS

UNPROVEN = "could not be painted so that nobody else is proven to be visible"


class Video(NamedTuple):
    """A video: its file of frames alone, or none and why it is withheld; whether somebody was painted out."""

    image: str
    file: Path | Window | None
    withheld: str = ""
    painted: bool = False


def find(
    results: Path, subject: str, images: frozenset[str], stopped: Mapping[str, str], how: dict[str, float], folder: Path
) -> Iterator[Video]:
    """The videos among her images that are still there; stopped: image, or sha256 of a delivered file -> why it is
    withheld; how: the settings privacy.videos; folder: where those that are painted for her are written."""
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
            if why := stopped.get(row["sha256"]) or stopped.get(image):
                yield Video(image, None, why)
            elif made.get("source_sha256") == row["sha256"] and not others:
                yield _opened(results / "privacy" / shard / "videos.tar", made, made["tracks"] > 0)
            else:
                yield _painted(table.with_name("videos.tar"), row, own, how, folder)


def withheld(decisions: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Video -> why it is withheld, by the decisions (records of Decisions) of those who watched it.

    Their word counts most where no detector finds anybody: one decision against any painting of a video is enough.
    """
    against: dict[str, set[str]] = {}
    for one in decisions:
        if one["queue"] == VIDEOS and one["decision"] != DISMISS:
            against.setdefault(one["image"], set()).add(one["kind"].replace("_", " "))
    kinds = {image: ", ".join(sorted(found - {""})) for image, found in against.items()}
    return {image: f"was withheld by a reviewer{f' ({kind})' if kind else ''}" for image, kind in kinds.items()}


def _opened(tar: Path, row: dict[str, Any], painted: bool = False) -> Video:
    try:
        return Video(row["image"], bundle.window(tar, _member(row)), painted=painted)
    except (AccordError, OSError):
        return Video(row["image"], None, UNREADABLE)


def _painted(tar: Path, row: dict[str, Any], boxes: list[dict[str, Any]], how: dict[str, float], folder: Path) -> Video:
    """A video's frames without everybody but her."""
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
    return Video(row["image"], file, painted=any(made.tracks.values()))


def _member(row: dict[str, Any]) -> Member:
    return Member(*(row[name] for name in Member._fields))


def _rows(path: Path, filters: list[tuple]) -> list[dict[str, Any]]:
    return pq.read_table(path, filters=filters, partitioning=None).to_pylist() if path.is_file() else []
