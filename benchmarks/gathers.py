"""What steps that gather all shards cost as people grow in number: CPU seconds on a demo's rows, and on so many times.

    python benchmarks/gathers.py [--times 3] [--steps analyse.causes ...]     # in the folder of the demo, run

Each step of the run that reads tables of all shards, and writes tables alone, is given what it was given then, and the
same with each image and person so many times under other ids: rows are real, and there are no pixels. A withdrawal runs
all of them again. Prints CPU seconds of each and how they grow; what takes no tables (publishing, pages) is left out.
"""

import argparse
import hashlib
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from accord.engine import memory, provenance, step, table
from accord.errors import AccordError
from recorded import Given, arguments

PEOPLE = ("intake", "consent")
"""Rooms whose tables of each shard name all images and people."""


def main() -> None:
    """Print a line for each step, and one for all."""
    flags = parser().parse_args()
    memory.keep_freed()
    ids = known(flags.results)
    print(f"| step | CPU s | of {flags.times} times as many | grows with the power |\n|---|---|---|---|", flush=True)
    total = np.zeros(2)
    for name, made in sorted(gathers(flags.results).items()):
        if flags.steps and name not in flags.steps:
            continue
        run, given = arguments(made)
        more = {key: times(value, ids, flags.times) for key, value in given.items()}
        try:
            spent = np.array([seconds(run, given), seconds(run, more)])
        except AccordError:
            print(f"| {name} | | its tables have keys of other kinds | |", flush=True)
            continue
        total += spent
        print(line(name, spent, flags.times), flush=True)
    print(line("all", total, flags.times))


def known(results: Path) -> set[str]:
    """The ids of all images and people."""
    files = [file for room in PEOPLE for file in results.glob(f"{room}/*/*.parquet")]
    tables = [pd.read_parquet(file) for file in files]
    return {one for rows in tables for name in ("image", "subject") if name in rows for one in rows[name]} - {""}


def gathers(results: Path) -> dict[str, Path]:
    """Step -> a file that it made, of all steps that read tables alone, some of them of several shards."""
    found = {}
    for file in sorted([*results.glob("*/*.parquet"), *results.glob("*/*/*.parquet")]):
        record = provenance.of(file) or {"step": "", "arguments": {}}
        kinds = step.signature(step.load(record["step"]))[0] if record["step"] else {}
        inputs = {key: paths for key, paths in record["arguments"].items() if paths}
        if inputs and all(step.table_of(kinds[key]) for key in inputs) and not shard_of(file, results):
            found.setdefault(record["step"], file)
    return found


def shard_of(file: Path, results: Path) -> bool:
    """Whether a file is of one shard."""
    folder = file.relative_to(results).parts[1:-1]
    return bool(folder) and (results / "intake" / folder[0]).is_dir()


def times(value: Any, ids: set[str], count: int) -> Any:
    """A table of images or people, each so many times under ids of its own; all else as it is."""
    if not isinstance(value, pd.DataFrame):
        return value
    named = [name for name in value.columns if value[name].dtype in ("str", object) and value[name].isin(ids).any()]
    if not named:
        return value
    copies = [value]
    for number in range(1, count):
        other = {one: hashlib.blake2b(f"{number} {one}".encode(), digest_size=8).hexdigest() for one in ids}
        copies.append(value.assign(**{name: value[name].map(lambda one, of=other: of.get(one, one)) for name in named}))
    return pd.concat(copies, ignore_index=True)


def seconds(run: Any, given: Given) -> float:
    """CPU seconds of a step, its tables' checks as they are read included."""
    kinds = step.signature(run)[0]
    start = time.process_time()
    checked = {
        key: table.check(value, model, key) for key, value in given.items() if (model := step.table_of(kinds[key]))
    }
    run(**given | checked)
    return time.process_time() - start


def line(name: str, spent: np.ndarray, times: int) -> str:
    power = np.log(spent[1] / spent[0]) / np.log(times)
    return f"| {name} | {spent[0]:.2f} | {spent[1]:.2f} | {power:.1f} |"


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    made.add_argument("--times", type=int, default=3)
    made.add_argument("--steps", nargs="+", help="only these")
    made.add_argument("--results", type=Path, default=Path("results"))
    return made


if __name__ == "__main__":
    main()
