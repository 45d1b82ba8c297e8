"""Direct error modelling: which features the scores of a model go with, and in which direction."""

from math import ceil
from typing import Annotated, NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame
from scipy import sparse

from accord.analyse.explaining.encoded import Encoded, centred, encoded, probes
from accord.analyse.explaining.forest import impurity, losses
from accord.analyse.explaining.tree import Node, grow
from accord.analyse.scoring.metrics import direction, is_bounded
from accord.analyse.tables.causes import Causes, CauseTree, Features
from accord.analyse.tables.scores import Scores
from accord.engine.flag_types import one_of
from accord.engine.parameter_types import Count, Seed
from accord.engine.table import rows
from accord.statistics.cohort import TEST, Cohort, numbered, numbered_people, tests
from accord.statistics.describing.elbow import elbow
from accord.statistics.describing.mean_intervals import mean_intervals
from accord.statistics.distinct import distinct
from accord.statistics.permuting.max_statistic import RESOLUTION, associate
from accord.statistics.resampling import bootstrap
from accord.statistics.seeds import generator
from accord.statistics.testing.correction import ALPHA
from accord.text.nouns import fewer

NO_FIGURE = ("importance", "standard_error", "low", "high", "explained", "p_value", "number", "worse_mean",
             "worse_low", "worse_high", "other_mean")  # fmt: skip
NO_COUNT = ("images", "subjects", "worse_images", "worse_subjects")
NOTHING = dict.fromkeys(NO_FIGURE, np.nan) | dict.fromkeys(NO_COUNT, 0) | dict.fromkeys(("side", "label", "note"), "")
NOTHING |= {"selected": False, "claimed": False}


class Found(NamedTuple):
    """The features of each test, and the tree of those that are claimed."""

    causes: DataFrame[Causes]
    tree: DataFrame[CauseTree]


class Case(NamedTuple):
    """The rows of one test: scores, whose, of which images; features; whether scores can't leave [0, 1]; and the units
    (people, or clusters that share images) that are drawn and left out together."""

    values: np.ndarray
    subjects: np.ndarray
    images: np.ndarray
    features: Encoded
    bounded: bool
    units: np.ndarray


class How(NamedTuple):
    """The settings of `run`."""

    trees: int
    resamples: int
    least: int
    importance: str
    tree_features: str
    seed: int


class Weight(NamedTuple):
    """Of each feature its importance (f,), and that of each draw of subjects (f, draws); held-out R^2 of the forest.
    NaN where there is none."""

    importance: np.ndarray
    replicates: np.ndarray
    explained: float


def run(
    scores: DataFrame[Scores],
    features: DataFrame[Features],
    *,
    trees: Count = 100,
    resamples: Count = 5000,
    min_subjects: Count = 10,
    importance: Annotated[str, one_of("permutation", "impurity")] = "permutation",
    tree_features: Annotated[str, one_of("claimed", "selected")] = "claimed",
    seed: Seed = 1,
) -> Found:
    """Importances of all features on held-out subjects, and a shallow tree of those that hold.

    Selected are 4 to 6 features before the elbow of the importances; claimed those of them with which scores go more
    than chance allows, over all features and tests: see docs/statistics-explaining.md. resamples: of subjects,
    for standard errors and intervals. As FHIBE's paper: importance `impurity`, which has no interval; tree_features
    `selected`.
    """
    scores, features = numbered(scores, features)
    causes, nodes, every = [], [], list(tests(scores))
    how = How(trees, resamples, min_subjects, importance, tree_features, seed)
    for test, some in every:
        key = dict(zip(TEST, test, strict=True))
        told, tree = _found(test, _case(test, some, features, min_subjects), how, len(every))
        causes += [key | row for row in told]
        nodes += [key | row for row in tree]
    return Found(rows(causes, Causes), rows(nodes, CauseTree))


def p_values(
    features: Encoded, values: np.ndarray, subjects: np.ndarray, count: int, rng: np.random.Generator
) -> np.ndarray:
    """(f,): that scores go with a feature, either way: corrected for all features and, by Bonferroni, `count` tests.

    Subjects exchange their scores; of the probes of all features the one that goes with them most is kept.
    """
    columns, owner = probes(features)
    found = associate(lambda: [columns], centred(values), subjects, ceil(count * RESOLUTION / ALPHA), rng, sides=2)
    return np.minimum(1, count * np.array([found.p[owner == index].min() for index in range(len(features.names))]))


def _case(test: tuple, scores: pd.DataFrame, features: pd.DataFrame, least: int) -> Case:
    subjects, units = numbered_people(scores)
    values, images = scores["value"].to_numpy(float), pd.factorize(scores["image"])[0]
    return Case(values, subjects, images, encoded(scores, features, least), is_bounded(test[2], values), units)


