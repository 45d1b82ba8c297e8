"""The profiles speak of rules that there are, and give every step that has a model the means to run it."""

import re
from graphlib import TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest
import yte
from filmed import add_videos
from small import make_small

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


class Planned(NamedTuple):
    """A job of a dry run: its rule, the files it reads and writes, and what it asks for."""

    rule: str
    reads: frozenset[str]
    writes: frozenset[str]
    resources: str


@pytest.fixture(scope="module")
def filmed(tmp_path_factory) -> list[Planned]:
    """All jobs of a house whose delivery has a video."""
    house = make_small(tmp_path_factory.mktemp("filmed"), subjects=3)
    add_videos(house.folder / "delivery", 1)
    said = house.run("--dry-run", "--forceall", "--nolock", "all")
    blocks = re.findall(r"^(?:local)?rule (\w+):\n((?: .*\n)+)", said, re.M)
    told = [(rule, dict(re.findall(r"^ +(input|output|resources): (.*)$", block, re.M))) for rule, block in blocks]
    files = [{key: frozenset(of.get(key, "").split(", ")) - {""} for key in ("input", "output")} for _, of in told]
    return [
        Planned(rule, some["input"], some["output"], of.get("resources", ""))
        for (rule, of), some in zip(told, files, strict=True)
    ]


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
    assert asking(other_profile("googlebatch"), "nvidia_gpu") == blocks_with("gpu=")


def asking(read: dict, resource: str) -> set[str]:
    """The rules for which a profile sets a resource."""
    return {rule for rule, asked in read["set-resources"].items() if resource in asked}


def other_profile(name: str) -> dict:
    """A profile beside Slurm's."""
    return yte.process_yaml((SLURM.parents[1] / name / "config.yaml").read_text(), require_use_yte=True)


def test_what_loads_models_has_memory_and_time_for_them_everywhere():
    for read, resource in ((profile(), "mem_mb"), (profile(), "runtime"), (other_profile("kubernetes"), "mem_mb")):
        assert blocks_with("gpu=") - asking(read, resource) == set()


def test_no_step_of_a_group_asks_for_a_gpu():
    """Its others would hold it, too, while they compute on a processor."""
    assert {*profile()["groups"]} & blocks_with("gpu=") == set()


def test_no_job_of_a_demo_with_videos_asks_for_a_gpu(filmed):
    """None of its models uses one: what Slurm accounts to GPUs is nothing."""
    rules = {job.rule for job in filmed}
    assert {"checks_look_videos", "privacy_paint_videos", "release_measure_videos", "privacy_paint"} <= rules
    assert [job.rule for job in filmed if "gpu=" in job.resources] == []


def test_groups_wait_for_no_job_that_waits_for_them(filmed):
    """Steps of videos lie between those of groups: no group may be in a circle with them, or nothing starts."""
    groups = profile()["groups"]
    makers = {file: number for number, job in enumerate(filmed) for file in job.writes}
    before = {n: {makers[file] for file in job.reads if file in makers} for n, job in enumerate(filmed)}
    whole = list(range(len(filmed)))
    for number, some in before.items():
        for other in some:
            if filmed[other].rule in groups and groups[filmed[other].rule] == groups.get(filmed[number].rule):
                whole = [whole[number] if one == whole[other] else one for one in whole]
    submitted: dict[int, set[int]] = {}
    for number, some in before.items():
        submitted.setdefault(whole[number], set()).update({whole[other] for other in some} - {whole[number]})
    assert len(submitted) < len(filmed) and list(TopologicalSorter(submitted).static_order())


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
