"""Hugging Face datasets: Parquet with pictures inside, and a card, which `datasets.load_dataset(FOLDER)` opens.

The Image feature is a struct of `bytes` and `path`, declared in the schema's metadata under the key `huggingface`
(huggingface.co/docs/datasets, "Dataset features" and "Create an image dataset"). All else follows from Arrow's types.
"""

import itertools
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import yaml

from accord.files import PARTIAL
from accord.release.exporting.card import CARD, card
from accord.release.exporting.samples import OF_THE_IMAGE, Person, Sample
from accord.release.format import fhibe

PER_FILE = 500
DATA = "data"
FEATURES = {"info": {"features": {"image": {"_type": "Image"}}}}
BOX = pa.list_(pa.float64())
KEYPOINT = pa.struct([("name", pa.string()), ("x", pa.float64()), ("y", pa.float64()), ("visible", pa.bool_())])
SEGMENT = pa.struct([("name", pa.string()), ("number", pa.int32()), ("polygon", pa.list_(pa.float64()))])


def _of(columns: Iterable[str]) -> list[tuple[str, pa.DataType]]:
    kinds = dict.fromkeys(fhibe.CAMERA_NUMBERS, pa.float64()) | dict.fromkeys(fhibe.LISTS, pa.list_(pa.string()))
    return [(column, kinds.get(column, pa.string())) for column in columns]


PERSON = pa.struct([
    ("subject_id", pa.string()), ("is_primary", pa.bool_()), ("age", pa.int32()), *_of(fhibe.BY_SUBJECT),
    ("face_bbox", BOX), ("person_bbox", BOX), ("keypoints", pa.list_(KEYPOINT)), ("segments", pa.list_(SEGMENT)),
])  # fmt: skip
SCHEMA = pa.schema(
    [
        ("image", pa.struct([("bytes", pa.binary()), ("path", pa.string())])),
        ("image_id", pa.string()), ("width", pa.int32()), ("height", pa.int32()),
        *_of(OF_THE_IMAGE), ("people", pa.list_(PERSON)),
    ],
    metadata={"huggingface": json.dumps(FEATURES)},
)  # fmt: skip


def write(samples: Iterable[Sample], folder: Path, facts: dict[str, str]) -> None:
    """Write files of 500 images and the card into a new folder."""
    (folder / DATA).mkdir()
    waiting, number = iter(samples), 0
    while (some := list(itertools.islice(waiting, PER_FILE))) or not number:
        rows = pa.Table.from_pylist([_row(sample) for sample in some], schema=SCHEMA)
        pq.write_table(rows, folder / DATA / f"train-{number:05d}.parquet")
        number += 1
    (folder / CARD).write_text(_card(facts), encoding="utf-8")


def prune(folder: Path, gone: frozenset[str]) -> None:
    """Take images out of the files that hold them."""
    for path in sorted((folder / DATA).glob("*.parquet")):
        rows = pq.read_table(path)
        kept = rows.filter(pc.invert(pc.is_in(rows["image_id"], pa.array(sorted(gone), pa.string()))))
        if len(kept) < len(rows):
            partial = path.with_name(path.name + PARTIAL)
            pq.write_table(kept, partial)
            partial.replace(path)


def _row(sample: Sample) -> dict[str, Any]:
    picture = {"bytes": sample.data(), "path": f"{sample.image}.png"}
    size = {"width": sample.width, "height": sample.height}
    people = [_person(person) for person in sample.people]
    return {"image": picture, "image_id": sample.image, **size, **sample.attributes, "people": people}


def _person(person: Person) -> dict[str, Any]:
    return {
        "subject_id": person.subject,
        "is_primary": person.is_primary,
        "age": person.age,
        **person.attributes,
        "face_bbox": person.face_box,
        "person_bbox": person.person_box,
        "keypoints": [{"name": n, "x": x, "y": y, "visible": seen} for n, (x, y, seen) in person.keypoints.items()],
        "segments": [{"name": n, "number": number, "polygon": xy} for n, number, xy in person.segments],
    }


def _card(facts: dict[str, str]) -> str:
    head = {
        "pretty_name": facts["dataset"],
        "license": "other",
        "license_name": "terms-of-the-release",
        "license_link": "terms.txt",
        "task_categories": ["object-detection", "keypoint-detection", "image-segmentation"],
        "configs": [{"config_name": "default", "data_files": [{"split": "train", "path": f"{DATA}/*.parquet"}]}],
    }
    told = f"""\
# {facts["dataset"]}, version {facts["version"]}

Exported on {facts["published"]} from a signed release (root `{facts["root"]}`), whose `datasheet.md` tells what the
images are and who is in them.

    from datasets import load_dataset
    dataset = load_dataset("FOLDER", split="train")

One row is an image. `people` has a person each: attributes, boxes `[x, y, width, height]`, keypoints and polygons, in
px of the picture. The split is called `train` because the loader needs a name: the release was made for evaluation.

**People may withdraw.** Whoever holds this copy erases what is revoked: `accord prune FOLDER --revocations FILE`. Use
is bound to `terms.txt`.
"""
    return f"---\n{yaml.safe_dump(head, sort_keys=False)}---\n\n{card(told, facts['caution'])}"
