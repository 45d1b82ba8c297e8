"""A step's signature is its command line."""

import json
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest
from pandera.typing import DataFrame

from accord.engine import provenance, step, table
from accord.engine.kept import digests as read_digests
from accord.engine.parameter_types import Files, Folder, Former, Kept, Private, Sink, Typed
from accord.engine.table import Table
from accord.errors import AccordError
from accord.findings import Findings


class Numbers(Table):
    name: str
    value: int


class Both(NamedTuple):
    numbers: DataFrame[Numbers]
    summary: dict


def double(numbers: DataFrame[Numbers], *, factor: int, labels: dict, bundle: Sink, note: str | None = None) -> Both:
    """Numbers times a factor."""
    Path(bundle).write_bytes(b"bundle")
    return Both(numbers.assign(value=numbers["value"] * factor), {"rows": len(numbers), "note": note, **labels})


@pytest.fixture
def given(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for index in range(2):
        table.write(pd.DataFrame({"name": [f"n{index}"], "value": [index + 1]}), Numbers, Path(f"in{index}.parquet"))
    return tmp_path


def run(monkeypatch, function, *argv):
    monkeypatch.setattr(step, "load", lambda name: function)
    step.run_step("room.double", list(argv))


FLAGS = ["--factor", "3", "--labels", '{"b": 1}', "--bundle", "o/b.tar", "--out-numbers", "o/n.parquet"]


def test_several_files_are_one_table_and_each_output_is_written(given, monkeypatch):
    run(
        monkeypatch,
        double,
        "--numbers",
        "in0.parquet",
        "in1.parquet",
        *FLAGS,
        "--out-summary",
        "o/s.json",
        "--code",
        "abc",
    )
    assert table.read(Path("o/n.parquet"), Numbers)["value"].tolist() == [3, 6]
    summary = json.loads(Path("o/s.json").read_text())
    assert (summary["rows"], summary["note"], summary["b"]) == (2, None, 1)
    assert sorted(p.name for p in Path("o").iterdir()) == ["b.tar", "n.parquet", "s.json"]


def test_provenance_names_step_code_parameters_inputs_and_written_files(given, monkeypatch):
    run(monkeypatch, double, "--numbers", "in0.parquet", *FLAGS, "--out-summary", "o/s.json", "--code", "abc")
    record = provenance.of(Path("o/n.parquet"))
    assert record == provenance.of(Path("o/s.json"))
    assert record["step"] == "room.double"
    assert record["code"] == "abc"
    assert record["params"] == {"factor": 3, "labels": {"b": 1}}
    assert record["inputs"] == {"in0.parquet": provenance.sha256(Path("in0.parquet"))}
    assert record["arguments"] == {"numbers": ["in0.parquet"]}
    assert record["outputs"] == {"bundle": provenance.sha256(Path("o/b.tar"))}


def test_a_step_that_fails_leaves_no_output(given, monkeypatch):
    def broken(numbers: DataFrame[Numbers], *, bundle: Sink) -> DataFrame[Numbers]:
        Path(bundle).write_bytes(b"half")
        raise RuntimeError("stopped")

    with pytest.raises(RuntimeError):
        run(monkeypatch, broken, "--numbers", "in0.parquet", "--bundle", "o/b.tar", "--out", "o/n.parquet")
    assert [p.name for p in Path("o").iterdir()] == ["b.tar.partial"]


def test_what_lies_in_the_place_of_outputs_is_told_at_once(given, monkeypatch):
    Path("o/n.parquet").mkdir(parents=True)
    Path("p").write_text("")
    with pytest.raises(AccordError) as caught:
        run(monkeypatch, double, "--numbers", "in0.parquet", *FLAGS, "--out-summary", "p/q/s.json")
    told = str(caught.value)
    assert "o/n.parquet: is a folder, where a file is to be written" in told
    assert "p: is a file, where a folder is needed" in told and "p/q" not in told
    assert [path.name for path in Path("o").iterdir()] == ["n.parquet"]


def test_no_output_is_at_its_place_before_all_are_written(given, monkeypatch):
    outputs, there, replace = [Path("o/n.parquet"), Path("o/s.json"), Path("o/b.tar")], [], Path.replace

    def noticed(self: Path, target: Path) -> Path:
        there.append([path for path in outputs if path.exists()])
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", noticed)
    run(monkeypatch, double, "--numbers", "in0.parquet", *FLAGS, "--out-summary", "o/s.json")
    assert there[0] == []
    assert len(there) == len(outputs)


def test_vault_and_folders_are_recorded_by_name_only(given, monkeypatch):
    def show(*, key: Private, delivery: Folder) -> dict:
        return {}

    Path("key").write_bytes(b"secret")
    run(monkeypatch, show, "--key", "key", "--delivery", "far/away", "--out", "o.json")
    record = provenance.of(Path("o.json"))
    assert record["inputs"] == {}
    assert record["params"] == {"key": "key", "delivery": "away"}


def test_a_returned_table_is_validated(given, monkeypatch):
    def wrong(numbers: DataFrame[Numbers]) -> DataFrame[Numbers]:
        return numbers.assign(extra=1).drop(columns="value")

    with pytest.raises(AccordError) as error:
        run(monkeypatch, wrong, "--numbers", "in0.parquet", "--out", "n.parquet")
    assert "unknown column 'extra'" in str(error.value)
    assert "missing column 'value'" in str(error.value)


def test_all_inputs_that_are_not_there_are_told_at_once(given, monkeypatch):
    def count(numbers: DataFrame[Numbers], names: list[Path]) -> dict:
        return {}

    with pytest.raises(AccordError) as error:
        run(monkeypatch, count, "--numbers", "gone.parquet", "--names", "in0.parquet", "far/a.csv", "--out", "o.json")
    told = str(error.value)
    assert told.count("is missing\n    hint: create it first") == 2
    assert "gone.parquet" in told and "far/a.csv" in told and "in0.parquet" not in told
    assert not Path("o.json").exists()


def test_unknown_step_has_a_hint():
    with pytest.raises(AccordError, match=r"nowhere\.nothing: no such step\n    hint: steps are named room\.step"):
        step.load("nowhere.nothing")
    with pytest.raises(AccordError, match="no such step"):
        step.load("os;rm")


def test_violations_are_told_without_values():
    findings = pd.DataFrame(
        [("a", "c", 1.0, 2.0, "maybe Jane Doe", ""), ("a", "c", 1.0, 2.0, "pass", "")],
        columns=["image", "check", "score", "threshold", "verdict", "reason"],
    )
    with pytest.raises(AccordError) as error:
        table.check(findings, Findings, "findings.parquet")
    assert "column 'verdict' fails isin" in str(error.value)
    assert "first [0]" in str(error.value)
    assert "Jane" not in str(error.value)


def test_same_table_same_bytes(tmp_path):
    numbers = pd.DataFrame({"name": ["a"], "value": [1]})
    for name in "xy":
        table.write(numbers, Numbers, tmp_path / name, {"step": "s"})
    assert (tmp_path / "x").read_bytes() == (tmp_path / "y").read_bytes()
    assert provenance.of(tmp_path / "x") is None


def test_a_cut_table_is_told(tmp_path):
    table.write(pd.DataFrame({"name": ["a"], "value": [1]}), Numbers, tmp_path / "t.parquet")
    (tmp_path / "t.parquet").write_bytes((tmp_path / "t.parquet").read_bytes()[:-9])
    with pytest.raises(AccordError, match="not a readable table"):
        table.read(tmp_path / "t.parquet", Numbers)


def test_all_damaged_tables_are_told_together(tmp_path):
    paths = [tmp_path / f"{name}.parquet" for name in "abcd"]
    for path in paths:
        table.write(pd.DataFrame({"name": [path.stem], "value": [1]}), Numbers, path)
    for path in paths[1:3]:
        path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(AccordError) as error:
        table.read(paths, Numbers)
    assert [Path(problem.where).name for problem in error.value.problems] == ["b.parquet", "c.parquet"]


@pytest.mark.parametrize("bit", range(0, 8, 3))
def test_a_bit_that_turned_over_is_told_and_never_a_number(tmp_path, bit):
    path, rng = tmp_path / "t.parquet", np.random.default_rng(bit)
    whole = pd.DataFrame({"name": [f"n{place}" for place in range(60)], "value": rng.integers(2**60, size=60)})
    table.write(whole, Numbers, path)
    data = path.read_bytes()
    pages = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    told = 0
    for at in range(4, pages):
        path.write_bytes(data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :])
        try:
            pd.testing.assert_frame_equal(table.read(path, Numbers), whole)
        except AccordError as error:
            assert "t.parquet: not a readable table" in str(error)
            told += 1
    assert told > 0.8 * (pages - 4)


