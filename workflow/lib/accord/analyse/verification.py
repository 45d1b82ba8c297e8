"""How well face embedders tell the same person from another: TAR at fixed FARs, for whom, and in which hairstyles."""

from typing import NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.comparing.intersections import single
from accord.analyse.faces import pairs
from accord.analyse.faces.face_protocols import Case, Group, Settings, everything
from accord.analyse.fhibe_api.verification import rates as rates_as_api
from accord.analyse.scoring.instances import Passing, asked_of, passing, scores
from accord.analyse.tables.scores import Scores, Verification
from accord.analyse.tables.verification import Curves, PairErrors
from accord.analyse.tables.views import EncodedMembers, FaceAnswers
from accord.engine.by_shard import by_shard
from accord.engine.parameter_types import Count, Seed
from accord.engine.table import rows
from accord.evaluate.tables.predictions import Embeddings, Evaluated
from accord.grouping import BETWEEN, KEY, WHOLE
from accord.protocol import ACCORD, is_api, needed
from accord.release.making.views import Passing as Passed
from accord.release.making.views import Pictured
from accord.statistics.cohort import PERSON, numbered, numbered_people
from accord.statistics.describing.ratios import ratio
from accord.statistics.distinct import distinct
from accord.statistics.resampling import half_unseen
from accord.statistics.seeds import generator

TASK, METRIC = "face_verification", "genuine_similarity"
SINGLE = "no second picture of the subject"


class Rates(NamedTuple):
    """The score of each face; rates of groups at one FAR, and over many; errors by hairstyles."""

    scores: DataFrame[Scores]
    rates: DataFrame[Verification]
    curves: DataFrame[Curves]
    pair_errors: DataFrame[PairErrors]


class Embedded(NamedTuple):
    """Faces that models were asked about (model, image, subject), of each model by image and subject, and their vectors
    (faces, d) float32, rows of NaN where a model made nothing of a face."""

    faces: pd.DataFrame
    vectors: dict[str, np.ndarray]


def embedded(predictions: pd.DataFrame, asked: pd.DataFrame, verdicts: Passing) -> Embedded:
    """What a shard's tables tell of those of its images that pass."""
    faces = asked_of(asked, TASK, asked.loc[asked["task"] == TASK, KEY].drop_duplicates(), verdicts)
    faces = faces.sort_values(["model", *KEY], ignore_index=True)
    made = predictions.groupby("model", sort=True)
    of = {str(model): some for model, some in made}
    each = faces.groupby("model", sort=True)
    return Embedded(faces, {str(m): _vectors(some, of.get(str(m), predictions.iloc[:0])) for m, some in each})


def told(
    parts: list[Embedded],
    members: pd.DataFrame,
    attributes: pd.DataFrame,
    people: pd.DataFrame | None = None,
    far: float = 0.001,
    min_subjects: int = 10,
    bootstraps: int = 400,
    seed: int = 1,
    protocol: str = ACCORD,
) -> Rates:
    """The tables of `run`, of all shards; vectors are taken out of `parts`, so that they aren't in memory twice."""
    how, faces = Settings(far, min_subjects, seed), pd.concat([part.faces for part in parts], ignore_index=True)
    if is_api(protocol):
        needed(people, "people", "analyse.verification")
    likeness, found = [scores(faces.iloc[:0], TASK, METRIC, [], [])], ([], [], [])
    for model in sorted(faces["model"].unique()):
        some, vectors = _of_model(parts, model)
        subjects, joined = numbered_people(some)
        units = joined[np.unique(subjects, return_index=True)[1]]
        weights = half_unseen.weights(len(distinct(units)), bootstraps, generator(seed, "bootstrap", model))
        likeness.append(_likeness(some, vectors))
        case, groups = Case(model, some, vectors, subjects, units, weights), _groups(some, members)
        made = everything(case, groups, attributes, how)
        if is_api(protocol):
            whole = Group(WHOLE, WHOLE, np.arange(len(some)), np.empty(0, np.int64))
            made = made._replace(rates=rates_as_api(case, [whole, *groups], people, how))
        for whole, part in zip(found, made, strict=True):
            whole += [{"model": model} | row for row in part]
    return Rates(pd.concat(likeness), *map(rows, found, (Verification, Curves, PairErrors)))


