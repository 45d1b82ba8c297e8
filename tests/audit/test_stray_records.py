"""Copies of outputs are found, and results of other configurations, in folders of their own, are no copies."""

import shutil
from pathlib import Path

import pandas as pd
import pytest

from accord.analyse.tables.composition import References
from accord.audit.records import stray_records
from accord.audit.telling import reading
from accord.audit.telling.checks import FAIL, PASS
from accord.engine import table

RESULTS = Path("results")
OTHER = RESULTS / "foundation"
NUMBERS = Path("analyse/numbers.parquet")


def write(path, step, *inputs):
    path.parent.mkdir(parents=True, exist_ok=True)
    record = {"step": step, "code": "c", "params": {}, "inputs": dict.fromkeys(map(str, inputs), "0" * 64)}
    table.write(pd.DataFrame({name: [] for name in References.to_schema().columns}), References, path, record)


@pytest.fixture(autouse=True)
def two_runs(tmp_path, monkeypatch):
    """Of two configurations: numbers, which were made from the same file of settings, and a page made from them."""
    monkeypatch.chdir(tmp_path)
    for folder in (RESULTS, OTHER):
        write(folder / NUMBERS, "analyse.references", "config/numbers/fhibe.csv")
        write(folder / "report/index.parquet", "report.index", folder / NUMBERS)


def found():
    reading.forget()
    outputs = sorted(RESULTS.rglob("*.parquet"))
    return [(check.verdict, check.where) for check in stray_records.checks(outputs, RESULTS)]


def test_results_of_another_configuration_are_no_copies():
    assert (RESULTS / NUMBERS).read_bytes() == (OTHER / NUMBERS).read_bytes()
    assert found() == [(PASS, "")]


@pytest.mark.parametrize(
    ("source", "target"),
    [
        (NUMBERS, "analyse/numbers_2.parquet"),
        (NUMBERS, "foundation/analyse/numbers_2.parquet"),
        (NUMBERS, "foundation/old/analyse/numbers.parquet"),
        (NUMBERS, "other/analyse/numbers.parquet"),
        ("report/index.parquet", "foundation/report/copy.parquet"),
        ("foundation/report/index.parquet", "report/copy.parquet"),
    ],
)
def test_a_copy_is_told_wherever_it_lies(source, target):
    (RESULTS / target).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(RESULTS / source, RESULTS / target)
    (told,) = found()
    assert told[0] == FAIL and target in told[1]


def test_a_copy_of_the_whole_results_is_no_other_configuration():
    shutil.copytree(RESULTS / "analyse", RESULTS / "backup/analyse")
    shutil.copytree(RESULTS / "report", RESULTS / "backup/report")
    assert sorted(told[0] for told in found()) == [FAIL, FAIL]
