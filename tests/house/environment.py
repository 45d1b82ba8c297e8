"""Writes envs/base.yaml: what the jobs of a run need, each package with its version of constraints.txt.

It names no file, since Snakemake copies it to where it makes the environment, and no accord: jobs run the code of
the run (PYTHONPATH in rules/common.smk). Run it where these packages are installed: python tests/house/environment.py
"""

import re
import tomllib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
FILE = ROOT / "envs/base.yaml"
EXTRAS = ("workflow", "video")
PYTHON = "3.11"
HEAD = f"""\
# Written by tests/house/environment.py: the packages of accord[{",".join(EXTRAS)}], as constraints.txt pins them.
channels: [conda-forge, nodefaults]
dependencies:
  - python ={PYTHON}
  - pip
  - pip:
"""


def plain(name: str) -> str:
    """A package's name as registries compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pins() -> dict[str, str]:
    """Package -> its line of constraints.txt, of several that for PYTHON."""
    lines = [line.strip() for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line]
    given = {"python_version": PYTHON, "python_full_version": f"{PYTHON}.0"}
    some = {line: Requirement(line) for line in lines}
    return {plain(one.name): line for line, one in some.items() if not one.marker or one.marker.evaluate(given)}


def direct(*wanted: str) -> list[Requirement]:
    """What pyproject.toml says that accord needs with these extras, of other packages."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = {"": project["dependencies"], **project["optional-dependencies"]}

    def of(extra: str) -> Iterator[Requirement]:
        for one in map(Requirement, extras[extra]):
            if one.name == project["name"]:
                for other in one.extras:
                    yield from of(other)
            else:
                yield one

    return [one for extra in ("", *wanted) for one in of(extra)]


def needed(*wanted: str) -> set[str]:
    """The packages that accord needs with these extras, those that these need, and so on, as they say where they are
    installed here."""
    todo, seen = direct(*wanted), set()
    while todo:
        one = todo.pop()
        for extra in {"", *one.extras} - {extra for name, extra in seen if name == plain(one.name)}:
            seen.add((plain(one.name), extra))
            below = map(Requirement, metadata.requires(one.name) or [])
            todo += [other for other in below if other.marker is None or other.marker.evaluate({"extra": extra})]
    return {name for name, _ in seen}


if __name__ == "__main__":
    known = pins()
    FILE.write_text(HEAD + "".join(f'      - "{known[name]}"\n' for name in sorted(needed(*EXTRAS))))
