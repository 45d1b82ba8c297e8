"""Null worlds: how often does a report claim a difference between groups where there is none, whatever numbers of
images groups have? And how often is one found that is there? Prints a table.

Made reports of 3 models, 3 metrics (right or wrong, average recalls in tenths with many at the top, continuous), 5
attributes and intersections of three of them. Nothing depends on any group, but numbers of images may.
Run: python benchmarks/null_worlds.py [--worlds NAME ...] [--reports 200] [--first 0] [--gap 0.15]
"""

import argparse
from collections.abc import Callable
from functools import partial
from time import process_time
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import sparse
from scipy.stats import beta, norm

from accord.analyse import disparities, extremes
from accord.analyse.comparing.family import ALPHA, family
from accord.analyse.comparing.intersections import Marks, crossings, intersections
from accord.analyse.comparing.nested import Parts, nested
from accord.analyse.tables.scores import Members, Scores
from accord.engine.table import check
from accord.statistics.cohort import Cohort
from accord.statistics.testing.correction import corrected

MODELS = 3
REGIONS, PLANTED = 5, 4
LEAST, DRAWS = 10, 100
CROSSED = ("ancestry", "pronoun", "vendor")
METRICS = ("right", "ar_iou", "continuous")


class People(NamedTuple):
    """How many images each subject has, (m,) int, what they say of themselves: attribute -> (m,) int, which part of the
    variance of its images' scores is each subject's own, (m,), how often a model is right, and the metrics."""

    counts: np.ndarray
    said: dict[str, np.ndarray]
    alike: np.ndarray | float = 0.6
    right: float = 0.9
    metrics: tuple[str, ...] = METRICS


class Told(NamedTuple):
    """What one report claims: disparities by metric, intersections, and whether the planted region is among them."""

    metrics: tuple[str, ...]
    named: bool
    planted: int


def answers(rng: np.random.Generator, subjects: int) -> dict[str, np.ndarray]:
    """Five attributes; skin goes with ancestry."""
    ancestry = rng.integers(0, REGIONS, subjects)
    skin = (ancestry + (rng.random(subjects) < 0.4) * rng.integers(1, 4, subjects)) % REGIONS
    pronoun, age, vendor = (rng.integers(0, k, subjects) for k in (2, 4, 4))
    return {"pronoun": pronoun, "age": age, "ancestry": ancestry, "skin": skin, "vendor": vendor}


def even(rng: np.random.Generator) -> People:
    """120 subjects with 3 images each."""
    return People(np.full(120, 3), answers(rng, 120))


def one_against_eight(rng: np.random.Generator, mixed: float = 0.0) -> People:
    """100 subjects with an image, 30 with eight: one vendor each, but for a share `mixed`."""
    counts = np.repeat([1, 8], [100, 30])
    return People(counts, answers(rng, 130) | {"vendor": ((counts == 8) ^ (rng.random(130) < mixed)).astype(int)})


def nearly_one_against_eight(rng: np.random.Generator) -> People:
    """The same, a fifth of the subjects of the other vendor."""
    return one_against_eight(rng, 0.2)


def forty_by_ten(rng: np.random.Generator) -> People:
    """40 subjects with ten images, 200 with one: these mostly say one pronoun."""
    counts = np.repeat([10, 1], [40, 200])
    return People(counts, answers(rng, 240) | {"pronoun": ((counts == 1) ^ (rng.random(240) < 0.2)).astype(int)})


def by_ancestry(rng: np.random.Generator) -> People:
    """150 subjects with 1 to 10 images, many or few by their region."""
    said = answers(rng, 150)
    return People(1 + rng.binomial(9, (said["ancestry"] + 0.5) / REGIONS), said)


def frames(rng: np.random.Generator) -> People:
    """80 subjects with 10 to 40 frames, many or few by their region."""
    said = answers(rng, 80)
    return People(10 + rng.binomial(30, (said["ancestry"] + 0.5) / REGIONS), said)


def by_vendor(rng: np.random.Generator) -> People:
    """150 subjects of four vendors, each with its own numbers of images and its own mix of regions."""
    said = answers(rng, 150)
    low, high = np.array([1, 2, 4, 6])[said["vendor"]], np.array([2, 3, 6, 10])[said["vendor"]]
    said["ancestry"] = (said["vendor"] + 1 + (rng.random(150) < 0.4) * rng.integers(0, REGIONS, 150)) % REGIONS
    return People(rng.integers(low, high + 1), said)


