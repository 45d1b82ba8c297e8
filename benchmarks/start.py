"""What each start of Snakemake costs: digests of all steps' code found anew, or kept beside the bytecode.

Run: python benchmarks/start.py. On a cluster each job starts Snakemake twice. Seconds are of CPU time.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
STEP = re.compile(r'"([a-z]+\.[a-z_]+) --')
DIGESTS = """
import sys, time
sys.path.insert(0, sys.argv[1])
from accord.engine import source
start = time.process_time()
for step in sys.argv[2:]:
    source.digest(step)
print(time.process_time() - start)
"""
DRY = ("-m", "snakemake", "--dry-run", "--quiet", "all", "--nolock", "--configfile")


def main() -> None:
    """Print the seconds of both, and how many times as long the first takes; then those of a dry run of the demo."""
    steps = sorted({name for file in ROOT.glob("workflow/rules/*.smk") for name in STEP.findall(file.read_text())})
    with TemporaryDirectory() as folder:
        lib = Path(folder, "lib")
        shutil.copytree(ROOT / "workflow/lib", lib, ignore=shutil.ignore_patterns("__pycache__"))
        anew, kept = (digested(lib, steps) for _ in range(2))
    print(f"code of {len(steps)} steps: found anew {anew:.2f} s, kept {kept:.2f} s: {anew / kept:.1f} times")
    print(f"snakemake --dry-run of the demo: {dry_run():.2f} s")


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
