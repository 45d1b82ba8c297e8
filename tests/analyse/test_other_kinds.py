"""Columns of bytes, lists, records, dates or nothing: refused or set aside, and said."""

import numpy as np
import pandas as pd
import pytest

from accord.analyse import analyse
from accord.errors import AccordError

FEW = {"bootstraps": 100}
N = 60
BYTES, LISTS, RECORDS = [b"\xff\x00"] * N, [[0.1]] * N, [{"x": 1}] * N
DAYS = [pd.Timestamp("2020-01-01")] * N


def table_of(**columns):
    """30 people with two images each, and other columns."""
    who = np.repeat(np.arange(30), 2)
    made = {"person": [f"p{n}" for n in who], "image": [f"{n}.jpg" for n in range(N)], "sex": np.resize(["f", "m"], N)}
    return pd.DataFrame({**made, "score": np.linspace(0, 1, N)} | columns)


@pytest.fixture(params=["frame", "parquet"])
def given(request, tmp_path):
    """A table as a data frame, and as a file, which has arrays for lists."""

    def made(table):
        if request.param == "frame":
            return table
        table.to_parquet(tmp_path / "t.parquet")
        return tmp_path / "t.parquet"

    return made


def told(table, **how):
    with pytest.raises(AccordError) as error:
        analyse(table, **how, **FEW)
    return [f"{one.where}: {one.what}" for one in error.value.problems]


def test_bytes_that_are_no_text_are_no_groups(given):
    found = analyse(given(table_of(blob=BYTES)), **FEW)
    assert set(found.groups["attribute"]) == {"all", "sex"}
    assert "'blob' holds bytes, not text." in found.remarks
    assert told(given(table_of(blob=BYTES)), attributes=["sex", "blob"]) == ["column 'blob': holds bytes, not text"]


def test_bytes_of_text_are_text(given):
    found = analyse(given(table_of(sex=[b"f", b"m"] * 30)), **FEW)
    assert set(found.groups["group"]) == {"all", "f", "m"}


@pytest.mark.parametrize("cells, what", [(LISTS, "lists"), (RECORDS, "records"), (BYTES, "bytes, not text")])
def test_a_role_needs_one_value_in_each_row(given, cells, what):
    assert told(given(table_of(score=cells)), score="score") == [f"column 'score': holds {what}"]
    assert told(given(table_of(person=cells))) == [f"column 'person': holds {what}"]
    assert told(given(table_of(image=cells))) == [f"column 'image': holds {what}"]
    outcomes = {"y_true": "label", "y_pred": "said"}
    table = table_of(label=cells, said=cells).drop(columns="score")
    assert told(given(table), **outcomes) == [f"column {name!r}: holds {what}" for name in ("label", "said")]


@pytest.mark.parametrize("cells", [LISTS, RECORDS, BYTES])
def test_a_column_named_like_scores_is_none_by_its_name(given, cells):
    (problem, *_) = told(given(table_of(score=cells)))
    assert problem == "score: no column is given"


@pytest.mark.parametrize("name", ["person", "image"])
def test_a_column_of_people_or_images_without_any_is_said(given, name):
    problems = told(given(table_of(**{name: [None] * N})))
    assert problems[0].startswith(
        "column 'person': 60 row(s)" if name == "person" else "rows: 30 row(s) are duplicates"
    )


@pytest.mark.parametrize("days", [DAYS, list(pd.to_timedelta([1] * N, "D")), pd.Series(DAYS, dtype=object)])
def test_dates_are_no_scores(given, days):
    assert told(given(table_of(when=days)), score="when") == ["column 'when': holds dates or times, not numbers"]
    assert told(given(table_of(score=days)))[0] == "score: no column is given"