@pytest.mark.parametrize("back", [20, 40, 60])
def test_a_table_whose_footer_was_changed_is_told_by_its_name(tmp_path, back):
    path = tmp_path / "t.parquet"
    table.write(pd.DataFrame({"name": ["a"], "value": [1]}), Numbers, path)
    data = path.read_bytes()
    length = int.from_bytes(data[-8:-4], "little")
    path.write_bytes(data[: -8 - length] + b"\xff" * (length - back) + data[-8 - back :])
    with pytest.raises(AccordError, match=r"t\.parquet: not a readable table"):
        table.read(path, Numbers)


def test_text_carries_provenance(tmp_path):
    record = {"step": "report.index", "params": {"title": "a --> b"}}
    (tmp_path / "r.html").write_text(provenance.into_text("<html></html>", record))
    assert provenance.of(tmp_path / "r.html") == record
    assert (tmp_path / "r.html").read_text().count("-->") == 1


def test_files_that_are_returned_together_carry_one_story(given, monkeypatch):
    def site(numbers: DataFrame[Numbers]) -> Files:
        return Files({"index.html": "<p>one</p>", "data/n.csv": "value\n1\n", "data/n.parquet": numbers})

    names = ["o/index.html", "o/data/n.csv", "o/data/n.parquet"]
    run(monkeypatch, site, "--numbers", "in0.parquet", "--out", *names)
    page, table = (provenance.of(Path(name)) for name in (names[0], names[2]))
    assert provenance.of_run(page) == provenance.of_run(table)
    assert [page["file"], table["file"]] == ["index.html", "data/n.parquet"]
    assert page["outputs"] == {"data/n.csv": provenance.sha256(Path("o/data/n.csv"))}
    assert Path("o/data/n.csv").read_text() == "value\n1\n"


