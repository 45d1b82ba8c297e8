"""References: one spelling wherever they enter, and which of them look alike."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.text.references import lookalikes, normal, skeleton


@pytest.mark.parametrize(
    ("given_as", "is_"),
    [
        (" S01\u00a0", "S01"),
        ("\uff33\uff10\uff11", "S01"),
        ("Jose\u0301", "Jos\u00e9"),
        ("\u3000S01\t", "S01"),
        ("s01", "s01"),  # case counts
    ],
)
def test_one_spelling(given_as, is_):
    assert normal(given_as) == is_


@given(st.text())
def test_the_spelling_is_final(text):
    assert normal(normal(text)) == normal(text) == normal(unicodedata.normalize("NFD", text))
    assert skeleton(normal(text)) == skeleton(text)


@pytest.mark.parametrize(
    "other",
    [
        "SUBJECT-07",
        "subject-07",
        "Ѕubject-07",  # Cyrillic
        "Subjеct-07",
        "Subject\u201007",
        "Subj\u200bect-07",
        "Subject-O7",
        "Subject-\u0660\u0667",  # Arabic-Indic digits
    ],
)
def test_what_looks_alike(other):
    assert lookalikes(["Subject-07", other, "Subject-08"]) == {"Subject-07": [other], other: ["Subject-07"]}


@pytest.mark.parametrize("pair", ["АВЕКМНОРСТУХ авекмнорстух", "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ αβεζηικμνορτυχ", "Iıi1l| llllll"])
def test_both_cases_of_a_letter_look_alike(pair):
    upper, lower = pair.split()
    assert skeleton(upper) == skeleton(lower)


def test_different_references_do_not_look_alike():
    assert lookalikes(["S001", "S002", "S010", "A-1", "A_1", "IMG_1", "IMG_2"]) == {}
    assert lookalikes(["S1 ", "S1"]) == {}  # the same
