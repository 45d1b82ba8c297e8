"""Comparing groups at FHIBE's size, against the usual tools. Prints CPU seconds of one core and ratios.

Pairs: 10,941 rows of 1,981 subjects, 31 attributes; the intersection of four of them has 240 groups, so 28,680 pairs:
from a table to all p-values, against pandas and scipy, which is asked for all pairs of the same two sizes at once,
and (as the public FHIBE tool does it) for each pair. Scores in tenths (as average recall is) and without ties (as a
cosine is). All of up to four: what `analyse.extremes` looks at when it combines six of the attributes. Bootstrap: 95%
intervals of 600 groups from 5,000 draws, against percentiles of draws of rows with NumPy's bincount, and fairlearn's
MetricFrame (`pip install -e '.[benchmarks]'`); ours draws subjects with all their rows, and adds the subject that
nobody saw. fairlearn's time is measured for two small numbers of draws, and taken to grow as it does between them.
Run: python benchmarks/groups.py
"""

from itertools import combinations
from time import process_time

import numpy as np
import pandas as pd
from scipy import sparse, stats

from accord.analyse import extremes
from accord.analyse.comparing.intersections import crossings, single
from accord.statistics.cohort import Cohort
from accord.statistics.ranking.ranks import mann_whitney
from accord.statistics.resampling import bootstrap

ROWS, SUBJECTS, ATTRIBUTES = 10_941, 1_981, 31
LABELS = (2, 5, 4, 6, *(2 + n % 9 for n in range(ATTRIBUTES - 4)))
GROUPS, DRAWS, FEW, MORE = 600, 5_000, 5, 15


def main() -> None:
    """All three comparisons, each on the same data."""
    rng = np.random.default_rng(1)
    rows = pd.DataFrame({"image": np.arange(ROWS).astype(str), "subject": rng.integers(0, SUBJECTS, ROWS).astype(str)})
    labels = pd.DataFrame({f"a{n:02d}": rng.integers(0, k, ROWS).astype(str) for n, k in enumerate(LABELS)})
    for kind, values in (("tenths", np.round(rng.beta(4, 2, ROWS), 1)), ("no ties", rng.beta(4, 2, ROWS))):
        pairs(kind, rows, labels, values)
        every(kind, rows, labels, values)
    draws(rng)


def pairs(kind: str, rows: pd.DataFrame, labels: pd.DataFrame, values: np.ndarray) -> None:
    """One four-way intersection: from the table to the p-values of all pairs."""
    chosen, start = list(labels.columns[:4]), process_time()
    *_, marks = (found for found in crossings(_singles(rows, labels[chosen]), 4) if len(found.attributes) == 4)
    shape = (ROWS, len(marks.codes))
    member = sparse.csc_array((np.ones(len(marks.rows)), (marks.rows, marks.groups)), shape=shape)
    subjects = rows["subject"].astype(int).to_numpy()
    ours = mann_whitney(Cohort(values, subjects, member, marks.names)).p
    took, start = process_time() - start, process_time()
    samples = [values[some.index] for _, some in labels.groupby(chosen, sort=True)]
    grouped, start = process_time() - start, process_time()
    batched = in_batches(samples)
    at_once, start = process_time() - start, process_time()
    theirs = np.array([stats.mannwhitneyu(a, b).pvalue for a, b in combinations(samples, 2)])
    told(f"pairs, {kind}: {len(theirs):,}, scipy for all of two sizes", took, grouped + at_once)
    told(f"pairs, {kind}: {len(theirs):,}, scipy for each", took, grouped + process_time() - start)
    upper = np.triu_indices(len(samples), 1)
    print(f"    p-values within {max(np.abs(ours[upper] - p).max() for p in (batched[upper], theirs)):.1e}")


def in_batches(samples: list[np.ndarray]) -> np.ndarray:
    """(k, k) p-values, those of all pairs of groups of the same two sizes from one call of scipy."""
    sizes, found = np.array([len(some) for some in samples]), np.ones((len(samples),) * 2)
    left, right = np.triu_indices(len(samples), 1)
    pairs = pd.DataFrame({"left": left, "right": right})
    for _, some in pairs.groupby([sizes[left], sizes[right]]):
        a, b = some["left"].to_numpy(), some["right"].to_numpy()
        both = (np.stack([samples[n] for n in side]) for side in (a, b))
        found[a, b] = stats.mannwhitneyu(*both, axis=1).pvalue
    return found


