"""The Rapid Test of tables: who is who by the services' agreement, and how often each service errs for whom."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.identities import accuracy, assisted, doubles, labelling, over_time, service_curves
from accord.analyse.identities.calibration import Modes
from accord.analyse.identities.coverage import coverage, is_disputed
from accord.analyse.identities.inputs import Inputs
from accord.analyse.identities.labelling import Rules
from accord.analyse.identities.scored_pairs import ScoredPairs
from accord.analyse.identities.service_curves import How
from accord.analyse.identities.tables import (
    RULES,
    Assisted,
    Coverage,
    Doubles,
    Identities,
    LabelAccuracy,
    LabelAgreement,
    ServiceChanges,
    ServiceCurves,
    Services,
)
from accord.engine.table import rows
from accord.errors import AccordError, Problem
from accord.statistics.distinct import distinct

CLAIMED_BY = ("estimated", "annotated", "undisputed")
"""Whose labels changes are told by."""


class RapidTest(NamedTuple):
    """The tables of a Rapid Test; agreement, accuracy and assisted are empty without hand labels, changes without an
    earlier test."""

    services: DataFrame[Services]
    identities: DataFrame[Identities]
    curves: DataFrame[ServiceCurves]
    coverage: DataFrame[Coverage]
    agreement: DataFrame[LabelAgreement]
    assisted: DataFrame[Assisted]
    doubles: DataFrame[Doubles]
    accuracy: DataFrame[LabelAccuracy]
    changes: DataFrame[ServiceChanges]


@dataclass(frozen=True)
class Settings:
    """How faces are labelled, and how curves are read."""

    rules: Rules = field(default_factory=Rules)
    how: How = field(default_factory=How)


def run(inputs: Inputs, settings: Settings = Settings()) -> RapidTest:
    """All tables. Raises AccordError where no service can be calibrated."""
    asked, scales = _asked(inputs), scaled(inputs, settings.rules)
    used = {name: pairs for name, pairs in asked.items() if not scales[name].note}
    if not used:
        told = [Problem(f"service {name}", scale.note) for name, scale in scales.items()]
        raise AccordError(told or Problem("confidences", "there are none"))
    said = labelling.label(used, scales, settings.rules)
    found = _doubles(inputs, used, scales, said)
    said = doubles.without(said, inputs.faces, found)
    faces = _faces(inputs.faces, said)
    groups = _numbered(inputs, next(iter(used.values())))
    hand = _hand(faces, inputs.hand)
    labels = _labels(faces, hand, set(found["left_out"]), list(used))
    curves = [row for name, pairs in used.items()
              for row in service_curves.rows(name, pairs, labels, groups, settings.how)]  # fmt: skip
    return RapidTest(
        rows(services(inputs, scales), Services),
        rows(said.merge(inputs.faces, on="face").to_dict("records"), Identities),
        rows(curves, ServiceCurves),
        rows(coverage(_seen(faces, inputs.lost), inputs.groups), Coverage),
        rows(_agreement(faces, inputs.hand) if hand is not None else [], LabelAgreement),
        rows([] if hand is None else _assisted(used, scales, faces, labels["annotated"], found, settings), Assisted),
        rows(found.to_dict("records"), Doubles),
        rows(_accuracy(inputs, used, scales, said, found, settings) if hand is not None else [], LabelAccuracy),
        rows(_changes(inputs, labels, groups, settings, scales), ServiceChanges),
    )


def _doubles(inputs: Inputs, used: Mapping[str, ScoredPairs], scales: Mapping, said: pd.DataFrame) -> pd.DataFrame:
    """The rows of `Doubles`. A face is a query's person's by the services' labels, or by hand."""
    faces = _faces(inputs.faces, said)
    hand = _hand(faces, inputs.hand)
    own = (faces["majority"] == 1).to_numpy() | (hand == 1 if hand is not None else False)
    names = distinct(inputs.faces["query"].to_numpy(str))
    found = pd.DataFrame(doubles.doubled(used, scales, own), columns=[*Doubles.to_schema().columns])
    return found.assign(**{name: names[found[name].to_numpy(int)] for name in ("query", "other", "left_out")})


def scaled(inputs: Inputs, how: Rules) -> dict[str, Modes]:
    """Service -> where its scores lie, or why that can't be told."""
    return {name: labelling.modes(pairs, how) for name, pairs in _asked(inputs).items()}


def _asked(inputs: Inputs) -> dict[str, ScoredPairs]:
    return {str(name): ScoredPairs(inputs.faces, some) for name, some in inputs.confidences.groupby("service")}


def _seen(faces: pd.DataFrame, lost: pd.DataFrame | None) -> pd.DataFrame:
    """What coverage counts: faces that were compared, and pictures of which nothing was."""
    columns = ["query", "face", "reason"]
    return faces[columns] if lost is None else pd.concat([faces[columns], lost[columns]])


def _faces(faces: pd.DataFrame, said: pd.DataFrame) -> pd.DataFrame:
    """query, face, majority, reason: one row per face, in the order of `faces`."""
    return faces.merge(said.drop_duplicates("face")[["face", "majority", "reason"]], on="face", how="left")


