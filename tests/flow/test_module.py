"""Somebody else's workflow, in another folder, uses this one as a module."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import quick

import accounting
from house import LIB, ROOT, part_of_demo

SNAKEFILE = """
configfile: "mine.yaml"

module accord:
    snakefile: "{root}/workflow/Snakefile"
    config: {config}
{more}
use rule * from accord as accord_*

rule mine:
    input: "{prefix}results/intake/00/images.parquet"
    output: "mine/colour.txt"
    shell: "echo {{config[colour]}} > {{output}}"
"""
SETTINGS = """
colour: blue
accord:
  shards: 2
  intake:
    deliveries: [delivery]
  checks: {min_megapixels: 0.25}
  privacy: {model: embedded}
  report: {title: Mine}
"""


@pytest.fixture(scope="module")
def delivery(tmp_path_factory) -> Path:
    return part_of_demo(tmp_path_factory.mktemp("module") / "delivery", 2)


@pytest.fixture
def project(tmp_path, delivery):
    """Write a project of one's own, and run Snakemake in it; returns what it exits with and says."""
    (tmp_path / "delivery").symlink_to(delivery)

    def run(*flags: str, settings: str = SETTINGS, **how: str) -> tuple[int, str]:
        given = {"config": 'config["accord"]', "more": "", "prefix": "", **how}
        (tmp_path / "Snakefile").write_text(SNAKEFILE.format(root=ROOT, **given))
        (tmp_path / "mine.yaml").write_text(settings)
        folders = [quick.folder(), Path(sys.executable).parent, os.environ["PATH"]]
        own = {"PATH": os.pathsep.join(map(str, folders)), "PYTHONPATH": str(ROOT / LIB)}
        command = [str(quick.folder() / "python"), "-m", "snakemake", "--cores", "1", *flags]
        environment = {**os.environ, **own, **accounting.ONE_THREAD}
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    return run


def test_a_rule_of_ones_own_builds_on_what_the_workflow_made(project, tmp_path):
    code, said = project("mine")
    assert code == 0, said
    assert (tmp_path / "mine/colour.txt").read_text() == "blue\n"
    assert (tmp_path / "results/intake/00/images.parquet").is_file()
    assert (tmp_path / "logs/intake/shard/00.log").is_file()


def test_a_prefix_goes_before_results_and_not_before_what_is_given(project):
    prefix = "    prefix: 'curated/'\n"
    code, said = project("--dry-run", "--printshellcmds", "mine", "accord_all", more=prefix, prefix="curated/")
    assert code == 0, said
    commands = [line for line in said.splitlines() if "python -m accord " in line]
    assert len(commands) > 50
    assert [line for line in commands if " results/" in line or "curated/config/" in line or "curated/.." in line] == []
    [shard] = [line for line in commands if "intake.shard" in line and "--shard 00" in line]
    assert "--deliveries delivery " in shard and "--out-images curated/results/intake/00/images.parquet" in shard


def test_a_mistake_is_told_and_ones_own_keys_are_none(project):
    mistaken = "colour: blue\nanalyze: {}\nconsent: {min_age: 7}\n"
    code, said = project("--dry-run", settings=mistaken, config="config")
    assert code == 1
    start = said.index("2 problems found")
    assert said[start:].splitlines()[:5] == [
        "2 problems found",
        "  - analyze: unknown key (did you mean 'analyse'?)",
        "    hint: see config/README.md for all keys",
        "  - consent.min_age: must be at least 18",
        "    hint: minimum age in years, both at capture and on the reference date",
    ]
