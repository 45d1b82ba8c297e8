"""A copy of the checkout to run the workflow in, and deliveries that are parts of the shipped one."""

import compileall
import csv
import hashlib
import json
import os
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import quick
import yaml

import accounting
from accord.engine import fork_server

ROOT = Path(__file__).parents[2]
DEMO, LIB = Path("tests/data/demo"), Path("workflow/lib/accord")


class House:
    """A checkout of its own: its results, releases and vault are apart from those of the repository."""

    def __init__(self, folder: Path):
        self.folder = folder
        names = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(["git", *names], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        for name in listed.split("\0"):
            source = ROOT / name
            if name and source.is_file() and not name.startswith("tests/"):
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, folder / name)
        _copy_bytecode(folder)
        (folder / "tests").mkdir(exist_ok=True)
        (folder / "tests/data").symlink_to(ROOT / "tests/data")

    @classmethod
    def at(cls, folder: Path) -> "House":
        """The house that is in a folder already."""
        house = cls.__new__(cls)
        house.folder = folder
        return house

    def copied(self, folder: Path) -> "House":
        """A copy of this house, results, releases and vault too: free to be changed."""
        shutil.copytree(self.folder, folder, symlinks=True)
        return House.at(folder)

    def configure(self, **settings) -> None:
        """Write the settings that lie over those of the demo."""
        (self.folder / "config/test.yaml").write_text(yaml.safe_dump(settings))

    def command(self, *flags: str, profile: str = "default") -> list[str]:
        """The command line of a run, on two cores of this machine if it is the default profile's."""
        configs = ["config/config.yaml", "config/demo.yaml"]
        if (self.folder / "config/test.yaml").is_file():
            configs.append("config/test.yaml")
        start = [str(Path(sys.executable).with_name("snakemake")), "--profile", f"workflow/profiles/{profile}"]
        cores = ["--cores", "2"] if profile == "default" else []
        return [*start, *cores, *flags, "--configfile", *configs]

    def environment(self, quickly: bool = False) -> dict[str, str]:
        """The environment of a run; quickly: its steps start as quick.py has it."""
        folders = [*([quick.folder()] if quickly else []), Path(sys.executable).parent, os.environ["PATH"]]
        own = {"PATH": os.pathsep.join(map(str, folders)), "PYTHONPATH": str(self.folder / "workflow/lib")}
        own |= {fork_server.SERVER: ""} if quickly else {}
        return {**os.environ, **own, **accounting.ONE_THREAD}

    def run(self, *flags: str, check: bool = True) -> str:
        """Run the workflow; returns all that it printed."""
        environment = self.environment(quickly=True)
        command = [str(quick.folder() / "python"), "-m", "snakemake", *self.command(*flags)[1:]]
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True)
        assert done.returncode == 0 or not check, done.stdout[-4000:] + done.stderr[-8000:]
        return done.stdout + done.stderr

    def accord(self, *arguments: str) -> subprocess.CompletedProcess:
        """Run a command of the library."""
        environment = self.environment(quickly=True)
        command = [str(quick.folder() / "python"), "-m", "accord", *arguments]
        return subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True)

    def planned(self, *flags: str) -> dict[str, set[str]]:
        """Rule -> shards (or "" for a gather) that a run would run now."""
        jobs: dict[str, set[str]] = {}
        rule = shard = ""
        for line in self.run("--dry-run", "--nolock", *flags).splitlines():
            text = line.strip()
            if text.startswith(("rule ", "localrule ")):
                rule, shard = text.split()[1].rstrip(":"), ""
            elif text.startswith("wildcards:") and "shard=" in text:
                shard = text.split("shard=")[1][:2]
            elif text.startswith("resources:") and rule:
                jobs.setdefault(rule, set()).add(shard)
                rule = ""
        return jobs

    def bytes_of(self, *folders: str) -> dict[str, str]:
        """Path -> sha256 of every file under the folders."""
        files = [file for folder in folders for file in sorted((self.folder / folder).rglob("*")) if file.is_file()]
        return {str(file.relative_to(self.folder)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def _copy_bytecode(folder: Path) -> None:
    """What was compiled of the library, or each house would compile it anew."""
    compileall.compile_dir(ROOT / LIB, quiet=2)
    for made in [*(ROOT / LIB).rglob("*.pyc"), *(ROOT / LIB).rglob("*.meaning")]:
        target = folder / made.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(made, target)


def rows_of(file: Path) -> list[dict[str, str]]:
    with file.open(newline="", encoding="utf-8") as opened:
        return list(csv.DictReader(opened))


def write_rows(file: Path, rows: list[dict[str, str]], names: list[str]) -> None:
    with file.open("w", newline="", encoding="utf-8") as opened:
        writer = csv.DictWriter(opened, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def part_of_demo(
    target: Path, count: int | None, first: int = 0, most: int | None = None, needed: frozenset[str] = frozenset()
) -> Path:
    """A delivery of `count` subjects of the demo (None: of all), from the `first` on: tables and pictures cut, digests
    new.

    most: images of each, those of several people first, then those with regions to paint; needed: images that are
    there in any case, and count.
    """
    source = ROOT / DEMO / "delivery"
    shutil.copytree(source, target, copy_function=shutil.copy2)
    people = rows_of(source / "people.csv")
    chosen = sorted({row["subject"] for row in people})[first:][:count]
    keep = set()
    for who in chosen:
        images = [row for row in rows_of(source / "images.csv") if row["subject"] == who]
        wanted = [row["image"] for row in images if row["image"] in needed]
        others = [row for row in images if row["image"] not in needed]
        others.sort(key=partial(_order, people))
        left = None if most is None else max(most - len(wanted), 0)
        keep |= {*wanted, *(row["image"] for row in others[:left])}
    for file in sorted(target.glob("*.csv")):
        rows = rows_of(file)
        names = list(rows[0])
        if "image" in names and file.name != "forms.csv":
            rows = [row for row in rows if row["image"] in keep]
        write_rows(file, rows, names)
    left = {row[name] for row in rows_of(target / "images.csv") for name in ("file", "annotations")}
    for file in [*(target / "images").rglob("*"), *(target / "annotations").rglob("*")]:
        if file.is_file() and file.relative_to(target).as_posix() not in left:
            file.unlink()
    sign(target)
    return target


def _order(people: list[dict[str, str]], row: dict[str, str]) -> tuple[int, bool, str]:
    """Of a row of images.csv: most people first, then what has regions, then by name."""
    shown = sum(one["image"] == row["image"] for one in people)
    regions = json.loads((ROOT / DEMO / "delivery" / row["annotations"]).read_text()).get("regions", [])
    return -shown, not regions, row["image"]


def sign(delivery: Path, **about: str) -> None:
    """Bring the digests of the tables in delivery.yaml up to date. about: what else it says from now on."""
    document = yaml.safe_load((delivery / "delivery.yaml").read_text()) | about
    for name in document["tables"]:
        document["tables"][name] = hashlib.sha256((delivery / name).read_bytes()).hexdigest()
    (delivery / "delivery.yaml").write_text(yaml.safe_dump(document, sort_keys=False))