def test_files_that_nobody_asked_for_are_an_error(given, monkeypatch):
    def site(numbers: DataFrame[Numbers]) -> Files:
        return Files({"index.html": "<p>one</p>"})

    with pytest.raises(AccordError) as error:
        run(monkeypatch, site, "--numbers", "in0.parquet", "--out", "o/other.html")
    assert "index.html: is produced by the step, but not an output of the rule" in str(error.value)
    assert "other.html: is an output of the rule, but the step does not produce it" in str(error.value)
    assert list(Path("o").iterdir()) == []


def test_tables_among_files_are_checked_and_kept(given, monkeypatch):
    seen = []

    def site(numbers: DataFrame[Numbers], former: Former) -> Files:
        seen.append({name: path for name, path in former.items() if path.is_file()})
        kept = Kept(numbers, {"n0": "digest"})
        return Files({"a.parquet": Typed(kept, Numbers), "data/b.parquet": Typed(numbers, Numbers)})

    names = ["o/a.parquet", "o/data/b.parquet"]
    for _ in range(2):
        run(monkeypatch, site, "--numbers", "in0.parquet", "--out", *names)
    assert seen == [{}, {"a.parquet": Path(names[0]), "data/b.parquet": Path(names[1])}]
    assert table.read(map(Path, names), Numbers)["name"].tolist() == ["n0", "n0"]
    assert [read_digests(Path(name)) for name in names] == [{"n0": "digest"}, None]

    def strange(numbers: DataFrame[Numbers]) -> Files:
        return Files({"a.parquet": Typed(numbers.assign(value="many"), Numbers)})

    with pytest.raises(AccordError, match="column 'value' fails"):
        run(monkeypatch, strange, "--numbers", "in0.parquet", "--out", "o/a.parquet")


@pytest.mark.parametrize("given, told", [
    (["--limit=nan", "--limits={}"], "argument --limit: 'nan' is not a finite number"),
    (["--limit=-inf", "--limits={}"], "argument --limit: '-inf' is not a finite number"),
    (["--limit=high", "--limits={}"], "argument --limit: 'high' is not a finite number"),
    (["--limit=1e3", '--limits={"a": NaN}'], "argument --limits: has NaN, which is not a finite number"),
    (["--limit=1e3", '--limits={"a": -Infinity}'], "argument --limits: has -Infinity, which is not a finite number"),
    (["--limit=1e3", '--limits={"a": 1'], "argument --limits: is not JSON: "),
])  # fmt: skip
def test_no_threshold_is_other_than_a_finite_number(given, told, capsys):
    def run(*, limit: float, limits: dict) -> dict:
        return {"limit": limit, **limits}

    with pytest.raises(SystemExit):
        step.parser("a.step", run).parse_args([*given, "--out=x"])
    assert told in capsys.readouterr().err
