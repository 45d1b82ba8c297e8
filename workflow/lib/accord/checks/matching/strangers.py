"""Faces of different subjects that are held against each other: up to some number all with all, in blocks."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from accord.checks.matching.index.close import close
from accord.checks.matching.index.lots import lots
from accord.checks.matching.unit_length import of_unit_length
from accord.errors import AccordError, Problem
from accord.statistics.describing.medoids import close_cosines

BLOCK, AT_ONCE = 1024, 1 << 24
"""Faces at most that are held against all others at once, and cosines."""
ALL_COMPARED, SAMPLED = 100_000, 30_000
"""Faces that are all compared with all, and of which all pairs enter the table of false match rates."""


def cosines_of_strangers(faces: pd.DataFrame) -> Iterator[np.ndarray]:
    """The cosines of all pairs of faces (table Faces) of two subjects in two images, block by block.

    Of more than SAMPLED faces, those of some drawn by lot with all others: about as many pairs as of so many.
    """
    vectors, subject, image = _columns(faces)
    count = len(vectors)
    drawn = lots().permutation(count)[: SAMPLED**2 // max(2 * count, 1)]
    order = np.arange(count) if count <= SAMPLED else np.r_[drawn, np.setdiff1d(np.arange(count), drawn)]
    vectors, subject, image = vectors[order], pd.factorize(subject[order])[0], pd.factorize(image[order])[0]
    end = count if count <= SAMPLED else len(drawn)
    step = max(1, min(BLOCK, AT_ONCE // max(count, 1)))
    for start in range(0, end, step):
        rows, columns = np.arange(start, min(start + step, end))[:, None], np.arange(start, count)[None]
        asked = (subject[rows] != subject[columns]) & (image[rows] != image[columns]) & (rows < columns)
        yield (vectors[rows[:, 0]] @ vectors[start:].T)[asked]


def alike_subjects(faces: pd.DataFrame, images: pd.DataFrame, least: float) -> pd.DataFrame:
    """image, other, score: the images of a subject whose face is that of another, and the other's image to look at.

    Of two subjects the one with fewer images is in doubt, then the one whose id comes later. All its images are told
    of: each with the most alike image of the other, or, where its own face was not compared, with that of the best
    pair. An image is told of once, with the best of several subjects.
    """
    pairs = _close(faces, least)
    count = images.groupby("subject").size()
    size = {subject: count.get(subject, 0) for subject in pd.unique(pairs[["subject", "of"]].to_numpy().ravel())}
    in_doubt = [(-size[one], one) > (-size[two], two) for one, two in zip(pairs["subject"], pairs["of"], strict=True)]
    doubtful = pairs[np.array(in_doubt, bool)]
    best = doubtful.sort_values(["score", "image", "other"], ascending=[False, True, True])
    shown = pd.concat([images[["image", "subject"]], faces[["image", "subject"]]]).drop_duplicates()
    own = best.drop_duplicates("image")[["image", "other", "score"]]
    rest = shown.merge(best.drop_duplicates("subject")[["subject", "other", "score"]], on="subject")
    rest = rest[~rest["image"].isin(own["image"]) & (rest["image"] != rest["other"])]
    both = pd.concat([own, rest[["image", "other", "score"]].drop_duplicates("image")])
    return both.sort_values("image", ignore_index=True)


def _close(faces: pd.DataFrame, least: float) -> pd.DataFrame:
    """image, subject, other, of, score of the pairs of faces of two subjects in two images, both ways round."""
    vectors, subject, image = _columns(faces)
    parts = []
    few = len(vectors) <= ALL_COMPARED
    for left, right, score in close_cosines(vectors, least) if few else close(vectors, least):
        differ = (subject[left] != subject[right]) & (image[left] != image[right])
        for one, two in ((left[differ], right[differ]), (right[differ], left[differ])):
            facts = {"image": image[one], "subject": subject[one], "other": image[two], "of": subject[two]}
            parts.append(pd.DataFrame({**facts, "score": score[differ]}))
    columns = ["image", "subject", "other", "of", "score"]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns).astype({"score": float})


def _columns(faces: pd.DataFrame) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(n, d) float32 vectors, and the subjects and images, in the order of images and subjects."""
    rows = faces.sort_values(["image", "subject"])
    return _unit(rows["vector"].to_list()), rows["subject"].to_numpy(dtype=str), rows["image"].to_numpy(dtype=str)


def _unit(vectors: list[np.ndarray]) -> np.ndarray:
    """(n, d) float32. AccordError: they are not of one number of numbers, or not of length 1, as those of faces are."""
    if not vectors:
        return np.empty((0, 1), np.float32)
    try:
        found = np.stack([one for one in vectors if len(one) == len(vectors[0])]).astype(np.float32, copy=False)
        sound = of_unit_length(np.einsum("ij,ij->i", found, found))
    except (TypeError, ValueError):
        found, sound = np.empty((0, 1), np.float32), np.zeros(0, bool)
    if wrong := len(vectors) - int(sound.sum()):
        what = f"{wrong} of {len(vectors)} vectors are not of length 1, or have more or fewer numbers than the first"
        raise AccordError(Problem("faces.parquet", what, "delete results/checks/*/faces.parquet and rerun"))
    return found
