"""How often the Rapid Test claims a change over time that there isn't, and how often its intervals hold a true one.

    python benchmarks/rapid_over_time.py [--tests 200] [--queries 10 20 40]

Two versions of a service give all pairs of each query's faces a score, and as many pairs of two queries, as in
`rapid_intervals.py`: how hard a query and a face are is the same for both versions, what a pair is on top of it is half
the same. There are four groups of so many queries each, and FMRs of 0.01 and 0.1: ten rows. Three lines each: versions
that err alike by chance only; a later one that is better for everyone; one that is better for the first group alone.
"All hold": all ten intervals hold the true change, as 95% of tests should have it. "Claimed": a row that in truth
didn't change is claimed, as 5% may. The other way to tell is by each row's own 95% interval (Student's t of rates by
query at the threshold as it was found), printed beside it.
"""

import argparse
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import norm, ttest_1samp

import rapid_intervals
from accord.analyse.faces.rates import threshold_at
from accord.analyse.faces.trials import Trials
from accord.analyse.identities import over_time
from accord.analyse.identities.service_curves import How

GROUPS, FMRS = 4, (0.01, 0.1)


class Later(NamedTuple):
    """How much higher genuine scores of the later version are: of the first group's queries, and of all others."""

    name: str
    first: float
    others: float


LATER = (Later("none", 0.0, 0.0), Later("everyone", 0.1, 0.1), Later("one group", 0.2, 0.0))
WORLD = rapid_intervals.World()


def main() -> None:
    """Print three lines for each number of queries."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tests", type=int, default=200, help="simulated pairs of tests for each line (default: 200)")
    parser.add_argument("--queries", type=int, nargs="+", default=[10, 20, 40], help="of a group: 10 20 40")
    flags = parser.parse_args()
    print(f"{flags.tests} tests a line")
    print("queries  change     all hold  claimed  found  claimed one by one")
    for queries in flags.queries:
        for later in LATER:
            every = [_held(later, queries, np.random.default_rng([queries, seed])) for seed in range(flags.tests)]
            shares = np.nanmean(np.array(every, float), axis=0)
            print(f"{queries:7}  {later.name:9}  " + "  ".join(f"{share:7.1%}" for share in shares), flush=True)


def _held(later: Later, queries: int, rng: np.random.Generator) -> tuple[float, float, float, float]:
    """Whether all intervals hold, an unchanged row is claimed, how many changed rows are; and claimed one by one."""
    before, after, faces, groups = simulated(later, queries, rng)
    labels = {"annotated": np.ones(len(faces), int)}
    compared = list(over_time.comparisons("s", before, after, faces))
    rows = pd.DataFrame(list(over_time.rows(compared, labels, groups, How(FMRS, 2, 400))))
    truth = np.array([_true(later, row.group, row.fmr) for row in rows.itertuples()])
    holds = ((rows["low"] <= truth) & (truth <= rows["high"])).all()
    claimed, unchanged = rows["verdict"] != over_time.OPEN, truth == 0
    wrong = float(claimed[unchanged].any()) if unchanged.any() else np.nan
    found = float(claimed[~unchanged].mean()) if (~unchanged).any() else np.nan
    return float(holds), wrong, found, _one_by_one(before, after, faces, groups, unchanged)


def _true(later: Later, group: str, fmr: float) -> float:
    """The change of FNMR in truth, of rows in the order of groups and FMRs."""
    shares = {"all": (1 / GROUPS, 1 - 1 / GROUPS), "g0": (1.0, 0.0)}.get(group, (0.0, 1.0))
    limit = WORLD.impostor + float(norm.isf(fmr)) * float(np.hypot(np.sqrt(2) * WORLD.alike, WORLD.other))
    spread = np.sqrt(WORLD.hard**2 + 2 * WORLD.face**2 + WORLD.pair**2)
    rates = [norm.cdf((limit - WORLD.genuine - more) / spread) for more in (0.0, later.first, later.others)]
    return float(shares[0] * (rates[1] - rates[0]) + shares[1] * (rates[2] - rates[0]))


def simulated(later: Later, queries: int, rng: np.random.Generator) -> tuple[pd.DataFrame, ...]:
    """Scores of both versions, faces, and groups."""
    whole = GROUPS * queries
    trials = rapid_intervals.simulated(WORLD._replace(pair=0.0, other=0.0), whole, whole, rng)
    names = np.array([f"f{face:05d}" for face in range(whole * WORLD.faces[0])])
    left, right = np.array(np.triu_indices(WORLD.faces[0], 1))
    starts = np.arange(whole) * WORLD.faces[0]
    same = np.stack([(starts[:, np.newaxis] + side).ravel() for side in (left, right)])
    others = np.unique(np.sort(_across(trials, rng), axis=0), axis=1, return_index=True)
    pairs = np.concatenate([same, others[0]], axis=1)
    middle = np.concatenate([trials.genuine, trials.impostor[others[1]]])
    spread = np.repeat([WORLD.pair, WORLD.other], [same.shape[1], others[0].shape[1]])
    shared = rng.normal(0, np.sqrt(0.5), len(middle))
    more = np.where(trials.owner < queries, later.first, later.others)
    moved = np.concatenate([more, np.zeros(others[0].shape[1])])
    base = {"service": "s", "left": names[pairs[0]], "right": names[pairs[1]], "status": ""}
    scores = [middle + up + spread * (shared + rng.normal(0, np.sqrt(0.5), len(middle))) for up in (0.0, moved)]
    before, after = (pd.DataFrame({**base, "version": str(n), "score": one}) for n, one in enumerate(scores))
    of = np.repeat(np.arange(whole), WORLD.faces[0])
    faces = pd.DataFrame({"face": names, "query": [f"q{query:04d}" for query in of]})
    numbers = np.arange(whole)
    groups = pd.DataFrame({"attribute": "g", "group": [f"g{n // queries}" for n in numbers], "query": numbers})
    return before, after, faces, groups


def _across(trials: Trials, rng: np.random.Generator) -> np.ndarray:
    """(2, pairs): faces of the two queries of each impostor pair, drawn at random."""
    each = WORLD.faces[0]
    return np.stack([side * each + rng.integers(each, size=len(side)) for side in (trials.left, trials.right)])


def _one_by_one(
    before: pd.DataFrame, after: pd.DataFrame, faces: pd.DataFrame, groups: pd.DataFrame, unchanged: np.ndarray
) -> float:
    """Whether a row that didn't change is claimed where each is tested alone, thresholds taken as given."""
    of = faces.set_index("face")["query"]
    query = before["left"].map(of)
    same = (query == before["right"].map(of)).to_numpy()
    names = ["all", *(f"g{n}" for n in range(GROUPS))]
    refused = []
    for fmr in FMRS:
        limits = [threshold_at(some["score"][~same].to_numpy(), fmr) for some in (before, after)]
        rates = [(some["score"][same] < limit).groupby(query[same]).mean()
                 for some, limit in zip((before, after), limits, strict=True)]  # fmt: skip
        refused.append((rates[1] - rates[0]).to_numpy())
    claims = []
    for name in names:
        members = (groups["group"] == name).to_numpy() | (name == "all")
        claims += [ttest_1samp(some[members], 0).pvalue < 0.05 if some[members].any() else False for some in refused]
    return float(np.array(claims)[unchanged].any()) if unchanged.any() else np.nan


if __name__ == "__main__":
    main()
