"""What Snakemake reads as it starts: all that was delivered where it plans, one small file in a job."""

import pytest
from small import make_small

from accord.engine import at_start

KEPT = at_start.FOLDER / "start.json"
JOB = ("--mode", "subprocess", "--force", "results/intake/00/refused.parquet")
"""As a job starts Snakemake: for its own outputs."""


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
