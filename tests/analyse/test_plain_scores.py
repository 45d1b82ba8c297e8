"""Scores as people have them: True and False, no rows, rates; which figures are told of them."""

import numpy as np
import pandas as pd
import pytest

from accord.analyse import analyse
from accord.analyse.plain.showing.words import lines
from accord.errors import AccordError

QUICK = {"bootstraps": 100}
SEX = ["a"] * 40 + ["b"] * 40
RIGHT = [True] * 15 + [False] * 25 + [True] * 30 + [False] * 10


def written(values: list[bool], form: str) -> pd.Series:
    kinds = {"bool": bool, "boolean": "boolean", "object": object, "text": str}
    return pd.Series(values).astype(kinds[form])


@pytest.mark.parametrize("form", ["bool", "boolean", "object", "text"])
@pytest.mark.parametrize("name, call", [("correct", {}), ("fine", {"score": "fine"})])
def test_true_and_false_are_scores_of_1_and_0(form, name, call):
    numbers = analyse(pd.DataFrame({name: np.array(RIGHT, float), "sex": SEX}), **call, **QUICK)
    found = analyse(pd.DataFrame({name: written(RIGHT, form), "sex": SEX}), **call, **QUICK)
    for one, other in zip(found.tables().values(), numbers.tables().values(), strict=True):
        pd.testing.assert_frame_equal(one, other)


def test_true_and_false_in_a_file_with_an_empty_cell(tmp_path):
    cells = ["true", "FALSE", "", *(str(one) for one in RIGHT[3:])]
    pd.DataFrame({"correct": cells, "sex": SEX}).to_csv(tmp_path / "t.csv", index=False)
    found = analyse(tmp_path / "t.csv", **QUICK)
    whole = found.groups[found.groups["attribute"] == "all"].iloc[0]
    assert whole["mean"] == pytest.approx((1 + sum(RIGHT[3:])) / 79)


@pytest.mark.parametrize("cell", ["1", "yes", "maybe"])
def test_true_and_false_beside_anything_else_are_refused(cell):
    table = pd.DataFrame({"s": [cell, *map(str, RIGHT[1:])], "sex": SEX})
    with pytest.raises(AccordError, match="not finite numbers"):
        analyse(table, score="s", **QUICK)


def test_a_table_without_rows_is_told_as_that_alone():
    with pytest.raises(AccordError) as caught:
        analyse(pd.DataFrame({"score": [], "sex": []}))
    assert [str(one.where) for one in caught.value.problems] == ["table"]


def test_of_scores_0_and_1_there_are_differences_of_means_and_no_medians():
    """D is of medians: of rates these are 0 and 1, so D would be 1 however little means differ."""
    rates = np.array([1.0] * 10 + [0.0] * 30 + [1.0] * 30 + [0.0] * 10)
    found = analyse(pd.DataFrame({"score": rates, "sex": SEX}), **QUICK)
    for row in (found.disparities.iloc[0], found.extremes.iloc[0]):
        assert row[["disparity", "low", "high", "worst_median", "best_median"]].isna().all()
        assert row["difference"] == 0.5 and 0.2 < row["difference_low"] < 0.5 < row["difference_high"] < 0.75
    assert found.groups["median"].isna().all() and found.disparities["note"].tolist() == [""]
    graded = analyse(pd.DataFrame({"score": np.linspace(0.2, 0.9, 80), "sex": SEX}), **QUICK)
    assert (graded.extremes["disparity"] > 0).all() and graded.groups["median"].notna().all()


def test_of_rates_the_largest_difference_of_means_comes_first():
    """D of the small one is 1 (medians 0 and 1), that of the large one 0 (both 0)."""
    rng = np.random.default_rng(5)
    small, large = rng.integers(0, 2, 4000), rng.integers(0, 8, 4000)
    rate = np.where(large == 0, 0.05, np.where(small == 0, 0.3, 0.62))
    table = pd.DataFrame({"score": (rng.random(4000) < rate).astype(float), "small": small, "large": large == 0})
    table = table.assign(small=table["small"].map("s{}".format), large=table["large"].map({True: "x", False: "y"}))
    said = list(lines(analyse(table, **QUICK)))
    claims = [one.split(":")[0].strip() for one in said if " worse than " in one]
    assert claims == ["large", "small"]


@pytest.mark.parametrize(
    ("factor", "said"), [(1e308, "has values beyond 1e\\+90"), (1e-308, "only values below 1e-90")]
)
@pytest.mark.filterwarnings("error")
def test_scores_that_overflow_are_refused_without_warnings_of_numpy(factor, said):
    with pytest.raises(AccordError, match=f"column 'score': {said}|column 'score': has {said}"):
        analyse(pd.DataFrame({"score": np.linspace(0.2, 0.9, 80) * factor, "sex": SEX}), **QUICK)


@pytest.mark.filterwarnings("error")
def test_scores_of_any_smaller_size_are_compared_as_others():
    plain, scaled = (
        analyse(pd.DataFrame({"score": np.linspace(0.2, 0.9, 80) * by, "sex": SEX}), **QUICK) for by in (1e3, 1e80)
    )
    assert scaled.disparities["claimed"].all() and plain.disparities["claimed"].all()
    ends = ["low", "high"]
    np.testing.assert_allclose(scaled.groups[ends] / 1e77, plain.groups[ends], rtol=1e-6)


def test_an_offset_that_hides_differences_is_told():
    """Beside 1e18, numbers up to 1e6 are what the tests take for rounding."""
    scores = np.linspace(0.2, 0.9, 80) * 1e6
    told = [
        sum("subtract first what all values have in common" in one for one in analyse(table, **QUICK).remarks)
        for table in (pd.DataFrame({"score": scores + offset, "sex": SEX}) for offset in (1e18, 1e9, 0))
    ]
    assert told == [1, 0, 0]


def test_equal_scores_are_not_told_as_hidden():
    assert not [
        one for one in analyse(pd.DataFrame({"score": [1e18] * 80, "sex": SEX}), **QUICK).remarks if "rounding" in one
    ]


def test_rows_without_a_group_are_counted_by_attribute():
    """Of two attributes with gaps each is told apart, in people of images: a metric more doesn't count them twice."""
    frame = pd.DataFrame({"score": np.tile([0.1, 0.9], 40), "other": np.tile([0.3, 0.4], 40), "sex": SEX, "race": "a"})
    frame.loc[:2, "sex"] = None
    frame.loc[4:, "race"] = "b"
    frame.loc[10:20, "race"] = ""
    remarks = analyse(frame, score=["score", "other"], attributes=["sex", "race"], **QUICK).remarks
    assert [one.split(":")[0] for one in remarks if "rows have no" in one] == [
        "3 of 80 rows have no 'sex'", "11 of 80 rows have no 'race'"
    ]  # fmt: skip
