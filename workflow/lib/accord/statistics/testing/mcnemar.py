"""Did paired yes-or-no outcomes change in one direction more than in the other?"""

from scipy import stats


def exact(gained: int, lost: int) -> float:
    """Two-sided p of McNemar's exact test (1947): pairs that changed, of which half are expected either way.

    gained, lost: pairs that became right, and that became wrong. 1 where nothing changed. It takes pairs for
    independent of each other.
    """
    return float(stats.binomtest(gained, gained + lost).pvalue) if gained + lost else 1.0
