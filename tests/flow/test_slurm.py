"""A bad day on a real Slurm: a killed run, then one with a full disk, a dead node, a job cancelled and one out of
memory, which ends with a laptop's bytes.

A finished house is taken apart as far as a few jobs make it whole again: a shard's pictures, painted anew, its
derivatives, a gather, the release as a group. Each of them suffers something else: the derivatives first
the full disk, then the node's death; the release the cancel; the gather the lack of memory.
"""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import slurm

from house import ROOT, House

REASON = slurm.why_not()
pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(REASON), reason=REASON)]

TARGETS = ("results/release/release.json", "results/analyse/members.parquet")
MISSING = (
    "results/privacy/00",
    "results/release/00",
    "results/release/*.*",
    "results/analyse/members.parquet",
    "releases/*",
)
"""What the flow must make again, as patterns."""
FIRST = {"publish": "8000M"}
"""Memory that the groups ask for at their first try."""
SPARE = 1
"""MB left on the disk while the shard's derivatives are to be written."""
LARGE_DISK = 500
PATIENCE = 1800
FULL = "No space left on device"
BEGUN = "logs/privacy/paint/00.log"
"""A log that the first step opens when it starts."""
# Of docs/cluster.md: ends the jobs of the folder's run.
END_JOBS = """squeue --me -h -o '%A %Z' | awk -v here="$PWD" '$2 == here {print $1}' | sort -u | xargs -r scancel"""


@dataclass
class Day:
    """What the hours of the day left: outputs of Snakemake, digests of files, jobs of Slurm."""

    house: House
    cluster: slurm.Cluster
    said: dict[str, str] = field(default_factory=dict)
    codes: dict[str, int] = field(default_factory=dict)
    files: dict[str, dict[str, str]] = field(default_factory=dict)
    orphans: list[slurm.Job] = field(default_factory=list)
    cancelled: str = ""
    jobs: list[slurm.Job] = field(default_factory=list)

    def command(self, *flags: str) -> list[str]:
        return self.cluster.command(*self.house.command(*flags, *TARGETS, profile="slurm"), folder=self.house.folder)

    def run(self, hour: str, *flags: str) -> None:
        done = subprocess.run(self.command(*flags), env=self.house.environment(), capture_output=True, text=True)
        self.said[hour], self.codes[hour] = done.stdout + done.stderr, done.returncode
        self.look(hour)

    def look(self, hour: str) -> None:
        """Digests of all files, as the cluster sees them."""
        seen = House.at(self.cluster.seen(self.house.folder))
        self.files[hour] = seen.bytes_of("results", "releases")


@pytest.fixture(scope="module")
def day(small_done, tmp_path_factory):
    house = small_done.copied(tmp_path_factory.mktemp("slurm") / "house")
    adapt(house)
    take_apart(house)
    results = house.folder / "results"
    kept = results.rename(house.folder.with_name("kept"))
    results.mkdir()
    cluster = slurm.Cluster(house.folder.with_name("daemons"), {results: LARGE_DISK})
    try:
        day = Day(house, cluster)
        cluster.run("cp", "--archive", f"{kept}/.", str(results))
        cancel(day)
        survive(day)
        yield day
    finally:
        cluster.stop()


def adapt(house: House) -> None:
    """The shipped profile, in a hurry, and with too little memory for the first try of one step."""
    profile = house.folder / "workflow/profiles/slurm/config.yaml"
    text = profile.read_text().replace("before-status-checks: 8", "before-status-checks: 5")
    text = text.replace('"analyse_members", ', "")
    # Less than Snakemake itself holds: Slurm looks once a second, and must not miss a step that is over in one.
    profile.write_text(text + "  analyse_members:\n    mem_mb: 60 if attempt == 1 else 3000\n")


def take_apart(house: House) -> None:
    for path in [path for pattern in MISSING for path in house.folder.glob(pattern)]:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.rmtree(house.folder / "logs")


def used(cluster: slurm.Cluster, disk: Path) -> int:
    """MB in use on a disk of the cluster, a begun one counted whole."""
    return int(cluster.run("df", "--block-size=1M", "--output=used", str(disk)).split()[-1])


def cancel(day: Day) -> None:
    """Kill Snakemake in mid-run, end the jobs that it leaves, unlock."""
    with start(day) as process:
        wait_for((day.house.folder / BEGUN).exists, process)
        os.killpg(process.pid, signal.SIGKILL)
    day.orphans = day.cluster.jobs()
    day.cluster.run("sh", "-c", f"cd {day.house.folder} && {END_JOBS}")
    wait_for(lambda: not day.cluster.jobs())
    day.run("locked")
    day.run("unlocked", "--unlock")


def survive(day: Day) -> None:
    """A run whose disk is full for a time, and that loses a node and a job, and comes to its end."""
    disk = day.house.folder / "results"
    with start(day) as process:
        # A job that runs has not begun its step yet: two starts of Snakemake come first.
        wait_for(lambda: running(day, "release_derive"), process)
        day.cluster.resize(disk, used(day.cluster, disk) + SPARE)
        wait_for(lambda: FULL in said(day).read_text(), process)
        day.said["full disk"] = said(day).read_text()
        day.look("full disk")
        day.cluster.resize(disk, LARGE_DISK)
        for job in wait_for(lambda: running(day, "release_derive"), process):
            day.cluster.kill(job.node)
        for job in wait_for(lambda: running(day, "publish"), process):
            day.cancelled = job.number
            day.cluster.run("scancel", job.number)
    day.said["last"], day.codes["last"] = said(day).read_text(), process.returncode
    day.look("last")
    day.jobs = day.cluster.jobs("all")


