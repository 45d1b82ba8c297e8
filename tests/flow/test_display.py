"""The display for logs: a line now and then, a failed job with its log, at the end what took longest."""

import logging
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

from snakemake_interface_logger_plugins.common import LogEvent

import snakemake_logger_plugin_accord as display
from snakemake_logger_plugin_accord.progress import Progress, span

TWO_GO_ONE_FAILS = """
rule all:
    input: "a1", "a2", "b"
rule a:
    output: touch("a{n}")
    log: "a{n}.log"
    shell: "sleep 1; echo fine > {log}"
rule b:
    output: "b"
    log: "b.log"
    shell: "(echo the very reason; exit 3) > {log} 2>&1"
"""


def record(event=None, at=0.0, msg="", level="INFO", **told):
    made = {"event": event, "created": at, "msg": msg, "levelname": level, "levelno": getattr(logging, level), **told}
    return logging.makeLogRecord({name: value for name, value in made.items() if name != "event" or value})


def begun(job, at, rule="paint", **wildcards):
    return record(LogEvent.JOB_INFO, at, msg=f"Rule: {rule}", jobid=job, rule_name=rule, wildcards=wildcards)


def finished(job, at):
    return record(LogEvent.JOB_FINISHED, at, job_id=job)


def failed(job, at):
    return record(LogEvent.JOB_ERROR, at, level="ERROR", jobid=job)


def of(*records):
    progress = Progress()
    for one in records:
        progress.take(one)
    return progress


ALL = record(LogEvent.RUN_INFO, stats={"paint": 4, "look": 2, "total": 6})


def test_a_line_counts_steps_and_names_what_runs_longest():
    half = record(LogEvent.PROGRESS, 108, done=1, total=6)
    progress = of(ALL, begun(1, 100, shard="00"), begun(2, 101, "look"), finished(1, 108), half, begun(3, 108))
    assert progress.line(111) == "1 of 6 steps (16%), 11 s; running: look (10 s), paint (3 s)"
    for job in (4, 5):
        progress.take(begun(job, 110, shard="01", part=job))
    assert progress.line(111).endswith("; running: look (10 s), paint (3 s), paint 01 4 (1 s), 1 more")


def test_the_last_line_adds_up_what_rules_took():
    progress = of(begun(1, 0), begun(2, 0), finished(1, 130), finished(2, 140), begun(3, 140, "look"), finished(3, 155))
    for job, rule in enumerate(("fine", "gone", "all"), 4):
        progress.take(begun(job, 155, rule))
        progress.take(finished(job, 155 + (job == 4)))
    progress.take(record(LogEvent.PROGRESS, 156, done=6, total=6))
    assert progress.last(156) == "6 of 6 steps (100%), 3 min; longest: paint (2 jobs, 4 min), look (15 s), fine (1 s)"
    assert (span(119.4), span(120)) == ("119 s", "2 min")


def test_failures_are_counted_until_another_try_succeeds():
    progress = of(ALL, begun(1, 0), begun(2, 0), failed(1, 5), failed(2, 6))
    assert progress.line(6) == "0 of 6 steps (0%), 2 failed, 6 s"
    progress.take(begun(1, 6))
    progress.take(finished(1, 7))
    group = record(LogEvent.GROUP_ERROR, 8, level="ERROR", job_error_info=[{"jobid": 7}, {"jobid": 8}])
    for one in (begun(7, 7), begun(8, 7), group):
        progress.take(one)
    assert progress.line(8) == "0 of 6 steps (0%), 3 failed, 8 s"


def handler(dryrun=False):
    made = display.LogHandler(SimpleNamespace(stdout=True, dryrun=dryrun), None)
    made.setFormatter(logging.Formatter("%(message)s"))
    return made


def test_noise_is_left_out_and_what_people_need_is_shown(capsys):
    made = handler()
    noise = ("Building DAG of jobs...", "Select jobs to execute...", "Using shell: /usr/bin/bash")
    for text in (*noise, "Nothing to be done (all requested files are present and up to date)."):
        made.handle(record(msg=text))
    made.handle(record(msg="left out: a model", level="WARNING"))
    made.handle(record(msg="Select jobs to execute: an error", level="ERROR"))
    made.close()
    assert capsys.readouterr().out.splitlines() == [
        "Nothing to be done (all requested files are present and up to date).",
        "left out: a model",
        "Select jobs to execute: an error",
    ]


def test_a_dry_run_is_shown_whole(capsys):
    made = handler(dryrun=True)
    made.handle(begun(1, 0))
    made.handle(record(LogEvent.RUN_INFO, msg="Job stats:", stats={"total": 6}))
    made.close()
    assert capsys.readouterr().out == "Rule: paint\nJob stats:\n"


def test_lines_come_while_jobs_run_and_tell_that_nothing_ends(capsys, monkeypatch):
    monkeypatch.setattr(display, "SECONDS", 0.01)
    monkeypatch.setattr(display, "SECONDS_OF_NOTHING", 0.02)
    made = handler()
    made.handle(ALL)
    made.handle(begun(1, display.time.time()))
    seen = ""
    while seen.count("0 of 6 steps (0%), 0 s; running: paint (0 s)") < 2:
        seen += capsys.readouterr().out
    made.close()
    assert capsys.readouterr().out.splitlines()[-1] == "0 of 6 steps (0%), 0 s"


def test_a_failed_job_is_shown_whole_and_only_that(tmp_path):
    """As Snakemake itself finds and calls the display."""
    (tmp_path / "Snakefile").write_text(TWO_GO_ONE_FAILS)
    flags = ("--cores", "3", "--keep-going", "--show-failed-logs", "--logger", "accord", "--quiet", "host")
    snakemake = Path(sys.executable).with_name("snakemake")
    done = subprocess.run([snakemake, *flags], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1 and done.stdout == ""
    lines = done.stderr.splitlines()
    assert "Error in rule b:" in lines and "the very reason" in lines
    assert not [line for line in lines if line.startswith(("Select jobs", "Execute", "Finished jobid", "Job stats"))]
    [last] = [line for line in lines if " of 4 steps (" in line]
    assert last.startswith("2 of 4 steps (50%), 1 failed, ") and "; longest: a (2 jobs, " in last
    [log] = (tmp_path / ".snakemake/log").glob("*.log")
    assert "the very reason" in log.read_text() and "Finished jobid" in log.read_text()
