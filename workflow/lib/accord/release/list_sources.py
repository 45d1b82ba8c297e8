"""The list of all pictures of an archive of sources, for each shard: read once, since tables have millions of rows."""

import json
import sys
from pathlib import Path

from accord import shards as all_shards
from accord.engine.parameter_types import Files, Folder, Typed
from accord.release.archives import formats
from accord.release.source_tables import Listed
from accord.release.sources import listing, splits, withdrawn
from accord.release.sources.listing import Found

SUMMARY = "sources.json"
NAME = "listed.parquet"


def run(annotations: list[Path], *, archive: Folder, shards: int, cut: bool) -> Files:
    """`<shard>/listed.parquet` of each shard, and sources.json, which counts pictures of each source and split.

    annotations: the files of the archive that it follows from, so that a change of one is seen; cut: whether faces will
    be cut out of all that lies in the sources' folders, instead of those that the table of annotations lists. Withdrawn
    pictures and people are in none. Raises AccordError with all that is wrong in any of the files.
    """
    found = listing.listed(formats.root("ai_face", archive), shards, cut=cut)
    by_shard = dict(tuple(found.listed.groupby("shard", sort=False)))
    nothing = found.listed.iloc[:0]
    tables = {
        f"{name}/{NAME}": Typed(by_shard.get(name, nothing).reset_index(drop=True), Listed)
        for name in all_shards.names(shards)
    }
    if text := withdrawn.told(found.unmatched):
        print(text, file=sys.stderr)
    return Files({SUMMARY: _summary(found), **tables})


def _summary(found: Found) -> dict:
    """Pictures in all, withdrawn, lines of withdrawn.csv that name none, and of each source pictures, terms and splits:
    nothing that names anybody."""
    sources = [
        {
            "subset": subset, "method": method, "category": some["category"].iloc[0], "pictures": len(some),
            "people": int(some["subject"].nunique()), "train": bool(some["train"].all()),
            "external": bool(some["external"].all()), "splits": splits.shares(some["split"]),
        }
        for (subset, method), some in found.listed.groupby(["subset", "method"], sort=True)
    ]  # fmt: skip
    counts = {"pictures": len(found.listed), "withdrawn": found.withdrawn, "unmatched_lines": found.unmatched}
    return {**counts, "sources": sources}


def unmatched(results: Path) -> list[int] | None:
    """Lines of withdrawn.csv that name nobody, by the last run; None where it had no archive of sources."""
    file = results / "release" / SUMMARY
    return json.loads(file.read_text()).get("unmatched_lines", []) if file.is_file() else None
