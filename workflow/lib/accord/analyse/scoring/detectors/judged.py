"""The pictures of the test that detectors are judged by, and what detectors said of them."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from accord.analyse.scoring.instances import passing
from accord.engine import table
from accord.errors import AccordError, Problem
from accord.evaluate.tables.predictions import Fakes
from accord.release.archives import shared
from accord.release.sources.splits import TEST

MEASURED = {"measured_skin_rgb": "tone_rgb", "measured_skin_lab": "tone_lab"}
"""Attribute -> column of SkinTones: light, medium and dark skin by the swatch nearest in RGB, and in CIE L*a*b*."""

FORM = "columns model, image, degradation, score from 0 to 1 and note, each picture once: docs/ai-face.md#the-benchmark"
ELSEWHERE = "write paths as the archive's table has them: in its folder, with `/`"
NONE = "it has none that can be used: cut_faces.parquet of each shard says in which no face was found, and why"


class Judged(NamedTuple):
    """n pictures. labels: (n,) bool, True for fake; subsets: the subset of each; units: (n,) codes from 0 of whom the
    bootstrap draws, and how many of these are people and sources; attributes: name -> groups, n of them."""

    images: pd.Index
    labels: np.ndarray
    subsets: pd.Categorical
    units: np.ndarray
    people: int
    sources: int
    attributes: dict[str, pd.Categorical]


def pictures(
    sources: pd.DataFrame, people: pd.DataFrame, members: pd.DataFrame, tones: pd.DataFrame, verdicts: pd.DataFrame
) -> Judged:
    """The pictures of the split `test` that pass, in the order of their names.

    tones: table SkinTones, by which pictures are in groups of the attributes MEASURED as well.

    A picture whose subject is itself, or the video that it is from, shows nobody known: its source is drawn instead. Of
    several people in a picture the primary one counts. A picture with several groups of an attribute is in none of it;
    an attribute of which no picture has a group is left out.
    """
    fine = passing(verdicts)
    test = sources[(sources["split"] == TEST) & sources["image"].isin(fine)].sort_values("image", ignore_index=True)
    primary = people[people["is_primary"]].set_index("image")["subject"]
    subjects = test["image"].map(primary)
    known = [not _is_itself(*pair) for pair in zip(test["image"], subjects, strict=True)]
    source = test["subset"] + ", " + test["method"]
    drawn = pd.Series(np.where(known, "person " + subjects, "source " + source), dtype=str)
    units, names = pd.factorize(drawn, sort=True)
    count = int(sum(name.startswith("person ") for name in names))
    of = members[members["image"].isin(test["image"])].merge(primary.rename("first"), left_on="image", right_index=True)
    own = of[of["subject"] == of["first"]]
    attributes = {str(name): _groups(some, test["image"]) for name, some in own.groupby("attribute", sort=True)}
    attributes |= {name: _measured(tones, column, test["image"]) for name, column in MEASURED.items() if len(tones)}
    attributes = {name: groups for name, groups in attributes.items() if len(groups.categories)}
    images, labels = pd.Index(test["image"]), test["label"].to_numpy() == 1
    subsets = pd.Categorical(test["subset"])
    return Judged(images, labels, subsets, units, count, len(names) - count, attributes)


def scores(files: Iterable[Path], images: pd.Index, archive: pd.Index) -> dict[tuple[str, str], np.ndarray]:
    """(model, degradation) -> scores (n,) float64 of the pictures, NaN where there is none.

    files: tables Fakes, of which one is in memory at a time; pictures of no test are left out; archive: all pictures.
    Raises AccordError where two say what a model says of one and the same picture, and where one names none of the
    archive.
    """
    found: dict[tuple[str, str], np.ndarray] = {}
    seen: dict[tuple[str, str], np.ndarray] = {}
    problems: list[Problem] = []
    for file in files:
        try:
            scored = table.read(file, Fakes)
        except AccordError as error:
            problems += [Problem(one.where, one.what, FORM) for one in error.problems]
            continue
        if len(scored) and not scored["image"].isin(archive).any():
            problems.append(Problem(str(file), "names no picture of the archive", ELSEWHERE if len(archive) else NONE))
        for key, some in scored.groupby(["model", "degradation"], sort=True):
            values = found.setdefault(key, np.full(len(images), np.nan))
            told = seen.setdefault(key, np.zeros(len(images), bool))
            place = images.get_indexer(some["image"])
            inside = place >= 0
            if again := int(told[place[inside]].sum()):
                what = f"has {again:,} scores of pictures that another file scores for the model {key[0]!r}"
                problems.append(Problem(str(file), what, "give each detector a name of its own"))
            values[place[inside]] = some["score"].to_numpy(float)[inside]
            told[place[inside]] = True
    if problems:
        raise AccordError(problems)
    return dict(sorted(found.items()))


def _is_itself(image: str, subject: str) -> bool:
    return image == subject or image.startswith(f"{subject}#")


def _groups(some: pd.DataFrame, images: pd.Series) -> pd.Categorical:
    single = some.drop_duplicates("image", keep=False).set_index("image")["group"]
    return pd.Categorical(images.map(single))


def _measured(tones: pd.DataFrame, column: str, images: pd.Series) -> pd.Categorical:
    known = tones.dropna(subset=column).drop_duplicates("image", keep=False).set_index("image")[column]
    return pd.Categorical(images.map(known.map(lambda tone: shared.monk(int(tone)))))
