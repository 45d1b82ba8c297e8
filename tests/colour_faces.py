"""Annotators of the pictures of grid_faces: an encoder of colours, and an attribute that colours tell."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd

from accord.engine import table
from accord.imaging import bundle, decode
from accord.models import registry
from accord.release.tables import Attributes, Derivatives
from accord.train.planning import annotators
from grid_faces import Shards

ENCODER = '''"""An encoder that sees the mean colours of a picture's quarters."""


class Colours:
    def __init__(self, weights):
        pass

    def embed(self, pictures):
        return [None if one.mean() > 250 else self.seen(one) for one in pictures]

    def seen(self, one):
        high, wide = (side // 2 for side in one.shape[:2])
        parts = (one[:high, :wide], one[:high, wide:], one[high:, :wide], one[high:, wide:])
        return [channel for part in parts for channel in part.mean((0, 1)) / 255 - 0.5]
'''
RED, BLUE = "red", "blue"


def write_models(folder: Path) -> Path:
    """A models.yaml with the encoder `colours`, whose file lies beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "colours.py").write_text(ENCODER)
    entry = {"task": "image_embedding", "adapter": f"{folder / 'colours.py'}:Colours", "weights": {}, "batch": 4,
             "licence": "none", "source": "made for tests"}  # fmt: skip
    (folder / "colours.yaml").write_text(json.dumps({"colours": entry}))
    return folder / "colours.yaml"


def annotators_of(models: Path, **entries: dict) -> annotators.Annotators:
    """The annotators that a run with these entries has; without any, one that learns `tint` as fast as it can."""
    schema = Path(registry.__file__).parents[3] / "schemas/models.schema.yaml"
    settings = {"models": str(models), "weights": "weights"}
    return annotators.read({"train": {"annotators": entries or {"tint": FAST}}, "evaluate": settings}, schema, ())


FAST = {
    "attribute": "tint", "encoder": "colours", "hidden": [16], "batch": 8, "epochs": 12, "rate": 0.05, "rounds": 20,
    "sam": 0.01, "every": 4,
}  # fmt: skip


def tinted(shards: Shards) -> Shards:
    """The shards with an attribute `tint`: whether a picture is more red or more blue."""
    rows, whose = [], shards.people.set_index("image")["subject"]
    for path, files in zip(shards.derivatives, shards.files, strict=True):
        for row in table.read(path, Derivatives).itertuples(index=False):
            red, _, blue = decode.decode(bundle.read(files, row)).mean((0, 1))
            rows.append((row.image, whose[row.image], "tint", RED if red > blue else BLUE, "annotators"))
    return shards._replace(attributes=pd.concat([shards.attributes, table.rows(rows, Attributes)], ignore_index=True))
