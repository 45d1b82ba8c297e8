"""What the annotators that this run trained say of each face of a shard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.engine import table
from accord.engine.parameter_types import Folder
from accord.evaluate.tables.annotations import Annotations
from accord.release.source_tables import Sources
from accord.release.sources.splits import TRAIN
from accord.release.tables import Derivatives, People
from accord.train.annotators import encoding
from accord.train.pictures.reading import of_each
from accord.train.tables import Features, Learnt

BLIND = "the encoder makes nothing of the picture"


def run(
    derivatives: DataFrame[Derivatives],
    sources: DataFrame[Sources],
    people: DataFrame[People],
    features: list[Path],
    learnt: list[Path],
    trained: list[Path],
    files: Path,
    *,
    frozen: list[dict],
    weights: Folder,
) -> DataFrame[Annotations]:
    """A row for each picture, whatever its split, and each annotator.

    features: what each encoder made of the shard's pictures that may be learnt from (`train.features`), in the order of
    `frozen`; learnt, trained: the pictures and the file of each annotator, in one order. An encoder is shown the
    other pictures here, once for all annotators; nobody learns from them.
    """
    from accord.train.annotators import stored

    known = people[people["is_primary"]].drop_duplicates("image").set_index("image")["subject"]
    shown = of_each(derivatives, set(sources["image"]) & set(known.index))
    of_encoder = {
        encoder["name"]: _vectors(encoder, weights, files, shown, path)
        for encoder, path in zip(frozen, features, strict=True)
    }
    made = []
    for path, pictures in zip(trained, learnt, strict=True):
        net, about = stored.load(path)
        own = table.read(pictures, Learnt)
        from_them = set(own.loc[own["split"] == TRAIN, "image"])
        seen = of_encoder[about["encoder"]["name"]]
        vectors = np.stack(list(seen.values())) if seen else np.zeros((0, about["width"]), np.float32)
        said = dict(_said(seen, stored.chances(net, vectors), about["classes"]))
        made += [
            (about["name"], image, known[image], about["attribute"], *said.get(image, ("", None)),
             image in from_them, "" if image in said else BLIND)
            for image, _ in shown
        ]  # fmt: skip
    return table.rows(sorted(made, key=lambda row: row[:2]), Annotations)


def _vectors(
    encoder: dict, weights: Path, files: Path, shown: list[encoding.Shown], path: Path
) -> dict[str, np.ndarray]:
    """Image -> its vector: as it was computed for the training, or now."""
    told: pd.DataFrame = table.read(path, Features)
    held = {image: np.asarray(vector, np.float32) for image, vector in zip(told["image"], told["vector"], strict=True)}
    new = encoding.vectors(encoder, weights, files, [one for one in shown if one[0] not in held])
    return {image: held[image] for image, _ in shown if image in held} | dict(new)


def _said(seen: dict[str, np.ndarray], chances: np.ndarray, classes: list[str]) -> Iterator[tuple[str, tuple]]:
    for image, each in zip(seen, chances, strict=True):
        yield image, (classes[int(each.argmax())], float(each.max()))
