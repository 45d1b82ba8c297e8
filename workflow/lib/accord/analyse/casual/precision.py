"""Precision of models of age and gender by group, each averaging under its name, with intervals by subjects."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.casual.averages import accuracy, averages, precision
from accord.analyse.casual.cells import Cell, How, cells
from accord.analyse.casual.published import Published
from accord.analyse.casual.tables import Precision, VideoLooks
from accord.analyse.casual.video_looks import AGE, GENDER
from accord.engine.table import rows
from accord.release.archives import shared
from accord.statistics.describing import clustered
from accord.statistics.distinct import coded
from accord.statistics.resampling import bootstrap
from accord.statistics.seeds import generator
from accord.text.nouns import fewer
from accord.vocabularies import AGE_RANGES

CLASS, ACCURACY = "class ", "accuracy"
TRUTH = {AGE: "age_range", GENDER: "gender"}
"""What a model predicts -> the attribute that says what is right, whose groups have one class each."""
NEVER = "the model never says so"
SAME = "every draw of subjects gives the same: no interval"
NOTHING = "none of the classes is there"


class Counted(NamedTuple):
    """What is counted of a cell: by subject (S, C, C + 1), and the sums of its draws (draws, C, C + 1)."""

    by_subject: np.ndarray
    drawn: np.ndarray


def precisions(
    looks: DataFrame[VideoLooks], members: pd.DataFrame, published: Published, how: How
) -> DataFrame[Precision]:
    """A row for each model, attribute that it predicts, group and averaging. members: as Members, image is the video.

    Groups of what is predicted are left out, since all of one are of one class; figures of groups with fewer than
    `min_subjects` subjects are, too, but their sizes are told.
    """
    made: list[dict] = []
    judged = looks[looks["right"].notna()].rename(columns={"video": "image"})
    for (model, attribute), some in judged.groupby(["model", "attribute"], sort=True):
        some = some.reset_index(drop=True)
        classes = _classes(str(attribute), some)
        start = f"{attribute}_precision.{model}"
        rng = generator(how.seed, "precision", str(model), str(attribute))
        codes, subjects = pd.factorize(some["subject"], sort=True)
        drawn = bootstrap.resampled(len(subjects), how.bootstraps, rng)
        said = some.assign(person=codes)
        for cell in cells(some, members[members["attribute"] != TRUTH[str(attribute)]]):
            told = {"model": model, "predicted": attribute, "attribute": cell.attribute, "group": cell.group}
            printed = published.of_group(start, cell.attribute, cell.group)
            made += [told | row | {"published": printed if _is_average(row) else np.nan}
                     for row in _rows(said.iloc[cell.rows], cell, classes, drawn, how.min_subjects)]  # fmt: skip
    return rows(made, Precision)


def _classes(attribute: str, some: pd.DataFrame) -> tuple[str, ...]:
    known = (shared.FEMALE, shared.MALE, shared.OTHER) if attribute == GENDER else tuple(AGE_RANGES)
    further = sorted({*some["truth"], *some["value"]} - {*known, ""})
    return (*known, *further)


def _is_average(row: dict) -> bool:
    return not row["average"].startswith(CLASS) and row["average"] != ACCURACY


def _rows(
    some: pd.DataFrame, cell: Cell, classes: tuple[str, ...], drawn: np.ndarray | bootstrap.Draws, least: int
) -> Iterator[dict]:
    counted = _counted(some, classes, drawn)
    whole = counted.by_subject.sum(axis=0)
    subjects = (counted.by_subject.sum(axis=2) > 0).sum(axis=0)
    size = {"videos": len(some), "subjects": len(counted.by_subject)}
    few = fewer(size["subjects"], "subject", least) if size["subjects"] < least else ""
    for number, name in enumerate(classes):
        if whole[number].sum() or whole[:, number].sum():
            yield size | {"average": f"{CLASS}{name}", "classes": 1} | _of_class(number, counted, few)
    found = averages(whole, whole, subjects, least)
    again = averages(counted.drawn, whole, subjects, least)
    for name, average in found.items():
        never = int((average.classes & (whole.sum(axis=0)[:-1] == 0)).sum())
        row = size | {"average": name, "classes": int(average.classes.sum()), "never_said": never}
        yield row | _averaged(float(average.value), again[name].value, size["subjects"], few)
    share, replicates = float(accuracy(whole)), accuracy(counted.drawn)
    row = size | {"average": ACCURACY, "classes": len(classes), "never_said": 0}
    yield row | _share(share, len(some), replicates, size["subjects"], few)


def _counted(some: pd.DataFrame, classes: tuple[str, ...], drawn: np.ndarray | bootstrap.Draws) -> Counted:
    place = {name: number for number, name in enumerate(classes)} | {"": len(classes)}
    people, whose = coded(some["person"].to_numpy(int))
    counts = np.zeros((len(people), len(classes), len(classes) + 1))
    np.add.at(counts, (whose, some["truth"].map(place).to_numpy(int), some["value"].map(place).to_numpy(int)), 1)
    parts = [np.einsum("ds,sij->dij", times[:, people].astype(float), counts, optimize=False)
             for times in bootstrap.blocks(drawn)]  # fmt: skip
    return Counted(counts, np.concatenate(parts))


def _of_class(number: int, counted: Counted, few: str) -> dict:
    """The precision of a class: a share of the videos that the model says are of it."""
    said = counted.by_subject[:, :, number].sum(axis=1)
    never = {"never_said": int(not said.sum())}
    if not said.sum():
        return never | _nothing(NEVER)
    share = float(precision(counted.by_subject.sum(axis=0))[number])
    return never | _share(share, int(said.sum()), precision(counted.drawn)[:, number], int((said > 0).sum()), few)


def _share(share: float, videos: int, replicates: np.ndarray, subjects: int, few: str) -> dict:
    if few:
        return _nothing(few)
    low, high = clustered.interval(share, videos, replicates, subjects, subjects)
    return {"precision": share, "low": low, "high": high, "note": ""}


def _averaged(value: float, replicates: np.ndarray, subjects: int, few: str) -> dict:
    if few or np.isnan(value):
        return _nothing(few or NOTHING)
    low, high = bootstrap.interval(replicates, subjects)
    if low == high:
        return {"precision": value, "low": np.nan, "high": np.nan, "note": SAME}
    return {"precision": value, "low": low, "high": high, "note": ""}


def _nothing(note: str) -> dict:
    return {"precision": np.nan, "low": np.nan, "high": np.nan, "note": note}
