"""What each start of Snakemake costs: what is read of deliveries, and the digests of all steps' code.

Run: python benchmarks/start.py [images ...]. On a cluster each job starts Snakemake twice. Deliveries are made up of
their tables alone, 10,000 images each, and one of 1% more. Seconds are of CPU time, megabytes the most that was held.
"""

import csv
import os
import re
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory

import yaml

from accord.intake.delivered.sheets import SHEETS

ROOT = Path(__file__).parents[1]
SIZES = (16_169, 1_000_000)
SHARDS, EACH, ANNOTATED = 64, 10_000, 5
"""Shards; images of a delivery; attributes of an image that somebody annotated."""
STEP = re.compile(r"step\(\s*\"([a-z]+\.[a-z_]+)\"")
DIGESTS = """
import sys, time
sys.path.insert(0, sys.argv[1])
from accord.engine import source
start = time.process_time()
for step in sys.argv[2:]:
    source.digest(step)
print(time.process_time() - start)
"""
START = """
import sys, time
from pathlib import Path
from accord.engine import at_start
from accord.intake.delivered import digests
how, folder, count, *roots = sys.argv[1:]
folder, count, start = Path(folder), int(count), time.process_time()
def find():
    memory = None if how == "nothing" else folder / "deliveries.json"
    content = digests.read(roots, count, memory)
    if how == "nothing":
        digests.subjects(content, count)
    return content.digests
if how == "nothing":
    find()
else:
    at_start.found(folder / "start.json", roots, find, main=how == "main")
held = Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]  # in kB; a process inherits its ru_maxrss
print(time.process_time() - start, int(held) / 1000)
"""
DRY = ("-m", "snakemake", "--dry-run", "--quiet", "all", "--nolock", "--configfile")


def main() -> None:
    """Print what is read of deliveries, then the digests of the code, then a dry run of the demo."""
    for images in map(int, sys.argv[1:]) if sys.argv[1:] else SIZES:
        with TemporaryDirectory() as folder:
            delivered(Path(folder), images)
    steps = sorted({name for file in ROOT.glob("workflow/rules/*.smk") for name in STEP.findall(file.read_text())})
    with TemporaryDirectory() as folder:
        lib = Path(folder, "lib")
        shutil.copytree(ROOT / "workflow/lib", lib, ignore=shutil.ignore_patterns("__pycache__"))
        anew, kept = (digested(lib, steps) for _ in range(2))
    print(f"code of {len(steps)} steps: found anew {anew:.2f} s, kept {kept:.2f} s: {anew / kept:.1f} times")
    print(f"snakemake --dry-run of the demo: {dry_run():.2f} s")


def delivered(folder: Path, images: int) -> None:
    """Print what each start reads of deliveries of so many images: all of it, or what is kept."""
    sizes = [EACH] * (images // EACH) + [images % EACH] * (images % EACH > 0)
    roots = [write(folder / f"{at:04d}", at, size) for at, size in enumerate(sizes)]
    more = [*roots, write(folder / "more", len(roots), images // 100)]
    size = sum(file.stat().st_size for file in folder.rglob("*.csv")) / 1e6
    print(f"{images:,} images in {len(roots)} deliveries, {size:.0f} MB of tables, {SHARDS} shards", flush=True)
    for what, how, given in (
        ("all read, as by each process before", "nothing", roots),
        ("main process, first start", "main", roots),
        ("main process, nothing changed", "main", roots),
        ("job", "job", roots),
        ("main process, 1% delivered", "main", more),
        ("job", "job", more),
    ):
        seconds, megabytes = started(how, folder, given)
        print(f"  {what}: {seconds:.2f} s, {megabytes:.0f} MB", flush=True)


def started(how: str, folder: Path, roots: list[Path]) -> tuple[float, float]:
    """CPU seconds and the most megabytes of a process that reads what a start reads."""
    command = [sys.executable, "-c", START, how, str(folder), str(SHARDS), *map(str, roots)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "workflow/lib")}
    told = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    seconds, megabytes = map(float, told.split())
    return seconds, megabytes


def write(root: Path, at: int, images: int) -> Path:
    """The tables of a delivery; each of its people is in ten images, and in one of somebody else. All name one file."""
    (root / "notices").mkdir(parents=True)
    people = max(1, images // 10)
    said = {
        name: dict.fromkeys(SHEETS[name].required + SHEETS[name].optional, "12. as a label says") for name in SHEETS
    }
    tables = {name: [] for name in SHEETS}
    for n in range(images):
        image, who, digest = f"{at}_{n}", f"p{at}_{n % people}", f"{n:064x}"
        given = {
            "file": "notices/n.txt",
            "annotations": "notices/n.txt",
            "sha256": digest,
            "annotations_sha256": digest,
        }
        tables["images.csv"].append({**said["images.csv"], **given, "image": image, "subject": who})
        shown = [who, f"p{at}_{(n + 1) % people}"][: 1 + (n % 10 == 0 and people > 1)]
        tables["people.csv"] += [{**said["people.csv"], "image": image, "subject": one} for one in shown]
        tables["annotated.csv"] += [
            {"image": image, "subject": who, "attribute": f"a{a}", "annotator": f"w{n % 20}"} for a in range(ANNOTATED)
        ]
    for n in range(people):
        tables["subjects.csv"].append({"subject": f"p{at}_{n}", "birth_date": "1990-01-01"})
        form = {
            "form": f"f{n}",
            "subject": f"p{at}_{n}",
            "image": "",
            "file": "notices/n.txt",
            "expires_on": "2030-01-01",
        }
        tables["forms.csv"].append({**said["forms.csv"], **form})
    tables["annotators.csv"] = [{"annotator": f"w{n}", "role": "annotator", "consents": "true"} for n in range(20)]
    (root / "notices/n.txt").write_text("n")
    digests = {name: _table(root / name, rows) for name, rows in tables.items() if rows}
    about = {"format": "accord-delivery/1", "vendor": "acme", "delivery": f"d{at}", "created": "2026-03-01"}
    notices = [{"id": "n", "version": "1", "language": "en", "sha256": sha256(b"n").hexdigest()}]
    about |= {"contact": "a@b.example", "notices": notices, "tables": digests}
    (root / "delivery.yaml").write_text(yaml.safe_dump(about))
    return root


def _table(path: Path, rows: list[dict]) -> str:
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), restval="")
        writer.writeheader()
        writer.writerows(rows)
    return sha256(path.read_bytes()).hexdigest()


def digested(lib: Path, steps: list[str]) -> float:
    """CPU seconds of a process that has the digests of all steps made."""
    command = [sys.executable, "-c", DIGESTS, str(lib), *steps]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return float(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)


def dry_run() -> float:
    """CPU seconds of a dry run, up to its last line."""
    before = getrusage(RUSAGE_CHILDREN)
    command = [sys.executable, *DRY, "config/config.yaml", "config/demo.yaml"]
    subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
