"""Doing a step again from its record: every input is given for the argument that it was given for."""

from pathlib import Path

import pandas as pd
import pytest
from pandera.typing import DataFrame

from accord.audit.records import reproduce
from accord.audit.targets.places import Places
from accord.engine import provenance, step, table
from accord.engine.parameter_types import Folder, Former, Private, Sink


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


def test_models_that_are_evaluated_and_bundles_are_left_out(flags, monkeypatch):
    record = provenance.of(write(monkeypatch, take, *flags))
    assert reproduce.outputs({**record, "step": "evaluate.take"}, Places()) is None

    def bundle(left: DataFrame[Numbers], *, files: Sink) -> DataFrame[Numbers]:
        Path(files).write_bytes(b"")
        return left

    record = provenance.of(write(monkeypatch, bundle, "--left", "left.parquet", "--files", "results/files.tar"))
    assert reproduce.outputs(record, Places()) is None
