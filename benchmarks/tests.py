"""What the tests cost: CPU seconds by room and by kind, of one run of them.

Run: make test-all, or python benchmarks/tests.py [pytest's arguments; default: all tests, in two processes].

Kinds: `work` is what tests do in their own process, `steps` what whole runs do in steps, `programs` is Snakemake and
browsers, `starts` is what processes need before their first test or step, `waiting` is time of a test in which neither
its own process nor a program that it ran to its end was at work (steps of a whole run, and Slurm's jobs, among it).
"""

import contextlib
import ctypes
import json
import os
import resource
import subprocess
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from accounting import FILE  # noqa: E402
from metered import meter  # noqa: E402

ALL = ("-n", "2", "--dist", "loadfile", "--no-loadscope-reorder", "tests")
KINDS = ("tests", "work", "steps", "programs", "starts", "waiting")
PR_SET_CHILD_SUBREAPER = 36
SECONDS_FOR_ORPHANS = 30


def main() -> int:
    """Run pytest and print the table; returns pytest's exit code."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "cost.jsonl")
        begun = time.monotonic()
        code, total = run([sys.executable, "-m", "pytest", *(sys.argv[1:] or ALL)], {**os.environ, FILE: str(file)})
        wall = time.monotonic() - begun
        rooms = by_room([json.loads(line) for line in file.read_text().splitlines()])
    print(f"\n{'room':12}" + "".join(f"{kind:>10}" for kind in KINDS) + "   s; steps by their room")
    for room, of in sorted(rooms.items(), key=lambda item: -sum(item[1][kind] for kind in KINDS[1:5])):
        print(f"{room:12}" + "".join(f"{of[kind]:10.0f}" for kind in KINDS))
    told = sum(of[kind] for of in rooms.values() for kind in ("work", "steps", "programs", "starts"))
    print(f"\n{total / 60:.1f} CPU minutes in {wall / 60:.1f} minutes, {told / 60:.1f} of them in the table")
    return code


def run(command: list[str], environment: dict[str, str] | None) -> tuple[int, float]:
    """Exit code of a command, and CPU seconds of it and of all that it started, orphans too where they end soon.

    Where no control group can be made to count them, the time of Slurm's jobs is left out: nobody waits for them.
    """
    counted = meter()
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    process = subprocess.Popen(command, cwd=ROOT, env=environment)
    # Orphans come to this process and are buried as they end: what waits for one to be gone would wait in vain.
    while (ended := os.waitpid(-1, 0))[0] != process.pid:
        pass
    process.returncode = os.waitstatus_to_exitcode(ended[1])
    end = time.monotonic() + SECONDS_FOR_ORPHANS
    with contextlib.suppress(ChildProcessError):
        while time.monotonic() < end:
            if not os.waitpid(-1, os.WNOHANG)[0]:
                time.sleep(0.1)
    if counted:
        seconds = counted.seconds()
        counted.leave()
        return process.returncode, seconds
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return process.returncode, used.ru_utime + used.ru_stime


def by_room(lines: list[dict]) -> dict[str, Counter]:
    """Room -> kind -> seconds (of `tests`: how many)."""
    rooms: dict[str, Counter] = defaultdict(Counter)
    for line in lines:
        if line["kind"] == "start":
            rooms["(starts)"]["starts"] += line["own"]
        elif line["kind"] == "step":
            rooms[line["name"].partition(".")[0]]["steps"] += line["own"]
        else:
            busy = line["own"] + line["programs"]
            of = {"tests": 1, "work": line["own"], "programs": line["programs"], "waiting": max(line["wall"] - busy, 0)}
            rooms[line["name"].split("/")[1]].update(of)
    return rooms


if __name__ == "__main__":
    sys.exit(main())
