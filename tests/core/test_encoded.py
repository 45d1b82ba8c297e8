"""Texts that are kept once, with a number in each row: a view of a table has them, and they are the texts."""

import pandas as pd
import pytest

from accord.engine import encoded, table
from accord.engine.table import Table
from accord.errors import AccordError


class Ages(Table):
    """Who is how old."""

    name: str
    place: str
    age: int

    class Config(Table.Config):
        unique = ["name", "place"]  # noqa: RUF012


class Encoded(Ages):
    """The same, each text kept once."""

    name: pd.CategoricalDtype
    place: pd.CategoricalDtype


@pytest.fixture
def paths(tmp_path):
    """Three files, of which one has no rows, and texts are in no order."""
    for number, rows in enumerate(([("z", "y", 1), ("b", "y", 2)], [], [("z", "a", 3), ("c", "", 4)])):
        table.write(table.rows(rows, Ages), Ages, tmp_path / f"{number}.parquet")
    return sorted(tmp_path.glob("*.parquet"))


def test_they_are_the_texts_and_numbered_in_their_order(paths):
    read, plain = table.read(paths, Encoded), table.read(paths, Ages)
    pd.testing.assert_frame_equal(read.astype(plain.dtypes.to_dict()), plain)
    assert read["name"].cat.categories.tolist() == ["b", "c", "z"]
    assert [name for name, _ in read.groupby("place", sort=True)] == ["", "a", "y"]


def test_keys_of_all_files_are_unique(paths):
    with pytest.raises(AccordError, match=r"4 row.* have the same name, place"):
        table.read([*paths, paths[0]], Encoded)


def test_a_table_without_rows_has_them(paths):
    assert table.read([], Encoded).dtypes.astype(str).tolist() == ["category", "category", "int64"]
    assert table.read(paths[1], Encoded).empty


def test_equal_texts_have_the_same_number_in_all_columns():
    one, other = (pd.Series(texts, dtype="category") for texts in (["d", "b", "d"], ["a", "d"]))
    (first, second), many = encoded.numbers([one, other])
    assert (first.tolist(), second.tolist(), many) == ([2, 1, 2], [0, 2], 3)
