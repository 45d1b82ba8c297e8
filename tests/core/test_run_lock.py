"""The lock of a run: removed where its process was killed and none of its jobs is alive, named where one is."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest

from accord.engine import failures, fork_server, run_lock
from accord.errors import AccordError

SNAKEFILE = """
from accord.engine import local_run

if workflow.is_main_process:
    local_run.read()


rule job:
    output:
        "done.txt",
    shell:
        "echo $$ >> jobs.txt;"
        " exec {python} -c 'import time; time.sleep({seconds}); open(\\"done.txt\\", \\"w\\")' -m accord checks.look"


onstart:
    local_run.begin(workflow)
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A folder with a workflow of one job, which starts as the real one does."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(fork_server.SERVER, "")
    monkeypatch.setenv("PYTHONPATH", str(Path(run_lock.__file__).parents[2]))
    write(60)
    return tmp_path


def write(seconds: float) -> None:
    Path("Snakefile").write_text(SNAKEFILE.replace("{python}", sys.executable).replace("{seconds}", str(seconds)))


def command(*flags: str) -> list[str]:
    return [sys.executable, "-m", "snakemake", "--cores", "1", *flags]


def run(*flags: str) -> tuple[int, str]:
    """Exit code and output of a run."""
    done = subprocess.run(command(*flags), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=100)
    return done.returncode, done.stdout


@contextmanager
def running() -> Iterator[subprocess.Popen]:
    """In the block, a run whose job works; nothing of it is alive afterwards."""
    with subprocess.Popen(command(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None and not Path("jobs.txt").is_file():
            time.sleep(0.05)
        try:
            yield process
        finally:
            process.kill()
            kill_job()


def job() -> int:
    return int(Path("jobs.txt").read_text().split()[0])


def kill_job() -> None:
    with suppress(ProcessLookupError):
        os.kill(job(), signal.SIGKILL)
    while psutil.pid_exists(job()) and psutil.Process(job()).status() != psutil.STATUS_ZOMBIE:
        time.sleep(0.01)


def test_the_lock_of_a_run_that_was_killed_with_its_jobs_is_removed_by_the_next(project):
    with running():
        pass
    assert any(Path(".snakemake/locks").iterdir())
    write(0)
    code, output = run()
    assert code == 0 and "LockException" not in output and Path("done.txt").is_file()


def test_a_run_that_is_alive_is_named_and_keeps_its_lock(project):
    with running() as process:
        with pytest.raises(AccordError) as error:
            run_lock.refuse()
        assert f"workflow: is locked by a run, process {process.pid} on " in str(error.value)
        assert "hint: wait until it has finished" in str(error.value)
        code, output = run()
        assert code and "LockException" in output
        assert f"process {process.pid}" in failures.failures(Path())[0].reason
        assert any(Path(".snakemake/locks").iterdir()) and process.poll() is None


def test_a_job_that_outlives_a_killed_run_is_named_and_keeps_the_lock_until_it_ends(project):
    with running() as process:
        process.kill()
        process.wait()
        with pytest.raises(AccordError, match=rf"workflow: is locked: processes of a run are alive: .*\b{job()}\b"):
            run_lock.refuse()
        assert any(Path(".snakemake/locks").iterdir())
        kill_job()
        run_lock.refuse()
        assert not Path(".snakemake/locks").exists()


def test_a_second_run_is_refused_where_snakemake_does_not_see_the_first(project):
    with running() as process:
        code, output = run("--nolock")
        assert code and f"is locked by a run, process {process.pid} on " in output
        assert len(Path("jobs.txt").read_text().split()) == 1


def test_no_run_starts_during_an_erasure_nor_goes_on_with_what_it_read_before_one(project):
    write(0)
    with run_lock.held(run_lock.ERASURE, run_lock.SNAKEMAKE):
        _, output = run()
    assert f"is locked by an erasure, process {os.getpid()} on " in output and not Path("done.txt").exists()
    seen = run_lock.glance()
    with run_lock.held(run_lock.ERASURE, run_lock.SNAKEMAKE):
        during = subprocess.run(
            [sys.executable, "-c", "from accord.engine import run_lock; print(run_lock.glance(), end='')"],
            capture_output=True,
            text=True,
        ).stdout
    for old in (seen, during):
        with pytest.raises(AccordError, match="another process worked here while this one started"):
            run_lock.take(seen=old)
    assert run()[0] == 0 and Path("done.txt").is_file()


@pytest.mark.parametrize(("change", "what"), [
    ({"host": "node7"}, r"is locked by a run, process 1 on node7, since 2026-01-02T03:04:05Z\n.*make unlock"),
    ({"is_local": False}, "its jobs may run on the cluster: cancel them"),
])  # fmt: skip
def test_a_lock_whose_jobs_may_be_elsewhere_stays(project, monkeypatch, change, what):
    monkeypatch.setattr("socket.gethostname", lambda: "here")
    holder = {"what": "a run", "pid": 1, "began": "2026-01-02T03:04:05.6", "host": "here", "is_local": True}
    Path(".snakemake/locks").mkdir(parents=True)
    Path(".snakemake/locks/0.input.lock").touch()
    Path(".snakemake/accord").mkdir()
    Path(".snakemake/accord/run.lock").write_text(json.dumps(holder | change))
    with pytest.raises(AccordError, match=what):
        run_lock.refuse()
    assert Path(".snakemake/locks/0.input.lock").exists()


@pytest.mark.parametrize("content", ["", "{", "[]", '{"pid": "x"}', "null", "\x00" * 9000])
def test_a_lock_file_that_says_nothing_keeps_nobody_out(project, content):
    Path(".snakemake/accord").mkdir(parents=True)
    Path(".snakemake/accord/run.lock").write_text(content)
    Path(".snakemake/locks").mkdir()
    Path(".snakemake/locks/0.input.lock").touch()
    with run_lock.held(run_lock.RUN, run_lock.SNAKEMAKE):
        assert not Path(".snakemake/locks").exists()