@by_shard("predictions", "asked", each=embedded, join=told, verdicts=passing)
def run(
    predictions: DataFrame[Embeddings],
    asked: DataFrame[Evaluated],
    members: DataFrame[EncodedMembers],
    attributes: DataFrame[FaceAnswers],
    verdicts: DataFrame[Passed],
    people: DataFrame[Pictured] | None = None,
    *,
    far: float = 0.001,
    min_subjects: Count = 10,
    bootstraps: Count = 400,
    seed: Seed = 1,
    protocol: str = ACCORD,
) -> Rates:
    """TAR at `far` of each group and of the whole set, curves, errors by hairstyles; per face its genuine likeness.

    Positives: two images of one subject; negatives: two subjects of the same group, up to 200,000 pairs drawn at
    random. Whole set: negatives share a pronoun and differ in natural skin colour by at most one of the six levels.
    `Curves` tells of more protocols. A face of which the model makes nothing is accepted in no pair and has a cosine of
    0; so have opposite faces. bootstraps: resamples of subjects, of which intervals are made.
    protocol: under fhibe_api rates are those of the API (`fhibe_api.verification`), which leaves out images of several
    people; it needs `people`. Scores, curves and errors by hairstyles, which it hasn't, stay as they are.
    """
    shards = [embedded(predictions, asked, verdicts)]
    return told(shards, members, attributes, people, far, min_subjects, bootstraps, seed, protocol)


def _vectors(faces: pd.DataFrame, predictions: pd.DataFrame) -> np.ndarray:
    """(faces, d) float32 vectors; rows of NaN where the model made nothing of a face."""
    found = faces[KEY].merge(predictions[[*KEY, "vector"]], on=KEY, how="left")["vector"]
    given = found.notna().to_numpy()
    stacked = np.stack(found[given].to_list()) if given.any() else np.empty((0, 1), np.float32)
    vectors = np.full((len(faces), stacked.shape[1]), np.nan, np.float32)
    vectors[given] = stacked
    return vectors


def _of_model(parts: list[Embedded], model: str) -> tuple[pd.DataFrame, np.ndarray]:
    """The faces of a model, by image and subject, and their vectors."""
    faces = pd.concat([part.faces[part.faces["model"] == model] for part in parts], ignore_index=True)
    order = faces.sort_values(KEY).index.to_numpy()
    held = [part.vectors.pop(model) for part in parts if model in part.vectors]
    made, start = np.full((len(faces), max(some.shape[1] for some in held)), np.nan, np.float32), 0
    place = np.argsort(order)
    while held:
        some = held.pop(0)
        made[place[start : start + len(some)]] = some
        start += len(some)
    return faces.take(order).reset_index(drop=True), made


def _likeness(faces: pd.DataFrame, vectors: np.ndarray) -> pd.DataFrame:
    together = pairs.genuine(pd.factorize(faces["subject"])[0])
    cosine = np.clip(np.nan_to_num(pairs.similarity(vectors, together), nan=0.0), 0, 1)
    total = np.bincount(together.ravel(), np.repeat(cosine, 2), minlength=len(faces))
    count = np.bincount(together.ravel(), minlength=len(faces))
    mean = ratio(total, count)
    return scores(faces, TASK, METRIC, np.minimum(mean, 1), np.where(count > 0, "", SINGLE))


def _groups(faces: pd.DataFrame, members: pd.DataFrame) -> list[Group]:
    """All groups by name, with the rows of `faces` that belong to them; also those without a face. Of intersections
    nobody asks who is in the others."""
    faces, members = numbered(faces, members)
    made, keys = [], pd.Index(faces[PERSON])
    for attribute, some in members.groupby("attribute", sort=True):
        marks = single(keys, str(attribute), some)
        given = distinct(marks.rows)
        for group, name in enumerate(marks.names):
            inside = marks.rows[marks.groups == group]
            outside = np.empty(0, np.int64) if BETWEEN in marks.attribute else np.setdiff1d(given, inside)
            made.append(Group(marks.attribute, name, inside, outside))
    return made
