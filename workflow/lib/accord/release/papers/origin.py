"""How a release came about, as files in it: the Provenance Run Crate and the rules of the workflow.

Made once for each version and kept in the vault, so that a version is restored byte for byte after the code changed.
"""

import json
from pathlib import Path
from typing import NamedTuple

from accord.engine import resources, source
from accord.files import keep_private
from accord.release.papers import jobs, run_crate
from accord.release.papers.jobs import Job
from accord.release.tree.tree import Tree

STEP = "release.publish"
KEPT = "run.json"
"""In the private folder of a version: path -> text of what was written."""

RULES = ("workflow/Snakefile", "workflow/rules/*.smk")


class Origin(NamedTuple):
    """What a release is made from: files that carry provenance (path -> sha256), and config's release.

    `private`: the version's folder in the vault; `known`: whether the version was published before; `videos`: how many
    it holds; `pictures`: what they are.
    """

    files: dict[Path, str]
    settings: dict
    private: Path
    known: bool
    videos: int = 0
    pictures: str = "Photographs"


def write(tree: Tree, version: str, origin: Origin) -> None:
    """Write the crate and the workflow into a release."""
    kept = origin.private / KEPT
    # What an attempt left that was stopped before its version was recorded can be of other content.
    if not (origin.known and kept.exists()):
        keep_private(kept, json.dumps(_made(version, origin)).encode())
    for path, text in json.loads(kept.read_text()).items():
        tree.write(path, text.encode())


def _made(version: str, origin: Origin) -> dict[str, str]:
    """Path in the release -> text."""
    root = resources.root()
    found = [path for pattern in RULES for path in sorted(root.glob(pattern))]
    rules = {path.relative_to(root).as_posix(): path.read_text("utf-8") for path in found}
    before = jobs.jobs(origin.files)
    position = 1 + max((job.position for job in before), default=0)
    settings = jobs.parameters({name: value for name, value in origin.settings.items() if name != "clauses"})
    published = Job(STEP, source.digest(STEP), position, settings, jobs.files(origin.files), ())
    things = f"{origin.pictures} and videos" if origin.videos else origin.pictures
    creator = origin.settings.get("creator") or ""
    told = run_crate.Facts(origin.settings["dataset"], version, _day(before), things, creator)
    return {**rules, run_crate.NAME: run_crate.crate(told, before, published, [*rules])}


def _day(before: list[Job]) -> str:
    """The day that the consents are of: the last one, should shards differ."""
    return max((json.loads(value) for job in before for name, value in job.params if name == "as_of"), default="")
