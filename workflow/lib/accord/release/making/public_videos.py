"""The videos that a release publishes: which, of whom, and their digests. No file is opened."""

from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from accord.engine import table
from accord.errors import AccordError, Problem
from accord.intake.tables import People
from accord.release.making import content
from accord.release.making.content import Digests
from accord.release.video_tables import PublicVideos

PERSON = ["image", "subject", "is_primary"]
MEASURED = ["width", "height", "frames", "seconds", "painted"]


class Published(NamedTuple):
    """rows: table PublicVideos; people: everyone in them (PERSON)."""

    rows: pd.DataFrame
    people: pd.DataFrame

    @property
    def counts(self) -> dict[str, int]:
        """How many videos, people in them, videos in which somebody was painted over; empty where there are none."""
        if self.rows.empty:
            return {}
        return {
            "videos": len(self.rows),
            "video_subjects": int(self.people["subject"].nunique()),
            "painted_videos": int(self.rows["painted"].sum()),
        }

    def digests(self) -> dict[str, Digests]:
        """Video -> digests, as `content.digests` has of images: of its file, and of all that is published of it."""
        people = dict(iter(self.people.groupby("image")))
        return {row["image"]: _digests(row, people[row["image"]]) for row in self.rows.to_dict("records")}


def _digests(row: dict[str, Any], people: pd.DataFrame) -> Digests:
    told = [row["sha256"], *(str(row[name]) for name in MEASURED), *map(str, content.plain(people.sort_values(PERSON)))]
    return Digests(row["sha256"], content.sha256(told))


def published(tables: list[Path], people: list[Path], passing: set[str]) -> Published:
    """The videos that pass, from the tables PublicVideos and People of shards."""
    rows = [table.empty(PublicVideos), *(table.read(path, PublicVideos) for path in tables)]
    shown = [table.empty(People), *(table.read(path, People) for path in people)]
    return Published(_only(rows, passing), _only(shown, passing)[PERSON])


def must_have(made: Published, passing: set[str]) -> None:
    """Raises AccordError where a video that passes is in no shard."""
    if lost := sorted(passing - set(made.rows["image"])):
        what = f"{len(lost)} video(s) passed, but no shard has them; the first is {lost[0]}"
        raise AccordError(Problem("release", what, "verdicts and shards come from different runs: rerun the workflow"))


def _only(parts: list[pd.DataFrame], passing: set[str]) -> pd.DataFrame:
    rows = pd.concat(parts, ignore_index=True)
    return rows[rows["image"].isin(passing)].sort_values("image", kind="stable", ignore_index=True)
