"""What is one id in two spellings, and what is only near it."""

import decimal

import numpy as np
import pandas as pd
import pytest

from accord.text.identity import clashes, identities, identity, known_as, near, rewriting

NFC, NFD = "Zo\u00eb", "Zoe\u0308"


@pytest.mark.parametrize("value", [
    *(1, 1.0, "1", "1.0", "1.00", " 1 ", "\uff11", b"1"),
    *(np.int64(1), np.float32(1), np.float64(1), decimal.Decimal("1.0")),
])  # fmt: skip
def test_a_whole_number_is_one_id_in_all_types(value):
    assert identity(value) == "1"


@pytest.mark.parametrize(("value", "id_"), [
    (NFD, NFC), (f"\t{NFC} ", NFC), ("01", "01"), ("1.5", "1.5"), (1.5, "1.5"), ("v1.0", "v1.0"), ("1.0.0", "1.0.0"),
    ("A", "A"), (True, "True"), (None, ""), (float("nan"), ""), ("", ""), ("-3.0", "-3"), ("1e5", "1e5"),
    (1e20, "100000000000000000000"), (np.int64(2**53 + 1), "9007199254740993"),
])  # fmt: skip
def test_everything_else_is_its_normal_form(value, id_):
    assert identity(value) == id_


@pytest.mark.parametrize("column", [
    pd.Series([1, 2, 2]), pd.Series([1.0, 2.0, 2.0]), pd.Series(["1", "2.0", " 2"]),
    pd.Series(["1", "2", "2"], dtype="category"),
    pd.Series([b"1", 2, 2.0], dtype=object), pd.Series([1, 2, 2], dtype="Int64"),
])  # fmt: skip
def test_a_column_has_the_ids_of_its_cells(column):
    assert identities(column).tolist() == ["1", "2", "2"]
    assert identities(pd.concat([column.astype(object), pd.Series([None, np.nan, pd.NA])])).tolist()[3:] == [""] * 3


def test_case_blanks_and_leading_zeros_are_near():
    assert len({near(one) for one in ("IMG_007", "img_7", "Img_07", " img_0007 ")}) == 1
    assert near("10") != near("1") and near("1.05") != near("1.5") and near("a0") != near("a")


def test_spellings_of_one_id_are_told_and_others_are_not():
    assert clashes(["1", "2", "1.0", NFC, "1", NFD]) == [["1", "1.0"], [NFC, NFD]]
    assert clashes(["a", "A"]) == [] and clashes(["a", "A"], near) == [["a", "A"]]


def test_a_name_is_known_in_another_spelling_if_it_is_the_only_one():
    assert known_as(NFC, ["x", NFD]) == NFD and known_as(NFD, [NFC, NFD]) == NFD
    assert known_as("Y", ["y"]) == "Y" and known_as("Å", ["A\u030a", "\u212b"]) == "Å"


@pytest.mark.parametrize(("these", "those", "how"), [
    (["001", "002"], ["1", "2"], "leading zeros"),
    (["img_01.jpg", "img_02.jpg"], ["img_1.jpg", "img_2.jpg"], "leading zeros"),
    (["A.JPG", "B.JPG"], ["a.jpg", "b.jpg"], "case"),
    (["x/a.jpg", "x\\b.jpg"], ["a.jpg", "b.jpg"], "folders"),
    (["a.jpg", "b.jpg"], ["a", "b"], "the ending of the file"),
    (["x/A.png", "x/B.png"], ["a", "b"], "case and folders and the ending of the file"),
    (["x/a", "y/a"], ["a"], ""),
    (["a", "b"], ["c", "d"], ""),
    (["a", "b"], ["a", "B"], ""),
    ([], ["a"], ""),
])  # fmt: skip
def test_how_ids_are_written_differently(these, those, how):
    assert rewriting(these, those) == how and rewriting(those, these) == how
