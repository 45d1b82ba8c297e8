"""Opens a folder by FiftyOne's own importer, with mongomock in place of its MongoDB server; prints what it has as JSON.

Run by the Python of an environment with fiftyone, mongomock and pycocotools: fiftyone can't be installed beside Accord.
"""

import importlib
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

os.environ |= {
    "HOME": tempfile.mkdtemp(),
    "FIFTYONE_DATABASE_URI": "mongodb://localhost:1",  # nothing listens there
    "FIFTYONE_DATABASE_VALIDATION": "false",
    "FIFTYONE_DATABASE_ADMIN": "false",
    "FIFTYONE_DO_NOT_TRACK": "true",
}

import mongoengine.connection
import mongomock
import pymongo
from mongomock.store import ServerStore

STORE = ServerStore()


class Client(mongomock.MongoClient):
    """A client of the one server in memory; FiftyOne makes two, and asks whether they are closed."""

    _closed = False

    def __init__(self, *_: object, **__: object) -> None:
        super().__init__(_store=STORE)


pymongo.MongoClient = mongoengine.connection.MongoClient = Client

fo = importlib.import_module("fiftyone")
"""After the patch: it connects as it is imported."""


def told(dataset: Any) -> dict:
    """File name -> kind of labels -> what is said of each."""
    found = {}
    for sample in dataset:
        kinds = {"detections": sample.detections.detections, "segmentations": sample.segmentations.detections}
        labels = {
            kind: [
                {"label": one.label, "box": one.bounding_box, "pronoun": _field(one, "pronoun"),
                 "mask": None if one.mask is None else int(one.mask.sum())} for one in some
            ] for kind, some in kinds.items()
        }  # fmt: skip
        points = [one.points for one in sample.keypoints.keypoints] if sample.keypoints else []
        found[Path(sample.filepath).name] = {**labels, "keypoints": points}
    return found


def _field(label: Any, name: str) -> object:
    return label[name] if label.has_field(name) and label[name] is not None else None


if __name__ == "__main__":
    opened = fo.Dataset.from_dir(dataset_dir=sys.argv[1], dataset_type=fo.types.COCODetectionDataset)
    print(json.dumps(told(opened)))
