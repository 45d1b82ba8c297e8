"""Views: of a file, a step reads the columns and rows that its model names."""

import pandas as pd
import pandera.pandas as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

from accord.engine import table
from accord.engine.table import ONLY, Table
from accord.errors import AccordError


class Whole(Table):
    name: str = pa.Field(unique=True)
    kind: str
    count: int = pa.Field(ge=0)


class Large(Whole):
    class Config(Table.Config):
        strict = "filter"
        metadata = {ONLY: pc.field("count") > 1}  # noqa: RUF012


class Names(Table):
    count: int = pa.Field(ge=0)
    name: str = pa.Field(unique=True)

    class Config(Table.Config):
        strict = "filter"


@pytest.fixture
def files(tmp_path):
    whole = pd.DataFrame({"name": ["a", "b", "c", "d"], "kind": ["x", "y", "x", "y"], "count": [1, 2, 3, 0]})
    paths = [tmp_path / "1.parquet", tmp_path / "2.parquet"]
    for path, rows in zip(paths, (whole[:2], whole[2:]), strict=True):
        table.write(rows, Whole, path)
    return whole, paths


def test_a_view_has_its_own_columns_in_its_own_order(files):
    whole, paths = files
    assert_frame_equal(table.read(paths, Names), whole[["count", "name"]])


def test_a_view_has_the_rows_that_it_names(files):
    whole, paths = files
    assert_frame_equal(table.read(paths, Large), whole[whole["count"] > 1].reset_index(drop=True))


def test_rows_are_chosen_where_they_are_read(files):
    whole, paths = files
    wanted = pc.field("name").isin(["a", "c"])
    for model, rows in ((Whole, whole), (Large, whole[whole["count"] > 1])):
        want = rows[rows["name"].isin(["a", "c"])].reset_index(drop=True)
        assert_frame_equal(table.read(paths, model, wanted), want)


def test_nothing_is_left_of_files_without_such_rows(files):
    _, paths = files
    table.write(table.empty(Whole), Whole, paths[0])
    table.write(pd.DataFrame({"name": ["a"], "kind": ["x"], "count": [1]}), Whole, paths[1])
    assert_frame_equal(table.read(paths, Large), table.empty(Large))


def test_a_column_that_a_view_needs_and_is_not_there_is_named(files):
    _, paths = files
    pd.DataFrame({"name": ["e"]}).to_parquet(paths[1])
    for view in (Names, Large):
        with pytest.raises(AccordError, match=r"2\.parquet: missing column 'count'"):
            table.read(paths, view)


def test_what_a_view_reads_is_checked(files):
    _, paths = files
    pd.DataFrame({"name": ["e"], "kind": ["x"], "count": [-1]}).to_parquet(paths[1])
    with pytest.raises(AccordError, match=r"2\.parquet: column 'count' fails"):
        table.read(paths, Names)


def test_other_columns_of_a_view_are_not_read(files, monkeypatch):
    _, paths = files
    read = []
    monkeypatch.setattr(table.pq, "ParquetFile", _spied(table.pq.ParquetFile, read))
    table.read(paths, Names)
    assert read == [["count", "name"]] * 2


def test_those_among_the_wanted_are_found():
    values = pd.Series(["a", "b", "a", "c"])
    assert table.among(values, {"a", "c", "z"}).tolist() == values.isin(["a", "c", "z"]).tolist()
    assert table.among(values, frozenset()).sum() == 0 and len(table.among(values[:0], {"a"})) == 0


@given(st.lists(st.sampled_from("abcd")), st.lists(st.sampled_from("abcd")))
def test_texts_are_looked_up_as_isin_does(values, wanted):
    here = pd.Series(values, range(5, 5 + len(values)), "str", "name")
    for those in (wanted, set(wanted), pd.Series(wanted, dtype="str")):
        pd.testing.assert_series_equal(table.is_in(here, those), here.isin(wanted))


class Walked(Exception):
    """Somebody went through all that is wanted."""


class Many(frozenset):
    def __iter__(self):
        raise Walked


def test_all_that_is_wanted_is_not_gone_through_for_each_shard():
    assert table.among(pd.Series(["a", "b"]), Many({"a", "c"})).tolist() == [True, False]
    with pytest.raises(Walked):
        pd.Series(["a", "b"]).isin(Many({"a", "c"}))


def _spied(made, read):
    class Spied(made):
        def read(self, columns=None, **given):
            read.append(columns)
            return super().read(columns=columns, **given)

    return Spied
