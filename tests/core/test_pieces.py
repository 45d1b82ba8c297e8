"""Tables that are written piece by piece have the bytes of whole ones."""

import numpy as np
import pandas as pd
import pytest

from accord.analyse.scoring import gathering
from accord.engine import pieces, table
from accord.engine.parameter_types import Pieces
from accord.engine.table import Table

ROWS = 500


class Things(Table):
    """What an image has."""

    image: str
    thing: str
    number: float

    class Config(Table.Config):
        unique = ["image", "thing"]  # noqa: RUF012


@pytest.fixture
def whole():
    """Up to nine things of each image, in order."""
    rng = np.random.default_rng(1)
    images = np.sort(rng.integers(60, size=ROWS))
    rows = pd.DataFrame({"image": [f"i{i:02}" for i in images], "number": rng.normal(size=ROWS)})
    return rows.assign(thing=[f"t{n:02}" for n in rows.groupby("image").cumcount()])[["image", "thing", "number"]]


@pytest.mark.parametrize("at_once", [1, 7, 100, 1000])
def test_the_bytes_are_those_of_the_whole_table(whole, at_once, tmp_path, monkeypatch):
    monkeypatch.setattr(gathering, "ROWS", at_once)
    table.write(whole, Things, tmp_path / "whole", {"step": "a"})
    shard = whole["image"].map({name: number % 3 for number, name in enumerate(whole["image"].unique())})
    parts = [gathering.encoded(some.drop(columns="shard")) for _, some in whole.assign(shard=shard).groupby("shard")]
    made = gathering.in_pieces([*parts, gathering.encoded(whole.iloc[:0])], ["image", "thing"])
    pieces.write(made, Things, tmp_path / "pieces", {"step": "a"})
    assert (tmp_path / "pieces").read_bytes() == (tmp_path / "whole").read_bytes()


def test_row_groups_are_those_of_a_whole_table(whole, tmp_path, monkeypatch):
    monkeypatch.setattr(pieces, "ROWS_AT_ONCE", 64)
    pieces.write(Pieces(iter([whole.iloc[:130], whole.iloc[:0]]), "image"), Things, tmp_path / "pieces")
    with table.pq.ParquetFile(tmp_path / "pieces") as file:
        assert [file.metadata.row_group(n).num_rows for n in range(file.num_row_groups)] == [64, 64, 2]


def test_without_rows_there_is_an_empty_table(whole, tmp_path):
    table.write(whole.iloc[:0], Things, tmp_path / "whole")
    pieces.write(gathering.in_pieces([], ["image"]), Things, tmp_path / "pieces")
    assert (tmp_path / "pieces").read_bytes() == (tmp_path / "whole").read_bytes()


def test_pieces_may_not_share_an_item(whole, tmp_path):
    with pytest.raises(AssertionError, match="overlap"):
        pieces.write(Pieces(iter([whole.iloc[:9], whole.iloc[:9]]), "image"), Things, tmp_path / "pieces")
