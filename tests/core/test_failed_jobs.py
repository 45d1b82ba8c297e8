"""What failed is run again, where Snakemake says that nothing is to be done."""

import subprocess
import sys
from pathlib import Path

import pytest

from accord.engine import at_start, failed_jobs, snakemake_files

CHAIN = """
from accord.engine import failed_jobs
if config.get("ours", True) and workflow.is_main_process:
    failed_jobs.call_again()

rule all:
    input: "c"
rule a:
    output: OUTPUT
    params: said=config["said"]
    shell: "[ ! -e broken_a ] || exit 1; echo {params.said} > {output}"
rule b:
    input: "a"
    output: "b"
    shell: "[ ! -e broken_b ] || exit 1; cp {input} {output}"
rule c:
    input: "b"
    output: "c"
    shell: "cp {input} {output}"
"""


def ran(folder: Path, said: str, *more: str) -> str:
    flags = ("--cores", "1", "--keep-going", "--rerun-incomplete", "--config", f"said={said}", *more)
    command = [Path(sys.executable).with_name("snakemake"), *flags]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return (folder / "c").read_text().strip() if done.returncode == 0 else "failed"


@pytest.mark.parametrize("rule", ["a", "b"])
@pytest.mark.parametrize("output", ['"a"', 'update("a")'])
def test_a_failed_job_runs_again_and_only_once(tmp_path, rule, output):
    (tmp_path / "Snakefile").write_text(CHAIN.replace("OUTPUT", output))
    assert ran(tmp_path, "old") == "old"
    broken = tmp_path / f"broken_{rule}"
    broken.touch()
    assert ran(tmp_path, "new") == "failed"
    assert ran(tmp_path, "new") == "failed"
    broken.unlink()
    assert ran(tmp_path, "new", "ours=") == "old"  # what Snakemake does by itself
    assert ran(tmp_path, "new") == "new"
    before = (tmp_path / "c").stat().st_mtime_ns
    assert ran(tmp_path, "new") == "new" and (tmp_path / "c").stat().st_mtime_ns == before
    assert failed_jobs.call_again(tmp_path) == []


def log(folder, name, text):
    path = folder / snakemake_files.LOGS / f"{name}.snakemake.log"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def block(head, *outputs, number=3):
    return f"[Thu]\n{head} x:\n    input: i\n    output: {', '.join(outputs)}\n    log: x.log\n    jobid: {number}\n"


def test_logs_that_are_over_are_read_once(tmp_path):
    finished = "[Thu]\nFinished jobid: 3 (Rule: x)\n"
    failed, made = block("Error in rule", "a", "b (update)"), block("localrule", "b (update)", "c") + finished
    first = log(tmp_path, "1", failed)
    assert failed_jobs.call_again(tmp_path) == ["a", "b"]
    log(tmp_path, "2", "")
    assert failed_jobs.call_again(tmp_path) == ["a", "b"]
    first.unlink()
    log(tmp_path, "2", made)
    assert failed_jobs.call_again(tmp_path) == ["a"]
    log(tmp_path, "3", block("rule", "a") + block("Error in rule", "d") + finished)
    assert failed_jobs.call_again(tmp_path) == []
    assert (tmp_path / at_start.FOLDER / "failed.json").is_file()


def test_members_of_a_group_count(tmp_path):
    said = block("Error in rule", "a").replace("\n", "\n    ")
    log(tmp_path, "1", f"Error in group 7:\n    jobs:\n        rule x:\n            jobid: 3\n[Thu]\n{said}")
    assert failed_jobs.call_again(tmp_path) == ["a"]


def test_records_of_long_names_lie_in_folders():
    path = snakemake_files.record(Path(".snakemake"), snakemake_files.METADATA, "r/" * 150)
    assert [len(part) for part in path.parts[2:]] == [255, 400 - 254] and path.parts[2].startswith("@")
