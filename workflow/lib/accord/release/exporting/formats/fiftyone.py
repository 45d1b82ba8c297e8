"""FiftyOne: the folder that its COCO importer opens (`fiftyone.types.COCODetectionDataset`): data/ and labels.json.

Format: docs.voxel51.com, "COCODetectionDataset". What an annotation says beside COCO's own keys becomes a field of the
label in FiftyOne, so the attributes of a person stand there by their own names; those of an image are in `attributes`.
"""

import json
from collections.abc import Iterable
from pathlib import Path

from accord.release.exporting.card import CARD, card
from accord.release.exporting.formats import coco
from accord.release.exporting.samples import Sample

LABELS, PICTURES = "labels.json", "data"
OPEN = """\
# How FiftyOne opens this folder

    import fiftyone as fo

    dataset = fo.Dataset.from_dir(
        dataset_dir="PATH/OF/THIS/FOLDER",  # "." if Python runs in it
        dataset_type=fo.types.COCODetectionDataset,
        label_types=["detections", "segmentations", "keypoints"],
    )
"""


def write(samples: Iterable[Sample], folder: Path, facts: dict[str, str]) -> None:
    """Write a dataset into a new folder."""
    coco.write_as(samples, folder, facts, PICTURES, LABELS)
    told = json.loads((folder / LABELS).read_bytes())
    for one in told["annotations"]:
        one |= one.pop("attributes", {})
    (folder / LABELS).write_text(json.dumps(told, sort_keys=True, allow_nan=False) + "\n")
    (folder / CARD).write_text(card(OPEN, facts["caution"]), encoding="utf-8")


def prune(folder: Path, gone: frozenset[str]) -> None:
    """Take images out."""
    coco.prune_as(folder, gone, PICTURES, LABELS)
