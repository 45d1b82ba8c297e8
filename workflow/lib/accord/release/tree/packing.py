"""The FHIBE tree of a release: pictures, annotations beside them, and the two tables."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from accord.imaging import bundle as bundles
from accord.release.claims.c2pa import Claims
from accord.release.format import fhibe
from accord.release.format.geometry import Size, factors
from accord.release.format.parsing import COMBINED
from accord.release.format.sheet import Sheet
from accord.release.seal.identity import Ids
from accord.release.tree import records
from accord.release.tree.records import Image
from accord.release.tree.tree import Tree


class Packer(NamedTuple):
    """Where a release is written to."""

    tree: Tree
    ids: Ids
    whole: Sheet
    faces: Sheet
    claims: Claims


def pack(tables: dict[str, pd.DataFrame], files: Path, packer: Packer) -> list[tuple[str, int, int]]:
    """Write all images of a shard: its tables, as far as they are published, and the bundle of its pictures.

    Returns (image, files, bytes) of each.
    """
    found = []
    for rows in records.by_image(tables):
        first = len(packer.tree.entries)
        _pack_image(rows, files, packer)
        written = packer.tree.entries[first:]
        found.append((rows.image, len(written), sum(entry["size"] for entry in written)))
    return found


def _pack_image(rows: Image, files: Path, packer: Packer) -> None:
    public, ids = rows.tables["public"][0], packer.ids
    image_id = ids.image(rows.image)
    place = f"{ids.subject(public.subject)}/{image_id}"
    pictures = {(p.subject, p.kind, p.part): p for p in rows.tables["derivatives"]}
    original, small = pictures["", "original", ""], pictures["", "downsampled", ""]
    said = records.of_image(rows, ids) | _dimensions(small)
    subjects = sorted(person.subject for person in rows.tables["people"])
    people = [records.of_subject(rows, subject, ids) for subject in subjects]
    data = packer.claims.whole(rows.image, bundles.read(files, small))
    paths = _write(packer.tree, f"{fhibe.RAW}/{place}", "main", image_id, data, said, people)
    if original.sha256 != small.sha256:
        data = packer.claims.whole(rows.image, bundles.read(files, original))
        packer.tree.write(f"{fhibe.FULL}/{place}/main_{image_id}.png", data)
    for person in people:
        packer.whole.add((image_id, person["subject_id"]), said | paths | person)
    for subject in subjects:
        _pack_faces(rows, subject, pictures, said, f"{fhibe.RAW}/{place}", files, packer)


def _pack_faces(rows: Image, subject: str, pictures: dict, said: dict, place: str, files: Path, packer: Packer) -> None:
    face_id = f"{said['image_id']}_{packer.ids.subject(subject)}"
    found = {face.kind: np.reshape(face.homography, (3, 3)) for face in rows.of("faces", subject)}
    for kind, name in (("face_crop", "faces_crop_only"), ("face_aligned", "faces_crop_and_align")):
        if kind not in found:
            continue
        picture, homography = pictures[subject, kind, ""], found[kind]
        person = records.of_subject(rows, subject, packer.ids, homography)
        face = said | {"image_id": face_id, "camera_distance": person["camera_distance"]} | _dimensions(picture)
        data = bundles.read(files, picture)
        data = packer.claims.part(rows.image, data, homography @ _shrinking(pictures), _size(picture))
        paths = _write(packer.tree, place, name, face_id, data, face, [person])
        if kind == "face_aligned":
            masks = _write_masks(packer.tree, face_id, [p for p in pictures.values() if _is_mask(p, subject)], files)
            other = records.other_faces(rows, subject, homography, picture.width)
            flags = {"other_face": other, "multiple_subjects": int(len(rows.tables["people"]) > 1)}
            packer.faces.add((face_id,), face | paths | person | flags | {"CelebA": masks})


def _write(
    tree: Tree, place: str, kind: str, name: str, data: bytes, image: dict, people: list[dict]
) -> dict[str, str]:
    """Write a picture and its annotations; returns their paths."""
    told = {"image_annotation": image, "subject_annotation": people}
    text = json.dumps(told, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n"
    return {
        "filepath": tree.write(f"{place}/{kind}_{name}.png", data),
        "json_path": tree.write(f"{place}/{kind}_annos_{name}.json", text.encode()),
    }


def _write_masks(tree: Tree, face_id: str, masks: list, files: Path) -> list[str]:
    """The paths of the masks of a face, `combined` last."""
    ordered = sorted(masks, key=lambda mask: (mask.part == COMBINED, mask.part))
    return [tree.write(f"{fhibe.MASKS}/{face_id}/{m.part}.png", bundles.read(files, m)) for m in ordered]


def _is_mask(picture: Any, subject: str) -> bool:
    return picture.kind == "mask" and picture.subject == subject


def _shrinking(pictures: dict) -> np.ndarray:
    """The homography (3, 3) from the original to the downsampled picture."""
    original, small = (_size(pictures["", kind, ""]) for kind in ("original", "downsampled"))
    return np.diag([*factors(original, small), 1.0])


def _size(picture: Any) -> Size:
    return Size(int(picture.width), int(picture.height))


def _dimensions(picture: Any) -> dict[str, int]:
    return {"image_height": int(picture.height), "image_width": int(picture.width)}
