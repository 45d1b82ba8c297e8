"""Estimate how many subjects that should not be there are left, from those that people looked for by hand."""

from math import nan
from typing import NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord import table
from accord.checks.proportions import exact_finite, stratified, wilson, wilson_finite
from accord.checks.sample import REGION, SAMPLED
from accord.checks.summary_tables import REMAINING, Drawn, Estimates, Strata
from accord.checks.tables import Decisions, Findings, Images
from accord.findings import FAIL
from accord.review.tables import DISMISS, WEB

ALL = "all"
FOUND = "somebody looked for the person in a sample, and found them elsewhere"
FIGURES = (
    "rate", "low", "high", "finite_low", "finite_high", "exact_low", "exact_high", "left", "left_low", "left_high",
)  # fmt: skip


class Looked(NamedTuple):
    """The estimates, and findings on the images of those who were found."""

    estimates: DataFrame[Estimates]
    findings: DataFrame[Findings]


def run(
    drawn: DataFrame[Drawn], strata: DataFrame[Strata], decisions: DataFrame[Decisions], images: DataFrame[Images]
) -> Looked:
    """Estimates of each stratum and of all, and findings `sampled` that fail all images of subjects that were found.

    drawn, strata: of `checks.sample`. A decision other than `dismiss` is a hit. Who was found and is in the sample no
    more is stopped, too, but doesn't count. Not looked for yet is no miss: the rate is of those looked for, whose order
    in the queue is by lot.
    """
    said = decisions[(decisions["queue"] == WEB) & (decisions["region"] == REGION)].drop_duplicates("item")
    verdicts = said.merge(images[["image", "subject"]], on="image").assign(hit=lambda rows: rows["decision"] != DISMISS)
    found = frozenset(verdicts.loc[verdicts["hit"], "subject"])
    asked = drawn[drawn["sample"] == REMAINING][["stratum", "image"]]
    of = asked.merge(verdicts[["image", "hit"]], on="image").groupby("stratum")["hit"]
    counts = strata[strata["sample"] == REMAINING].set_index("stratum").sort_index()
    counts = counts.assign(looked=of.size(), hits=of.sum()).fillna(0)
    columns = ["population", "sampled", "looked", "hits"]
    rows = [_stratum(name, *map(int, row)) for name, *row in counts[columns].itertuples()]
    stopped = sorted(images.loc[images["subject"].isin(found), "image"])
    findings = [(image, SAMPLED, None, None, FAIL, FOUND) for image in stopped]
    return Looked(table.rows([*rows, _together(rows)], Estimates), table.rows(findings, Findings))


def _stratum(name: str, population: int, sampled: int, looked: int, hits: int) -> dict:
    row = {"stratum": name, "population": population, "sampled": sampled, "looked": looked, "hits": hits}
    if not looked:
        return row | dict.fromkeys(FIGURES, nan) | {"note": "nobody has looked yet"}
    finite, exact = wilson_finite(hits, looked, population), exact_finite(hits, looked, population)
    return row | _figures(population, hits, hits / looked, wilson(hits / looked, looked), finite, exact, _missing(row))


def _together(rows: list[dict]) -> dict:
    total = {name: sum(row[name] for row in rows) for name in ("population", "sampled", "looked", "hits")}
    if len(rows) == 1:
        return rows[0] | {"stratum": ALL}
    row = {"stratum": ALL, **total}
    columns = [[row[name] for row in rows] for name in ("hits", "looked", "population")]
    rate, *finite = stratified(*columns)
    if pd.isna(rate):
        return row | dict.fromkeys(FIGURES, nan) | {"note": "nobody has looked in some stratum yet"}
    plain = stratified(*columns, finite=False)[1:]
    return row | _figures(total["population"], total["hits"], rate, plain, tuple(finite), (nan, nan), _missing(row))


def _figures(population: int, hits: int, rate: float, plain, finite, exact, note: str) -> dict:
    left = [_left(share, population, hits) for share in (rate, *finite)]
    return dict(zip(FIGURES, (rate, *plain, *finite, *exact, *left), strict=True)) | {"note": note}


def _left(rate: float, population: int, hits: int) -> float:
    """The rate among those left when all hits are gone."""
    return min(1.0, max(0.0, (rate * population - hits) / (population - hits))) if population > hits else 0.0


def _missing(row: dict) -> str:
    waiting = row["sampled"] - row["looked"]
    return f"{waiting} of {row['sampled']} are still to be looked for" if waiting > 0 else ""
