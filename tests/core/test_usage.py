"""What jobs used is in their logs, and is added up."""

import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from accord.engine import usage
from accord.errors import AccordError

ROOT = Path(__file__).parents[2]
GROUP = """rule checks_known:
    input: a
    log: {logs}/checks/known/00.log
    resources: mem_mb=1000, runtime=60
rule evaluate_detect:
    log: {logs}/evaluate/yunet/00.log (check log file(s) for error details)
    resources: mem_mb=500, runtime=60
rule release_publish:
    log: {logs}/release/publish.log
    resources: mem_mb=200, runtime=60
"""


@pytest.fixture
def logs(tmp_path):
    """A folder of logs: path -> text."""

    def write(**files):
        for name, text in files.items():
            path = tmp_path / f"{name.replace('__', '/')}.log"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return tmp_path

    return write


def test_lines_are_added_up_by_step(logs):
    ended, again = "usage: 2.0 s, 3.0 CPU s, 400 MB\n", "warning\nusage: 9.0 s, 1.0 CPU s, 300 MB\n"
    folder = logs(
        checks__known__00=ended, checks__known__01=again, release__publish=ended + again, checks__decode__00="killed"
    )
    found = usage.jobs(folder)
    assert found["checks.known"] == [usage.Job(2, 3, 400), usage.Job(9, 1, 300)]
    assert found["release.publish"] == [usage.Job(9, 1, 300)]  # the last try alone
    assert set(found) == {"checks.known", "release.publish"}


def test_memory_is_held_against_what_slurm_was_asked_for(logs, tmp_path):
    text = GROUP.format(logs=tmp_path.name)
    folder = logs(slurm__group_prepare__7=text, slurm__rule_checks_known__8=text.replace("1000", "4000"))
    wanted = usage.asked(folder / "slurm")
    assert wanted == {"checks.known": 4000, "evaluate.yunet": 500, "release.publish": 200}
    told = usage.told({"checks.known": [usage.Job(2, 3, 400)], "evaluate.yunet": [usage.Job(2, 4, 100)]}, wanted)
    _, yunet, known = told.splitlines()
    assert yunet.split() == ["evaluate.yunet", "1", "4.0", "2.0", "2.00", "100", "20%", "of", "500", "MB"]
    assert known.endswith("10% of 4000 MB")


@pytest.mark.parametrize(("initialised", "noted", "end"), [(False, [], " MB"), (True, [], " MB, 1 GPU"),
                                                          (False, [1], " MB, 1 GPU"), (True, [4], " MB, 4 GPUs"),
])  # fmt: skip
def test_a_step_says_on_how_many_gpus_it_computed(logs, monkeypatch, initialised, noted, end):
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(cuda=SimpleNamespace(is_initialized=lambda: initialised)))
    monkeypatch.setattr(usage, "_noted", [0])
    for count in noted:
        usage.note_gpus(count)
    line = usage.line(time.monotonic() - 3)
    assert line.endswith(end)
    [job] = usage.jobs(logs(evaluate__detect__00=f"{line}\n"))["evaluate.detect"]
    assert job.gpu == pytest.approx(job.wall * max([int(initialised), *noted])) and job.wall >= 3
    said = usage.told({"evaluate.detect": [job]}, {})
    assert said.endswith(f"  {job.gpu:.1f} GPU s") if job.gpus else "GPU" not in said


def test_without_a_line_it_says_so(logs):
    with pytest.raises(AccordError, match="no log contains the resource usage of a job"):
        usage.main([str(logs(checks__known__00="killed"))])


def test_a_step_says_what_it_used(tmp_path):
    tables, out = ROOT / "config/numbers/fhibe.csv", tmp_path / "numbers.parquet"
    command = [sys.executable, "-m", "accord", "analyse.numbers", "--tables", str(tables), "--out", str(out)]
    began = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True)
    took = time.monotonic() - began
    ((wall, cpu, memory, gpus),) = usage.SAID.findall(done.stderr)
    assert done.returncode == 0 and 0 < float(wall) <= took + 0.1 and gpus == ""
    assert float(cpu) > 0 and 20 < float(memory) < 4000
