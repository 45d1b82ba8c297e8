"""What each step that gathers all shards needs at any size: CPU s and peak memory, each in a process of its own.

    make run                                                     # a whole run of the demo
    python benchmarks/sized_gathers.py /tmp/sized --images 16169 [--run .] [--withdraw] [--steps checks.crops]

The tables are made by `sized_tables.py`. Commands are those of the rules. `release.pack`, which is no gather,
runs up to --packed images, since it writes a file for each picture. --again: with the tables that were made before.
--dealt: copies of a picture have the keypoints of others.
--withdraw: a person leaves afterwards, and everything runs again. A step of more than --most CPU s is stopped, and one
that wants more than --memory GiB fails. --only-write ends when the tables are there.
"""

import argparse
import os
import re
import resource
import shlex
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any, NamedTuple

import sized_tables
from accord.checks.costs import measured as measured_runs
from accord.checks.costs.model import HOUR, Plan, cost

ROOT = sized_tables.ROOT
CONFIGS = ("config/config.yaml", "config/demo.yaml")
GATHERING = re.compile(r"(checks|release|analyse|report)\.")
LATER = ("analyse.numbers",)
"""Steps that read no shard."""
LEAST = 4
"""Shards at least, as the run has as many."""


class Limits(NamedTuple):
    """CPU s and GiB of memory of a step."""

    seconds: int
    memory: float

    def set(self) -> None:
        """Hold this process to them."""
        resource.setrlimit(resource.RLIMIT_CPU, (self.seconds, self.seconds + 5))
        resource.setrlimit(resource.RLIMIT_DATA, (int(self.memory * 2**30),) * 2)


class Command(NamedTuple):
    """A step's flags -> values; the files that it reads and writes."""

    step: str
    flags: dict[str, list[str]]
    outputs: list[str]

    @property
    def inputs(self) -> list[str]:
        """All values that are results and aren't written by it."""
        values = (value for name, of in self.flags.items() if not name.startswith("--out") for value in of)
        return [v for v in values if v.startswith("results/") and v not in self.outputs]


