"""Which of the pictures that may be learnt from are: all, less some subsets, a share of each, or a ratio of labels.

Of equal settings the same pictures are drawn, whoever else is there: those with the smallest digest of seed and image.
So a larger share has all pictures of a smaller one, and a withdrawal changes as few as it can.
"""

from fractions import Fraction
from typing import Any

import pandas as pd

from accord.errors import AccordError, Problem
from accord.release.sources.splits import TRAIN as TRAINING
from accord.statistics.seeds import lot

REAL, FAKE = 0, 1


def draw(pictures: pd.DataFrame, data: dict[str, Any], seed: int) -> pd.DataFrame:
    """The pictures (image, subset, label, split, ...) of a training; those of the validation stay as they are.

    data: `without`, a list of subsets; `only`, those that are left, all where it is empty; `real`, no fakes; `share`,
    above 0, 1 at most, of each subset and label; `ratio`, "1:10" real to fake, and `among`, all ratios that are
    compared, which get one total: the largest that each of them can have. Raises AccordError where a subset is unknown,
    or a label has too few pictures.
    """
    only, without = data.get("only", []), data.get("without", [])
    _check_subsets(pictures, [*only, *without])
    some = pictures[~pictures["subset"].isin(without) & (pictures["subset"].isin(only) | (not only))]
    if data.get("real"):
        some = some[some["label"] == REAL]
    learnt, rest = some[some["split"] == TRAINING], some[some["split"] != TRAINING]
    if "share" in data:
        learnt = _share(learnt, data["share"], seed)
    if "ratio" in data:
        learnt = _ratio(learnt, data["ratio"], data.get("among", [data["ratio"]]), seed)
    return pd.concat([learnt, rest]).sort_values("image", ignore_index=True)


def _check_subsets(pictures: pd.DataFrame, without: list[str]) -> None:
    unknown = sorted(set(without) - set(pictures["subset"]))
    if unknown:
        known = ", ".join(sorted(set(pictures["subset"])))
        raise AccordError(Problem("training pictures", f"no subset {', '.join(unknown)}", f"there are {known}"))


def _share(pictures: pd.DataFrame, share: float, seed: int) -> pd.DataFrame:
    parts = [_first(part, max(1, round(share * len(part))), seed) for _, part in pictures.groupby(["subset", "label"])]
    return pd.concat(parts) if parts else pictures


def _ratio(pictures: pd.DataFrame, ratio: str, among: list[str], seed: int) -> pd.DataFrame:
    by_label = {label: pictures[pictures["label"] == label] for label in (REAL, FAKE)}
    total = min(_most(by_label, one) for one in among)
    wanted = {label: round(total * share) for label, share in _shares(ratio).items()}
    if min(wanted.values()) < 1:
        counts = f"{len(by_label[REAL])} real and {len(by_label[FAKE])} fake pictures"
        raise AccordError(Problem("data.ratio", f"{ratio} can't be drawn from {counts}", "give more pictures"))
    return pd.concat([_first(by_label[label], count, seed) for label, count in wanted.items()])


def _most(by_label: dict[int, pd.DataFrame], ratio: str) -> int:
    """The most pictures that a ratio can have, without showing one twice."""
    return min(int(len(by_label[label]) / share) for label, share in _shares(ratio).items())


def _shares(ratio: str) -> dict[int, Fraction]:
    real, fake = map(int, ratio.split(":"))
    return {REAL: Fraction(real, real + fake), FAKE: Fraction(fake, real + fake)}


def _first(pictures: pd.DataFrame, count: int, seed: int) -> pd.DataFrame:
    digests = [lot(seed, image) for image in pictures["image"]]
    return pictures.assign(digest=digests).sort_values("digest").head(count).drop(columns="digest")
