"""All tables of Casual Conversations without the workflow: from its annotations and files of one's own."""

import argparse
from pathlib import Path
from typing import Any

import pandas as pd

from accord.analyse import deepfakes, videos
from accord.analyse.datasets import files
from accord.analyse.tables.scores import Members
from accord.checks.tables.findings import Verdicts
from accord.engine.table import check, rows
from accord.grouping import groups_of

ATTRIBUTES = ("age_range", "gender", "fitzpatrick", "skin", "lighting")


def tables(given: argparse.Namespace, references: list[Path], how: dict[str, Any]) -> dict[str, pd.DataFrame]:
    """Name -> table. given: folder, votes, scale, predictions, submissions, truth, threshold; how: as steps take them.

    Raises AccordError with all that is wrong in a file.
    """
    dataset = files.load("ccv1", given.folder).dataset
    people, attributes = dataset.people, dataset.attributes
    members = _members(people, attributes)
    verdicts = rows([(image, "", "pass", "", "", "") for image in people["image"].unique()], Verdicts)
    found = videos.run(people, attributes, members, verdicts, references, given.votes, given.predictions,
                       scale=given.scale, **how)  # fmt: skip
    made = {"skin_types": found.types, "vote_agreement": found.agreement, "mini_set": found.mini,
            "mini_counts": found.counts, "video_looks": found.looks, "precision": found.precision}  # fmt: skip
    if given.submissions:
        grouped = pd.concat([members, found.members], ignore_index=True)
        judged = deepfakes.run(given.submissions, given.truth, people, grouped, verdicts, references,
                               threshold=given.threshold, **how)  # fmt: skip
        made |= {"detection_figures": judged.figures, "detection_curves": judged.curves}
    return made


def _members(people: pd.DataFrame, attributes: pd.DataFrame) -> pd.DataFrame:
    whole = pd.concat([groups_of(people, attributes, name) for name in ATTRIBUTES], ignore_index=True)
    return check(whole, Members, "members")
