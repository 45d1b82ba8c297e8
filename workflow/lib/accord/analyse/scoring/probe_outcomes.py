"""Outcomes of probes: what a label says of a person, and whether it is right; 0 or 1, or why it can't be said."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from accord.analyse.scoring.metrics import SAID
from accord.evaluate.asking.probes import PRONOUN, Probe
from accord.grouping import KEY
from accord.text.nouns import counted
from accord.vocabularies import PRONOUNS, text

SHE, HE = PRONOUNS[:2]
UNSAID = text(PRONOUNS[-1])
"""What whoever doesn't tell says, of any attribute."""
RIGHT = "_right"
MISGENDERED, MISGENDERED_ALL = "misgendered", "misgendered_all"
ABSENT = "no vector of the picture"
UNKNOWN, NO_LABEL = "the truth isn't known", "no label counts as the truth"
NEITHER = "labelled neither she nor he"


class Outcome(NamedTuple):
    """One outcome of a probe: its name; values (n,) 0 or 1, NaN where undefined; notes (n,), "" where defined."""

    name: str
    values: np.ndarray
    notes: np.ndarray


def outcomes(probe: Probe, labelled: pd.DataFrame, truth: Mapping[tuple[str, str], frozenset[str]]) -> list[Outcome]:
    """The outcomes of a probe of one model and variant.

    labelled: image, subject, label ("" for none) and `others`, how many more people are in the picture; truth: (image,
    subject) -> values of the probe's truth. Pictures of several people are undefined where the truth is a person's.
    """
    label = labelled["label"].to_numpy(object)
    crowded = labelled["others"].to_numpy() > 0 if probe.is_of_person else np.zeros(len(labelled), bool)
    many = [crowd(int(others) + 1) for others in labelled["others"]]
    absent = np.where(label == "", ABSENT, np.where(crowded, many, "")).astype(object)
    found = [Outcome(f"{SAID}{one.name}", (label == one.name).astype(float), absent) for one in probe.labels]
    if probe.truth is not None:
        known = [truth.get(key, frozenset()) for key in labelled[KEY].itertuples(index=False, name=None)]
        found += _judged(probe, label, known, absent)
    return [one._replace(values=np.where(one.notes == "", one.values, np.nan)) for one in found]


def crowd(people: int) -> str:
    """Why a picture of so many people tells nothing about one of them."""
    return f"{counted(people, 'person')} in the picture" if people else "nobody in the picture"


def right_labels(probe: Probe, values: frozenset[str]) -> frozenset[str]:
    """The labels that count as one of some values of the truth."""
    return frozenset(label.name for label in probe.labels if values & set(label.counts_as))


def telling(probe: Probe) -> list[str]:
    """The outcomes that become scores: what is judged, and how often labels are given that count as nothing.

    Where no label counts as anything, the last one says nothing that the others don't.
    """
    empty = [f"{SAID}{label.name}" for label in probe.labels if not label.counts_as]
    judged = [MISGENDERED, MISGENDERED_ALL] if probe.truth == PRONOUN else [f"{probe.name}{RIGHT}"]
    return [*(judged if probe.truth else []), *(empty[:-1] if len(empty) == len(probe.labels) else empty)]


def _judged(probe: Probe, label: np.ndarray, known: list[frozenset[str]], absent: np.ndarray) -> Iterator[Outcome]:
    stated = [frozenset(one for one in values if text(one) != UNSAID) for values in known]
    right = [right_labels(probe, values) for values in stated]
    hit = np.array([one in some for one, some in zip(label, right, strict=True)], bool)
    unknown = _first(absent, np.where([not values for values in stated], UNKNOWN, ""))
    judged = _first(unknown, np.where([not some for some in right], NO_LABEL, ""))
    if probe.truth != PRONOUN:
        yield Outcome(f"{probe.name}{RIGHT}", hit.astype(float), judged)
        return
    gendered = [one.name for one in probe.labels if {SHE, HE} & set(one.counts_as)]
    spoken = _first(unknown, np.where(np.isin(label.astype(str), gendered), "", NEITHER))
    yield Outcome(MISGENDERED, (~hit).astype(float), spoken)
    yield Outcome(MISGENDERED_ALL, (~hit).astype(float), judged)


def _first(notes: np.ndarray, others: np.ndarray) -> np.ndarray:
    """The first note of each row that isn't empty."""
    return np.where(notes == "", others, notes).astype(object)
