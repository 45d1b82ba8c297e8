"""What Snakemake reads as it starts: all that was delivered where it plans, one small file in a job."""

import subprocess
import sys

import pytest
from small import make_small

from accord.engine import at_start

KEPT = at_start.FOLDER / "start.json"
JOB = ("--mode", "subprocess", "--force", "results/intake/00/refused.parquet")
"""As a job starts Snakemake: for its own outputs."""

COUNTED = """
import sys
from snakemake import cli, rules
files, made = 0, rules.IOFile
def counted(*given, **named):
    global files
    files += 1
    return made(*given, **named)
rules.IOFile = counted
try:
    cli.main(sys.argv[1:])
finally:
    print("files:", files)
"""

WOKEN = """
import sys
from snakemake import cli
from snakemake.scheduling.job_scheduler import JobScheduler
JobScheduler._schedule_reevalutation = lambda *given: print("woken later")
cli.main(sys.argv[1:])
"""


@pytest.fixture
def planned(tmp_path):
    """A house in which a run was planned."""
    house = make_small(tmp_path / "house", subjects=2)
    assert house.planned("results/intake/00/refused.parquet")["intake_shard"] == {"00"}
    return house


def test_a_job_reads_no_delivery(planned):
    before = (planned.folder / KEPT).read_bytes()
    (planned.folder / "delivery").rename(planned.folder / "elsewhere")
    assert "the delivery is not a folder" in planned.run("--dry-run", check=False)
    planned.run("--dry-run", "--nolock", *JOB)
    assert (planned.folder / KEPT).read_bytes() == before
    (planned.folder / KEPT).write_bytes(before[:-1])
    assert "the delivery is not a folder" in planned.run("--dry-run", "--nolock", *JOB, check=False)


def test_a_job_lists_few_files_of_other_shards(planned):
    """Gathers name 140 files of each shard; of those that don't run, few are listed."""

    def listed(shards: int) -> int:
        _, *flags = planned.command("--dry-run", "--nolock", "--config", f"shards={shards}", *JOB)
        command = [sys.executable, "-c", COUNTED, *flags]
        done = subprocess.run(command, cwd=planned.folder, env=planned.environment(), capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return int(done.stdout.split("files:")[1])

    assert (listed(66) - listed(2)) / 64 < 15


def test_no_job_that_ends_leaves_a_thread_that_plans_anew(planned):
    """Snakemake's limit of jobs in a time does, for each, until the run ends."""
    made = planned.folder / "results/intake/00/refused.parquet"
    _, *flags = planned.command(str(made.relative_to(planned.folder)))
    command = [sys.executable, "-c", WOKEN, *flags]
    done = subprocess.run(command, cwd=planned.folder, env=planned.environment(), capture_output=True, text=True)
    assert done.returncode == 0 and made.is_file(), done.stderr
    assert "woken" not in done.stdout
