"""Tables whose index says something: its columns are columns like any other."""

import numpy as np
import pandas as pd
import pytest

from accord.analyse import analyse

FEW = {"bootstraps": 100}


@pytest.fixture
def table():
    who = np.repeat(np.arange(30), 2)
    named = {
        "person": [f"p{n}" for n in who],
        "image": [f"{n}.jpg" for n in range(60)],
        "sex": np.resize(["f", "m"], 60),
    }
    return pd.DataFrame({**named, "score": np.linspace(0, 1, 60)})


def subjects(found):
    return found.groups["subjects"].max()


@pytest.mark.parametrize("index", ["person", ["person", "image"], ["sex", "person"]])
def test_named_columns_of_an_index_are_columns(table, tmp_path, index):
    """Each row counted as a person of its own, without a word."""
    given = table.set_index(index)
    given.to_parquet(tmp_path / "t.parquet")
    for one in (given, tmp_path / "t.parquet"):
        found = analyse(one, **FEW)
        assert subjects(found) == 30 and set(found.groups["attribute"]) == {"all", "sex"}


@pytest.mark.parametrize("index", [pd.RangeIndex(60, name="row"), pd.Index(np.arange(60)[::-1])])
def test_numbers_of_rows_are_no_column(table, tmp_path, index):
    given = table.set_axis(index)
    given.to_parquet(tmp_path / "t.parquet")
    expected = analyse(table, **FEW)
    for one in (given, tmp_path / "t.parquet"):
        found = analyse(one, **FEW)
        assert found.remarks == expected.remarks
        pd.testing.assert_frame_equal(found.groups, expected.groups)


def test_a_column_goes_before_an_index_of_its_name(table):
    assert subjects(analyse(table.set_axis(pd.Index(np.zeros(60), name="person")), **FEW)) == 30
