"""`accord audit` finds every file that is not what it was."""

import json
from pathlib import Path

import pandas as pd
import pytest
from pandera.typing import DataFrame

from accord.audit import command
from accord.audit.evidence import lineage
from accord.engine import provenance, step
from accord.engine.parameter_types import Sink
from accord.engine.table import Table, rows
from accord.errors import AccordError


class Numbers(Table):
    value: int


def first(*, source: Path, bundle: Sink) -> DataFrame[Numbers]:
    """Numbers from a text file, and a bundle."""
    Path(bundle).write_bytes(b"bundle")
    return rows([{"value": int(Path(source).read_text())}], Numbers)


def second(numbers: DataFrame[Numbers], *, bundle: Path) -> dict:
    """A summary."""
    return {"total": int(numbers["value"].sum()), "size": len(Path(bundle).read_bytes())}


@pytest.fixture
def flow(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lineage.forget()
    monkeypatch.setattr(step, "load", lambda name: {"a.first": first, "a.second": second}[name])
    Path("source.txt").write_text("7")
    step.run_step(
        "a.first", ["--source", "source.txt", "--bundle", "results/b.tar", "--out", "results/n.parquet", "--code", "c1"]
    )
    step.run_step(
        "a.second",
        ["--numbers", "results/n.parquet", "--bundle", "results/b.tar", "--out", "results/release/release.json"],
    )
    return Path("results/release/release.json")


def statuses(path):
    lineage.forget()
    return {node.path: node.status for node in lineage.trace(path).walk()}


def test_lineage_reaches_what_came_from_outside(flow, capsys):
    assert statuses(flow) == {
        "results/release/release.json": "ok",
        "results/n.parquet": "ok",
        "results/b.tar": "ok",
        "source.txt": "source",
    }
    assert command.main([str(flow)]) == 0
    told = capsys.readouterr().out
    assert "results/n.parquet  <- a.first [c1]" in told
    assert "4 files are as recorded; 1 of them are external inputs" in told


@pytest.mark.parametrize("victim", ["source.txt", "results/b.tar", "results/n.parquet"])
def test_a_flipped_byte_is_found(flow, victim, capsys):
    data = bytearray(Path(victim).read_bytes())
    data[-1] ^= 1
    Path(victim).write_bytes(data)
    assert statuses(flow)[victim] == "changed"
    assert command.main([str(flow), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["verdict"] == "fail"


@pytest.mark.parametrize("victim", ["source.txt", "results/b.tar", "results/n.parquet"])
def test_a_missing_file_is_found(flow, victim):
    Path(victim).unlink()
    assert statuses(flow)[victim] == "missing"


def test_a_table_made_anew_from_other_numbers_is_found(flow):
    Path("source.txt").write_text("8")
    step.run_step(
        "a.first", ["--source", "source.txt", "--bundle", "results/b.tar", "--out", "results/n.parquet", "--code", "c1"]
    )
    assert statuses(flow)["results/n.parquet"] == "changed"


def test_files_of_a_release_are_held_against_its_manifest(flow):
    folder = Path("releases/1.0.0")
    folder.mkdir(parents=True)
    (folder / "image.png").write_bytes(b"pixels")
    entry = {"path": "image.png", "sha256": provenance.sha256(folder / "image.png")}
    (folder / "manifest.jsonl").write_text(json.dumps(entry) + "\n")
    (folder / "release.dsse.json").write_text("{}")
    record = json.loads(flow.read_text()) | {"manifest_sha256": provenance.sha256(folder / "manifest.jsonl")}
    record["sealed"] = {"release.dsse.json": provenance.sha256(folder / "release.dsse.json")}
    flow.write_text(json.dumps(record))
    assert set(statuses(folder / "image.png").values()) == {"ok", "source"}
    assert "source.txt" in statuses(folder / "image.png")
    assert statuses(folder / "manifest.jsonl")["source.txt"] == "source"
    (folder / "image.png").write_bytes(b"pixelz")
    assert statuses(folder / "image.png")["releases/1.0.0/image.png"] == "changed"
    assert statuses(folder / "release.dsse.json")["releases/1.0.0/release.dsse.json"] == "ok"
    (folder / "release.dsse.json").write_text("[]")
    assert statuses(folder / "release.dsse.json")["releases/1.0.0/release.dsse.json"] == "changed"
    (folder / "added.png").write_bytes(b"x")
    assert statuses(folder / "added.png")["releases/1.0.0/added.png"] == "unknown"


def test_a_file_without_a_story_is_unknown_and_no_file_has_a_hint(tmp_path):
    pd.DataFrame({"value": [1]}).to_parquet(tmp_path / "stranger.parquet")
    assert lineage.trace(tmp_path / "stranger.parquet").status == "unknown"
    with pytest.raises(AccordError, match="no such file\n    hint: name an output under results/ or releases/"):
        lineage.trace(tmp_path / "none.parquet")
