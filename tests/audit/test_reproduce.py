"""Doing a step again from its record: every input is given for the argument that it was given for."""

import hashlib
import io
import json
from pathlib import Path

import pandas as pd
import pytest
from pandera.typing import DataFrame

from accord.audit.records import reproduce
from accord.audit.targets.places import Places
from accord.engine import provenance, step, table
from accord.engine.parameter_types import Folder, Former, Private, Sink
from accord.errors import AccordError, Problem


class Numbers(table.Table):
    name: str
    value: int


def take(
    left: DataFrame[Numbers],
    right: DataFrame[Numbers],
    some: list[Path],
    none: list[Path],
    file: Path,
    former: Former,
    *,
    other: Path | None = None,
    vault: Private,
    weights: Folder,
) -> DataFrame[Numbers]:
    """Left less right, with what files hold, and whether the other arguments are what they were."""
    assert not none and other is None and Path(vault).is_dir() and (Path(weights) / "net").is_file()
    text = "".join(path.read_text() for path in [*some, file])
    held = len(former) and former["out"].is_file()
    assert not held or former["out"].read_bytes() != b""
    return left.assign(value=left["value"] - right["value"], name=text)


def write(monkeypatch, run, *flags: str) -> Path:
    monkeypatch.setattr(step, "load", lambda name: run)
    monkeypatch.setattr(reproduce.source, "digest", lambda name: "c0de")
    step.run_step("checks.take", [*flags, "--out", "results/out.parquet", "--code", "c0de"])
    return Path("results/out.parquet")


@pytest.fixture
def flags(tmp_path, monkeypatch) -> list[str]:
    monkeypatch.chdir(tmp_path)
    for folder in ("vault", "weights"):
        Path(folder).mkdir()
    Path("weights/net").touch()
    for name, value in (("left", 5), ("right", 3)):
        table.write(pd.DataFrame({"name": ["n"], "value": [value]}), Numbers, Path(f"{name}.parquet"))
    for name in ("a", "b", "c"):
        Path(name).write_text(name)
    return ["--left", "left.parquet", "--right", "right.parquet", "--some", "b", "a", "--none", "--file", "c",
            "--vault", "vault", "--weights", "weights"]  # fmt: skip


def test_inputs_of_one_kind_are_told_apart(flags, monkeypatch):
    path = write(monkeypatch, take, *flags)
    assert table.read(path, Numbers).to_numpy().tolist() == [["bac", 2]]
    record = provenance.of(path)
    assert reproduce.outputs(record, Places()) == [path.read_bytes()]
    swapped = record["arguments"] | {"left": ["right.parquet"], "right": ["left.parquet"]}
    assert reproduce.outputs({**record, "arguments": swapped}, Places()) != [path.read_bytes()]


def test_a_record_that_leaves_an_input_out_is_not_done_again(flags, monkeypatch):
    record = provenance.of(write(monkeypatch, take, *flags))
    less = {**record, "arguments": {**record["arguments"], "some": ["a"]}}
    assert reproduce.outputs(less, Places()) is None


def test_large_models_and_bundles_of_other_steps_are_left_out(flags, monkeypatch):
    record = provenance.of(write(monkeypatch, take, *flags))
    assert reproduce.outputs({**record, "step": "evaluate.take"}, Places()) is None
    record = provenance.of(write(monkeypatch, bundle, "--left", "left.parquet", "--files", "results/files.tar"))
    assert reproduce.outputs(record, Places()) is None
    assert reproduce.outputs({**record, "step": "train.detector"}, Places()) is None


def test_small_models_are_done_again_and_left_out_where_they_are_not_there(flags, monkeypatch):
    path = write(monkeypatch, take, *flags)
    record = {**provenance.of(path), "step": "evaluate.small"}
    assert table.read(path, Numbers).equals(_read(reproduce.outputs(record, Places())[0]))

    def lacking(left: DataFrame[Numbers], **_) -> DataFrame[Numbers]:
        raise AccordError(Problem("yunet", "its weights are not there", "fetch them"))

    monkeypatch.setattr(step, "load", lambda name: lacking)
    alone = {**record, "arguments": {"left": ["left.parquet"]}, "inputs": {"left.parquet": ""}, "params": {}}
    assert reproduce.outputs(alone, Places()) is None
    assert reproduce.outputs({**alone, "step": "checks.take"}, Places()) == []


def test_a_bundle_is_written_again_and_held_against_the_one_that_lies_there(flags, monkeypatch):
    out = write(monkeypatch, bundle, "--left", "left.parquet", "--files", "results/files.tar")
    tar = out.with_name("files.tar")
    record = {**provenance.of(out), "step": "release.derive"}
    made = reproduce.outputs(record, Places())
    assert made[0] == hashlib.sha256(b"of 5").digest()
    told = json.dumps(record, sort_keys=True)
    assert reproduce._wrong(told, [tar.as_posix()], Places()) == []
    tar.write_bytes(b"of 6")
    assert reproduce._wrong(told, [tar.as_posix()], Places()) == [tar.as_posix()]


def test_deliveries_are_those_of_the_configuration(flags, monkeypatch):
    for name in ("one", "two"):
        Path("new", name).mkdir(parents=True)
        Path("new", name, "x").write_text(name)
    path = write(monkeypatch, delivered, "--deliveries", "new/two", "new/one")
    record, config = provenance.of(path), {"intake": {"deliveries": ["new/one", "new/two"]}}
    assert reproduce.outputs(record, Places(config=config)) == [path.read_bytes()]
    assert reproduce.outputs(record, Places()) is None
    assert reproduce.outputs(record, Places(config={"intake": {"deliveries": ["new/one", "new/three"]}})) is None
    Path("new/two/x").write_text("other")
    assert reproduce.outputs(record, Places(config=config)) != [path.read_bytes()]


def bundle(left: DataFrame[Numbers], *, files: Sink) -> DataFrame[Numbers]:
    Path(files).write_bytes(f"of {left['value'][0]}".encode())
    return left


def delivered(deliveries: list[Folder]) -> DataFrame[Numbers]:
    text = "".join((folder / "x").read_text() for folder in deliveries)
    return table.rows([{"name": text, "value": 1}], Numbers)


def _read(data: bytes) -> pd.DataFrame:
    return pd.read_parquet(io.BytesIO(data))
