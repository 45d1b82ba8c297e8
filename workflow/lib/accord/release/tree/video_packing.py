"""The videos of a release and their table: each file is copied piece by piece, whatever its size."""

from pathlib import Path
from typing import Any

from accord.imaging.bundle import Window
from accord.release.format import videos
from accord.release.format.sheet import Sheet
from accord.release.making.public_videos import Published
from accord.release.seal.identity import Ids
from accord.release.tree.tree import Tree

DECIMALS = 3


def pack(published: Published, files: Path, tree: Tree, ids: Ids, sheet: Sheet) -> list[tuple[str, int, int]]:
    """Write the videos of a shard, and a row for each person in one; returns (video, files, bytes) of each.

    `files`: the shard's bundle. Raises AccordError where a file isn't the one that privacy proved.
    """
    people = dict(iter(published.people.groupby("image")))
    for row in published.rows.itertuples(index=False):
        said = _said(row, ids)
        tree.copy(said["filepath"], Window(files, int(row.offset), int(row.size)), row.sha256)
        for person in people[row.image].itertuples(index=False):
            told = {"subject_id": ids.subject(person.subject), "is_primary": bool(person.is_primary)}
            sheet.add((said["video_id"], told["subject_id"]), said | told)
    return [(row.image, 1, int(row.size)) for row in published.rows.itertuples(index=False)]


def _said(row: Any, ids: Ids) -> dict[str, Any]:
    video = ids.image(row.image)
    return {
        "video_id": video,
        "filepath": videos.place(ids.subject(row.subject), video),
        "consent": True,
        "video_height": int(row.height),
        "video_width": int(row.width),
        "frames": int(row.frames),
        "frame_rate": round(row.frames / row.seconds, DECIMALS),
        "seconds": round(float(row.seconds), DECIMALS),
        "people_painted": bool(row.painted),
    }
