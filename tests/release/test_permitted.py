"""What images may be used for besides evaluating models on this machine: training them, and somebody else's server."""

import pandas as pd
import pytest

from accord.engine import table
from accord.release.archives import formats
from accord.release.making import terms
from accord.release.tables import Terms

ROWS = pd.DataFrame({"image": ["a", "b", "b", "c"], "subject": ["s", "s", "t", "u"]}, index=[3, 1, 2, 0])
KNOWN = table.rows([("a", True, False), ("b", False, True)], Terms)


@pytest.mark.parametrize(
    ("purpose", "allowed", "refused", "reason"),
    [
        ("train", ["a"], ["b", "b", "c"], "models may not be trained with this image"),
        ("external", ["b", "b"], ["a", "c"], "this image may not be given to somebody else's server"),
    ],
)
def test_rows_are_allowed_or_refused_with_the_reason_and_none_is_lost(purpose, allowed, refused, reason):
    found = terms.permitted(ROWS, KNOWN, purpose)
    assert found.allowed["image"].tolist() == allowed and list(found.allowed) == list(ROWS)
    assert found.refused["image"].tolist() == refused and set(found.refused["reason"]) == {reason}
    assert sorted([*found.allowed.index, *found.refused.index]) == [0, 1, 2, 3]


def test_without_terms_nothing_is_allowed():
    found = terms.permitted(ROWS, table.empty(Terms), "train")
    assert found.allowed.empty and len(found.refused) == len(ROWS)


def test_everyone_in_an_image_has_to_agree():
    people = pd.DataFrame([("a", "s"), ("b", "s"), ("b", "t"), ("c", "u")], columns=["image", "subject"])
    rows = [("a", "s", "train"), ("b", "s", "train"), ("b", "s", "external"), ("b", "t", "external")]
    rows += [("b", "elsewhere", "train"), ("c", "u", "publish_image")]
    found = terms.of_people(people, pd.DataFrame(rows, columns=["image", "subject", "scope"]))
    assert table.check(found, Terms, "terms").to_numpy().tolist() == [
        ["a", True, False],
        ["b", False, True],
        ["c", False, False],
    ]


def test_an_archive_s_images_all_have_its_terms():
    found = terms.of_archive(["a", "b"], formats.Terms(external=True))
    assert found.to_numpy().tolist() == [["a", False, True], ["b", False, True]]
