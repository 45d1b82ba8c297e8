"""What each step that gathers all shards needs at any size: CPU s and peak memory, each in a process of its own.

    make run                                                     # a whole run of the demo
    python benchmarks/sized_gathers.py /tmp/sized --images 16169 [--run .] [--withdraw] [--steps checks.crops]

The rows are those of the run, as many times as it takes, under other ids, with other hashes, and with vectors turned,
so that copies are no duplicates of each other. There are no pixels: every picture of the release is the same one.
Commands are those of the workflow's rules. `release.pack`, which is no gather, runs up to --packed images, since it
writes a file for each picture. --again: with the tables that were made before. --withdraw: a person leaves afterwards,
and everything runs again. A step of more than --most CPU s is stopped.
"""

import argparse
import hashlib
import os
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from accord.checks.costs import measured as measured_runs
from accord.checks.costs.model import HOUR, Plan, cost
from accord.imaging.decode import encode_png

ROOT = Path(__file__).resolve().parents[1]
CONFIGS = ("config/config.yaml", "config/demo.yaml")
GATHERING = re.compile(r"(checks|release|analyse|report)\.")
LATER = ("analyse.numbers",)
"""Steps that read no shard."""
ID, DIGEST = re.compile(r"(?<![0-9a-f])[0-9a-f]{16}(?![0-9a-f])"), re.compile(r"[0-9a-f]{64}")
SAME = ("model_sha256", "notice_sha256", "evidence_sha256")
HASHES, REFERENCES = ("pdq", "turned", "phash"), ("source", "reference")
PIXEL = encode_png(np.zeros((1, 1, 3), np.uint8))
"""The file of every picture."""
ONCE = ("forms.parquet", "annotators.parquet")
PER_SHARD = 500


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
    made.add_argument("--packed", type=int, default=20_000)
    made.add_argument("--most", type=int, default=900)
    made.add_argument("--steps", nargs="*")
    made.add_argument("--withdraw", action="store_true")
    made.add_argument("--again", action="store_true")
    asked = made.parse_args()
    run, folder = asked.run.resolve(), asked.folder.resolve()
    commands = {name: of for name, of in planned(run).items() if not asked.steps or name in asked.steps}
    shards = names(-(-asked.images // PER_SHARD))
    if asked.images > asked.packed:
        commands = {name: of for name, of in commands.items() if name not in ("release.pack", "release.publish")}
    written = {path for of in commands.values() for path in of.outputs}
    wanted = sorted({plain(path) for of in commands.values() for path in of.inputs if path not in written})
    guessed = estimated(asked.images, len(shards))
    if not asked.again and os.fork() == 0:  # a child's peak of memory begins at that of its parent
        copy(run, folder, wanted, asked.images, shards)
        os._exit(0)
    if not asked.again:
        os.wait()
    told(folder, run, commands, shards, asked.most, guessed)
    if asked.withdraw:
        if os.fork() == 0:
            withdraw(folder, wanted)
            os._exit(0)
        os.wait()
        print("a person has left")
        told(folder, run, commands, shards, asked.most, guessed)


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


def copy(run: Path, folder: Path, wanted: list[str], images: int, shards: list[str]) -> None:
    """Write the tables of all shards, and what the steps read besides."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in ("config", "tests", "workflow"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "weights").mkdir()
    parts = sorted(path.name for path in (run / "results/intake").iterdir())
    had = sum(pq.read_metadata(run / f"results/intake/{part}/images.parquet").num_rows for part in parts)
    units = [(number, part) for number in range(-(-images // had)) for part in parts]
    for path in (path for path in wanted if "/packed/" not in path):
        if "{}" not in path:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(run / path, folder / path)
        elif path.endswith(".parquet"):
            read = {part: pq.read_table(run / path.format(part)) for part in parts}
            for at, shard in enumerate(shards):
                tables = [changed(read[part], number) for number, part in units[at :: len(shards)]]
                (folder / path.format(shard)).parent.mkdir(parents=True, exist_ok=True)
                rows = pa.concat_tables(tables)
                if Path(path).name in ONCE:  # people and annotators whom two of the run's shards name
                    rows = pa.Table.from_pandas(rows.to_pandas().drop_duplicates(), rows.schema, preserve_index=False)
                pq.write_table(rows, folder / path.format(shard))
        elif path.endswith("files.tar"):
            for shard in shards:
                (folder / path.format(shard)).parent.mkdir(parents=True, exist_ok=True)
                (folder / path.format(shard)).write_bytes(PIXEL)


def changed(rows: pa.Table, number: int) -> pa.Table:
    """The rows of one more copy of all people; those of copy 0 are as they are."""
    for at, name in enumerate(rows.column_names):
        column = rows.column(name).combine_chunks()
        if name == "offset" and "source_sha256" in rows.column_names and "kind" in rows.column_names:
            column = pa.array(np.zeros(len(rows), np.int64))
        elif name == "size" and "kind" in rows.column_names:
            column = pa.array(np.full(len(rows), len(PIXEL), np.int64))
        elif name == "sha256" and "kind" in rows.column_names:
            column = pa.array([hashlib.sha256(PIXEL).hexdigest()] * len(rows), pa.string())
        elif number == 0:
            continue
        elif pa.types.is_string(column.type):
            coded = column.dictionary_encode()
            values = [other(value, name, number) for value in coded.dictionary.to_pylist()]
            column = pa.array(values, pa.string()).take(coded.indices)
        elif name == "vector" and len(rows):
            flat = column.flatten().to_numpy().reshape(len(rows), -1)
            width = 128 if flat.shape[1] == 128 else 1280
            turned = flat.reshape(len(rows), -1, width)[..., np.random.default_rng(number).permutation(width)]
            column = pa.ListArray.from_arrays(column.offsets, pa.array(turned.ravel()), column.type)
        rows = rows.set_column(at, rows.schema.field(name), column)
    return rows


def other(value: Any, name: str, number: int) -> Any:
    """What stands for a text in a copy."""
    if not value or name in SAME:
        return value
    if name in HASHES:
        mask = random.Random(f"{name} {number}").getrandbits(4 * len(value))
        return f"{int(value, 16) ^ mask:0{len(value)}x}"
    if DIGEST.fullmatch(value):
        return hashlib.sha256(f"{number} {value}".encode()).hexdigest()
    if name in REFERENCES:
        return f"{number}-{value}"
    return ID.sub(lambda found: hashlib.sha256(f"{number} {found[0]}".encode()).hexdigest()[:16], value)


def withdraw(folder: Path, wanted: list[str]) -> None:
    """Take the rows of a person, and of images that she is in, out of all tables."""
    people = pq.read_table(next(folder.glob("results/release/*/people.parquet"))).to_pandas()
    subject = people["subject"].iloc[0]
    gone = set(people.loc[people["subject"] == subject, "image"]) | {subject}
    for path in (path for name in wanted for path in folder.glob(name.format("*")) if path.suffix == ".parquet"):
        rows = pq.read_table(path)
        for name in {"image", "subject", "left", "right"} & set(rows.column_names):
            kept = [value not in gone for value in rows.column(name).to_pylist()]
            rows = rows.filter(pa.array(kept, pa.bool_())) if not all(kept) else rows
        pq.write_table(rows, path)


def estimated(images: int, shards: int) -> dict[str, float]:
    """CPU s of steps by the cost model, from the demo."""
    known = measured_runs.demo()
    plan = Plan(images, known.megapixels / known.images, shards, 1, 1)
    return {name: hours * HOUR for name, hours in cost(known, plan).cpu.items()}


def told(
    folder: Path, run: Path, commands: dict[str, Command], shards: list[str], most: int, guessed: dict[str, float]
) -> None:
    """Run all steps and print what they used, and what the cost model says."""
    sums: dict[str, float] = defaultdict(float)
    print(f"{len(shards)} shards\n{'step':44}{'CPU s':>9}{'model':>9}{'MiB':>8}", flush=True)
    for name, command in commands.items():
        each = [(shard,) for shard in shards] if name == "release.pack" else [shards]
        used = [measured(folder, run, command, list(of), most) for of in each]
        spent = sum(seconds for seconds, _, _ in used)
        sums["all"] += spent
        failed = "".join(sorted({f"  {why}" for *_, why in used if why}))
        print(
            f"{name:44}{spent:9.1f}{guessed.get(name, 0):9.1f}{max(peak for _, peak, _ in used):8.0f}{failed}",
            flush=True,
        )
    print(f"{'all':44}{sums['all']:9.1f}", flush=True)


def measured(folder: Path, run: Path, command: Command, shards: list[str], most: int) -> tuple[float, float, str]:
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
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (most, most + 5)),
        )  # fmt: skip
        _, status, used = os.wait4(process.pid, 0)
    why = "" if status == 0 else "stopped" if status == signal.SIGXCPU else last(log)
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, why


def last(log: Path) -> str:
    """The end of what a step said."""
    return log.read_text().strip()[-300:].replace("\n", " | ")


if __name__ == "__main__":
    main()
