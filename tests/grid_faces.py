"""Two shards of small pictures, real ones and such with the grid of an upsampling, as release's tables tell of them."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from accord.engine import table
from accord.imaging.bundle import BundleWriter
from accord.imaging.decode import encode_png
from accord.release.source_tables import Sources
from accord.release.tables import Attributes, Derivatives, People, Terms

SIDE = 32
SPLITS = ("train", "train", "train", "validation", "test")


class Shards(NamedTuple):
    """The tables of all shards together, and each shard's derivatives and bundle."""

    sources: pd.DataFrame
    people: pd.DataFrame
    attributes: pd.DataFrame
    terms: pd.DataFrame
    derivatives: list[Path]
    files: list[Path]


def make(folder: Path, people: int = 10, each: int = 4) -> Shards:
    """So many people, each with as many real as fake pictures, in results/release/00 and 01 below a folder."""
    rng, rows = np.random.default_rng(0), []
    derivatives, files = [], []
    for shard in ("00", "01"):
        place = folder / "results/release" / shard
        place.mkdir(parents=True)
        some = []
        with BundleWriter(place / "files.tar") as writer:
            for person in range(int(shard), people, 2):
                for number in range(each):
                    label = number % 2
                    member = writer.add(f"{person}_{number}.png", encode_png(picture(rng, label)))
                    image = f"{person:04d}{number:04d}{shard}000000"
                    some.append((image, "", "face_crop", "", *member, "0" * 64, SIDE, SIDE))
                    rows.append((image, f"person{person:010d}", label, SPLITS[person % len(SPLITS)], person))
        columns = list(table.arrow_schema(Derivatives).names)
        table.write(pd.DataFrame(some, columns=columns), Derivatives, place / "derivatives.parquet")
        derivatives.append(place / "derivatives.parquet")
        files.append(place / "files.tar")
    return Shards(*_tables(rows), derivatives, files)


def write_tables(folder: Path, shards: Shards, without: str = "") -> None:
    """Write the tables of each shard as release does, without the images of one person."""
    gone = set(shards.people.loc[shards.people["subject"] == without, "image"])
    named = {"sources": Sources, "people": People, "attributes": Attributes, "terms": Terms}
    for shard, bundled in zip(("00", "01"), shards.derivatives, strict=True):
        kept = table.read(bundled, Derivatives)
        kept = kept[~kept["image"].isin(gone)]
        for name, model in named.items():
            rows = getattr(shards, name)
            path = folder / "results/release" / shard / f"{name}.parquet"
            table.write(rows[rows["image"].isin(kept["image"])], model, path)
        if gone:
            table.write(kept, Derivatives, bundled)


def picture(rng: np.random.Generator, label: int) -> np.ndarray:
    """A smooth picture with noise; a fake has each second pixel of each second row brighter."""
    base = rng.uniform(60, 190, (4, 4, 3)).repeat(SIDE // 4, 0).repeat(SIDE // 4, 1)
    made = base + rng.normal(0, 4, base.shape)
    made[::2, ::2] += 48 * label
    return made.clip(0, 255).astype(np.uint8)


def _tables(rows: list[tuple]) -> tuple[pd.DataFrame, ...]:
    told = {
        Sources: [
            (image, "GAN" if label else "FFHQ", "gan" if label else "real", f"grid{person % 2}" if label else "real",
             label, split) for image, _, label, split, person in rows
        ],
        People: [(image, who, True, 30, *(None,) * 8, "") for image, who, *_ in rows],
        Attributes: [
            (image, who, name, value, "annotators")
            for image, who, _, _, person in rows
            for name, value in (("gender", "FM"[person % 2]), ("tone", "light" if person % 3 else "dark"))
        ],
        Terms: [(image, True, False) for image, *_ in rows],
    }  # fmt: skip
    return tuple(table.rows(some, model) for model, some in told.items())


def spec(**changes) -> dict:
    """A narrow Xception that learns the grid in seconds."""
    from accord.train.planning import models

    entry = {
        "detector": "Xception", "options": {"width": 1 / 16, "middle": 1}, "side": SIDE, "batch": 8, "epochs": 16,
        "rate": 0.05, "decay": 0.0, "every": 4, **changes,
    }  # fmt: skip
    return models.specs({"models": {"small": entry}, "experiments": []})["small"]
