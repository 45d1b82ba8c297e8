"""Splits by source and identity, and whom paths name."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.release.sources import people_in_paths, splits

NAMES = st.integers(0, 30).map(str)
GROUPS = st.lists(st.lists(NAMES, min_size=1, max_size=3, unique=True), max_size=60)


@given(GROUPS)
@settings(max_examples=200, deadline=None)
def test_nobody_is_in_two_splits(groups):
    seen = {}
    for group, split in zip(groups, splits.splits(groups), strict=True):
        for person in group if split != splits.NONE else ():
            assert seen.setdefault(person, split) == split


@given(GROUPS, st.randoms())
@settings(max_examples=50, deadline=None)
def test_the_order_of_pictures_plays_no_part(groups, random):
    order = list(range(len(groups)))
    random.shuffle(order)
    found = splits.splits(groups)
    assert splits.splits([groups[place] for place in order]) == [found[place] for place in order]


@given(GROUPS, GROUPS)
@settings(max_examples=50, deadline=None)
def test_other_people_move_nobody(groups, others):
    apart = [[f"other {name}" for name in group] for group in others]
    assert splits.splits([*apart, *groups])[len(apart) :] == splits.splits(groups)


def test_people_who_are_shown_together_stay_together():
    pairs = [[f"{n}", f"{n + 1}"] for n in range(0, 400, 2)]
    found = splits.splits([*pairs, *([one] for pair in pairs for one in pair)])
    assert splits.NONE not in found
    for place in range(len(pairs)):
        assert len({found[place], found[200 + 2 * place], found[201 + 2 * place]}) == 1


def test_everybody_with_everybody_is_split_all_the_same():
    everybody = [[str(a), str(b)] for a in range(60) for b in range(60) if a != b]
    counts = splits.shares(splits.splits(everybody))
    assert all(counts.values())
    shares = splits.shares(splits.splits([[str(a)] for a in range(5000)]))
    # Binomial standard errors: 35, 28, 28.
    assert shares == pytest.approx({"train": 3000, "validation": 1000, "test": 1000, "none": 0}, abs=140)


@pytest.mark.parametrize(
    ("pattern", "path", "named"),
    [
        ("{target}_{source}/*", "033_097/0012.png", ["033", "097"]),
        ("{one}/*", "033/0012.png", ["033"]),
        ("{one}__*", "id12__walking__a.mp4", ["id12"]),
        ("{a}_{b}/*", "033_033/1.png", ["033"]),
        ("{a}_{b}/*", "033/1.png", []),
        ("{a}.(png)", "033.(png)", ["033"]),
        ("{one}/*", "anna-maria o'neil/1.png", ["anna-maria o'neil"]),
        ("{one}/*", "Jose_Luis/1.png", ["Jose_Luis"]),
        ("{one}/*", "Zoe\N{COMBINING DIAERESIS}/1.png", ["Zo\N{LATIN SMALL LETTER E WITH DIAERESIS}"]),
        ("{one}__*", "Jose_Luis__walking__a.mp4", ["Jose_Luis"]),
        ("{one}.png", "j.doe.png", ["j.doe"]),
        ("{a}_{b}/*", "1_2_3/1.png", []),
        ("{a}_{b}/*", "1-2/1.png", []),
        ("{one}/*", "033/more/1.png", []),
        ("{one}/*", " /1.png", []),
    ],
)
def test_people_in_paths(pattern, path, named):
    assert people_in_paths.is_pattern(pattern) and people_in_paths.people(pattern, path) == named


@pytest.mark.parametrize("pattern", ["*", "{a}{b}", "{a}_{a}", "{A}/*", "{a/*", "{a}_{b}_{c}_{d}_{e}", "{a}*{b}", ""])
def test_what_is_no_pattern(pattern):
    assert not people_in_paths.is_pattern(pattern)
