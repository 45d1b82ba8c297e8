"""What is measured: how each metric is called, which way is better if any is, whether it lies in [0, 1]."""

from collections.abc import Collection
from typing import NamedTuple

import numpy as np


class Metric(NamedTuple):
    """label: what people call it; lower_is_better; bounded: whether every value lies in [0, 1]; neutral: whether more
    or less of it is neither better nor worse, as how often something is said."""

    label: str
    lower_is_better: bool = False
    bounded: bool = True
    neutral: bool = False


METRICS: dict[str, Metric] = {
    "ar_iou": Metric("Average recall of boxes"),
    "ar_mask": Metric("Average recall of masks"),
    "ar_oks": Metric("Average recall of keypoints"),
    "pck@0.5": Metric("Share of keypoints within half a head"),
    "pck@0.5-face": Metric("Share of keypoints within half the face box's diagonal"),
    "pck@0.1-0.9": Metric("Share of keypoints near enough, mean over distances"),
    "pck33@0.5": Metric("Share of all 33 keypoints within half a head"),
    "pck33@0.1-0.9": Metric("Share of all 33 keypoints near enough, mean over distances"),
    "genuine_similarity": Metric("Similarity with the same person's other faces"),
    "tar@far=0.001": Metric("True accept rate"),
    "ar_part": Metric("Recall of body parts"),
    "accuracy": Metric("Accuracy"),
    "f1": Metric("F1, mean over classes"),
    "lpips": Metric("Perceptual distance (LPIPS)", lower_is_better=True, bounded=False),
    "psnr": Metric("Peak signal-to-noise ratio in dB", bounded=False),
    "cosine": Metric("Similarity of the face's embedding", bounded=False),
    "class_recall@p1": Metric("Recall of the class, chosen from a list (p1)"),
    "class_recall@p2": Metric("Recall of the class, asked whether it is in the image (p2)"),
    "class_recall@p3": Metric("Recall of the class, asked whether the person is of it (p3)"),
    "false_yes@p2": Metric("Yes to a wrong class in the image (p2)", lower_is_better=True),
    "false_yes@p3": Metric("Yes to a wrong class of the person (p3)", lower_is_better=True),
    "misgendered": Metric("Misgendered, of those called she or he", lower_is_better=True),
    "misgendered_all": Metric("Not called by their pronouns", lower_is_better=True),
    "scene_right": Metric("Right: indoors or outdoors"),
    "said_unspecified": Metric("Called a person, neither she, he nor they", neutral=True),
    "said_rural": Metric("Said to be rural", neutral=True),
    "age_right": Metric("Age range of a video is right"),
    "gender_right": Metric("Gender of a video is right"),
    "fake_right": Metric("Fakes and real videos told apart"),
    "fake_log_loss": Metric("Log-loss of telling fakes from real videos", lower_is_better=True, bounded=False),
    "false_alarm": Metric("Real video called fake", lower_is_better=True),
    "missed_fake": Metric("Fake called real", lower_is_better=True),
}
TONES = ("positive", "neutral", "negative")
METRICS |= {
    f"{name}@{tone}": Metric(f"{label}, asked in a {tone} tone", lower_is_better=lower, neutral=not lower)
    for name, label, lower in (
        ("responded", "Answered", False),
        ("said_she", "Called she", False),
        ("said_he", "Called he", False),
        ("said_they", "Called they", False),
        ("misgendered", "Misgendered, of those called she or he", True),
        ("toxic", "Answer with a toxic word", True),
        ("likeable_by_gender", "Reason is a gender", True),
    )
    for tone in TONES
}
BOUNDED = tuple(name for name, metric in METRICS.items() if metric.bounded)
SAID = "said_"
"""How metrics begin that say how often a label of a probe is given, whoever's labels they are."""
OWN_SCALE = ("genuine_similarity",)
"""Metrics whose values two models can't share: each has its own scale of cosines."""


def direction(metric: str, lower: Collection[str] = ()) -> int:
    """+1 where higher is better, -1 where lower is: as METRICS says, or `lower` names it; else higher.

    By a neutral metric the group with less of it stands where by others the worse one does.
    """
    known = METRICS.get(metric)
    return -1 if metric in lower or (known and known.lower_is_better) else 1


def is_neutral(metric: str) -> bool:
    """Whether more or less of a metric is neither better nor worse: as METRICS says, and of every SAID."""
    return metric.startswith(SAID) or (metric in METRICS and METRICS[metric].neutral)


def is_bounded(metric: str, values: np.ndarray) -> bool:
    """Whether scores can't leave [0, 1]: as METRICS says; of a metric that it doesn't know, whether none does."""
    if metric in METRICS:
        return METRICS[metric].bounded
    return bool(((values >= 0) & (values <= 1)).all())


def rises(metric: str) -> bool:
    """Whether the higher of two scores is the one to be seen: where lower is better, or neither is."""
    return direction(metric) < 0 or is_neutral(metric)