def every(kind: str, rows: pd.DataFrame, labels: pd.DataFrame, values: np.ndarray) -> None:
    """All attributes, and intersections of up to four of six: extremes with intervals, intersections, their parts."""
    scores = rows.assign(task="t", model="m", metric="s", value=values, note="")
    members = pd.concat([rows.assign(attribute=name, group=labels[name]) for name in labels], ignore_index=True)
    start = process_time()
    found = extremes.run(scores, members, crossed=list(labels.columns[:6]), most=4)
    took, table = process_time() - start, found.extremes
    tested = int((table["groups"] * (table["groups"] - 1) // 2).sum())
    held = int(found.intersections["looked_at"].iloc[0])
    print(f"all of up to four, {kind}: {took:.1f} s for {tested:,} pairs in {len(table)} attributes and intersections,")
    print(f"    their extremes with intervals, and {held:,} intersections against their parts")


def draws(rng: np.random.Generator) -> None:
    """Means of 600 groups in 5,000 draws."""
    groups, subjects = rng.integers(0, GROUPS, ROWS), rng.integers(0, SUBJECTS, ROWS)
    values = rng.beta(4, 2, ROWS)
    member = sparse.csc_array((np.ones(ROWS), (np.arange(ROWS), groups)), shape=(ROWS, GROUPS))
    cohort = Cohort(values, subjects, member, tuple(map(str, range(GROUPS))))
    start = process_time()
    bootstrap.means(cohort, bootstrap.weights(SUBJECTS, DRAWS, rng))
    ours, start = process_time() - start, process_time()
    by_bincount(values, groups, rng)
    told(f"bootstrap: {DRAWS:,} draws, {GROUPS} groups, bincount", ours, process_time() - start)
    try:
        few, more = _fairlearn(values, groups, FEW), _fairlearn(values, groups, MORE)
    except ImportError:
        print(f"bootstrap: {ours:.2f} s; fairlearn is not installed")
        return
    each = (more - few) / (MORE - FEW)
    told(f"bootstrap: {DRAWS:,} draws, {GROUPS} groups, fairlearn", ours, few + each * (DRAWS - FEW))
    print(f"    fairlearn from {FEW} and {MORE} draws: {few:.1f} s and {more:.1f} s, {each:.3f} s each")


def by_bincount(values: np.ndarray, groups: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Percentile intervals of the groups' means over draws of rows: (2, groups)."""
    means = np.empty((DRAWS, GROUPS))
    for draw in range(DRAWS):
        rows = rng.integers(len(values), size=len(values))
        of = groups[rows]
        with np.errstate(invalid="ignore"):
            means[draw] = np.bincount(of, values[rows], GROUPS) / np.bincount(of, minlength=GROUPS)
    return np.quantile(means, [0.025, 0.975], axis=0)


def _fairlearn(values: np.ndarray, groups: np.ndarray, count: int) -> float:
    from fairlearn.metrics import MetricFrame

    start = process_time()
    made = MetricFrame(
        metrics=lambda true, scored: scored.mean(),
        y_true=values,
        y_pred=values,
        sensitive_features=groups,
        n_boot=count,
        ci_quantiles=[0.025, 0.975],
        random_state=1,
    )
    assert len(made.by_group_ci) == 2
    return process_time() - start


def _singles(rows: pd.DataFrame, labels: pd.DataFrame) -> list:
    keys = pd.MultiIndex.from_frame(rows)
    return [single(keys, name, rows.assign(group=labels[name])) for name in labels]


def told(what: str, fast: float, slow: float) -> None:
    """Print both times and their ratio."""
    print(f"{what}: {fast:.3f} s against {slow:.1f} s: {slow / fast:.0f} x", flush=True)


if __name__ == "__main__":
    main()
