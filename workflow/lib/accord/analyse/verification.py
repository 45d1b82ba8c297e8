"""How well face embedders tell the same person from another: TAR at a fixed FAR, and each face's genuine likeness."""

from typing import NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.analyse import pairs
from accord.analyse.grouping import KEY, WHOLE
from accord.analyse.instances import asked_of, scores
from accord.analyse.neighbours import kindred
from accord.analyse.rates import negatives_needed, threshold_at, wilson
from accord.analyse.seeds import generator
from accord.analyse.tables import Members, Scores, Verification
from accord.checks.tables import Verdicts
from accord.evaluate.tables import Embeddings, Evaluated
from accord.release.tables import Attributes
from accord.table import rows

TASK, METRIC = "face_verification", "genuine_similarity"
SINGLE = "no second picture of the subject"
MOST_NEGATIVES = 200_000


class Rates(NamedTuple):
    """The rates of groups, and the score of each face."""

    scores: DataFrame[Scores]
    rates: DataFrame[Verification]


def run(
    predictions: DataFrame[Embeddings],
    asked: DataFrame[Evaluated],
    members: DataFrame[Members],
    attributes: DataFrame[Attributes],
    verdicts: DataFrame[Verdicts],
    *,
    far: float = 0.001,
    min_subjects: int = 10,
    seed: int = 1,
) -> Rates:
    """TAR at `far` of each group and of the whole set; per face the mean cosine with the subject's other faces.

    Positives: two images of one subject; negatives: two subjects of the same group, up to 200,000 pairs drawn at
    random. Whole set: negatives share a pronoun and differ in natural skin colour by at most one of the six levels.
    A face of which the model makes nothing is accepted in no pair and has a cosine of 0; so have opposite faces.
    """
    faces = asked_of(asked, TASK, asked.loc[asked["task"] == TASK, KEY].drop_duplicates(), verdicts)
    faces = faces.sort_values(["model", *KEY], ignore_index=True)
    likeness, rates = [scores(faces.iloc[:0], TASK, METRIC, [], [])], []
    for model, some in faces.groupby("model", sort=True):
        some = some.reset_index(drop=True)
        vectors = _vectors(some, predictions[predictions["model"] == model])
        likeness.append(_likeness(some, vectors))
        for attribute, group, index in _groups(some, members):
            allowed = kindred(some, attributes) if attribute == WHOLE else None
            rng = generator(seed, "negatives", str(model), attribute, group)
            told = _rate(some.iloc[index], vectors[index], far, min_subjects, rng, allowed)
            rates.append({"model": model, "attribute": attribute, "group": group, **told})
    return Rates(pd.concat(likeness), rows(rates, Verification))


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
    mean = np.divide(total, count, out=np.full(len(faces), np.nan), where=count > 0)
    return scores(faces, TASK, METRIC, np.minimum(mean, 1), np.where(count > 0, "", SINGLE))


def _groups(faces: pd.DataFrame, members: pd.DataFrame):
    """Attribute, group and the rows of `faces` that belong to it: first the whole set, then all groups by name."""
    yield WHOLE, WHOLE, np.arange(len(faces))
    found = faces[KEY].assign(row=np.arange(len(faces))).merge(members, on=KEY).sort_values("row")
    listed = dict(list(found.groupby(["attribute", "group"])["row"]))
    for name in sorted(set(zip(members["attribute"], members["group"], strict=True))):
        yield *name, listed[name].to_numpy() if name in listed else np.empty(0, np.int64)


def _rate(faces: pd.DataFrame, vectors: np.ndarray, far: float, min_subjects: int, rng, allowed) -> dict:
    subject = pd.factorize(faces["subject"])[0]
    positive = pairs.genuine(subject)
    negative = pairs.impostors(subject, MOST_NEGATIVES, rng, allowed)
    counts = {
        "subjects": faces["subject"].nunique(),
        "images": faces["image"].nunique(),
        "positives": len(positive),
        "negatives": len(negative),
    }
    note = _obstacle(counts, far, min_subjects)
    if note:
        return counts | dict.fromkeys(("threshold", "tar", "low", "high"), np.nan) | {"note": note}
    threshold = threshold_at(_ranked(vectors, negative), far)
    hits = int((_ranked(vectors, positive) >= threshold).sum())
    low, high = wilson(hits, len(positive))
    return counts | {"threshold": threshold, "tar": hits / len(positive), "low": low, "high": high, "note": ""}


def _ranked(vectors: np.ndarray, together: np.ndarray) -> np.ndarray:
    return np.nan_to_num(pairs.similarity(vectors, together), nan=-np.inf)


def _obstacle(counts: dict, far: float, min_subjects: int) -> str:
    needed = negatives_needed(far)
    if counts["subjects"] < min_subjects:
        return f"{counts['subjects']} subjects, fewer than {min_subjects}"
    if counts["negatives"] < needed:
        return f"{counts['negatives']} negative pairs, fewer than the {needed:,} that resolve a FAR of {far}"
    return "" if counts["positives"] else "no subject has two pictures"
