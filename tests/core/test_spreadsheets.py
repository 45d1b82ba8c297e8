"""CSV for people: what a spreadsheet would run as a formula is text, and is read back as it was."""

import io

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.text import spreadsheets


@pytest.mark.parametrize("text", ["=1+1", "+cmd", "-x", "-", "@sum", "\tx", "\rx", "-1+1", "'=1+1", "''@x"])
def test_a_formula_gets_an_apostrophe(text):
    assert spreadsheets.shielded(text) == f"'{text}"


@pytest.mark.parametrize("value", ["-0.3", "+1e-5", "a=b", "'tis", "18-29", "", -0.3, None, True])
def test_numbers_and_other_texts_stay(value):
    assert spreadsheets.shielded(value) is value


@given(st.text(alphabet="'=+-@\t\r\n1.a"))
def test_every_text_is_read_back_as_it_was(text):
    assert spreadsheets.original(spreadsheets.shielded(text)) == text


def test_a_table_is_written_and_read_with_its_names():
    table = pd.DataFrame(
        {"=group": ["=x", "'-y", "-"], "kind": pd.Categorical(["@a", "b", "@a"]), "gap": [-0.3, 0.5, 1]}
    )
    written = spreadsheets.csv_text(table)
    assert written == "'=group,kind,gap\n'=x,'@a,-0.3\n''-y,b,0.5\n'-,'@a,1.0\n"
    back = spreadsheets.as_written(pd.read_csv(io.StringIO(written)))
    pd.testing.assert_frame_equal(back, table.astype({"kind": back["kind"].dtype}), check_dtype=False)
