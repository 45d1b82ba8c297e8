"""The forward closure: exactly what can be reached from what names a person."""

import base64
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accord.erase.cases.places import Places
from accord.erase.planning import closure

ID = "0123456789abcdef"
GRAPHS = st.integers(2, 9).flatmap(
    lambda size: st.tuples(
        st.lists(st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)), max_size=2 * size),
        st.sets(st.integers(0, size - 1), max_size=3),
        st.just(size),
    )
)


def write(path: Path, inputs: list[str], text: str = "") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"text": text, "provenance": {"inputs": dict.fromkeys(inputs, "0" * 64)}}))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(GRAPHS)
def test_what_falls_is_what_can_be_reached(tmp_path_factory, graph):
    edges, naming, size = graph
    edges = {(a, b) for a, b in edges if a < b}
    root = tmp_path_factory.mktemp("graph")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        for node in range(size):
            inputs = [f"results/room/{a}.json" for a, b in edges if b == node]
            write(Path(f"results/room/{node}.json"), inputs, ID if node in naming else "other")
        found = closure.find(Places(), [ID]).results
    reached = set(naming)
    for _ in range(size):
        reached |= {b for a, b in edges if a in reached}
    assert {int(Path(name).stem) for name in found} == reached
    assert {int(Path(name).stem) for name, rows in found.items() if rows} == naming


def test_what_was_known_to_fall_leads_on_though_it_is_gone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(Path("results/room/c.json"), ["results/room/b.json"])
    assert closure.find(Places(), [ID]).results == {}
    assert closure.find(Places(), [ID], ["results/room/b.json"]).results == {"results/room/c.json": 0}


def test_what_a_crash_left_falls_with_what_lies_beside_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(Path("results/room/00/a.json"), [], ID)
    for name in ("00/a.json.partial", "01/a.json.partial", "00/notes.txt"):
        Path("results/room", name).parent.mkdir(exist_ok=True)
        Path("results/room", name).write_text("x")
    found = closure.find(Places(), [ID]).results
    assert list(found) == ["results/room/00/a.json", "results/room/00/a.json.partial"]


def test_rows_are_counted_in_any_column_of_text(tmp_path):
    path = tmp_path / "t.parquet"
    table = pa.table(
        {"n": [1, 2, 3, 4], "a": [ID, "x", None, "y"], "b": pa.array(["x", ID, "z", ID]).dictionary_encode()}
    )
    pq.write_table(table, path, row_group_size=2)
    assert closure.rows_naming(path, [ID]) == 3
    assert closure.rows_naming(path, ["another"]) == 0
    pq.write_table(pa.table({"n": [1, 2]}), path)
    assert closure.rows_naming(path, [ID]) == 0


@pytest.mark.parametrize("how", ["cut", "overwritten", "empty", "a byte"])
def test_a_table_that_cannot_be_read_falls(tmp_path, monkeypatch, how):
    """Whom it names is not known; what it was is made again."""
    monkeypatch.chdir(tmp_path)
    path, fine = Path("results/room/00/a.parquet"), Path("results/room/01/a.parquet")
    for file in (path, fine):
        file.parent.mkdir(parents=True)
        pq.write_table(pa.table({"a": ["x"] * 1000}), file)
    whole = path.read_bytes()
    damaged = {"cut": whole[:-9], "overwritten": b"x" * 500, "empty": b"", "a byte": whole[:4] + b"\xff" + whole[5:]}
    path.write_bytes(damaged[how])
    assert closure.find(Places(), [ID]).results == {str(path): 1}


def test_records_with_names_that_are_cut_are_found(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name = f"results/room/{'long' * 60}.json"
    coded = base64.urlsafe_b64encode(name.encode()).decode()
    record = Path(".snakemake/metadata", f"@{coded[:254]}", coded[254:])
    record.parent.mkdir(parents=True)
    Path("logs").mkdir()
    Path("logs/job.log").touch()
    record.write_text(json.dumps({"log": ["logs/job.log", "logs/gone.log"]}))
    Path(".snakemake/metadata/not-base64!").write_text("{}")
    write(Path(name), [], ID)
    found = closure.find(Places(), [ID])
    assert (found.records, found.logs) == ([str(record)], ["logs/job.log"])
