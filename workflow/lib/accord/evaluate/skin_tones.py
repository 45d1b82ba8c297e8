"""The tone of each face of a shard on Monk's scale."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from pandera.typing import DataFrame

from accord.engine import table
from accord.engine.parameter_types import Folder
from accord.evaluate.annotating import tones
from accord.evaluate.asking import answers, failing, pictures
from accord.evaluate.tables.annotations import SkinTones
from accord.models import loading
from accord.release.tables import Derivatives

UNSEEN = (None,) * 6
NO_MESH = "no face was found to be parsed"
NO_SKIN = f"fewer than {tones.LEAST} pixels of skin"


def run(
    derivatives: DataFrame[Derivatives], files: Path, *, parser: dict, weights: Folder, kind: str, seed: int = 1
) -> DataFrame[SkinTones]:
    """One row per picture of a kind, each with one face; a face that isn't found has a row that says so.

    files: the bundle of `derivatives`; parser: an entry of models.yaml as JSON, task face_parsing; kind: `downsampled`
    of an archive whose pictures are faces, or `face_aligned`; seed: of K-means.
    """
    adapter = loading.load(parser, weights, "label")
    wanted = pictures.of_kind(derivatives, kind)
    made = [
        (row.image, row.subject, *_told(picture, labels, seed))
        for some, images in pictures.stream(files, wanted, parser["batch"])
        for row, picture, labels in zip(some, images, _labels(parser, adapter, some, images), strict=True)
    ]
    return table.rows(sorted(made, key=lambda row: row[:2]), SkinTones)


def _labels(parser: dict, adapter: Any, some: Sequence[Any], images: Sequence[np.ndarray]) -> Iterable[np.ndarray]:
    found = failing.asked(parser, adapter.label, [images], failing.names(some))
    return answers.one_each(parser, found, len(images))


def _told(picture: np.ndarray, labels: np.ndarray, seed: int) -> tuple[Any, ...]:
    if not labels.any():
        return *UNSEEN, 0, NO_MESH
    found = tones.tone(picture, labels, seed)
    if found is None:
        return *UNSEEN, int(np.isin(labels, tones.SKIN).sum()), NO_SKIN
    return *found, ""
