"""What it costs to check a table: pandera's `validate` alone, or a quick look first; and to read one of many files.

Run: python benchmarks/tables.py [rows]. Seconds are of CPU time; both do the same work on the same tables.
"""

import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from accord.engine import table
from accord.engine.conforming import conforming
from accord.findings import Findings
from accord.release.tables import People

ROWS, FILES, TIMES = 300, 64, 5


def main() -> None:
    """Print both costs for a narrow and a wide table, and for a table in many files."""
    rows = int(sys.argv[1]) if sys.argv[1:] else ROWS
    made = {Findings: findings(rows), People: people(rows)}
    for model, frame in made.items():
        whole = seconds(partial(model.validate, frame, lazy=True))
        quick = seconds(partial(conforming, frame, model))
        compare(f"{rows} rows of {model.__name__} ({len(frame.columns)} columns)", whole, quick)
    with TemporaryDirectory() as folder:
        files = [Path(folder, f"{number}.parquet") for number in range(FILES)]
        for file in files:
            table.write(findings(rows, file.stem), Findings, file)
        ours = seconds(partial(table.read, files, Findings))
        compare(f"{FILES} files, each checked", seconds(partial(one_by_one, files)), ours)
        compare(f"{FILES} files, joined and checked once", seconds(partial(joined, files)), ours)
        alone = seconds(lambda: [*map(_arrow, files)])
        print(f"{FILES} files, read by Arrow and no more: {1000 * alone:.1f} ms, {alone / ours:.0%} of ours")


def findings(rows: int, shard: str = "") -> pd.DataFrame:
    said = {"check": "duplicate_exact", "score": 1.0, "threshold": 0.5, "verdict": "pass", "reason": ""}
    return pd.DataFrame({"image": [f"{shard}{n:016x}" for n in range(rows)], **said})


def people(rows: int) -> pd.DataFrame:
    sides = [f"{of}_{side}" for of in ("face", "person") for side in ("x", "y", "width", "height")]
    said = {**dict.fromkeys(sides, 1.0), "subject": "s", "is_primary": True, "age": 30, "face_annotator": "a"}
    return pd.DataFrame({"image": [f"{n:016x}" for n in range(rows)], **said})


def one_by_one(files: list[Path]) -> pd.DataFrame:
    """Files read and checked by pandera one after the other, then joined."""
    return pd.concat([Findings.validate(pd.read_parquet(file), lazy=True) for file in files], ignore_index=True)


def joined(files: list[Path]) -> pd.DataFrame:
    """Files read and joined, then checked once by pandera."""
    return Findings.validate(pd.concat(map(pd.read_parquet, files), ignore_index=True), lazy=True)


def _arrow(file: Path) -> pa.Table:
    with pq.ParquetFile(file) as opened:
        return opened.read()


def seconds(work: Callable) -> float:
    """CPU seconds of a call, the mean of several."""
    work()
    begun = time.process_time()
    for _ in range(TIMES):
        work()
    return (time.process_time() - begun) / TIMES


def compare(what: str, whole: float, quick: float) -> None:
    print(f"{what}: pandera {1000 * whole:.1f} ms, ours {1000 * quick:.1f} ms: {whole / quick:.1f} times")


if __name__ == "__main__":
    main()
