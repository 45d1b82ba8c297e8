"""lock.txt has the sha256 of all files that `make install` takes, and the pins of constraints.txt and weights.txt."""

import hashlib
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.tags import sys_tags

ROOT = Path(__file__).parents[2]
LOCK, WEIGHTS = (ROOT / "lock.txt").read_text(), (ROOT / "weights.txt").read_text()
BUILDS = ROOT / "envs/local_builds.py"
HASHES = r"(?P<hashes>(?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)"
ENTRY = re.compile(rf"^(?P<pin>[a-z0-9-]+==[^\\\n]*?) ?\\\n{HASHES}", re.M)


def pins(text: str) -> set[tuple[str, str]]:
    """Name and version of each line that pins one; markers are uv's, and differ from one uv to the next."""
    lines = (line.removesuffix("\\").strip() for line in text.splitlines())
    found = [Requirement(line) for line in lines if line and line[0] not in "#-"]
    return {(one.name, str(one.specifier).removeprefix("==")) for one in found}


def locked(lock: str, links: Path) -> str:
    """What `make install` installs by."""
    command = [sys.executable, str(BUILDS), str(links)]
    return subprocess.run(command, input=lock, stdout=subprocess.PIPE, text=True, check=True).stdout


def test_the_lock_has_every_pin_and_is_not_out_of_date():
    """Offline: what the registry has of a version never changes."""
    wanted, there = (pins(text) for text in ((ROOT / "constraints.txt").read_text() + WEIGHTS, LOCK))
    missing = ", ".join(f"{name} {version}" for name, version in sorted(wanted - there))
    assert not missing, f"lock.txt is out of date: run `make lock` (it lacks {missing})"
    stale = ", ".join(sorted({name for name, _ in there - wanted} & {name for name, _ in wanted}))
    assert not stale, f"lock.txt is out of date: run `make lock` (it has other versions of {stale})"
    assert {"uv", "setuptools", "cython", "wheel"} <= {name for name, _ in there}


def test_each_package_has_hashes_and_nothing_says_where_it_came_from():
    entries = ENTRY.findall(LOCK)
    assert len(entries) >= len(pins(LOCK)) > 200 and {pin.split("==")[0] for pin, _ in entries} == {*dict(pins(LOCK))}
    rest = ENTRY.sub("", LOCK).splitlines()
    assert len(rest) == 1 and rest[0].startswith("# Written by `make lock`")
    assert not re.search(r"://|find-links|index-url|/opt|/home|/root|@ ", LOCK)


def test_the_installation_takes_no_file_without_a_hash():
    text = (ROOT / "Makefile").read_text()
    installs = [line for line in text.splitlines() if "pip install" in line and not line.startswith("#")]
    own = [line for line in installs if "-e ." in line]
    assert len(own) == 1 and "--no-deps --no-build-isolation" in own[0]
    assert all("--require-hashes" in line for line in installs if line not in own) and len(installs) == 3


@pytest.fixture
def wheel(tmp_path) -> Path:
    """A build of torch, as somebody made it for this Python."""
    made = tmp_path / f"torch-{version()}+cpu-{next(iter(sys_tags()))}.whl"
    made.write_bytes(b"a build of one's own")
    return made


def version() -> str:
    """The version of torch that is locked."""
    return dict(pins(LOCK))["torch"]


def test_a_build_of_this_machine_takes_the_place_of_the_registrys_with_its_own_hash(wheel):
    made = locked(LOCK, wheel.parent)
    digest = hashlib.sha256(b"a build of one's own").hexdigest()
    assert f"\ntorch=={version()}+cpu \\\n    --hash=sha256:{digest}\n" in made
    assert pins(LOCK) - pins(made) == {("torch", version())}
    assert pins(made) - pins(LOCK) == {("torch", f"{version()}+cpu")}
    assert locked(LOCK, wheel.parent / "nowhere") == LOCK


@pytest.mark.parametrize(
    "name", ["torch-{}-{}.whl", "torch-1.0+cpu-{1}.whl", "torch-{}+cpu-cp27-none-any.whl", "x.whl"]
)
def test_other_wheels_of_this_machine_change_nothing(wheel, name):
    wheel.rename(wheel.with_name(name.format(version(), next(iter(sys_tags())))))
    assert locked(LOCK, wheel.parent) == LOCK


def test_a_package_with_another_hash_is_not_installed(tmp_path):
    """As uv is called by the Makefile; it asks no registry."""
    package = tmp_path / "small-1.0-py3-none-any.whl"
    about = {"METADATA": "Metadata-Version: 2.1\nName: small\nVersion: 1.0\n", "RECORD": ""}
    about["WHEEL"] = "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    with zipfile.ZipFile(package, "w") as archive:
        for name, text in about.items():
            archive.writestr(f"small-1.0.dist-info/{name}", text)
    project = tmp_path / "pyproject.toml"
    project.write_text('[project]\nname = "large"\nversion = "1"\ndependencies = ["small>=1"]\n')
    digests = {kind: hashlib.sha256(data).hexdigest() for kind, data in (("own", package.read_bytes()), ("other", b""))}
    outcomes = {}
    for kind, digest in digests.items():
        lock = tmp_path / f"{kind}.txt"
        lock.write_text(f"small==1.0 \\\n    --hash=sha256:{digest}\n")
        uv = [str(Path(sys.executable).with_name("uv")), "pip", "install", "--quiet", "--offline", "--no-index"]
        where = ["--python", sys.executable, "--target", str(tmp_path / kind), "--find-links", str(tmp_path)]
        words = [*uv, *where, "--no-cache", "--require-hashes", "-c", str(lock), "-b", str(lock), "-r", str(project)]
        outcomes[kind] = subprocess.run(words, capture_output=True, text=True)
    assert outcomes["own"].returncode == 0, outcomes["own"].stderr
    assert outcomes["other"].returncode and "Hash mismatch for `small==1.0`" in outcomes["other"].stderr
