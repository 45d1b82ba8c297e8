"""COCO: people with boxes, keypoints and masks, their faces, and segments of the body, each an annotation.

Format: cocodataset.org/#format-data. A keypoint is 2 where it is visible, 1 where it is annotated as hidden, and 0
where it is not annotated. The category `person` has COCO's 17 keypoints, so that its own evaluation (OKS) applies;
`all_keypoints` has all 33 of the release, in the order of `info.keypoints`.
"""

import itertools
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from pycocotools import mask as masks

from accord.files import PRIVATE_FILE, replace
from accord.imaging import person_masks
from accord.release.exporting.samples import Person, Sample
from accord.vocabularies import COCO_KEYPOINTS, KEYPOINTS, SEGMENTS, text

ANNOTATIONS, PICTURES = "annotations/instances.json", "images"
PERSON, FACE = "person", "face"
NAMES = tuple(map(text, KEYPOINTS))
CATEGORIES = {name: number for number, name in enumerate((PERSON, FACE, *map(text, SEGMENTS)), 1)}
SKELETON = (
    *((16, 14), (14, 12), (17, 15), (15, 13), (12, 13), (6, 12), (7, 13), (6, 7), (6, 8), (7, 9), (8, 10), (9, 11)),
    *((2, 3), (1, 2), (1, 3), (2, 4), (3, 5), (4, 6), (5, 7)),
)
"""COCO's own, of its keypoints by number from 1."""
CORNERS = 3


def write(samples: Iterable[Sample], folder: Path, facts: dict[str, str]) -> None:
    """Write a dataset into a new folder: pictures, and one file of annotations."""
    write_as(samples, folder, facts, PICTURES, ANNOTATIONS)


def prune(folder: Path, gone: frozenset[str]) -> None:
    """Take images out: their annotations, then their pictures."""
    prune_as(folder, gone, PICTURES, ANNOTATIONS)


def write_as(samples: Iterable[Sample], folder: Path, facts: dict[str, str], pictures: str, labels: str) -> None:
    """`write`, with the names of the folder of pictures and of the file of annotations."""
    (folder / pictures).mkdir(parents=True)
    images, annotations, numbers = [], [], itertools.count(1)
    for number, sample in enumerate(samples, 1):
        name = f"{sample.image}.png"
        (folder / pictures / name).write_bytes(sample.data())
        size = {"width": sample.width, "height": sample.height}
        images.append({"id": number, "file_name": name, **size, "license": 1, "attributes": sample.attributes})
        made = (one for person in sample.people for one in _annotations(sample, person))
        annotations += [{"id": next(numbers), "image_id": number, "iscrowd": 0, **one} for one in made]
    whole = {"info": _info(facts), "licenses": _licences(), "images": images, "annotations": annotations}
    (folder / labels).parent.mkdir(parents=True, exist_ok=True)
    (folder / labels).write_text(_json(whole | {"categories": _categories()}))


def prune_as(folder: Path, gone: frozenset[str], pictures: str, labels: str) -> None:
    """`prune`, with the names of the folder of pictures and of the file of annotations."""
    told = json.loads((folder / labels).read_bytes())
    names = {f"{image}.png" for image in gone}
    fallen = {one["id"] for one in told["images"] if one["file_name"] in names}
    if fallen:
        told["images"] = [one for one in told["images"] if one["id"] not in fallen]
        told["annotations"] = [one for one in told["annotations"] if one["image_id"] not in fallen]
        replace(folder / labels, _json(told).encode(), PRIVATE_FILE)
    for name in sorted(names):
        (folder / pictures / name).unlink(missing_ok=True)


def _annotations(sample: Sample, person: Person) -> Iterator[dict[str, Any]]:
    """The person, the face, and each segment; what has no box or no area is left out."""
    said = {"subject_id": person.subject, "is_primary": person.is_primary, "age": person.age}
    polygons = [polygon for _, _, polygon in person.segments if len(polygon) >= 2 * CORNERS]
    if person.person_box:
        area = person.person_box[2] * person.person_box[3]
        if polygons:
            area = _area(polygons, sample)
        shape = {"bbox": person.person_box, "area": area, "segmentation": polygons}
        yield {"category_id": CATEGORIES[PERSON], **shape, **_points(person), **said, "attributes": person.attributes}
    if person.face_box:
        area = person.face_box[2] * person.face_box[3]
        shape = {"bbox": person.face_box, "area": area, "segmentation": []}
        yield {"category_id": CATEGORIES[FACE], **shape, "subject_id": person.subject}
    for name, _, polygon in person.segments:
        if len(polygon) >= 2 * CORNERS:
            shape = {"bbox": _around(polygon), "area": _area([polygon], sample), "segmentation": [polygon]}
            yield {"category_id": CATEGORIES[name], **shape, "subject_id": person.subject}


def _area(polygons: list[list[float]], sample: Sample) -> float:
    """The px that polygons cover together, as pycocotools fills them."""
    return float(masks.area(person_masks.union(map(np.asarray, polygons), sample.height, sample.width)))


def _points(person: Person) -> dict[str, Any]:
    if not person.keypoints:
        return {}
    of_coco, all_of = (_flat(person, names) for names in (COCO_KEYPOINTS, NAMES))
    return {"keypoints": of_coco, "num_keypoints": sum(v > 0 for v in of_coco[2::3]), "all_keypoints": all_of}


def _flat(person: Person, names: Iterable[str]) -> list[float]:
    flat: list[float] = []
    for name in names:
        x, y, visible = person.keypoints.get(name, (0.0, 0.0, None))
        flat += [x, y, 0 if visible is None else 1 + visible]
    return flat


def _around(polygon: list[float]) -> list[float]:
    xs, ys = polygon[::2], polygon[1::2]
    return [min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)]


def _info(facts: dict[str, str]) -> dict[str, Any]:
    year = int(facts["published"][:4])
    told = {"description": facts["dataset"], "version": facts["version"], "year": year}
    told |= {"caution": facts["caution"]} if facts["caution"] else {}
    return told | {"date_created": facts["published"], "keypoints": NAMES}


def _licences() -> list[dict[str, Any]]:
    return [{"id": 1, "name": "terms.txt of this folder", "url": "terms.txt"}]


def _categories() -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = [
        {"id": number, "name": name, "supercategory": PERSON} for name, number in CATEGORIES.items()
    ]
    points = [name.lower().replace(" ", "_") for name in COCO_KEYPOINTS]
    made[0] |= {"keypoints": points, "skeleton": SKELETON}
    return made


def _json(told: dict[str, Any]) -> str:
    return json.dumps(told, sort_keys=True, allow_nan=False) + "\n"
