"""A quick look lets through what pandera accepts, as pandera gives it, and nothing else; files are joined first."""

import importlib
from pathlib import Path
from typing import ClassVar

import numpy as np
import pandas as pd
import pandera.pandas as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal
from pandera.errors import SchemaErrors

import accord
from accord.engine import table
from accord.engine.conforming import conforming
from accord.engine.table import LIST_OF_FLOATS, Table
from accord.errors import AccordError

LIBRARY = Path(accord.__file__).parent


class Rich(Table):
    """Every kind of column and check that tables of the library have."""

    key: str = pa.Field(str_length={"min_value": 1, "max_value": 3}, unique=True)
    kind: str = pa.Field(isin=["a", "b"])
    share: float = pa.Field(in_range={"min_value": 0, "max_value": 1}, nullable=True)
    count: int = pa.Field(ge=0)
    width: float
    code: pd.Int64Dtype = pa.Field(gt=0, nullable=True)
    flag: bool
    points: object = pa.Field(nullable=True, metadata=LIST_OF_FLOATS)

    class Config(Table.Config):
        unique: ClassVar = ["kind", "count"]

    @pa.dataframe_check(name="share_of_nothing")
    def share_of_nothing(cls, rows):
        return (rows["count"] > 0) | rows["share"].isna()


GOOD = {
    "key": ["x", "yy", "zzz"], "kind": ["a", "b", "a"], "share": [0.0, 1.0, None], "count": [1, 1, 2],
    "width": [0.5, 2.0, -1.0],
    "code": [1, None, 3], "flag": [True, False, True], "points": [[1.0], None, []],
}  # fmt: skip
ODD = ["x", "", "long!", "a", 0, 1, -1, 2.5, 7.0, 1e300, None, np.nan, np.inf, True, False, "3", (1.0,)]


def asked_of_pandera(frame: pd.DataFrame) -> pd.DataFrame | None:
    try:
        valid = Rich.validate(frame, lazy=True)
    except SchemaErrors:
        return None
    return valid[list(GOOD)].reset_index(drop=True)


def test_a_table_in_order_is_let_through_as_pandera_gives_it():
    frame = pd.DataFrame(GOOD, index=[4, 7, 9])[list(reversed(GOOD))]
    assert_frame_equal(conforming(frame, Rich), asked_of_pandera(frame))
    of_its_types = asked_of_pandera(frame)[list(reversed(GOOD))]
    assert list(conforming(of_its_types, Rich)) == list(GOOD)


def test_a_column_of_numbers_may_not_have_a_hole():
    assert conforming(pd.DataFrame({**GOOD, "width": [0.5, None, -1.0]}), Rich) is None


@given(st.data())
def test_whatever_is_in_a_table_nothing_passes_that_pandera_refuses(data):
    frame = pd.DataFrame(GOOD)
    for name in data.draw(st.lists(st.sampled_from(list(GOOD)), min_size=1, max_size=3)):
        values = [data.draw(st.sampled_from([*ODD, *GOOD[name]])) for _ in range(3)]
        frame[name] = pd.Series(values, dtype=data.draw(st.sampled_from([None, "object"])))
    if (quick := conforming(frame, Rich)) is not None:
        assert_frame_equal(quick, asked_of_pandera(frame))


def test_a_number_that_no_integer_holds_is_not_let_through():
    assert conforming(pd.DataFrame({**GOOD, "code": [1e300, None, 3.0]}), Rich) is None


@pytest.mark.parametrize("of", [list(GOOD)[1:], [*GOOD, "more"], [*GOOD, "key"]], ids=["lacking", "more", "twice"])
def test_other_columns_are_not_let_through(of):
    assert conforming(pd.DataFrame({**GOOD, "more": 1})[of], Rich) is None


def every_model() -> list[type[Table]]:
    for file in LIBRARY.rglob("*tables.py"):
        importlib.import_module(".".join(["accord", *file.relative_to(LIBRARY).with_suffix("").parts]))
    found, left = [], [Table]
    while left:
        left += (own := left.pop().__subclasses__())
        found += own
    return [model for model in found if model.__module__.startswith("accord.")]


@pytest.mark.parametrize("model", every_model(), ids=lambda model: f"{model.__module__}.{model.__name__}")
def test_a_table_of_every_model_is_let_through(model):
    frame = table.arrow_schema(model).empty_table().to_pandas()
    assert_frame_equal(conforming(frame, model), model.validate(frame)[list(frame)])


def test_who_fills_an_empty_table_fills_their_own():
    made = table.empty(Rich)
    made.loc[0] = ["x", "a", 0.5, 1, 0.5, 1, True, None]
    made["more"] = 1
    assert list(table.empty(Rich)) == list(GOOD) and len(table.empty(Rich)) == 0


def test_a_table_that_is_let_through_is_not_the_one_that_was_given():
    frame = pd.DataFrame(GOOD).astype({"code": "Int64"})
    passed = conforming(frame, Rich)
    passed.loc[0, "key"] = "new"
    assert passed["key"].tolist() == ["new", *GOOD["key"][1:]]
    assert frame["key"].tolist() == GOOD["key"]


def test_files_are_joined_and_a_bad_one_is_named(tmp_path):
    files = [tmp_path / f"{name}.parquet" for name in ("first", "second")]
    for number, file in enumerate(files):
        own = pd.DataFrame(GOOD).assign(key=[f"{number}{n}" for n in range(3)], count=[1 + number, 3, 4])
        table.write(own, Rich, file)
    with pytest.raises(AccordError, match=r"Rich: 4 row\(s\) have the same .+ as another"):
        table.read(files, Rich)
    pd.DataFrame(GOOD).assign(kind="c").to_parquet(files[1])
    with pytest.raises(AccordError, match=r"second\.parquet: column 'kind' fails"):
        table.read(files, Rich)
