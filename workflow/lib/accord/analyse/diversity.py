"""How diverse the images of a release are: Vendi scores of their embeddings, whole and masked."""

from pathlib import Path

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.scoring.instances import of_images, passing
from accord.analyse.tables.scores import Diversity
from accord.checks.tables.findings import Verdicts
from accord.engine import table
from accord.errors import all_problems
from accord.evaluate.tables.parts import PARTS, PartEmbeddings
from accord.statistics.describing.vendi import Moments, moments, vendi

DIGITS = 9
ANEW = "delete the file and run again, so that the model makes it anew"
ABSENT = "no embeddings of this part of the images"


def run(verdicts: DataFrame[Verdicts], *, predictions: list[Path]) -> DataFrame[Diversity]:
    """The Vendi score of each part of the released images, per embedding model; missing parts are told.

    predictions: embeddings, read and summed file by file (a shard and model each), so that memory grows with a shard.
    Rounded to nine digits, since the order of sums differs between machines. Raises AccordError with every file whose
    vectors have no direction, or not the length of those before.
    """
    whole: dict[tuple[str, str], Moments] = {}
    passed = passing(verdicts)
    with all_problems() as problems:
        for path in sorted(predictions):
            embedded = of_images(table.read(path, PartEmbeddings), passed)
            for (model, part), some in embedded.groupby(["model", "part"], sort=True):
                try:
                    whole[model, part] = moments(_stacked(some["vector"]), whole.get((model, part)))
                except ValueError as error:
                    problems.add(f"{path}, {model}, {part}", str(error), ANEW)
    models = sorted({model for model, _ in whole})
    return table.rows([_row(model, part, whole) for model in models for part in PARTS], Diversity)


def _stacked(vectors: pd.Series) -> np.ndarray:
    if vectors.str.len().nunique() != 1:
        raise ValueError("vectors are of different lengths")
    return np.stack(vectors.to_list())


def _row(model: str, part: str, whole: dict[tuple[str, str], Moments]) -> dict:
    row = {"model": model, "part": part}
    if (model, part) not in whole:
        return row | {"images": 0, "vendi": np.nan, "note": ABSENT}
    of = whole[model, part]
    score = float(f"{vendi(of):.{DIGITS}g}")
    left = max(some.count for (name, _), some in whole.items() if name == model) - of.count
    note = f"{left} images have no embedding of this part: a person in them has no box" if left else ""
    return row | {"images": of.count, "vendi": score, "note": note}
