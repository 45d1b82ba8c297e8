"""A detector of generated faces, learnt from the pictures that it may be shown."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.engine import source
from accord.engine.parameter_types import Folder, Former, Private, Sink
from accord.models.weights import find
from accord.release.sources.splits import TRAIN as TRAINING
from accord.release.tables import Terms
from accord.train.cards import card as cards
from accord.train.learning.plan import Plan, of_epochs
from accord.train.models import remembered
from accord.train.permission import gate
from accord.train.pictures import reading
from accord.train.planning import pretrained
from accord.train.tables import Curve, Learnt

TERMS = "scope `train`"
WATCHED = 512
"""Pictures of the validation at most that a training is watched by, evenly chosen."""


class Trained(NamedTuple):
    """How the training went, and the model's card as JSON and Markdown."""

    history: DataFrame[Curve]
    card: dict
    described: str


def run(
    pictures: DataFrame[Learnt],
    terms: DataFrame[Terms],
    derivatives: list[Path],
    files: list[Path],
    *,
    detector: dict,
    on_withdrawal: str,
    vault: Private,
    weights: Folder,
    model: Sink,
    former: Former,
) -> Trained:
    """Train a detector on the split `train` of its pictures, and watch it by `validation`.

    derivatives, files: of each shard, in the same order; detector: its spec as JSON (`planning.models.specs`); weights:
    the folder of those that it may begin with; model: the file that is written. A training that was killed goes on from
    its checkpoint, beside the model's file, and ends in the same bytes; one of the same pictures, settings and code as
    the former output is not done again. Raises AccordError where a picture may not be learnt from, the weights are
    missing or don't fit, or the loop does.
    """
    from accord.train.models import stored

    gate.require(pictures, terms)
    learnt = pictures[pictures["split"] == TRAINING]
    shown = pictures.drop_duplicates("image").reset_index(drop=True)
    where = reading.places(list(shown["image"]), derivatives, files)
    made_from = _source(shown, where, detector)
    # Once refused, the vault knows no pictures any more; a model that is of just these is valid again.
    if on_withdrawal == remembered.REFUSE and not stored.is_of(former, made_from):
        remembered.require_unchanged(vault, detector["name"], learnt["image"])
    history, plan = _learnt(shown, where, detector, made_from, weights, model, former)
    remembered.remember(vault, detector["name"], learnt["image"])
    told = cards.card(detector["name"], detector["trained_as"], detector, plan, learnt.assign(terms=TERMS), history)
    return Trained(history, told, cards.to_markdown(told))


def _learnt(
    shown: pd.DataFrame, where: list[reading.Place], spec: dict, made_from: str, weights: Path, model: Path,
    former: Former,
) -> tuple[pd.DataFrame, Plan]:  # fmt: skip
    """The history of the training, and its plan; the weights are in the file of the model then."""
    from accord.train.learning import training
    from accord.train.models import stored

    plan = of_epochs(spec, int((shown["split"] == TRAINING).sum()))
    if (done := stored.taken_over(former, made_from, model)) is not None:
        return done, plan
    return training.train(shown, where, spec, plan, made_from, model, WATCHED, _first(spec, weights)), plan


def _first(spec: dict, folder: Path) -> Path | None:
    """The file of the weights that a training begins with, checked against its sum; None for none."""
    if pretrained.WEIGHTS not in spec:
        return None
    one = spec[pretrained.WEIGHTS]
    return find(one["name"], one["files"], folder)[pretrained.FILE]


def _source(shown: pd.DataFrame, where: list[reading.Place], spec: dict[str, Any]) -> str:
    """A digest of pictures, what is known of them, and settings: whoever goes on must have the same."""
    rows = shown.drop(columns="subject").assign(sha256=[place.row.sha256 for place in where])
    told = [source.digest("train.learning.training"), pretrained.depended_on(spec), rows.to_numpy(object).tolist()]
    text = json.dumps(told, sort_keys=True, default=_plain)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} has no digest")
