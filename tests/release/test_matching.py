"""Replacements: the best assignment, held against all that there are."""

from itertools import permutations

import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.engine import table
from accord.release.reserve import matching
from accord.release.tables import Keys

COLUMNS = (*matching.FIRST, *matching.SECOND)


def keys(prefix: str, rows: list[tuple]) -> pd.DataFrame:
    """Images `<prefix>0`, ...: pronoun, age group, ancestry, pose, scene, camera distance of each."""
    return table.rows([(f"{prefix}{n}", "s", "reserve", *row) for n, row in enumerate(rows)], Keys)


def cost(gone: pd.DataFrame, free: pd.DataFrame, pairs: dict[str, str]) -> tuple[int, int]:
    """Mismatches of the first and of the second columns, counted one by one."""
    left, right = gone.set_index("image"), free.set_index("image")
    return tuple(
        sum(left.loc[a, column] != right.loc[b, column] for a, b in pairs.items() for column in columns)
        for columns in (matching.FIRST, matching.SECOND)
    )


def best(gone: pd.DataFrame, free: pd.DataFrame) -> tuple[int, int]:
    """The least cost over all assignments."""
    a, b = gone["image"].tolist(), free["image"].tolist()
    if len(a) <= len(b):
        return min(cost(gone, free, dict(zip(a, some, strict=True))) for some in permutations(b, len(a)))
    return min(cost(gone, free, dict(zip(some, b, strict=True))) for some in permutations(a, len(b)))


rows = st.lists(st.tuples(*[st.sampled_from("xy")] * 3, *[st.sampled_from("xyz")] * 3), max_size=5)


@settings(max_examples=20, deadline=None)
@given(rows, rows, st.randoms())
def test_no_other_assignment_is_better_and_order_does_not_matter(left, right, chance):
    gone, free = keys("g", left), keys("f", right)
    found = matching.match(gone, free)
    assert len(found) == len(set(found.values())) == min(len(left), len(right))
    assert cost(gone, free, found) == best(gone, free)
    seed = chance.randrange(1000)
    assert matching.match(gone.sample(frac=1, random_state=seed), free.sample(frac=1, random_state=seed + 1)) == found


def test_who_is_in_it_weighs_more_than_all_else_together():
    gone = keys("g", [("she", "[18, 30)", "13. Eastern Asia", "1. Sitting", "12. Home", "2. CD III")])
    alike = ("she", "[18, 30)", "13. Eastern Asia", "0. Standing", "3. Street", "0. CD I")
    other = ("he", "[18, 30)", "13. Eastern Asia", "1. Sitting", "12. Home", "2. CD III")
    assert matching.match(gone, keys("f", [other, alike])) == {"g0": "f1"}
