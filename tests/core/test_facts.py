"""Facts as one JSON document, with the same exit code as in words; folders as the configuration names them."""

import json
import math
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest

from accord import __main__ as program
from accord import cli, command_line
from accord.engine import configuration
from accord.errors import AccordError

LINE = "usage: 2.0 s, 3.0 CPU s, 400 MB\n"


class Pair(NamedTuple):
    left: object
    right: object


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A working folder whose configuration puts all its folders elsewhere."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my.yaml").write_text("pathvars: {results: there, logs: said}\nvault: safe\n")
    return tmp_path


def facts(capsys, *words: str) -> tuple[int, object]:
    code = cli.main([*words, "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_a_folder_is_as_named_else_as_configured_else_as_usual():
    config = {"pathvars": {"results": "there"}, "vault": "safe", "releases": None}
    assert configuration.folder(config, "results", Path("here")) == Path("here")
    assert configuration.folder(config, "results") == Path("there")
    assert configuration.folder(config, "vault") == Path("safe")
    assert [configuration.folder(config, name) for name in ("releases", "logs")] == [Path("releases"), Path("logs")]


def test_a_document_is_json_whatever_is_in_it():
    table = pd.DataFrame({"name": ["a", None], "value": [1.5, math.nan], "count": pd.array([1, None], dtype="Int64")})
    told = json.loads(command_line.as_json({"table": table, "pair": Pair(np.int64(3), Path("x")), "inf": math.inf}))
    assert told["table"][0] == {"name": "a", "value": 1.5, "count": 1}
    assert told["table"][1] == {"name": None, "value": None, "count": None}
    assert told["pair"] == {"left": 3, "right": "x"} and told["inf"] is None


def test_usage_reads_the_logs_of_the_configuration(project, capsys):
    (project / "said/checks").mkdir(parents=True)
    (project / "said/checks/known.log").write_text(LINE)
    code, told = facts(capsys, "usage", "--config", "my.yaml")
    used = {"wall": 2, "cpu": 3, "memory": 400, "gpus": 0}
    assert (code, told) == (0, {"checks.known": {"jobs": [used], "asked": None}})


@pytest.mark.parametrize(
    ("words", "folder"),
    [
        ("estimate show", "there/checks/estimates.parquet"),
        ("summary", "there/release/release.json"),
    ],
)
def test_results_are_where_the_configuration_says(words, folder, project):
    with pytest.raises(AccordError, match=folder):
        cli.main([*words.split(), "--config", "my.yaml"])


def test_numbers_have_the_same_exit_code_in_both_forms(project, capsys):
    rows = "name,value,rule,source\na,1,,\nb,2,,\nc,4,= a + b,\n"
    (project / "n.csv").write_text(rows)
    code, told = facts(capsys, "numbers", "check", "n.csv")
    assert cli.main(["numbers", "check", "n.csv"]) == code == 1
    assert (told["rules"], told["broken"]) == (1, 1) and told["inconsistent"][0]["name"] == "c"


def test_who_is_stopped_gets_no_traceback(monkeypatch):
    def stopped(argv):
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "main", stopped)
    with pytest.raises(SystemExit) as ended:
        program.main()
    assert ended.value.code == 130
