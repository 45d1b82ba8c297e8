"""How well a detector tells fake (1) from real (0), of all faces and each group: AUC, accuracy, AP, EER, FPR, TPR."""

from typing import NamedTuple

import numpy as np
import pandas as pd
import scipy


class Quality(NamedTuple):
    """NaN where a label that it takes is missing; `note` says so. accuracy, fpr and tpr are at the threshold."""

    faces: int
    fakes: int
    auc: float
    accuracy: float
    ap: float
    eer: float
    fpr: float
    tpr: float
    note: str


def per_group(labels: np.ndarray, scores: np.ndarray, groups: np.ndarray, threshold: float = 0.5) -> pd.DataFrame:
    """One row per group, by name, and `all`: (n,) labels 0 or 1, probabilities of being fake, names of groups."""
    named = pd.DataFrame({"group": groups, "label": labels, "score": scores})
    parts = [("all", named), *named.groupby("group", sort=True)]
    told = [(name, *quality(p["label"].to_numpy(), p["score"].to_numpy(float), threshold)) for name, p in parts]
    return pd.DataFrame(told, columns=["group", *Quality._fields])


def quality(labels: np.ndarray, scores: np.ndarray, threshold: float = 0.5) -> Quality:
    """The figures of one set of faces; a score at or above the threshold says fake."""
    labels = np.asarray(labels).astype(bool)
    fakes, faces, said = int(labels.sum()), len(labels), np.asarray(scores) >= threshold
    accuracy = float((said == labels).mean()) if faces else float("nan")
    fpr = float(said[~labels].mean()) if fakes < faces else float("nan")
    tpr = float(said[labels].mean()) if fakes else float("nan")
    if not 0 < fakes < faces:
        why = "no faces" if not faces else f"all faces are {'fake' if fakes else 'real'}"
        none = float("nan")
        return Quality(faces, fakes, none, accuracy, none, none, fpr, tpr, f"{why}: undefined")
    caught, passed = _curve(labels, np.asarray(scores, float))
    ap, eer = _average_precision(caught, passed), _eer(caught, passed)
    return Quality(faces, fakes, _auc(labels, scores), accuracy, ap, eer, fpr, tpr, "")


def _curve(labels: np.ndarray, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Fakes and reals at or above each threshold, from above the highest score down to the lowest."""
    order = np.argsort(-scores, kind="stable")
    last = np.append(np.flatnonzero(np.diff(scores[order])), len(scores) - 1)
    caught = np.cumsum(labels[order])[last]
    return np.append(0, caught), np.append(0, last + 1 - caught)


def _auc(labels: np.ndarray, scores: np.ndarray) -> float:
    fakes = int(labels.sum())
    above = scipy.stats.rankdata(scores)[labels].sum() - fakes * (fakes + 1) / 2
    return float(above / (fakes * (len(labels) - fakes)))


def _average_precision(caught: np.ndarray, passed: np.ndarray) -> float:
    precision = caught[1:] / (caught[1:] + passed[1:])
    # Divided last: terms of at most whole numbers add up to at most their sum, so rounding never leads above 1.
    return float(np.sum(np.diff(caught) * precision) / caught[-1])


def _eer(caught: np.ndarray, passed: np.ndarray) -> float:
    """Where FNR, falling from 1, and FPR, rising from 0, cross; on the straight line between two thresholds."""
    fnr, fpr = 1 - caught / caught[-1], passed / passed[-1]
    after = int(np.argmax(fpr >= fnr))
    gap_before, gap_after = fnr[after - 1] - fpr[after - 1], fpr[after] - fnr[after]
    return float(fpr[after - 1] + (fpr[after] - fpr[after - 1]) * gap_before / (gap_before + gap_after))