def alike_by_vendor(
    rng: np.random.Generator, alike: tuple[float, float], share: float = 0.5, lone: bool = False
) -> People:
    """100 subjects with 8 images, which are more alike in one vendor's deliveries, of a share of the subjects, than in
    the other's; right in 80%. lone: with no other attribute or metric, so that little is corrected for."""
    vendor = (np.arange(100) >= 100 * share).astype(int)
    of = np.array(alike)[vendor]
    if lone:
        return People(np.full(100, 8), {"vendor": vendor}, of, 0.8, METRICS[:1])
    return People(np.full(100, 8), answers(rng, 100) | {"vendor": vendor}, of, 0.8)


WORLDS: dict[str, Callable[[np.random.Generator], People]] = {
    "3 images each": even,
    "100 x 1, 30 x 8, a vendor each": one_against_eight,
    "100 x 1, 30 x 8, vendors mixed": nearly_one_against_eight,
    "40 x 10, 200 x 1, by pronoun": forty_by_ten,
    "1 to 10, by ancestry": by_ancestry,
    "1 to 10, by vendor": by_vendor,
    "10 to 40, by ancestry": frames,
    "correlation 0.75 and 0, by vendor": partial(alike_by_vendor, alike=(0.75, 0.0)),
    "correlation 0.7 and 0.2, by vendor": partial(alike_by_vendor, alike=(0.7, 0.2)),
    "correlation 0.75 and 0, vendor only": partial(alike_by_vendor, alike=(0.75, 0.0), lone=True),
    "correlation 0.7 and 0.2, vendor only": partial(alike_by_vendor, alike=(0.7, 0.2), lone=True),
    "correlation 0.75 for 20, 0 for 80, vendor only": partial(alike_by_vendor, alike=(0.75, 0.0), share=0.2, lone=True),
    "correlation 0 for 20, 0.75 for 80, vendor only": partial(alike_by_vendor, alike=(0.0, 0.75), share=0.2, lone=True),
}


class Release(NamedTuple):
    """Whose each image is, (n,) int; scores by (model, metric), (n,); labels of images by attribute, (n,)."""

    owner: np.ndarray
    scores: dict[tuple[str, str], np.ndarray]
    labels: dict[str, np.ndarray]


def made(people: People, rng: np.random.Generator, gap: float = 0.0) -> Release:
    """The planted region's scores are lower by `gap` (of right answers by that share)."""
    owner = np.repeat(np.arange(len(people.counts)), people.counts)
    alike = np.broadcast_to(people.alike, len(people.counts))
    labels = {name: np.char.add(name[0], codes.astype(str))[owner] for name, codes in people.said.items()}
    drop = gap * (people.said["ancestry"][owner] == PLANTED) if gap else np.zeros(len(owner))
    common, scores = _varied(rng, owner, alike), {}
    for model in range(MODELS):
        level = (common + _varied(rng, owner, alike)) / np.sqrt(2)
        found = dict(zip(METRICS, _scores(rng, level, drop, people.right), strict=True))
        scores |= {(f"m{model}", metric): found[metric] for metric in people.metrics}
    return Release(owner, scores, labels)


def tables(release: Release) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Scores and Members, intersections of two among them."""
    keys = pd.DataFrame({"image": [f"i{n:05d}" for n in range(len(release.owner))]})
    keys["subject"] = [f"s{n:04d}" for n in release.owner]
    of = [keys.assign(task="people", model=model, metric=metric, value=some, note="")
          for (model, metric), some in release.scores.items()]  # fmt: skip
    single = {name: keys.assign(attribute=name, group=some) for name, some in release.labels.items()}
    members = pd.concat([*single.values(), *intersections([single[name] for name in CROSSED], 2)], ignore_index=True)
    return check(pd.concat(of, ignore_index=True), Scores, "scores"), check(members, Members, "members")


def _varied(rng: np.random.Generator, owner: np.ndarray, alike: np.ndarray) -> np.ndarray:
    """Of images, with variance 1, of which a part is the subject's."""
    subjects = rng.normal(0, np.sqrt(alike))
    return subjects[owner] + rng.normal(0, np.sqrt(1 - alike[owner]))


