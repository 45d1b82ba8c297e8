"""Find pictures of one subject that hardly differ, and subjects that may be one person, for people to decide."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.checks.matching import stored_looks
from accord.checks.matching.copies import bits_apart, ranked_by_quality
from accord.checks.matching.impostors import histogram, rate_of
from accord.checks.matching.known_pairs import extended
from accord.checks.matching.looks import read_regions
from accord.checks.matching.strangers import alike_subjects, cosines_of_strangers
from accord.checks.settling.local import unstopped
from accord.checks.tables.findings import FaceRates, Faces, Findings, Pairs
from accord.checks.tables.views import Prints, Ranked, Stopping
from accord.engine import table
from accord.findings import REVIEW
from accord.statistics.describing.medoids import medoids

NEAR, CROSS = "same_subject_near", "cross_subject"
RATES = (1e-3, 1e-4, 1e-5, 1e-6)


class Sameness(NamedTuple):
    """Findings, all pairs of images that are too much alike, and what the faces tell about false matches."""

    findings: DataFrame[Findings]
    pairs: DataFrame[Pairs]
    rates: DataFrame[FaceRates]


def run(
    images: DataFrame[Ranked],
    fingerprints: DataFrame[Prints],
    looks: list[Path],
    faces: DataFrame[Faces],
    findings: DataFrame[Stopping],
    pairs: DataFrame[Pairs],
    *,
    same_subject_cosine: float,
    cross_subject_cosine: float,
    min_face_side: float,
    min_face_sharpness: float,
    min_face_brightness: float,
) -> Sameness:
    """Findings same_subject_near and cross_subject, `review`, on images that `findings` (of copies) leave.

    same_subject_near: a picture of a subject whose look has a cosine of `same_subject_cosine` or more with the medoid
    of its group (accord.statistics.describing.medoids), unless the two are a pair already. cross_subject: all images of
    the subject with fewer of two whose faces, good enough to be compared, have a cosine of `cross_subject_cosine` or
    more in two images. `pairs` are those known already; the new ones are added.
    """
    left = unstopped(images, findings)
    ranked = ranked_by_quality(left, fingerprints).set_index("image", drop=False)
    good = faces[
        faces["image"].isin(ranked.index)
        & (faces["side"] >= min_face_side)
        & (faces["sharpness"] >= min_face_sharpness)
        & (faces["brightness"] >= min_face_brightness)
    ]
    near = _unknown(_near(ranked, looks, same_subject_cosine), pairs)
    cross = alike_subjects(good, left, cross_subject_cosine)
    made = [*_told(near, NEAR, same_subject_cosine), *_told(cross, CROSS, cross_subject_cosine)]
    counts = np.sum([histogram(np.empty(0)), *map(histogram, cosines_of_strangers(good))], axis=0)
    rates = [rate_of(counts, fmr)._asdict() for fmr in RATES]
    known = _extended(_extended(pairs, cross, "cross_subject", ranked), near, "same_subject", ranked)
    return Sameness(table.rows(sorted(made), Findings), known, table.rows(rates, FaceRates))


def _near(ranked: pd.DataFrame, looks: list[Path], least: float) -> pd.DataFrame:
    """image, other, score: images that are near to the medoid of their subject's; ties go to the better picture.

    A subject's images lie in one shard: the vectors of one are in memory at once.
    """
    rows: dict[str, list[tuple]] = {}
    for path in looks:
        # All pictures are looked for in each table by an index that is made once.
        at = ranked.index.get_indexer(pd.Index(stored_looks.names(path)))
        held = ranked.iloc[np.sort(at[at >= 0])]
        seen = read_regions([path], held.index)
        position = pd.Series(np.arange(len(seen.images)), index=seen.images)
        for subject, own in held.groupby("subject"):
            vectors = seen.regions[position[own.index].to_numpy(), 0]
            medoid = medoids(vectors, least)
            rows[subject] = [
                (own.index[i], own.index[m], float(vectors[i] @ vectors[m])) for i, m in enumerate(medoid) if m != i
            ]
    found = [row for subject in sorted(rows) for row in rows[subject]]
    return pd.DataFrame(found, columns=["image", "other", "score"])


def _unknown(found: pd.DataFrame, pairs: pd.DataFrame) -> pd.DataFrame:
    """The rows whose two images are no pair yet: nothing is asked twice."""
    known = set(zip(pairs["left"], pairs["right"], strict=True))
    new = [tuple(sorted(pair)) not in known for pair in zip(found["image"], found["other"], strict=True)]
    return found[np.array(new, bool)]


REASONS = {
    NEAR: "looks very similar to {other} of the same subject; do they differ enough?",
    CROSS: "its subject's face closely matches another subject, in {other}; are they the same person?",
}


def _told(found: pd.DataFrame, check: str, least: float) -> list[tuple]:
    rows = found.itertuples()
    return [(row.image, check, row.score, least, REVIEW, REASONS[check].format(other=row.other)) for row in rows]


def _extended(pairs: pd.DataFrame, found: pd.DataFrame, kind: str, ranked: pd.DataFrame) -> pd.DataFrame:
    """The pairs and those found that are not among them yet."""
    one, other = ranked.loc[found["image"]], ranked.loc[found["other"]]
    ids = np.sort(found[["image", "other"]].to_numpy(dtype=str).reshape(-1, 2), axis=1)
    same = one["subject"].to_numpy() == other["subject"].to_numpy()
    distance = bits_apart(one, other) if len(found) else np.empty(0, int)
    facts = {"kind": kind, "distance": distance, "score": found["score"].to_numpy(), "same_subject": same}
    return extended(pairs, pd.DataFrame({"left": ids[:, 0], "right": ids[:, 1], **facts}))
