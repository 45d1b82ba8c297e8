"""Votes on skin: types and ties by hand, agreement against the definition of alpha, bad files by their text."""

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.analyse.casual import votes as vote_files
from accord.analyse.casual.scales import FITZPATRICK, MONK
from accord.analyse.casual.skin_types import of_types, skin_types
from accord.analyse.casual.tables import Votes
from accord.analyse.casual.vote_agreement import vote_agreement
from accord.engine.table import rows
from accord.errors import AccordError

HOW = {"min_subjects": 2, "bootstraps": 200, "seed": 1}


def votes_of(**said: str) -> pd.DataFrame:
    """Votes by subject: "1 1 2?" are three raters, of whom the last is uncertain."""
    made = [(subject, f"r{number}", int(word.strip("?")), word.endswith("?"))
            for subject, words in said.items() for number, word in enumerate(words.split())]  # fmt: skip
    return rows(made, Votes)


def types_of(votes: pd.DataFrame, scale=FITZPATRICK, also=()) -> dict[str, tuple]:
    found = skin_types(votes, scale, {*votes["subject"], *also})
    return {row.subject: (row.type, row.skin, row.note) for row in found.itertuples()}


def test_most_weight_wins_and_an_uncertain_vote_is_half():
    found = types_of(votes_of(a="1 1 1 2 2 3 3 6", b="2 2 3? 3? 3? 3? 3? 1", c="4? 5?", d="6"))
    assert found["a"] == ("I", "light", "")
    assert found["b"] == ("III", "medium", "")  # 2.5 of III, 2 of II
    assert found["c"] == ("", "", "tie of IV and V")
    assert found["d"] == ("VI", "dark", "")


def test_a_tie_has_no_type_but_a_group_if_all_are_of_one():
    found = types_of(votes_of(a="1 1 2 2", b="2 2 3 3", c="5 6 5? 6?", d="1 2 3"), also={"e"})
    assert found["a"] == ("", "light", "tie of I and II")
    assert found["b"] == ("", "", "tie of II and III")
    assert found["c"] == ("", "dark", "tie of V and VI")
    assert found["d"] == ("", "", "tie of I, II and III")
    assert found["e"] == ("", "", "no votes")


def test_monk_s_tones_are_voted_on_by_the_same_code():
    found = types_of(votes_of(a="1 2 3", b="10 10 9", c="7 8 9 10", d="6 7"), MONK)
    assert found == {
        "a": ("", "light", "tie of 1, 2 and 3"), "b": ("10", "dark", ""),
        "c": ("", "dark", "tie of 7, 8, 9 and 10"), "d": ("", "", "tie of 6 and 7"),
    }  # fmt: skip


def test_voted_types_are_groups_and_a_tie_is_in_none():
    found = of_types(skin_types(votes_of(a="1 1 2 2", b="3"), FITZPATRICK, ["a", "b", "c"]), FITZPATRICK)
    assert sorted(found.itertuples(index=False, name=None)) == [
        ("a", "voted_skin", "light"), ("b", "voted_fitzpatrick", "III"), ("b", "voted_skin", "medium")
    ]  # fmt: skip


@given(st.lists(st.tuples(st.integers(1, 6), st.booleans()), min_size=1, max_size=8), st.randoms())
def test_the_order_of_votes_and_whose_they_are_changes_nothing(said, random):
    shuffled = random.sample(said, len(said))
    one, other = (rows([("s", f"r{n}", *vote) for n, vote in enumerate(some)], Votes) for some in (said, shuffled))
    assert types_of(one) == types_of(other)
    weights = {value: sum(0.5 if unsure else 1 for v, unsure in said if v == value) for value, _ in said}
    best = [value for value, weight in weights.items() if weight == max(weights.values())]
    assert types_of(one)["s"][0] == (FITZPATRICK.labels[best[0] - 1] if len(best) == 1 else "")


def alpha_by_pairs(units: list[list[int]]) -> float:
    """Nominal alpha from its definition: disagreement within units over that of all pairs of values."""
    units = [unit for unit in units if len(unit) > 1]
    values = [value for unit in units for value in unit]
    within = sum(sum(a != b for a, b in permutations(unit, 2)) / (len(unit) - 1) for unit in units) / len(values)
    across = sum(a != b for a, b in permutations(values, 2)) / (len(values) * (len(values) - 1))
    return 1 - within / across


