"""How well submissions to the DeepFake Detection Challenge tell fakes from real videos, and for whom."""

from pathlib import Path
from typing import NamedTuple

from pandera.typing import DataFrame

from accord.analyse.casual import outcomes, published
from accord.analyse.casual.cells import How
from accord.analyse.casual.deepfakes import figures, submissions
from accord.analyse.casual.deepfakes.submitted_members import submitted_members
from accord.analyse.casual.tables import DetectionFigures, RocPoints
from accord.analyse.scoring.instances import released
from accord.analyse.tables.scores import Members, Scores
from accord.checks.tables.findings import Verdicts
from accord.engine.parameter_types import Count, Seed
from accord.release.tables import People


class Deepfakes(NamedTuple):
    """Scores of single videos; the groups that submitted videos are in; figures and ROC curves of groups."""

    scores: DataFrame[Scores]
    members: DataFrame[Members]
    figures: DataFrame[DetectionFigures]
    curves: DataFrame[RocPoints]


def run(
    submitted: list[Path],
    truth: Path,
    people: DataFrame[People],
    members: DataFrame[Members],
    verdicts: DataFrame[Verdicts],
    references: list[Path],
    *,
    threshold: float = 0.5,
    min_subjects: Count = 10,
    bootstraps: Count = 1000,
    seed: Seed = 1,
) -> Deepfakes:
    """Figures of all submissions, and published ones where a file is called after a winner: as wm.csv.

    submitted: CSV files `filename,label`, label being the probability of a fake; truth: filename, subject, label (0 or
    1), and video, of the dataset, or lighting, where they are known. people, members: of the dataset, whose images are
    videos. threshold: at and above it a video is called fake. Raises AccordError with all that is wrong in any file.
    """
    everyone = released(people, verdicts)
    told, known = submissions.read(submitted, truth, {*everyone["subject"]}, {*everyone["image"]})
    groups, how = submitted_members(known, members), How(min_subjects, bootstraps, seed)
    judged = figures.judged(told, threshold, how)
    return Deepfakes(
        outcomes.of_submissions({name: one.videos for name, one in judged.items()}),
        groups,
        figures.figures(told, groups, published.read(references), threshold, how),
        figures.roc_points(told, groups, how),
    )
