"""`accord analyse` on a table of a million rows with three attributes, beside fairlearn's MetricFrame.

Made scores of 200,000 people, five images each on average. Both give each group's mean with an interval from 1,000
bootstrap draws; Accord draws people, and also tests and explains the differences, MetricFrame draws rows. Its time is
extrapolated from a few draws (--draws). Each runs in a process of its own. Prints CPU seconds, peak memory and ratio.
Run: python benchmarks/analyse.py [--rows 1000000] [--alone: each row is a person of its own]
"""

import argparse
import contextlib
import io
import multiprocessing
import resource
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time

import numpy as np
import pandas as pd

GROUPS = {"gender": (48, 48, 4), "age_group": (1, 1, 1, 1, 1), "skin": (1, 1, 1, 1, 1, 1)}
IMAGES, BOOTSTRAPS = 5, 1000
GIB = 1024**2
"""Of ru_maxrss on Linux, which is in KiB."""


def main() -> None:
    """Make the table, and hold both against each other."""
    made = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    made.add_argument("--rows", type=int, default=1_000_000)
    made.add_argument("--alone", action="store_true", help="no column of people")
    made.add_argument("--draws", type=int, nargs=2, default=(2, 4), help="from which fairlearn's time is extrapolated")
    flags = made.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(f"{flags.rows:,} rows\n\n| way | CPU s | peak GiB | ratio of CPU s |\n|---|---|---|---|", flush=True)
        path, told = Path(folder) / "table.parquet", {}
        table(flags.rows, flags.alone).to_parquet(path)
        table(flags.rows, flags.alone).to_csv(path.with_suffix(".csv"), index=False)
        for file in (path, path.with_suffix(".csv")):
            told[file.suffix] = apart(ours, file)
            print("| accord analyse, {} | {:.1f} | {:.2f} | |".format(file.suffix, *told[file.suffix]), flush=True)
        try:
            (few, _), (more, peak) = (apart(fairlearn, path, count) for count in flags.draws)
        except ImportError:
            sys.exit("fairlearn is not installed")
        each = (more - few) / (flags.draws[1] - flags.draws[0])
        whole = few + each * (BOOTSTRAPS - flags.draws[0])
        print(
            f"| MetricFrame, from {flags.draws} draws | {whole:,.0f} | {peak:.2f} | {whole / told['.parquet'][0]:.0f} |"
        )


def table(rows: int, alone: bool) -> pd.DataFrame:
    """Images, people, groups and scores; two groups are served worse."""
    rng, people = np.random.default_rng(1), rows if alone else max(1, rows // IMAGES)
    whose = np.arange(rows) if alone else rng.integers(0, people, rows)
    of = {name: rng.choice(len(p), people, p=np.array(p) / sum(p))[whose] for name, p in GROUPS.items()}
    value = 0.8 + rng.normal(0, 0.08, people)[whose] + rng.normal(0, 0.1, rows)
    value -= 0.02 * (of["gender"] == 0) + 0.01 * (of["skin"] == len(GROUPS["skin"]) - 1)
    made = pd.DataFrame({"image": [f"i{n:08d}" for n in range(rows)]})
    made = made if alone else made.assign(subject=[f"s{n:07d}" for n in whose])
    labels = {name: np.array([f"{name} {n}" for n in range(len(GROUPS[name]))])[code] for name, code in of.items()}
    return made.assign(**labels, score=np.clip(value, 0, 1).round(3))


def apart(work: Callable, *args: object) -> tuple[float, float]:
    """CPU seconds and peak GiB of a function in a process of its own, imports included."""
    with multiprocessing.get_context("spawn").Pool(1) as alone:
        return alone.apply(metered, (work, *args))


def metered(work: Callable, *args: object) -> tuple[float, float]:
    """Run it; CPU seconds and peak GiB of this process."""
    work(*args)
    return process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / GIB


def ours(path: Path) -> None:
    """The command, with its tables written."""
    from accord.analyse.command import main

    with contextlib.redirect_stdout(io.StringIO()):
        main([str(path), "--out", str(path.parent / "out"), "--bootstraps", str(BOOTSTRAPS)])


def fairlearn(path: Path, draws: int) -> None:
    """Means of the groups of each attribute with percentile intervals."""
    from fairlearn.metrics import MetricFrame

    read = pd.read_parquet(path)
    for name in GROUPS:
        made = MetricFrame(
            metrics=lambda true, scored: scored.mean(),
            y_true=read["score"],
            y_pred=read["score"],
            sensitive_features=read[name],
            n_boot=draws,
            ci_quantiles=[0.025, 0.975],
            random_state=1,
        )
        assert len(made.by_group_ci) == 2


if __name__ == "__main__":
    main()
