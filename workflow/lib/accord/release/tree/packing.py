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


class Picture(NamedTuple):
    """One of an image's pictures: its row of the bundle `files`, and the edits that its claim tells of."""

    image: str
    files: Path
    row: Any
    edits: pd.DataFrame | None


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
    edits = packer.claims.of_whole(rows.image)
    picture = Picture(rows.image, files, small, edits)
    paths = _write(packer, f"{fhibe.RAW}/{place}", "main", image_id, picture, said, people)
    if original.sha256 != small.sha256:
        _write_picture(packer, f"{fhibe.FULL}/{place}/main_{image_id}.png", picture._replace(row=original))
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
        edits = packer.claims.of_part(rows.image, homography @ _shrinking(pictures), _size(picture))
        shown = Picture(rows.image, files, picture, edits)
        paths = _write(packer, place, name, face_id, shown, face, [person])
        if kind == "face_aligned":
            masks = _write_masks(packer.tree, face_id, [p for p in pictures.values() if _is_mask(p, subject)], files)
            other = records.other_faces(rows, subject, homography, picture.width)
            flags = {"other_face": other, "multiple_subjects": int(len(rows.tables["people"]) > 1)}
            packer.faces.add((face_id,), face | paths | person | flags | {"CelebA": masks})


def _write(
    packer: Packer, place: str, kind: str, name: str, picture: Picture, image: dict, people: list[dict]
) -> dict[str, str]:
    """Write a picture and its annotations; returns their paths."""
    told = {"image_annotation": image, "subject_annotation": people}
    text = json.dumps(told, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n"
    return {
        "filepath": _write_picture(packer, f"{place}/{kind}_{name}.png", picture),
        "json_path": packer.tree.write(f"{place}/{kind}_annos_{name}.json", text.encode()),
    }


def _write_picture(packer: Packer, path: str, picture: Picture) -> str:
    """With a claim where regions were painted over; else as it lies in the bundle, of which it is read only where the
    version before lacks it."""
    if picture.edits is None:
        return _copy(packer.tree, path, picture.files, picture.row)
    data = bundles.read(picture.files, picture.row)
    return packer.tree.write(path, packer.claims.claimed(picture.image, data, picture.edits))


def _copy(tree: Tree, path: str, files: Path, row: Any) -> str:
    return tree.copy(path, bundles.Window(files, int(row.offset), int(row.size)), row.sha256)


def _write_masks(tree: Tree, face_id: str, masks: list, files: Path) -> list[str]:
    """The paths of the masks of a face, `combined` last."""
    ordered = sorted(masks, key=lambda mask: (mask.part == COMBINED, mask.part))
    return [_copy(tree, f"{fhibe.MASKS}/{face_id}/{mask.part}.png", files, mask) for mask in ordered]


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
