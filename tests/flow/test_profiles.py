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


def blocks_with(text: str, files: str = "*.smk") -> set[str]:
    """The rules whose text says something."""
    blocks = [
        block
        for file in Path(ROOT / "workflow/rules").glob(files)
        for block in re.split(r"^(?= *rule \w+:)", file.read_text(), flags=re.M)[1:]
    ]
    return {named(block)[0] for block in blocks if text in block}


def profile(**variables: str) -> dict:
    """The profile of Slurm as these variables of the environment make it."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("ACCOUNT", "MODULES", "SCRATCH"):
            patch.delenv(f"ACCORD_{name}", raising=False)
        for name, value in variables.items():
            patch.setenv(f"ACCORD_{name}", value)
        return yte.process_yaml(SLURM.read_text(), require_use_yte=True)


class Job:
    """As much of a job as Slurm's plugin looks at to choose a partition."""

    threads = 1

    def __init__(self, **resources):
        self.resources = resources


def test_every_rule_of_the_profile_exists(rules):
    read = profile()
    assert {*read["groups"], *read["set-resources"]} - rules == set()


def test_every_step_that_loads_models_asks_for_a_gpu_if_they_use_one():
    # Small models run on a processor; weights are fetched where there is a network.
    without = {"evaluate_small", "evaluate_fetch"}
    trained = {"train_detector", "train_features", "train_annotator"}
    loading = blocks_with("weights=", "evaluate*.smk") - without | {"privacy_paint", *trained}
    assert blocks_with("gpu=lambda wildcards: gpus.of") == blocks_with("gpu=") == loading


def test_no_profile_asks_for_a_gpu_by_itself(rules):
    read = profile()
    assert [one for one in read["set-resources"].values() if "gpu" in one or "slurm_partition" in one] == []
    assert read["default-resources"]["cpus_per_gpu"] == 8
    # Google's plugin knows GPUs by their models alone, so that its profile names rules.
    google = yte.process_yaml((SLURM.parents[1] / "googlebatch/config.yaml").read_text(), require_use_yte=True)
    assert {rule for rule, asked in google["set-resources"].items() if "nvidia_gpu" in asked} <= blocks_with("gpu=")


def test_a_job_that_fails_is_tried_again_and_by_snakemake_alone():
    """What Slurm started again would write beside it, and sacct says nothing where it has no database."""
    read = profile()
    assert read["retries"] >= 1 and read["rerun-incomplete"] and read["slurm-no-requeue"]
    assert read["slurm-status-command"] == "squeue"


@pytest.mark.parametrize(("gpus", "partition"), [({}, "cpu"), ({"gpu": 1}, "gpu"), ({"gpu": 4}, "gpu")])
def test_jobs_with_a_gpu_go_where_there_are_some(gpus, partition):
    """By the plugin's own choice."""
    plugin = pytest.importorskip("snakemake_executor_plugin_slurm.partitions")
    read = profile()
    found = plugin.read_partition_file(ROOT / read["slurm-partition-config"])
    job = Job(mem_mb=8000, runtime=240, cpus_per_gpu=read["default-resources"]["cpus_per_gpu"], **gpus)
    scores = {one.name: score for one in found if (score := one.score_job_fit(job)) is not None}
    assert max(scores, key=scores.get) == partition


def test_a_cluster_s_options_are_variables():
    read = profile(ACCOUNT="group-7", MODULES="cuda/12 gcc", SCRATCH="/scratch/$USER")
    assert read["precommand"] == "module load cuda/12 gcc"
    told = {name: read["default-resources"][name] for name in ("slurm_account", "tmpdir")}
    assert told == {"slurm_account": "'group-7'", "tmpdir": "'/scratch/$USER'"}
    assert {"precommand"} & set(profile()) | {"slurm_account", "tmpdir"} & set(profile()["default-resources"]) == set()


def test_memory_and_time_grow_with_each_try():
    read = profile()
    for asked in (read["default-resources"], *read["set-resources"].values()):
        for name in {"mem_mb", "runtime"} & set(asked):
            base, growth = asked[name].split(" * ", 1)
            assert growth == "2 ** (attempt - 1)"
            assert int(base) > 0