def test_alpha_is_that_of_its_definition_of_all_votes_and_of_certain_ones():
    votes = votes_of(a="1 1 2 2?", b="3 3 3 4", c="6 6? 5 6", d="2 3", e="1")
    found = vote_agreement(votes, FITZPATRICK, **HOW).set_index(["votes", "compared", "metric"])
    everyone = [[1, 1, 2, 2], [3, 3, 3, 4], [6, 6, 5, 6], [2, 3]]
    certain = [[1, 1, 2], [3, 3, 3, 4], [6, 5, 6], [2, 3]]
    groups = [[(value - 1) // 2 for value in unit] for unit in everyone]
    value = found["value"]
    assert value["all", "types", "alpha_nominal"] == pytest.approx(alpha_by_pairs(everyone))
    assert value["certain", "types", "alpha_nominal"] == pytest.approx(alpha_by_pairs(certain))
    assert value["all", "groups", "alpha_nominal"] == pytest.approx(alpha_by_pairs(groups))
    assert found.loc["all", "types", "alpha_nominal"][["subjects", "raters"]].tolist() == [4, 4]
    assert value["all", "types", "pairs_within_one"] == 1
    # Of the coincidences 14 in all: a 4/3 of 4, b 2 of 4, c 2 of 4, d none of 2.
    assert value["all", "types", "pairs_equal"] == pytest.approx((4 / 3 + 2 + 2) / 14)


def test_intervals_hold_the_figure_and_few_subjects_have_none():
    rng = np.random.default_rng(3)
    truth = rng.integers(1, 7, 60)
    said = {f"s{n:02}": " ".join(str(np.clip(t + rng.integers(-1, 2), 1, 6)) for _ in range(8))
            for n, t in enumerate(truth)}  # fmt: skip
    found = vote_agreement(votes_of(**said), FITZPATRICK, min_subjects=10, bootstraps=300, seed=1)
    known = found[found["note"] == ""]
    assert len(known) == 16
    assert (known["low"] <= known["value"]).all() and (known["value"] <= known["high"]).all()
    ordinal, nominal = (known[known["metric"] == f"alpha_{level}"]["value"].iloc[0] for level in ("ordinal", "nominal"))
    assert ordinal > nominal
    few = vote_agreement(votes_of(a="1 1", b="2 2"), FITZPATRICK, min_subjects=10, bootstraps=300, seed=1)
    assert few["value"].isna().all() and set(few["note"]) == {"2 subjects, fewer than 10"}


def test_votes_that_are_all_the_same_say_nothing_of_chance():
    found = vote_agreement(votes_of(a="1 1", b="1 1"), FITZPATRICK, **HOW)
    assert found[found["metric"].str.startswith("alpha")]["value"].isna().all()


def test_a_file_is_read_by_numbers_or_labels(tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text("subject,rater,type,uncertain\nb,r1,IV,1\na,r1,1,0\na,r2,6,\n")
    found = vote_files.read(path, FITZPATRICK, {"a", "b"})
    assert list(found.itertuples(index=False, name=None)) == [
        ("a", "r1", 1, False), ("a", "r2", 6, False), ("b", "r1", 4, True)
    ]  # fmt: skip


def test_all_that_is_wrong_in_a_file_is_told_at_once_without_names(tmp_path):
    path = tmp_path / "votes.csv"
    lines = ["anna,r1,0,0", "anna,r2,7,0", "anna,r3,3,maybe", "otto,r1,3,0", "anna,r4,2,0", "anna,r4,3,0", ",r1,2,0"]
    path.write_text("\n".join(["subject,rater,type,uncertain", *lines]))
    with pytest.raises(AccordError) as told:
        vote_files.read(path, FITZPATRICK, {"anna"})
    text = str(told.value)
    assert "2 rows, first 1, 2: type is not on the scale fitzpatrick" in text
    assert "1 row, first 3: uncertain is neither 0 nor 1" in text
    assert "1 row, first 4: subject is unknown" in text
    assert "1 row, first 6: a rater votes on the same subject again" in text
    assert "1 row, first 7: has no subject or no rater" in text
    assert "anna" not in text and "otto" not in text


@pytest.mark.parametrize("text", ["0", "7", "-1", "2.5", "", "II ", "ii", "٣", "1" * 5000])
def test_what_is_no_type_is_none(text):
    assert FITZPATRICK.value(text) is None


def test_a_file_without_its_columns_or_rows_is_told(tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text("subject,rater,type\na,r1,1\n")
    with pytest.raises(AccordError, match="lacks the columns uncertain"):
        vote_files.read(path, FITZPATRICK, {"a"})
    path.write_text("subject,rater,type,uncertain\n")
    with pytest.raises(AccordError, match="has no rows"):
        vote_files.read(path, FITZPATRICK, {"a"})
