"""The profiles speak of rules that there are, and give every step that has a model the means to run it."""

import re
from pathlib import Path

import pytest
import yte

from house import ROOT

SLURM = ROOT / "workflow/profiles/slurm/config.yaml"


@pytest.fixture(scope="module")
def rules() -> set[str]:
    return {name for file in Path(ROOT / "workflow/rules").glob("*.smk") for name in named(file.read_text())}


def named(text: str) -> list[str]:
    return re.findall(r"^ *rule (\w+):", text, re.M)


def given_weights(file: Path) -> list[str]:
    """The rules of a file whose steps load a model."""
    blocks = re.split(r"^(?= *rule \w+:)", file.read_text(), flags=re.M)[1:]
    return [named(block)[0] for block in blocks if "weights=" in block]


def profile(monkeypatch, gpus: str) -> dict:
    monkeypatch.setenv("ACCORD_GPUS", gpus)
    return yte.process_yaml(SLURM.read_text(), require_use_yte=True)


def test_every_rule_of_the_profile_exists(monkeypatch, rules):
    read = profile(monkeypatch, "1")
    told = {*read["groups"], *read["set-resources"]}
    assert told - rules == set()


@pytest.mark.parametrize("gpus", ["0", "1"])
@pytest.mark.parametrize("name", ["kubernetes", "googlebatch"])
def test_a_cloud_gives_a_gpu_to_the_steps_that_slurm_gives_one(monkeypatch, name, gpus):
    wanted = {rule for rule, asked in profile(monkeypatch, gpus)["set-resources"].items() if "gpu" in asked}
    read = yte.process_yaml((SLURM.parents[1] / name / "config.yaml").read_text(), require_use_yte=True)
    found = {rule for rule, asked in read.get("set-resources", {}).items() if {"gpu", "nvidia_gpu"} & set(asked)}
    assert found == wanted


def test_every_step_that_asks_one_model_can_use_a_gpu(monkeypatch, rules):
    read = profile(monkeypatch, "2")
    loading = {rule for file in Path(ROOT / "workflow/rules").glob("evaluate*.smk") for rule in given_weights(file)}
    with_gpu = {rule for rule, asked in read["set-resources"].items() if asked.get("gpu") == 2}
    # Small models and face meshes run on a processor; weights are fetched where there is a network.
    on_processors = {"evaluate_small", "evaluate_skin_tones", "evaluate_fetch"}
    assert with_gpu == loading - on_processors | {
        "privacy_paint",
        "train_features",
        "train_annotator",
        "train_detector",
    }
    assert {read["set-resources"][rule]["slurm_partition"] for rule in with_gpu} == {"gpu"}


def test_without_gpus_nothing_asks_for_one(monkeypatch):
    asked = profile(monkeypatch, "0")["set-resources"].values()
    assert [one for one in asked if "gpu" in one or "slurm_partition" in one] == []


def test_a_job_that_fails_is_tried_again_and_by_snakemake_alone(monkeypatch):
    """What Slurm started again would write beside it, and sacct says nothing where it has no database."""
    read = profile(monkeypatch, "1")
    assert read["retries"] >= 1 and read["rerun-incomplete"] and read["slurm-no-requeue"]
    assert read["slurm-status-command"] == "squeue"


def test_memory_and_time_grow_with_each_try(monkeypatch):
    read = profile(monkeypatch, "1")
    for asked in (read["default-resources"], *read["set-resources"].values()):
        for name in {"mem_mb", "runtime"} & set(asked):
            base, growth = asked[name].split(" * ", 1)
            assert growth == "2 ** (attempt - 1)"
            assert int(base) > 0
