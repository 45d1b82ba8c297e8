"""Submissions to the DeepFake Detection Challenge, as Kaggle took them, and the truth about their videos."""

from collections.abc import Collection, Sequence
from pathlib import Path

import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.casual import files
from accord.analyse.casual.tables import Submitted
from accord.engine.table import rows
from accord.errors import Collector, all_problems
from accord.text.nouns import counted

SUBMITTED, TRUTH = ("filename", "label"), ("filename", "subject", "label")
LABELS = {"0": 0, "1": 1, "real": 0, "fake": 1}
EVERY = "every submission"
"""What figures are named after that all submissions share; no file may be."""
PREFIX = "submitted/"
"""What the images of scores begin with, so that no video of the dataset is called alike."""
TRUTH_HINT = "the truth has a row per video: filename, subject, label (0 real, 1 fake), and its video or its lighting"


def read(
    submissions: Sequence[Path], truth: Path, subjects: Collection[str], videos: Collection[str]
) -> tuple[DataFrame[Submitted], pd.DataFrame]:
    """Submitted; and filename, subject, video, lighting of the truth ("" where a column isn't there).

    submissions: `filename,label`, label being the probability of a fake; called by their names without ending. Videos
    that the truth doesn't have aren't judged. Raises AccordError with all that is wrong in any file.
    """
    with all_problems() as problems:
        known = _truth(Path(truth), set(subjects), set(videos), problems)
        made = [_submission(Path(path), known, problems) for path in submissions]
        names = [path.stem for path in map(Path, submissions)]
        for name in sorted({name for name in names if names.count(name) > 1 or name == EVERY}):
            problems.add("submissions", f"{name!r} names several files, or all", "give each file a name of its own")
    whole = pd.concat(made, ignore_index=True).sort_values(["submission", "filename"])
    return rows(whole[list(Submitted.to_schema().columns)].to_dict("records"), Submitted), known


def _truth(path: Path, subjects: set[str], videos: set[str], problems: Collector) -> pd.DataFrame:
    found, where = files.read(path, TRUTH, problems), str(path)
    for name in ("video", "lighting"):
        found[name] = found.get(name, "")
    label = found["label"].str.lower().map(LABELS)
    files.tell(where, found["filename"] == "", "has no filename", TRUTH_HINT, problems)
    files.tell(where, found.duplicated("filename"), "names a file of a row above", TRUTH_HINT, problems)
    files.tell(where, ~found["subject"].isin(subjects), "subject is unknown", "use the ids of the dataset", problems)
    files.tell(where, label.isna(), "label is neither 0 nor 1, real nor fake", TRUTH_HINT, problems)
    strange = (found["video"] != "") & ~found["video"].isin(videos)
    files.tell(where, strange, "video is unknown", "the video of the dataset that it was made of, or nothing", problems)
    return found.assign(label=label)[["filename", "subject", "label", "video", "lighting"]]


def _submission(path: Path, truth: pd.DataFrame, problems: Collector) -> pd.DataFrame:
    found, where = files.read(path, SUBMITTED, problems), str(path)
    found = found.assign(p=files.numbers(found["label"]))
    hint = "label is the probability that the video is fake"
    files.tell(where, ~found["p"].between(0, 1), "label is not in 0 to 1", hint, problems)
    files.tell(where, found.duplicated("filename"), "names a file of a row above", "one row per video", problems)
    judged = truth.drop_duplicates("filename").merge(found[["filename", "p"]].drop_duplicates("filename"))
    if missing := truth["filename"].nunique() - len(judged):
        problems.add(where, f"lacks {counted(missing, 'video')} of the truth", "submit 0.5 where nothing can be said")
    return judged.assign(submission=path.stem)
