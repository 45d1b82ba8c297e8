"""The gates of a release: what must hold of all that is exported, looked at a second time and by other means."""

from pathlib import Path
from typing import NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord.engine import table
from accord.errors import AccordError, Problem
from accord.findings import FAIL, PASS
from accord.release.disclosure import gatekeepers, kanonymity
from accord.release.disclosure.gatekeepers import AGGREGATE_ONLY, CONSENT, SCOPE, TIMES
from accord.release.format import fhibe
from accord.release.making import content, exported
from accord.release.tables import Classes, Gates, Verdicts

ANONYMITY = "k_anonymity"
GATES = (CONSENT, SCOPE, AGGREGATE_ONLY, TIMES, ANONYMITY)
COLUMNS = (*fhibe.WHOLE_COLUMNS, *fhibe.FACE_COLUMNS, *fhibe.OF_THE_IMAGE, *fhibe.BY_SUBJECT)
"""All names under which tables and annotations speak of an image or a person."""

MOST_TOLD = 3


class Judged(NamedTuple):
    """What each gate says, and how many people share each combination of quasi-identifiers."""

    gates: DataFrame[Gates]
    classes: DataFrame[Classes]


def run(
    verdicts: DataFrame[Verdicts],
    depicted: list[Path],
    permits: list[Path],
    findings: list[Path],
    derivatives: list[Path],
    faces: list[Path],
    people: list[Path],
    attributes: list[Path],
    keypoints: list[Path],
    segments: list[Path],
    public: list[Path],
    aggregate: list[Path],
    checked: list[Path],
    *,
    quasi_identifiers: list,
    min_k: int,
) -> Judged:
    """One row per gate over all images that pass, and the classes of k-anonymity.

    The lists have one file per shard, in the same order; `depicted`: people as intake took them; permits and findings:
    consent's. Scores are numbers of violations, of k_anonymity k itself. Nothing is raised for a gate that fails:
    release.publish makes no release then. Raises AccordError where a quasi-identifier isn't one.
    """
    kanonymity.check(quasi_identifiers)
    passing = set(verdicts.loc[verdicts["verdict"] == PASS, "image"])
    tables = content.by_shard(derivatives, faces, people, attributes, keypoints, segments, public, aggregate, checked)
    violations, told, everyone = [gatekeepers.columns(COLUMNS)], [], []
    for shard in zip(tables, depicted, permits, findings, strict=True):
        found = exported.read(*shard, passing)
        violations.append(gatekeepers.violations(found))
        told.append(kanonymity.said(found.tables, quasi_identifiers))
        everyone.append(found.tables["people"][exported.PAIR])
    classes = kanonymity.classes(pd.concat(told), quasi_identifiers)
    rows = _judged(pd.concat(violations, ignore_index=True), kanonymity.k(classes), min_k)
    shown = pd.concat(everyone)
    counts = {"images": shown["image"].nunique(), "subjects": shown["subject"].nunique()}
    return Judged(table.rows([row | counts for row in rows], Gates), classes)


def must_pass(gates: pd.DataFrame) -> None:
    """Raises AccordError with every gate that fails, and every one that nobody tried."""
    failed = gates[gates["verdict"] != PASS]
    problems = [
        Problem(f"gate {row.gate}", row.reason, "no release is made: see docs/release.md, Gates")
        for row in failed.itertuples()
    ]
    untried = [name for name in GATES if name not in set(gates["gate"])]
    problems += [Problem(f"gate {name}", "was not checked", "rerun release.gates") for name in untried]
    if problems:
        raise AccordError(problems)


def _judged(violations: pd.DataFrame, k: int, min_k: int) -> list[dict]:
    rows = []
    for gate in GATES[:-1]:
        found = violations[violations["gate"] == gate]
        rows.append(_row(gate, len(found), 0, not len(found), _reason(found)))
    small = f"the smallest group of people with the same quasi-identifiers has k = {k}, below {min_k}"
    return [*rows, _row(ANONYMITY, k, min_k, k >= min_k, small)]


def _row(gate: str, score: int, threshold: int, fine: bool, reason: str) -> dict:
    judged = {"verdict": PASS, "reason": ""} if fine else {"verdict": FAIL, "reason": reason}
    return {"gate": gate, "score": float(score), "threshold": float(threshold), **judged}


def _reason(violations: pd.DataFrame) -> str:
    """What is wrong, how often, in how many images; the most frequent first."""
    parts = violations.groupby("what")["image"].agg(["size", "nunique"]).reset_index()
    ordered = parts.sort_values(["size", "what"], ascending=[False, True])
    told = [f"{row.what} ({row.size} in {row.nunique} image(s))" for row in ordered.itertuples(index=False)]
    more = f"; and {len(told) - MOST_TOLD} more" if len(told) > MOST_TOLD else ""
    return "; ".join(told[:MOST_TOLD]) + more