def _numbered(inputs: Inputs, pairs: ScoredPairs) -> pd.DataFrame:
    """attribute, group, query as its number."""
    number = dict(zip(inputs.faces["query"], pairs.queries, strict=True))
    return inputs.groups.assign(query=inputs.groups["query"].map(number)).dropna()


def _hand(faces: pd.DataFrame, hand: pd.DataFrame) -> np.ndarray | None:
    """Hand labels of all faces, -1 where there is none; None where nobody labelled any."""
    if hand.empty:
        return None
    return faces["face"].map(hand.set_index("face")["label"]).fillna(-1).to_numpy(int)


def _labels(
    faces: pd.DataFrame, hand: np.ndarray | None, left_out: set[str], services: list[str]
) -> dict[str, np.ndarray]:
    """Whose labels -> (faces,) int, in the order of `SOURCES`. Queries that are left out, as another has their person,
    have none by hand either: their pairs would count as impostors."""
    estimated = faces["majority"].to_numpy(int)
    if hand is None:
        return {"estimated": estimated}
    annotated = np.where(faces["query"].isin(left_out), -1, hand)
    disputed = faces["query"].isin(faces.loc[[is_disputed(reason, services) for reason in faces["reason"]], "query"])
    return {
        "estimated": estimated,
        "annotated": annotated,
        "kept": np.where(estimated == -1, -1, annotated),
        "undisputed": np.where(disputed, -1, annotated),
    }


def services(inputs: Inputs, scales: Mapping[str, Modes]) -> Iterator[dict]:
    """The rows of `Services`."""
    versions = inputs.confidences.groupby("service")["version"].first()
    for name, scale in scales.items():
        yield {"service": name, "version": versions[name]} | scale._asdict()


def _changes(
    inputs: Inputs, labels: Mapping[str, np.ndarray], groups: pd.DataFrame, settings: Settings, scales: Mapping
) -> Iterator[dict]:
    """The rows of `ServiceChanges`, by the services' labels, and by hand where there are any.

    A service that is left out today (scales: its `Modes`), or would have been before, has a reason, no figures.
    """
    before, after = ({str(name): of for name, of in some.groupby("service")} if some is not None else {}
                     for some in (inputs.before, inputs.confidences))  # fmt: skip
    faces = inputs.faces if inputs.pictures is None else inputs.faces.merge(inputs.pictures, on="face")
    compared = [one._replace(note=scales[name].note or _note(inputs.faces, before[name], settings.rules))
                for name in sorted(before.keys() & after.keys())
                for one in over_time.comparisons(name, before[name], after[name], faces)]  # fmt: skip
    some = {source: said for source, said in labels.items() if source in CLAIMED_BY}
    return over_time.rows(compared, some, groups, settings.how)


def _note(faces: pd.DataFrame, before: pd.DataFrame, rules: Rules) -> str:
    """Why an earlier version would have been left out, of which pairs of today's faces alone are looked at."""
    here = before[before["left"].isin(faces["face"]) & before["right"].isin(faces["face"])]
    note = labelling.modes(ScoredPairs(faces, here), rules).note
    return note and f"earlier version: {note}"


def _agreement(faces: pd.DataFrame, hand: pd.DataFrame) -> Iterator[dict]:
    """Of faces that people labelled: one that nobody looked at is none that can't be told."""
    both = faces.merge(hand, on="face")
    estimates, labels = both["majority"].to_numpy(int), both["label"].to_numpy(int)
    for (y, estimated), count in assisted.agreement(estimates, labels).items():
        yield {"hand": y, "estimated": estimated, "faces": count}


def _accuracy(
    inputs: Inputs,
    used: Mapping[str, ScoredPairs],
    scales: Mapping,
    said: pd.DataFrame,
    found: pd.DataFrame,
    settings: Settings,
) -> Iterator[dict]:
    """Of the rule of the run and of the other one, with the same calibration. said: what the run's rule says."""
    queries, how = next(iter(used.values())).queries, settings.how
    for rule in RULES:
        told = said
        if rule != settings.rules.rule:
            other = labelling.label(used, scales, replace(settings.rules, rule=rule))
            told = doubles.without(other, inputs.faces, found)
        faces = _faces(inputs.faces, told)
        hand = faces["face"].map(inputs.hand.set_index("face")["label"]).fillna(-1).to_numpy(int)
        yield from accuracy.accuracy(rule, faces["majority"].to_numpy(int), hand, queries, how.bootstraps, how.seed)


def _assisted(
    used: Mapping[str, ScoredPairs],
    scales: Mapping,
    faces: pd.DataFrame,
    hand: np.ndarray,
    found: pd.DataFrame,
    settings: Settings,
) -> Iterator[dict]:
    """Of every set of services that vote: how far each of them is from hand labels, by the share labelled by hand."""
    for some in assisted.voters(list(used)):
        voting = {name: used[name] for name in some}
        said = doubles.without(labelling.label(voting, scales, settings.rules), faces, found)
        names = next(iter(voting.values())).names
        by_face = said.groupby("face").agg(majority=("majority", "first"), z=("z", "mean")).reindex(names)
        labels, z = by_face["majority"].to_numpy(int), by_face["z"].fillna(0.5).to_numpy()
        for name, pairs in voting.items():
            told = assisted.deltas(name, pairs, labels, hand, z, settings.how.fmr, seed=settings.rules.seed)
            yield from ({"services": " + ".join(some)} | row for row in told)
