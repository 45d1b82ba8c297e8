"""An annotator of faces, learnt from the features of the pictures that it may be shown."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.engine import kept, source, table
from accord.engine.parameter_types import Former, Private, Sink
from accord.errors import AccordError, Problem
from accord.release.sources.splits import TRAIN as TRAINING
from accord.release.tables import Terms
from accord.train.cards import card as cards
from accord.train.learning.plan import Plan, of_epochs
from accord.train.models import remembered
from accord.train.permission import gate
from accord.train.tables import Curve, Features, Learnt

TERMS = "scope `train`"


class Trained(NamedTuple):
    """How the training went, and the model's card as JSON and Markdown."""

    history: DataFrame[Curve]
    card: dict
    described: str


def run(
    pictures: DataFrame[Learnt],
    terms: DataFrame[Terms],
    features: list[Path],
    *,
    annotator: dict,
    on_withdrawal: str,
    vault: Private,
    model: Sink,
    former: Former,
) -> Trained:
    """Train an annotator on the split `train` of its pictures, and watch it by `validation`; `group` is the class.

    features: tables Features of all shards; a picture that has none is not learnt from; annotator: its spec as JSON
    (`planning.annotators`); model: the file of weights. What is said of `train.detector` about kills and trainings that
    needn't be done again is so here. Raises AccordError where a picture may not be learnt from, or the loop does.
    """
    from accord.train.annotators import stored

    gate.require(pictures, terms)
    shown, vectors = _seen(pictures, features)
    learnt = shown[shown["split"] == TRAINING]
    rows = shown.drop_duplicates("image")
    made_from = _source(rows, vectors, annotator)
    # Once refused, the vault knows no pictures any more; a model that is of just these is valid again.
    if on_withdrawal == remembered.REFUSE and not stored.is_of(former, made_from):
        remembered.require_unchanged(vault, annotator["name"], learnt["image"])
    plan = of_epochs(annotator, learnt["image"].nunique())
    history = _history(rows, vectors, annotator, plan, made_from, model, former)
    remembered.remember(vault, annotator["name"], learnt["image"])
    what = f"{annotator['attribute']}, from the features of {annotator['encoder']['name']}"
    told = cards.card(annotator["name"], what, annotator, plan, learnt.assign(terms=TERMS), history, cards.ANNOTATOR)
    return Trained(history, told, cards.to_markdown(told))


def _seen(pictures: pd.DataFrame, features: list[Path]) -> tuple[pd.DataFrame, np.ndarray]:
    """The rows of pictures with features, by image, and the features (n, width) of their images in that order."""
    wanted, found = set(pictures["image"]), {}
    for path in features:
        some = table.read(path, Features)
        some = some[some["image"].isin(wanted)]
        found |= dict(zip(some["image"], some["vector"], strict=True))
    shown = pictures[pictures["image"].isin(found)].sort_values(["image", "subject"], ignore_index=True)
    if not (shown["split"] == TRAINING).any():
        hint = "look at the log of train_features: the encoder makes nothing of these pictures"
        raise AccordError(Problem("training pictures", "none of them has features", hint))
    vectors = [found[image] for image in shown["image"].drop_duplicates()]
    return shown, np.stack(vectors).astype(np.float32)


def _history(
    shown: pd.DataFrame, vectors: np.ndarray, spec: dict[str, Any], plan: Plan, made_from: str, model: Path,
    former: Former,
) -> pd.DataFrame:  # fmt: skip
    """The history of the training; the weights are in the file of the model then. shown: one row per vector."""
    from accord.train.annotators import learning, stored

    if (done := stored.taken_over(former, made_from, model)) is not None:
        return done
    mine = (shown["split"] == TRAINING).to_numpy()
    names = sorted(set(shown.loc[mine, "group"]))
    classes = shown["group"].map({name: number for number, name in enumerate(names)}).fillna(-1).to_numpy(np.int64)
    return learning.train(learning.Seen(vectors, classes, mine), names, spec, plan, made_from, model)


def _source(shown: pd.DataFrame, vectors: np.ndarray, spec: dict[str, Any]) -> str:
    """A digest of pictures, features, classes and settings: whoever goes on must have the same."""
    rows = shown[["image", "split", "group"]].reset_index(drop=True)
    seen = hashlib.blake2b(np.ascontiguousarray(vectors).data, digest_size=16).hexdigest()
    return kept.digest(source.digest("train.annotators.learning"), spec, rows, seen)