def _scores(
    rng: np.random.Generator, level: np.ndarray, drop: np.ndarray, share: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Right in a share of images, a recall of 0.83 on average, and a continuous score about 0.8."""
    right = (level > norm.ppf(1 - share)) & (rng.random(len(level)) >= drop)
    recall = np.clip(np.round(0.85 + 0.13 * level - drop, 1), 0, 1)
    return right.astype(float), recall, 0.8 + 0.13 * level - drop


def claimed(world: Callable, seed: int, gap: float = 0.0) -> Told:
    """What the report of one made release claims: as `whole` says it, without the tables on the way."""
    rng = np.random.default_rng([17, seed])
    release = made(world(rng), rng, gap)
    singles = [marks_of(name, labels) for name, labels in release.labels.items()]
    chosen = [marks_of(name, release.labels[name]) for name in CROSSED if name in release.labels]
    crossed = [marks for marks in crossings(chosen, 2) if len(marks.attributes) > 1]
    attributes = sorted([*singles, *crossed], key=lambda marks: marks.attribute)
    families = [
        family(("people", *test), marks.attribute, cohort_of(release, values, marks), LEAST)
        for test, values in sorted(release.scores.items()) for marks in attributes
    ]  # fmt: skip
    found = pd.DataFrame([row for _, row in disparities.tested_families(families, LEAST, DRAWS, seed)])
    p = []
    for values in release.scores.values():
        parts = Parts(chosen, values, release.owner, LEAST)
        for marks in crossed:
            enough = np.flatnonzero(marks.subject_counts(release.owner) >= LEAST)
            p += [p for p, _ in nested(marks.only(enough), parts)]
    tested = np.array(p)[~np.isnan(p)]
    return _told(found, bool(len(tested)) and bool(corrected(tested, "bonferroni").min() < ALPHA))


def whole(world: Callable, seed: int, gap: float = 0.0) -> Told:
    """The same by the steps of the workflow."""
    rng = np.random.default_rng([17, seed])
    scores, members = tables(made(world(rng), rng, gap))
    found = disparities.run(scores, members, min_subjects=LEAST, bootstraps=DRAWS, seed=seed)
    how = {"crossed": list(CROSSED), "most": 2, "min_subjects": LEAST, "bootstraps": DRAWS}
    worse = extremes.run(scores, members, **how, seed=seed).intersections
    return _told(found, bool((worse["group"] != "").any()))


def _told(found: pd.DataFrame, named: bool) -> Told:
    held = found[found["claimed"].astype(bool)]
    planted = (held["attribute"] == "ancestry") & (held["worst"] == f"a{PLANTED}")
    return Told(tuple(sorted(set(held["metric"]))), named, int(planted.sum()))


def marks_of(name: str, labels: np.ndarray) -> Marks:
    groups, codes = np.unique(labels, return_inverse=True)
    each = np.arange(len(groups))[:, np.newaxis]
    return Marks((name,), np.arange(len(labels)), codes, each, (tuple(map(str, groups)),))


def cohort_of(release: Release, values: np.ndarray, marks: Marks) -> Cohort:
    shape = (len(values), len(marks.codes))
    member = sparse.csc_array((np.ones(len(marks.rows)), (marks.rows, marks.groups)), shape=shape)
    return Cohort(values, release.owner, member, marks.names)


def clopper_pearson(hits: int, trials: int) -> tuple[float, float]:
    """95% interval of a share (Clopper and Pearson, 1934)."""
    low = beta.ppf(0.025, hits, trials - hits + 1) if hits else 0.0
    return float(low), float(beta.ppf(0.975, hits + 1, trials - hits)) if hits < trials else 1.0


def row(name: str, told: list[Told], gap: float) -> str:
    """A row of the table: with a gap, how often it is found; without, how many reports claim anything."""
    if gap:
        found, trials = sum(one.planted for one in told), len(told) * MODELS * len(METRICS)
        return f"| {name} | {found} of {trials} ({found / trials:.0%}) |"
    cells = []
    for hits in (sum(bool(one.metrics) for one in told), sum(one.named for one in told)):
        low, high = clopper_pearson(hits, len(told))
        cells.append(f"{hits} of {len(told)} ({low:.1%} to {high:.1%})")
    each = ", ".join(str(sum(metric in one.metrics for one in told)) for metric in METRICS)
    return f"| {name} | {cells[0]} | {each} | {cells[1]} |"


def main() -> None:
    """Print a row per world."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worlds", nargs="+", choices=WORLDS, default=list(WORLDS), metavar="NAME")
    parser.add_argument("--reports", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="the first report's seed")
    parser.add_argument("--gap", type=float, default=0.0, help="by which one region is worse")
    asked, start = parser.parse_args(), process_time()
    if asked.gap:
        print(f"| world | gap of {asked.gap:.2f} claimed of its region, by models and metrics |\n|---|---|")
    else:
        print(f"| scenario | reports that claim a disparity | {', '.join(METRICS)} | that report an intersection |")
        print("|---|---|---|---|", flush=True)
    for name in asked.worlds:
        seeds = range(asked.first, asked.first + asked.reports)
        print(row(name, [claimed(WORLDS[name], seed, asked.gap) for seed in seeds], asked.gap), flush=True)
    print(f"\n{process_time() - start:.0f} s of one core.")


if __name__ == "__main__":
    main()
