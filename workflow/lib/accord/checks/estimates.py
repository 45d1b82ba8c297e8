"""Estimate how many subjects that should not be there are left, from those that people looked for by hand, and how many
annotations are wrong, from those that they looked at."""

from math import nan
from typing import Any, NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord.checks.sample import REGION, SAMPLED, WRONG
from accord.checks.tables.findings import Decisions, Findings
from accord.checks.tables.summary import REMAINING, Annotated, Drawn, Estimates, Strata
from accord.checks.tables.views import Whose
from accord.engine import table
from accord.findings import FAIL
from accord.queues import ANNOTATIONS as ANNOTATIONS_QUEUE
from accord.queues import DISMISS, DROP, UPHOLD, WEB
from accord.review.drawn.drawings import ANNOTATIONS
from accord.statistics.describing.proportions import exact_finite, stratified, wilson, wilson_finite

ALL = "all"
FOUND = "a reviewer of the sample found this person elsewhere"
WRONG_ANNOTATION = "a reviewer of the sample found the annotation wrong"
FIGURES = (
    "rate", "low", "high", "finite_low", "finite_high", "exact_low", "exact_high", "left", "left_low", "left_high",
)  # fmt: skip


class Looked(NamedTuple):
    """The estimates, and findings on images: of those who were found, and with annotations that are wrong."""

    estimates: DataFrame[Estimates]
    findings: DataFrame[Findings]


def run(
    drawn: DataFrame[Drawn],
    strata: DataFrame[Strata],
    decisions: DataFrame[Decisions],
    images: DataFrame[Whose],
    annotated: DataFrame[Annotated],
) -> Looked:
    """Estimates of each sample, by stratum and of all; findings `sampled` that fail all images of subjects that were
    found, and `annotation_wrong` that fail images with an annotation that people say is wrong.

    drawn, strata: of `checks.sample`; annotated: the drawings as they are now: what was said of another is over. Of
    subjects a decision other than `dismiss` is a hit, of annotations `uphold`; `drop` there stops the image, and says
    nothing about the annotation. Hits that are in the sample no more stop their images, too, but don't count.
    Not looked at yet is no miss: the rate is of those looked at, whose order in the queue is by lot.
    """
    found = _found(decisions, images)
    wrong = _wrong(decisions, annotated[annotated["image"].isin(images["image"])])
    said = pd.concat([found.assign(sample=REMAINING), wrong[wrong["decision"] != DROP]], ignore_index=True)
    rows = [row for sample in (REMAINING, *ANNOTATIONS) for row in _of_sample(sample, drawn, strata, said)]
    hits = frozenset(found.loc[found["hit"], "subject"])
    stopped = [(image, SAMPLED, FOUND) for image in images.loc[images["subject"].isin(hits), "image"]]
    stopped += [(image, WRONG, WRONG_ANNOTATION) for image in set(wrong.loc[wrong["decision"] != DISMISS, "image"])]
    findings = [(image, check, None, None, FAIL, why) for image, check, why in sorted(stopped)]
    return Looked(table.rows(rows, Estimates), table.rows(findings, Findings))


def _found(decisions: pd.DataFrame, images: pd.DataFrame) -> pd.DataFrame:
    """image, subject, hit: of subjects that were looked for."""
    said = decisions[(decisions["queue"] == WEB) & (decisions["region"] == REGION)].drop_duplicates("item")
    seen = said.merge(images[["image", "subject"]], on="image")
    return seen.assign(hit=seen["decision"] != DISMISS)[["image", "subject", "hit"]]


def _wrong(decisions: pd.DataFrame, annotated: pd.DataFrame) -> pd.DataFrame:
    """sample, image, subject, decision, hit: of drawings that people looked at, as they are still there."""
    said = decisions[decisions["queue"] == ANNOTATIONS_QUEUE].drop_duplicates("item")
    seen = said[["image", "region", "decision"]].merge(annotated, on=["image", "region"])
    return seen.rename(columns={"kind": "sample"}).assign(hit=seen["decision"] == UPHOLD)


def _of_sample(sample: str, drawn: pd.DataFrame, strata: pd.DataFrame, said: pd.DataFrame) -> list[dict]:
    """The rows of a sample's strata, and of all of it."""
    asked = drawn.loc[drawn["sample"] == sample, ["stratum", "image", "subject"]]
    own = said.loc[said["sample"] == sample, ["image", "subject", "hit"]]
    of = asked.merge(own, on=["image", "subject"]).groupby("stratum")["hit"]
    counts = strata[strata["sample"] == sample].set_index("stratum").sort_index()
    counts = counts.assign(looked=of.size(), hits=of.sum()).fillna(0)
    columns = ["population", "sampled", "looked", "hits"]
    rows = [_stratum(name, *map(int, row)) for name, *row in counts[columns].itertuples()]
    return [{"sample": sample, **row} for row in (*rows, _together(rows))]


def _stratum(name: str, population: int, sampled: int, looked: int, hits: int) -> dict:
    row = {"stratum": name, "population": population, "sampled": sampled, "looked": looked, "hits": hits}
    if not looked:
        return row | dict.fromkeys(FIGURES, nan) | {"note": "no reviews yet"}
    finite, exact = wilson_finite(hits, looked, population), exact_finite(hits, looked, population)
    return row | _figures(population, hits, hits / looked, wilson(hits / looked, looked), finite, exact, _missing(row))


def _together(rows: list[dict]) -> dict:
    total = {name: sum(row[name] for row in rows) for name in ("population", "sampled", "looked", "hits")}
    if not rows:
        return {"stratum": ALL, **total} | dict.fromkeys(FIGURES, nan) | {"note": "the population is empty"}
    if len(rows) == 1:
        return rows[0] | {"stratum": ALL}
    row = {"stratum": ALL, **total}
    columns = [[row[name] for row in rows] for name in ("hits", "looked", "population")]
    rate, *finite = stratified(*columns)
    if pd.isna(rate):
        return row | dict.fromkeys(FIGURES, nan) | {"note": "some strata have no reviews yet"}
    plain = stratified(*columns, finite=False)[1:]
    return row | _figures(total["population"], total["hits"], rate, plain, tuple(finite), (nan, nan), _missing(row))


def _figures(population: int, hits: int, rate: float, plain: Any, finite: Any, exact: Any, note: str) -> dict:
    left = [_left(share, population, hits) for share in (rate, *finite)]
    return dict(zip(FIGURES, (rate, *plain, *finite, *exact, *left), strict=True)) | {"note": note}


def _left(rate: float, population: int, hits: int) -> float:
    """The rate among those left when all hits are gone."""
    return min(1.0, max(0.0, (rate * population - hits) / (population - hits))) if population > hits else 0.0


def _missing(row: dict) -> str:
    waiting = row["sampled"] - row["looked"]
    return f"{waiting} of {row['sampled']} still await review" if waiting > 0 else ""
