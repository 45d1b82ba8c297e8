"""What replacing withdrawn images costs those who evaluate models: the closest against any, and against none.

    python benchmarks/replacement.py [--results results] [--withdrawn 10] [--trials 100]

On a finished run: a fifth of the subjects is held back as the reserve, some of the others withdraw, and each of their
images is replaced by the closest of the reserve (accord.release.reserve.matching), by any of it, or not at all. Told of
each (task, model, metric), averaged over trials: how far the mean score moves, and the means of the groups of the
attributes that are matched (the largest move of those of 10 subjects and more). And how often `accord compare` shows
within 0.05 that the scores of all images are the same, or says that they changed.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from accord.analyse.compared import comparisons, versions
from accord.analyse.tables.compared import ALL
from accord.analyse.tables.scores import Scores
from accord.engine import table
from accord.release.reserve.images import PUBLISHED, is_held
from accord.release.reserve.key_attributes import keys
from accord.release.reserve.matching import FIRST, match
from accord.release.tables import Attributes, People

SHARE, LEAST = 0.2, 10
TEST = ["task", "model", "metric"]


def main() -> None:
    """Withdraw and replace again and again, and print a line for each way and (task, model, metric)."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--results", type=Path, default=Path("results"))
    parser.add_argument("--withdrawn", type=int, default=10)
    parser.add_argument("--trials", type=int, default=100)
    chosen = parser.parse_args()
    scores, known = tables(chosen.results)
    held = known["subject"].map(lambda subject: is_held(subject, SHARE))
    rng, rows = np.random.default_rng(1), []
    for _ in range(chosen.trials):
        going = rng.choice(np.unique(known.loc[~held, "subject"]), chosen.withdrawn, replace=False)
        gone = known["subject"].isin(going)
        for way, images in ways(known, gone, held, rng):
            rows += [row | {"way": way} for row in moved(scores, known, set(known.loc[~held, "image"]), images)]
    print(f"{chosen.withdrawn} of {known.loc[~held, 'subject'].nunique()} subjects withdraw, {chosen.trials} times")
    print(
        "| task, model, metric | replaced by | mean moves | a group's moves at most | same | changed |\n|" + "---|" * 6
    )
    for (task, model, metric, way), some in pd.DataFrame(rows).groupby([*TEST, "way"], sort=True):
        moves = f"{some['mean'].mean():.4f} | {some['group'].mean():.4f}"
        verdicts = " | ".join(f"{some['verdict'].str.startswith(word).mean():.2f}" for word in ("same", "changed"))
        print(f"| {task.replace('_', ' ')}, {model}, {metric} | {way} | {moves} | {verdicts} |")


def tables(results: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Scores, and what images are matched by, of all images that were scored."""
    scores = table.read(sorted((results / "analyse/scores").glob("*.parquet")), Scores).dropna(subset="value")
    people, attributes = (
        table.read(sorted((results / "release").glob(f"[0-9]*/{name}.parquet")), model)
        for name, model in (("people", People), ("attributes", Attributes))
    )
    states = dict.fromkeys(sorted(set(scores["image"])), PUBLISHED)
    return scores, keys(people, attributes, states)


def ways(known: pd.DataFrame, gone: pd.Series, held: pd.Series, rng: np.random.Generator) -> Iterator[tuple[str, set]]:
    """The images of the next version, for each way of replacing."""
    kept = set(known.loc[~held & ~gone, "image"])
    count = min(int((gone & ~held).sum()), int(held.sum()))
    yield "the closest", kept | set(match(known[gone & ~held], known[held]).values())
    yield "any", kept | set(rng.choice(known.loc[held, "image"], count, replace=False))
    yield "none", kept


def moved(scores: pd.DataFrame, known: pd.DataFrame, before: set, after: set) -> Iterator[dict]:
    """For each (task, model, metric): how far the mean and a group's mean move, and what `accord compare` says."""
    sides = [scores[scores["image"].isin(images)] for images in (before, after)]
    found = comparisons(list(versions(*sides)), 0.05, bootstraps=200)
    found = found[found["images"] == ALL].set_index(["task", "model_before", "metric"])
    for test, some in sides[0].groupby(TEST, sort=True):
        more = sides[1][(sides[1][TEST] == list(test)).all(axis=1)]
        row = found.loc[test]
        yield dict(zip(TEST, test, strict=True)) | {
            "mean": abs(row["change"]), "group": max(group_moves(some, more, known)), "verdict": row["verdict"],
        }  # fmt: skip


def group_moves(before: pd.DataFrame, after: pd.DataFrame, known: pd.DataFrame) -> Iterator[float]:
    """How far the mean of each large group moves."""
    for column in FIRST:
        sides = []
        for some in (before, after):
            told_of = some.merge(known[["image", column]], on="image").groupby(column)
            large = told_of["subject"].nunique() >= LEAST
            sides.append(told_of["value"].mean()[large])
        moves = (sides[1] - sides[0]).dropna().abs()
        yield float(moves.max()) if len(moves) else 0.0


if __name__ == "__main__":
    main()
