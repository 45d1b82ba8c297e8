"""Scores and groups brought together by numbers are those brought together by texts, in any order of rows."""

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.statistics.cohort import KEY, cohort, numbered

PEOPLE = [(image, who) for image in ("i1", "i10", "i2", "é") for who in ("s", "t", "u")]
SCORED = st.lists(st.sampled_from(PEOPLE), unique=True, max_size=8)
GROUPED = st.lists(st.tuples(st.sampled_from(PEOPLE), st.sampled_from("bca")), unique=True, max_size=12)


def frames(scored, grouped) -> tuple[pd.DataFrame, pd.DataFrame]:
    scores = pd.DataFrame(scored, columns=KEY, dtype=str).assign(value=np.arange(len(scored), dtype=float))
    members = pd.DataFrame([(*key, group) for key, group in grouped], columns=[*KEY, "group"], dtype=str)
    return scores, members


@settings(max_examples=60, deadline=None)
@given(SCORED, GROUPED)
def test_it_holds_what_a_merge_by_image_and_subject_finds(scored, grouped):
    scores, members = frames(scored, grouped)
    expected = scores.merge(members, on=KEY)
    wanted = {name: sorted(some["value"]) for name, some in expected.groupby("group")}
    for made in (
        cohort(scores, members),
        cohort(*numbered(scores, members)),
        cohort(*numbered(scores, members, scores)[:2]),
    ):
        assert made.groups == tuple(sorted({group for _, group in grouped}))
        found = {name: made.values[made.rows(at)] for at, name in enumerate(made.groups)}
        assert {name: sorted(some) for name, some in found.items() if len(some)} == wanted
        assert made.values.tolist() == [float(scored.index(key)) for key in sorted(scored)]
        assert [sorted({who for _, who in scored})[s] for s in made.subjects] == [who for _, who in sorted(scored)]


@given(st.lists(st.sampled_from(PEOPLE)), st.lists(st.sampled_from(PEOPLE)))
def test_numbers_are_in_the_order_of_image_and_subject_over_all_tables(first, second):
    tables = [pd.DataFrame(some, columns=KEY, dtype=str) for some in (first, second)]
    told = [number for of in numbered(*tables) for number in of["person"]]
    ordered = sorted({*first, *second})
    places = dict(zip(ordered, sorted(set(told)), strict=True))
    assert told == [places[key] for key in (*first, *second)]
