"""Tables of one's own that can't be read as they are: what is said of them."""

import pandas as pd
import pytest

from accord.analyse import analyse
from accord.errors import AccordError


@pytest.mark.parametrize(
    ("name", "text", "encoding", "what"),
    [
        ("t.csv", "score,city\n0.5,Köln\n", "latin-1", r"t.csv, line 2: is not valid CSV in UTF-8 \(byte 0xf6\)"),
        ("t.csv", "score,city\n0.5,Köln\n", "utf-16", r"t.csv: is not valid CSV in UTF-8 \(it is UTF-16\)"),
        ("t.json", "[]", "utf-8", "is JSON, not a table"),
    ],
)
def test_files_that_are_no_csv_in_utf_8_are_named_as_what_they_are(tmp_path, name, text, encoding, what):
    (tmp_path / name).write_text(text, encoding=encoding)
    with pytest.raises(AccordError, match=what):
        analyse(tmp_path / name)


def test_columns_without_a_name_of_text_are_refused():
    with pytest.raises(AccordError, match="columns: have 2 names that are not text, first 0"):
        analyse(pd.DataFrame([[0.5, "a"]] * 4))


def test_a_page_or_plot_goes_into_a_folder_that_exists_or_says_why_not(tmp_path):
    """A mistyped path must not make folders."""
    found = analyse(pd.DataFrame({"score": [0.5, 0.7], "g": list("ab")}), bootstraps=100)
    for write in (found.report, lambda path: found.plot().save(path.with_suffix(".svg"))):
        with pytest.raises(AccordError, match=r"can't be written(.|\n)*folder doesn't exist"):
            write(tmp_path / "nosuch/t.html")
        assert not (tmp_path / "nosuch").exists()
        assert write(tmp_path / "t.html").is_file()
        with pytest.raises(AccordError, match=r"can't be written(.|\n)*writable place"):
            write(tmp_path / "t.html/t.html")


def test_a_score_with_a_decimal_comma_is_told_as_that():
    table = pd.DataFrame({"score": ["7,53", "0.5"] * 4, "g": list("aabb") * 2})
    with pytest.raises(AccordError, match=r"the first has a decimal comma(.|\n)*write 0\.53, not 0,53") as error:
        analyse(table, score="score", attributes=["g"])
    assert "7,53" not in str(error.value)


@pytest.mark.parametrize("people", [3, 40])
@pytest.mark.parametrize(
    "how",
    [
        {"y_true": "email", "y_pred": "number", "metrics": "recall"},
        {"y_true": "email", "y_pred": "number", "metrics": ["accuracy", "mean_absolute_error"]},
        {"y_true": "sex", "y_pred": "email", "metrics": ["precision", "f1"]},
        {"y_true": "sex", "y_score": "email", "metrics": ["log_loss", "roc_auc"]},
        {"score": "email"},
        {"score": "score", "metric": "email", "lower_is_better": ["x"]},
        {"score": "score", "attributes": ["crossed"]},
        {"score": "score", "subject": "shared"},
    ],
)
def test_no_error_holds_a_cell(people, how):
    each = [f"SECRET{n}" for n in range(people)] * 2
    table = pd.DataFrame(
        {"email": each, "number": [f"{one}-9" for one in each], "score": 0.5, "sex": list("fm") * people}
    )
    table = table.assign(crossed=[f"{one} x a" for one in each], shared=[*each[:-1], each[-1] + " "])
    with pytest.raises(AccordError) as error:
        analyse(table, **{"attributes": ["sex"], **how})
    assert "SECRET" not in str(error.value)