def start(day: Day) -> subprocess.Popen:
    with said(day).open("wb") as opened:
        return subprocess.Popen(
            day.command(), env=day.house.environment(), stdout=opened, stderr=opened, start_new_session=True
        )


def said(day: Day) -> Path:
    return day.house.folder.with_name("said.txt")


def wait_for(reached: Callable[[], Any], process: subprocess.Popen | None = None) -> Any:
    """What `reached` gives as soon as it gives something; it is not waited for when the process has ended."""
    end = time.monotonic() + PATIENCE
    while not (found := reached()) and time.monotonic() < end and (process is None or process.poll() is None):
        time.sleep(1)
    return found


def running(day: Day, of: str) -> list[slurm.Job]:
    """The running jobs of a rule or group."""
    return [job for job in day.cluster.jobs("RUNNING") if job.comment.startswith(f"rule_{of}")]


def test_a_full_disk_is_said_and_leaves_nothing_half_written(day, small_done):
    assert "Error in rule release_derive" in day.said["full disk"]
    assert FULL in day.said["full disk"]
    assert TARGETS[0] not in day.files["full disk"]
    assert strange(day.files["full disk"], small_done) - begun_by(day.files["full disk"]) == set()


def test_a_cancelled_run_leaves_jobs_that_one_line_ends(day):
    assert day.orphans != []
    assert END_JOBS in (ROOT / "docs/cluster.md").read_text()
    assert "Directory cannot be locked" in day.said["locked"]
    assert day.codes["unlocked"] == 0


def test_a_dead_node_is_survived(day):
    assert day.codes["last"] == 0, day.said["last"][-4000:]
    tries = sorted((int(job.number), job.state) for job in day.jobs if job.comment.startswith("rule_release_derive"))
    assert [state for _, state in tries] == ["FAILED", "NODE_FAIL", "COMPLETED"]


def test_a_job_cancelled_by_hand_is_tried_again(day):
    (cancelled,) = [job for job in day.jobs if job.number == day.cancelled]
    assert cancelled.state == "CANCELLED"
    same = [job.state for job in day.jobs if job.comment == cancelled.comment and int(job.number) > int(day.cancelled)]
    assert same[-1] == "COMPLETED"


def test_a_job_out_of_memory_is_said_and_tried_with_more(day):
    logs = (day.house.folder / "logs/slurm/rule_analyse_members").glob("*.log")
    tries = sorted(logs, key=lambda log: int(log.stem))
    assert ["exceeded memory limit" in log.read_text() for log in tries] == [True, False]
    assert str(tries[0]) in day.said["last"]
    assert "mem_mb=60," in day.said["last"]
    assert "mem_mb=3000," in day.said["last"]


def test_what_jobs_used_of_what_they_asked_for_is_told(day):
    told = day.house.accord("usage", "logs").stdout.splitlines()
    (members,) = [line for line in told if line.startswith("analyse.members")]
    assert members.endswith("% of 3000 MB")
    assert [line for line in told if line.startswith("release.derive") and " 1 " in line]


def test_every_step_ran_as_a_job_of_slurm(day):
    header, *lines = day.house.accord("usage", "logs").stdout.splitlines()
    assert {"release.publish", "release.derive", "privacy.paint"} <= {line.split()[0] for line in lines}
    assert [line for line in [header, *lines][1:] if not line.endswith(" MB")] == []


def test_what_uses_no_gpu_gets_none(day):
    """The embedded model paints on a processor."""
    assert [job for job in day.jobs if job.comment.startswith("rule_privacy_paint") and job.state == "COMPLETED"] != []
    assert {job.node for job in day.jobs} & {"node3"} == set()


def test_a_group_asks_for_what_one_of_its_steps_needs(day):
    asked = {
        group: {(j.processors, j.memory) for j in day.jobs if j.comment.startswith(f"rule_{group}_")} for group in FIRST
    }
    assert {processors for of in asked.values() for processors, _ in of} == {"1"}
    # A try after the first asks for more.
    assert {group: ("1", memory) in asked[group] for group, memory in FIRST.items()} == dict.fromkeys(FIRST, True)


def test_the_results_are_those_of_a_laptop(day, small_done):
    mine = day.files["last"]
    assert {*TARGETS, *small_done.bytes_of("releases")} <= set(mine)
    assert strange(mine, small_done) == set()


def strange(files: dict[str, str], reference: House) -> set[str]:
    """Files that aren't, byte for byte, those of the reference."""
    whole = reference.bytes_of("results", "releases")
    return {path for path, digest in files.items() if whole.get(path) != digest}


def begun_by(files: dict[str, str]) -> set[str]:
    """Files that say by their names that they were only begun."""
    return {path for path in files if path.endswith(".partial")}