def main() -> None:
    """Make the tables, and print a line for each step."""
    made = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    made.add_argument("folder", type=Path)
    made.add_argument("--run", type=Path, default=Path())
    made.add_argument("--images", type=int, default=16_169)
    made.add_argument("--per-shard", type=int, default=500)
    made.add_argument("--packed", type=int, default=20_000)
    made.add_argument("--most", type=int, default=900)
    made.add_argument("--memory", type=float, default=8)
    made.add_argument("--writers", type=int, default=1)
    made.add_argument("--steps", nargs="*")
    made.add_argument("--only-write", action="store_true")
    made.add_argument("--withdraw", action="store_true")
    made.add_argument("--again", action="store_true")
    made.add_argument("--dealt", action="store_true")
    asked = made.parse_args()
    run, folder = asked.run.resolve(), asked.folder.resolve()
    commands = {n: of for n, of in planned(run).items() if not asked.steps or n.split()[0] in asked.steps}
    shards = names(max(LEAST, -(-asked.images // asked.per_shard)))
    if asked.images > asked.packed:
        commands = {name: of for name, of in commands.items() if name not in ("release.pack", "release.publish")}
    written = {path for of in commands.values() for path in of.outputs}
    wanted = sorted({plain(path) for of in commands.values() for path in of.inputs if path not in written})
    limits = Limits(asked.most, asked.memory)
    guessed = estimated(asked.images, len(shards))
    if not asked.again:
        apart(sized_tables.write, run, folder, wanted, asked.images, shards, asked.writers, asked.dealt)
    if not asked.only_write:
        told(folder, run, commands, shards, limits, guessed)
    if asked.withdraw:
        apart(sized_tables.withdraw, folder, wanted)
        print("a person has left")
        told(folder, run, commands, shards, limits, guessed)


def apart(do: Callable, *given: Any) -> None:
    """Call in a process of its own: a child's peak of memory begins at that of its parent."""
    if not (child := os.fork()):
        do(*given)
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        raise SystemExit(1)


def planned(run: Path) -> dict[str, Command]:
    """The commands of the steps that gather, and of `release.pack`, in an order in which they can run."""
    flags = ["--dry-run", "--forceall", "--printshellcmds", "--nolock", "--cores", "1"]
    at = [
        "--snakefile",
        str(ROOT / "Snakefile"),
        "--directory",
        str(run),
        "--configfile",
        *map(str, map(run.joinpath, CONFIGS)),
    ]
    said = subprocess.run(
        [str(Path(sys.executable).with_name("snakemake")), *at, *flags], capture_output=True, text=True, check=True
    )
    found = {}
    for line in said.stdout.splitlines() + said.stderr.splitlines():
        if "python -m accord " in line:
            name, *words = shlex.split(line.split("python -m accord ")[1])[:-2]
            command = Command(name, *parsed(words))
            gathers = any(len({Path(v).parent for v in of if sharded(v)}) > 1 for of in command.flags.values())
            single = not any(sharded(path) for path in [*command.outputs, *command.inputs])
            if name == "release.pack" or (GATHERING.match(name) and name not in LATER and (gathers or single)):
                found.setdefault(name if name != "analyse.localisation" else f"{name} {command.outputs[0]}", command)
    makers = {path: name for name, command in found.items() for path in map(plain, command.outputs)}
    order = TopologicalSorter({n: {makers[plain(p)] for p in c.inputs if plain(p) in makers} for n, c in found.items()})
    return {name: found[name] for name in order.static_order()}


def parsed(words: list[str]) -> tuple[dict[str, list[str]], list[str]]:
    """The flags of a command line, and the files it writes."""
    flags: dict[str, list[str]] = {}
    for word in words:
        if word.startswith("--"):
            name, joint, value = word.partition("=")
            flags[name] = [value] if joint else []
        else:
            flags[next(reversed(flags))].append(word)
    outs = [value for name, of in flags.items() if name.startswith("--out") for value in of]
    return flags, [*outs, *(flags.get("--parts", []) if "--packed" not in flags else [])]


def sharded(path: str) -> bool:
    """Whether a path is of one shard."""
    return re.search(r"/0[0-9a-f](/|\.)", path) is not None


def plain(path: str) -> str:
    """A path with {} for its shard."""
    return re.sub(r"/0[0-9a-f](?=[/.])", "/{}", path)


def names(count: int) -> list[str]:
    """Names of shards."""
    return [f"{number:0{2 if count <= 256 else 4}x}" for number in range(count)]


def expanded(values: Iterable[str], shards: list[str]) -> list[str]:
    """Values with paths of all shards in place of those of the run's."""
    found: dict[str, None] = {}
    for value in values:
        found |= dict.fromkeys(plain(value).format(s) for s in shards) if sharded(value) else {value: None}
    return [*found]


def estimated(images: int, shards: int) -> dict[str, float]:
    """CPU s of steps by the cost model, from the demo."""
    known = measured_runs.demo()
    plan = Plan(images, known.megapixels / known.images, shards, 1, 1)
    return {name: hours * HOUR for name, hours in cost(known, plan).cpu.items()}


def told(
    folder: Path, run: Path, commands: dict[str, Command], shards: list[str], limits: Limits, guessed: dict[str, float]
) -> None:
    """Run all steps and print what they used, and what the cost model says."""
    sums: dict[str, float] = defaultdict(float)
    print(f"{len(shards)} shards\n{'step':44}{'CPU s':>9}{'model':>9}{'MiB':>8}", flush=True)
    for name, command in commands.items():
        each = [(shard,) for shard in shards] if name == "release.pack" else [shards]
        used = [measured(folder, run, command, list(of), limits) for of in each]
        spent = sum(seconds for seconds, _, _ in used)
        sums["all"] += spent
        failed = "".join(sorted({f"  {why}" for *_, why in used if why}))
        print(
            f"{name:44}{spent:9.1f}{guessed.get(name, 0):9.1f}{max(peak for _, peak, _ in used):8.0f}{failed}",
            flush=True,
        )
    print(f"{'all':44}{sums['all']:9.1f}", flush=True)


def measured(folder: Path, run: Path, command: Command, shards: list[str], limits: Limits) -> tuple[float, float, str]:
    """CPU s and MiB of a step in a process of its own; why it failed."""
    words = [command.step]
    for name, values in command.flags.items():
        several = expanded(values, shards) if name not in ("--plan",) else values
        words += [name, *several] if len(values) != 1 or sharded(values[0]) else [f"{name}={values[0]}"]
        for value in several:
            if value.startswith("results/") and name.startswith("--out"):
                (folder / value).parent.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "workflow/lib"), "OMP_NUM_THREADS": "1"}
    log = folder / "log.txt"
    with log.open("w") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "accord", *words], cwd=folder, env=environment, stderr=file, stdout=file,
            preexec_fn=limits.set,
        )  # fmt: skip
        _, status, used = os.wait4(process.pid, 0)
    why = "" if status == 0 else "stopped" if status == signal.SIGXCPU else last(log)
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, why


def last(log: Path) -> str:
    """The end of what a step said."""
    return log.read_text().strip()[-300:].replace("\n", " | ")


if __name__ == "__main__":
    main()
