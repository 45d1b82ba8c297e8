"""Why a run failed: each reason once, with its hint, whatever Snakemake says around it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from accord.engine import failures

FAILS = """
from accord.errors import AccordError, Problem

rule all:
    input: "a1", "a2", "a3", "b", "c", "d"
rule a:
    output: "a{n}"
    log: "logs/a{n}.log"
    shell: "printf 'accord: 1 problem found\\n  - the key: is missing\\n    hint: export it\\n' > {log}; exit 2"
rule b:
    output: "b"
    log: "logs/b.log"
    shell: "{PYTHON} -c '1 / 0' 2> {log}"
rule c:
    output: "c"
    log: "logs/c.log"
    shell: "kill -9 $$ 2> {log}"
rule d:
    output: "d"
    log: "logs/d.log"
    retries: 1
    shell: "if [ -e tried ]; then touch d; else touch tried; echo 'accord: 1 problem found' > {log}; exit 2; fi"
"""
REFUSES = """
from accord.errors import AccordError, Problem

def refuse():
    raise AccordError([Problem("terms.until", "was yesterday", "erase what is left"), Problem("a", "is no b")])

refuse()
rule all:
"""
KEY = "the key: is missing\n    hint: export it"
CRASHED = "ZeroDivisionError: division by zero\n    hint: an error of the program, or of an adapter: logs/b.log"
KILLED = "ended without a word: it was killed, by hand or for memory\n    hint: logs/c.log"


def ran(folder: Path, snakefile: str) -> None:
    (folder / "Snakefile").write_text(snakefile.replace("{PYTHON}", sys.executable))
    flags = ("--cores", "1", "--keep-going", "--show-failed-logs", "--quiet", "host")
    done = subprocess.run([Path(sys.executable).with_name("snakemake"), *flags], cwd=folder, capture_output=True)
    assert done.returncode == 1


def test_each_reason_of_failed_jobs_is_told_once(tmp_path, capsys):
    ran(tmp_path, FAILS)
    found = {one.reason: (one.rules, one.jobs) for one in failures.failures(tmp_path)}
    assert found == {KEY: (["a"], 3), CRASHED: (["b"], 1), KILLED: (["c"], 1)}
    assert failures.main(["--folder", str(tmp_path)]) == 1
    told = capsys.readouterr().out
    assert told.startswith("why this run failed:\n") and f"  - a, 3 jobs: {KEY}\n" in told and f"- b: {CRASHED}" in told
    assert failures.main(["--folder", str(tmp_path), "--json"]) == 1
    assert {one["jobs"] for one in json.loads(capsys.readouterr().out)} == {1, 3}


def failed_jobs(folder, count, text):
    """A log of jobs of one rule that failed, each of its own shard."""
    blocks = []
    for number in range(count):
        log = folder / f"logs/checks/{number:02x}.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text(text.format(shard=f"{number:02x}"))
        about = f"jobid: {number}\n    log: logs/checks/{number:02x}.log (check log file(s) for error details)"
        blocks.append(f"Error in rule checks:\n    {about}\n")
    logged(folder, "\n".join(blocks))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Traceback (most recent call last):\n  File \"a.py\", line 1\nImportError: no libGL\n",
         "ImportError: no libGL\n    hint: an error of the program, or of an adapter: logs/checks/00.log"),
        ("accord: needs the package cv2, which is not installed: pip install it\n",
         "needs the package cv2, which is not installed: pip install it"),
        ("accord: 1 problem found\n  - results/intake/{shard}/images.tar: is cut\n    hint: again\n",
         "results/intake/00/images.tar: is cut\n    hint: again"),
        ("", "ended without a word: it was killed, by hand or for memory\n    hint: logs/checks/00.log"),
    ],
)  # fmt: skip
def test_one_cause_in_every_shard_is_one_reason(tmp_path, text, reason):
    failed_jobs(tmp_path, 65, text)
    assert failures.failures(tmp_path) == [(reason, ["checks"], 65)]


def test_a_run_that_waits_for_people_alone_is_no_failure(tmp_path, capsys):
    failed_jobs(tmp_path, 1, "accord: 1 problem found\n  - release: 7 images awaiting review: nothing was published\n")
    assert failures.main(["--folder", str(tmp_path)]) == 3
    assert capsys.readouterr().out.startswith(
        "this run is done, as far as it can be:\n  - checks: release: 7 images await"
    )
    failed_jobs(tmp_path, 2, "accord: 1 problem found\n  - release: {shard} is odd\n")
    assert failures.main(["--folder", str(tmp_path)]) == 1


def test_what_refuses_to_start_is_told_without_where_it_was_raised(tmp_path, capsys):
    ran(tmp_path, REFUSES)
    assert failures.main(["--folder", str(tmp_path)]) == 1
    expected = "why this run failed:\n  - terms.until: was yesterday\n    hint: erase what is left\n  - a: is no b\n"
    assert capsys.readouterr().out == expected


def logged(folder, text, name="2026-01-01T000000.000000"):
    path = folder / f".snakemake/log/{name}.snakemake.log"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_the_last_run_alone_counts(tmp_path, capsys):
    assert failures.failures(tmp_path) == []
    logged(tmp_path, "LockException:\nError: Directory cannot be locked. Please make sure\n")
    [locked] = failures.failures(tmp_path)
    assert "make unlock" in locked.reason
    logged(tmp_path, "Finished jobid: 0 (Rule: all)\n", "2026-01-02T000000.000000")
    assert failures.main(["--folder", str(tmp_path)]) == 0 and capsys.readouterr().out == ""


def test_a_run_that_left_no_log_is_not_taken_for_the_one_before(tmp_path):
    path = logged(tmp_path, "LockException:\nError: Directory cannot be locked. Please make sure\n")
    os.utime(path, (1000, 1000))
    assert [len(failures.failures(tmp_path, since)) for since in (0, 1000, 1001)] == [1, 1, 0]


def test_a_job_on_a_cluster_is_told_by_its_own_log_not_by_slurms(tmp_path):
    (tmp_path / "own.log").write_text("accord: 1 problem found\n  - x: is y\n")
    about = "    jobid: 7\n    log: own.log, slurm/8.log (check log file(s) for error details)\n"
    logged(tmp_path, f"[Thu]\nError in rule a:\n    message: None\n{about}")
    assert failures.failures(tmp_path) == [("x: is y", ["a"], 1)]


def test_an_input_that_somebody_took_away_in_the_middle_is_told(tmp_path):
    """As by an opt-out, which erases tables of whom a running search has found."""
    said = 'WorkflowError in rule a in file "x.smk", line 9:\nOSError: Missing files after 5 seconds. This might:\n'
    logged(tmp_path, f"{said}results/00/people.parquet (missing locally, parent dir contents: b)\n")
    [found] = failures.failures(tmp_path)
    assert found.rules == ["a"] and found.reason.startswith("results/00/people.parquet: went missing while the run")
    assert "hint: run again: an opt-out" in found.reason


@pytest.mark.parametrize("problems", [1, 30])
def test_a_list_of_reasons_has_an_end(tmp_path, capsys, problems):
    lines = "".join(f"  - place {number}: is wrong\n" for number in range(problems))
    logged(tmp_path, f'AccordError in file:\n{problems} problems found\n{lines}  File "a.py", line 1, in <module>\n')
    failures.main(["--folder", str(tmp_path)])
    told = capsys.readouterr().out.splitlines()
    assert len(told) == min(problems, failures.SHOWN) + 1 + (problems > failures.SHOWN)
