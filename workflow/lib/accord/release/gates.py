"""The gates of a release: what must hold of all that is exported, looked at a second time and by other means."""

from pathlib import Path
from typing import NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord.engine import table
from accord.errors import AccordError, Problem
from accord.findings import PASS
from accord.release.disclosure import gatekeepers, kanonymity
from accord.release.disclosure.gatekeepers import AGGREGATE_ONLY, CONSENT, SCOPE, TIMES
from accord.release.format import fhibe
from accord.release.making import content, exported
from accord.release.making.views import Passing
from accord.release.tables import Classes, Gates

ANONYMITY = "k_anonymity"
GATES = (CONSENT, SCOPE, AGGREGATE_ONLY, TIMES, ANONYMITY)
COLUMNS = (*fhibe.WHOLE_COLUMNS, *fhibe.FACE_COLUMNS, *fhibe.OF_THE_IMAGE, *fhibe.BY_SUBJECT)
"""All names under which tables and annotations speak of an image or a person."""


class Judged(NamedTuple):
    """What each gate says, and how many people share each combination of quasi-identifiers."""

    gates: DataFrame[Gates]
    classes: DataFrame[Classes]


def run(
    verdicts: DataFrame[Passing],
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
    release.plan stops there then. Raises AccordError where a quasi-identifier isn't one.
    """
    kanonymity.check(quasi_identifiers)
    passing = set(verdicts.loc[verdicts["verdict"] == PASS, "image"])
    tables = content.by_shard(derivatives, faces, people, attributes, keypoints, segments, public, aggregate, checked)
    violations, told, everyone = [gatekeepers.columns(COLUMNS)], [], []
    for some in content.blocks(tables):
        found = exported.read(content.joined(tables[some]), depicted[some], permits[some], findings[some], passing)
        violations.append(gatekeepers.violations(found))
        told.append(kanonymity.said(found.tables, quasi_identifiers))
        everyone.append(found.tables["people"][exported.PAIR])
    classes = kanonymity.classes(pd.concat(told), quasi_identifiers)
    rows = _judged(pd.concat(violations, ignore_index=True), kanonymity.k(classes), min_k)
    shown = pd.concat(everyone)
    counts = {"images": shown["image"].nunique(), "subjects": shown["subject"].nunique()}
    return Judged(table.rows([row | counts for row in rows], Gates), classes)


def must_pass(gates: pd.DataFrame, wanted: tuple[str, ...] = GATES) -> None:
    """Raises AccordError with every gate that fails, and every one of those `wanted` that nobody tried."""
    failed = gates[gates["verdict"] != PASS]
    problems = [
        Problem(f"gate {row.gate}", row.reason, "no release is made: see docs/release.md, Gates")
        for row in failed.itertuples()
    ]
    untried = [name for name in wanted if name not in set(gates["gate"])]
    problems += [Problem(f"gate {name}", "was not checked", "rerun the steps that check gates") for name in untried]
    if problems:
        raise AccordError(problems)


def _judged(violations: pd.DataFrame, k: int, min_k: int) -> list[dict]:
    small = f"the smallest group of people with the same quasi-identifiers has k = {k}, below {min_k}"
    rows = [gatekeepers.judged(gate, violations) for gate in GATES[:-1]]
    return [*rows, gatekeepers.row(ANONYMITY, k, min_k, k >= min_k, small)]
