"""What is called worst and best is the lowest and the highest of what is shown: in text, pages, figures, tables."""

import re

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.analyse import analyse
from accord.analyse.plain.found import parts
from accord.analyse.plain.showing import answers, points

LINE = re.compile(r"^    (\w+): worst (\w+) ([\d.]+)\b.*?, best (\w+) ([\d.]+)\b")


def people(seed: int, binary: bool) -> pd.DataFrame:
    """Three attributes of groups of 10 to 200 people; by one of them scores may differ."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(10, 200, rng.integers(2, 6))
    a = np.repeat(np.arange(len(sizes)), sizes)
    level = rng.uniform(0.1, 0.9, len(sizes))[a] if rng.random() < 0.7 else np.full(len(a), 0.5)
    score = (
        (rng.random(len(a)) < level)
        if binary
        else np.clip(level + rng.normal(0, rng.choice([0.05, 0.3]), len(a)), 0, 1)
    )
    other = {name: [f"{name}{code}" for code in rng.integers(0, 3, len(a))] for name in "bc"}
    return pd.DataFrame({"score": score.astype(float), "a": [f"a{code}" for code in a], **other})


@given(st.integers(0, 10**6), st.booleans(), st.booleans())
@settings(max_examples=25, deadline=None)
def test_worst_and_best_are_the_ends_of_the_means_that_are_shown(seed, binary, lower):
    table = people(seed, binary)
    how = {"lower_is_better": ["score"] if lower else [], "bootstraps": 100, "min_subjects": 10}
    found = analyse(table, score="score", attributes=["a", "b", "c"], **how)
    sign = -1 if lower else 1
    means = {name: (sign * table.groupby(name)["score"].mean()) for name in "abc"}
    kept = {name: some[table[name].value_counts()[some.index] >= 10] for name, some in means.items()}
    ends = {name: (some.min(), some.max()) for name, some in kept.items() if len(some) > 1}

    extremes = found.extremes.set_index("attribute")
    for name, (worst, best) in ends.items():
        row = extremes.loc[name]
        assert np.allclose([sign * row["worst_mean"], sign * row["best_mean"]], [worst, best])
        assert np.allclose([kept[name][row["worst"]], kept[name][row["best"]]], [worst, best])

    told = [LINE.match(line) for line in repr(found).splitlines()]
    told = {line[1]: line.groups()[1:] for line in told if line}
    assert set(told) == set(ends)
    for name, (worst, low, best, high) in told.items():
        assert np.allclose([kept[name][worst], kept[name][best]], ends[name])
        assert np.allclose([float(low), float(high)], [sign * end for end in ends[name]], rtol=0.006)

    (part,) = parts(found)
    extent, claims = points.extent(part), answers.claimed(part)
    name = extent.attribute
    assert np.allclose([kept[name][extent.worst.label], kept[name][extent.best.label]], ends[name])
    if claims:
        assert np.isclose(kept[name][answers.answers(part)[1].short], ends[name][0])
        apart = {claims[0].worst, claims[0].best} != {extent.worst.label, extent.best.label}
        assert ("Surest difference: " in extent.note) == apart and ("Surest" in found.to_html()) == apart
    for row in found.disparities[found.disparities["worst"] != ""].itertuples():
        by = kept[row.attribute] if binary or row.worst_median == row.best_median else (
            sign * table.groupby(row.attribute)["score"].median()[kept[row.attribute].index]
        )  # fmt: skip
        is_end = by[row.worst] == by.min() and by[row.best] == by.max()
        assert ("the surest difference: by the " in row.note) == (not is_end)
