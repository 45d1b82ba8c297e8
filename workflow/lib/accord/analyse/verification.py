"""How well face embedders tell the same person from another: TAR at fixed FARs, for whom, and in which hairstyles."""

from typing import NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.faces import pairs
from accord.analyse.faces.face_protocols import Case, Group, Settings, everything
from accord.analyse.fhibe_api.verification import rates as rates_as_api
from accord.analyse.scoring.instances import asked_of, scores
from accord.analyse.tables.scores import Members, Scores, Verification
from accord.analyse.tables.verification import Curves, PairErrors
from accord.checks.tables.findings import Verdicts
from accord.engine.table import rows
from accord.evaluate.tables.predictions import Embeddings, Evaluated
from accord.grouping import KEY, WHOLE
from accord.protocol import ACCORD, is_api, needed
from accord.release.tables import Attributes, People
from accord.statistics.describing.ratios import ratio
from accord.statistics.resampling import bootstrap
from accord.statistics.seeds import generator

TASK, METRIC = "face_verification", "genuine_similarity"
SINGLE = "no second picture of the subject"


class Rates(NamedTuple):
    """The score of each face; rates of groups at one FAR, and over many; errors by hairstyles."""

    scores: DataFrame[Scores]
    rates: DataFrame[Verification]
    curves: DataFrame[Curves]
    pair_errors: DataFrame[PairErrors]


def run(
    predictions: DataFrame[Embeddings],
    asked: DataFrame[Evaluated],
    members: DataFrame[Members],
    attributes: DataFrame[Attributes],
    verdicts: DataFrame[Verdicts],
    people: DataFrame[People] | None = None,
    *,
    far: float = 0.001,
    min_subjects: int = 10,
    bootstraps: int = 400,
    seed: int = 1,
    protocol: str = ACCORD,
) -> Rates:
    """TAR at `far` of each group and of the whole set, curves, errors by hairstyles; per face its genuine likeness.

    Positives: two images of one subject; negatives: two subjects of the same group, up to 200,000 pairs drawn at
    random. Whole set: negatives share a pronoun and differ in natural skin colour by at most one of the six levels.
    `Curves` tells of more protocols. A face of which the model makes nothing is accepted in no pair and has a cosine of
    0; so have opposite faces. bootstraps: resamples of subjects; intervals take their variance alone, so few do.
    protocol: under fhibe_api rates are those of the API (`fhibe_api.verification`), which leaves out images of several
    people; it needs `people`. Scores, curves and errors by hairstyles, which it hasn't, stay as they are.
    """
    faces = asked_of(asked, TASK, asked.loc[asked["task"] == TASK, KEY].drop_duplicates(), verdicts)
    faces = faces.sort_values(["model", *KEY], ignore_index=True)
    how = Settings(far, min_subjects, seed)
    if is_api(protocol):
        needed(people, "people", "analyse.verification")
    likeness, told = [scores(faces.iloc[:0], TASK, METRIC, [], [])], ([], [], [])
    for model, some in faces.groupby("model", sort=True):
        some = some.reset_index(drop=True)
        subjects, names = pd.factorize(some["subject"], sort=True)
        vectors = _vectors(some, predictions[predictions["model"] == model])
        drawn = bootstrap.weights(len(names), bootstraps, generator(seed, "bootstrap", str(model))).astype(np.int32)
        likeness.append(_likeness(some, vectors))
        case, groups = Case(str(model), some, vectors, subjects, drawn), _groups(some, members)
        found = everything(case, groups, attributes, how)
        if is_api(protocol):
            whole = Group(WHOLE, WHOLE, np.arange(len(some)), np.empty(0, np.int64))
            found = found._replace(rates=rates_as_api(case, [whole, *groups], people, how))
        for whole, part in zip(told, found, strict=True):
            whole += [{"model": model} | row for row in part]
    return Rates(pd.concat(likeness), *map(rows, told, (Verification, Curves, PairErrors)))


def _vectors(faces: pd.DataFrame, predictions: pd.DataFrame) -> np.ndarray:
    """(faces, d) float32 vectors; rows of NaN where the model made nothing of a face."""
    found = faces[KEY].merge(predictions[[*KEY, "vector"]], on=KEY, how="left")["vector"]
    given = found.notna().to_numpy()
    stacked = np.stack(found[given].to_list()) if given.any() else np.empty((0, 1), np.float32)
    vectors = np.full((len(faces), stacked.shape[1]), np.nan, np.float32)
    vectors[given] = stacked
    return vectors


def _likeness(faces: pd.DataFrame, vectors: np.ndarray) -> pd.DataFrame:
    together = pairs.genuine(pd.factorize(faces["subject"])[0])
    cosine = np.clip(np.nan_to_num(pairs.similarity(vectors, together), nan=0.0), 0, 1)
    total = np.bincount(together.ravel(), np.repeat(cosine, 2), minlength=len(faces))
    count = np.bincount(together.ravel(), minlength=len(faces))
    mean = ratio(total, count)
    return scores(faces, TASK, METRIC, np.minimum(mean, 1), np.where(count > 0, "", SINGLE))


def _groups(faces: pd.DataFrame, members: pd.DataFrame) -> list[Group]:
    """All groups by name, with the rows of `faces` that belong to them; also those without a face."""
    found = faces[KEY].assign(row=np.arange(len(faces))).merge(members, on=KEY).sort_values("row")
    listed = dict(list(found.groupby(["attribute", "group"])["row"]))
    given = {name: some.unique() for name, some in found.groupby("attribute")["row"]}
    made = []
    for name in sorted(set(zip(members["attribute"], members["group"], strict=True))):
        inside = listed[name].to_numpy() if name in listed else np.empty(0, np.int64)
        outside = np.setdiff1d(given.get(name[0], inside), inside)
        made.append(Group(*name, inside, outside))
    return made