def _found(test: tuple, case: Case, how: How, count: int) -> tuple[list[dict], list[dict]]:
    """The rows of one of `count` tests: its features, and the nodes of its tree."""
    why = _undefined(case, how.least)
    if why:
        return [NOTHING | {"feature": "", "kind": "", "note": why}], _tree(case, np.array([], int), how.least, why)
    told = _weigh(test, case, _weight(test, case, how), count, how.seed)
    told = [row | _direction(test, case, str(row["feature"]), how.least) for row in told]
    held = np.array([case.features.names.index(row["feature"]) for row in told if row[how.tree_features]], int)
    return told, _tree(case, held, how.least, why)


def _undefined(case: Case, least: int) -> str:
    """Why nothing can be said; "" where it can."""
    if (subjects := len(distinct(case.subjects))) < 2 * least:
        return fewer(subjects, "subject", 2 * least)
    if case.values.min() == case.values.max():
        return "all scores are equal"
    return "" if case.features.names else f"no feature is known for {least} subjects"


def _weight(test: tuple, case: Case, how: How) -> Weight:
    rng = generator(how.seed, "forest", *test)
    if how.importance == "impurity":
        importance = impurity(case.features, case.values, how.trees, rng)
        return Weight(importance, np.full((len(importance), how.resamples), np.nan), np.nan)
    lost = losses(case.features, case.values, case.units, how.trees, rng)
    asked = pd.factorize(case.units[lost.rows], sort=True)[0]
    drawn = bootstrap.compact(asked.max() + 1, how.resamples, generator(how.seed, "bootstrap", *test))
    return Weight(lost.of.mean(axis=0), bootstrap.row_means(lost.of, asked, drawn), lost.explained)


def _weigh(test: tuple, case: Case, weight: Weight, count: int, seed: int) -> list[dict]:
    """One row per feature, the most important first."""
    p = p_values(case.features, case.values, case.subjects, count, generator(seed, "causes", *test))
    importance, replicates, explained = weight
    order = np.argsort(-importance, kind="stable")
    chosen, told = set(order[: elbow(importance[order])].tolist()), []
    for index in order.tolist():
        known = case.features.known[:, index]
        subjects = len(distinct(case.subjects[known]))
        low, high = bootstrap.interval(replicates[index], len(distinct(case.units[known])))
        row = {"feature": case.features.names[index], "kind": case.features.kinds[index]}
        row |= {"images": len(distinct(case.images[known])), "subjects": subjects, "importance": importance[index]}
        row |= {"standard_error": replicates[index].std(ddof=1), "low": low, "high": high, "explained": explained}
        row |= {"selected": index in chosen, "p_value": p[index], "claimed": index in chosen and p[index] < ALPHA}
        told.append(NOTHING | row)
    return told


def _direction(test: tuple, case: Case, feature: str, least: int) -> dict:
    """Where scores are worse, of whom the feature is known: its best split, as a tree of one level finds it."""
    index = case.features.names.index(feature)
    known = np.flatnonzero(case.features.known[:, index])
    nodes = grow(case.features.only(known), np.array([index]), case.values[known], case.subjects[known], least, depth=1)
    if len(nodes) < 3:
        return {"note": "no split of it separates the scores"}
    sides = [node._replace(rows=np.isin(np.arange(len(case.values)), known[node.rows])) for node in nodes[1:]]
    worse, other = sorted(sides, key=lambda node: direction(test[2]) * case.values[node.rows].mean())
    figures, where = _figures(case, worse), worse.condition
    assert where is not None  # the root alone has none
    told = {f"worse_{name}": figures[name] for name in ("images", "subjects", "mean", "low", "high")}
    told |= {"side": where.side, "number": where.number, "label": where.label}
    return told | {"other_mean": case.values[other.rows].mean()}


def _tree(case: Case, held: np.ndarray, least: int, why: str) -> list[dict]:
    """One row per node of the tree of the features `held`."""
    nodes = grow(case.features, held, case.values, case.subjects, least)
    if len(nodes) == 1 and not why:
        why = "no split is worth reporting" if len(held) else "no feature is associated with the scores beyond chance"
    return [
        {"node": number, "parent": node.parent, "condition": str(node.condition or ""), "leaf": node.leaf}
        | _figures(case, node)
        | {"note": why}
        for number, node in enumerate(nodes)
    ]


def _figures(case: Case, node: Node) -> dict:
    values, subjects = case.values[node.rows], case.subjects[node.rows]
    count = len(distinct(subjects))
    counts = {"images": len(distinct(case.images[node.rows])), "subjects": count}
    if not len(values):
        return counts | dict.fromkeys(("mean", "low", "high"), np.nan)
    inside = sparse.csc_array(node.rows.astype(float)[:, np.newaxis])
    ((low, high),) = mean_intervals(Cohort(case.values, case.subjects, inside, ("node",), case.units), case.bounded)
    return counts | {"mean": values.mean(), "low": low, "high": high}
