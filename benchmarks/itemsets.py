"""Frequent itemsets at FHIBE's size: ours, Borgelt's Eclat and FP-growth in C (pyfim), and mlxtend's fpgrowth, on one
core.

10,941 rows, 31 attributes of 2 to 9 values, as uneven as annotations are; sets of up to 4 values. Prints the CPU
seconds of each and asserts equal sets. Needs pyfim and, with --mlxtend (half a minute), mlxtend, which the package
doesn't: pip install pyfim mlxtend. Run: python benchmarks/itemsets.py [--mlxtend]
"""

import sys
from collections.abc import Callable
from time import process_time

import numpy as np
import pandas as pd

from accord.statistics.itemsets import frequent

ROWS, ATTRIBUTES, MOST = 10_941, 31, 4


Counts = dict[tuple[int, ...], int]


def main() -> None:
    """Time all on the same columns, at two supports, and hold their sets and counts together."""
    import fim

    marks = attributes(np.random.default_rng(1))
    transactions = [np.flatnonzero(row).tolist() for row in marks]
    for support in (0.1, 0.05):
        least = int(np.ceil(support * ROWS))
        print(f"support {support:.0%}, {marks.shape[1]} values")
        known = told("ours", lambda n=least: frequent(marks, n, MOST), _of_ours)
        for name in ("eclat", "fpgrowth"):
            mine = getattr(fim, name)
            found = told(
                f"pyfim, {name}", lambda n=least, f=mine: f(transactions, supp=-n, zmax=MOST, report="a"), _of_pyfim
            )
            assert found == known
        if "--mlxtend" in sys.argv:
            from mlxtend.frequent_patterns import fpgrowth

            found = told(
                "mlxtend",
                lambda n=least: fpgrowth(pd.DataFrame(marks), min_support=n / ROWS, max_len=MOST),
                _of_mlxtend,
            )
            assert found == known


def told(way: str, mine: Callable, counts: Callable[..., Counts]) -> Counts:
    """Print the CPU seconds of a way; returns its sets and counts."""
    start = process_time()
    made = mine()
    spent = process_time() - start
    found = counts(made)
    print(f"    {way}: {len(found):,} sets in {spent:.2f} s", flush=True)
    return found


def _of_ours(made: list) -> Counts:
    return {tuple(s): c for sets, counts in made for s, c in zip(sets.tolist(), counts.tolist(), strict=True)}


def _of_pyfim(made: list) -> Counts:
    return {tuple(sorted(items)): count for items, count in made}


def _of_mlxtend(made: pd.DataFrame) -> Counts:
    shares = zip(made["itemsets"], made["support"], strict=True)
    return {tuple(sorted(map(int, some))): round(share * ROWS) for some, share in shares}


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
