"""Frequent itemsets at FHIBE's size: ours against mlxtend's fpgrowth. Prints CPU seconds and ratio; asserts equal sets.

10,941 rows, 31 attributes of 2 to 9 values, as uneven as annotations are; sets of up to 4 values. Needs mlxtend, which
the package doesn't: pip install mlxtend. Run: python benchmarks/itemsets.py
"""

from time import process_time

import numpy as np
import pandas as pd

from accord.analyse.itemsets import frequent

ROWS, ATTRIBUTES, MOST = 10_941, 31, 4


def main() -> None:
    """Time both on the same columns, at two supports, and hold their sets and counts together."""
    from mlxtend.frequent_patterns import fpgrowth

    marks = attributes(np.random.default_rng(1))
    for support in (0.1, 0.05):
        least = int(np.ceil(support * ROWS))
        start = process_time()
        ours = frequent(marks, least, MOST)
        halfway = process_time()
        theirs = fpgrowth(pd.DataFrame(marks), min_support=least / ROWS, max_len=MOST)
        end = process_time()
        counted = {tuple(s): c for sets, counts in ours for s, c in zip(sets.tolist(), counts.tolist(), strict=True)}
        shares = zip(theirs["itemsets"], theirs["support"], strict=True)
        assert counted == {tuple(sorted(map(int, some))): round(share * ROWS) for some, share in shares}
        fast, slow = halfway - start, end - halfway
        times = f"{fast:.2f} s against {slow:.1f} s: {slow / fast:.0f} x"
        print(f"support {support:.0%}, {marks.shape[1]} values: {len(counted):,} sets, {times}")


def attributes(rng: np.random.Generator) -> np.ndarray:
    """(rows, values) bool: one value of each attribute holds for each row; a third of attributes go with another."""
    columns, before = [], rng.integers(0, 3, ROWS)
    for index in range(ATTRIBUTES):
        count = int(rng.integers(2, 10))
        value = rng.choice(count, ROWS, p=rng.dirichlet(np.full(count, 0.8)))
        if index % 3 == 0:
            value = np.where(rng.random(ROWS) < 0.5, before % count, value)
        before = value
        columns.append(value[:, np.newaxis] == np.arange(count))
    return np.hstack(columns)


if __name__ == "__main__":
    main()
