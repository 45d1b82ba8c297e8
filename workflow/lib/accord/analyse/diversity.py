"""How diverse the images of a release are: Vendi scores of their embeddings."""

from pathlib import Path

import numpy as np
from pandera.typing import DataFrame

from accord import table
from accord.analyse.instances import released
from accord.analyse.tables import Diversity
from accord.analyse.vendi import Moments, add, moments, vendi
from accord.checks.tables import Verdicts
from accord.evaluate.tables import Embeddings

DIGITS = 9
ABSENT = "no embeddings of this part of the images"
PARTS = ("people_masked", "background_masked")


def run(verdicts: DataFrame[Verdicts], *, predictions: list[Path]) -> DataFrame[Diversity]:
    """The Vendi score of the released images, per embedding model; parts that nobody embedded are told as missing.

    predictions: embeddings of whole images, read and summed file by file (a shard and model each), so that memory
    grows with a shard. Rounded to nine digits, since the order of sums differs between machines.
    """
    sums: dict[str, list[Moments]] = {}
    for path in sorted(predictions):
        whole = table.read(path, Embeddings)
        for model, some in released(whole[whole["subject"] == ""], verdicts).groupby("model", sort=True):
            sums.setdefault(str(model), []).append(moments(np.stack(some["vector"].to_list())))
    told = [_row(model, "image", add(parts)) for model, parts in sorted(sums.items())]
    return table.rows([row for one in told for row in (one, *_absent(one["model"]))], Diversity)


def _row(model: str, part: str, of: Moments) -> dict:
    score = float(f"{vendi(of):.{DIGITS}g}")
    return {"model": model, "part": part, "images": of.count, "vendi": score, "note": ""}


def _absent(model: str) -> list[dict]:
    return [{"model": model, "part": part, "images": 0, "vendi": np.nan, "note": ABSENT} for part in PARTS]
