"""Aligned faces with masks, and pictures that a model made of them."""

from pathlib import Path

import numpy as np
from PIL import Image

from cases import Cases, common

SIDE, PICTURES = 24, 64
LABELS = (0, 1, 2, 4, 5, 10, 13, 17)


def make(folder: Path) -> Cases:
    """Cases of eight faces; writes their masks, pictures and restored pictures under `folder`."""
    rng, rows, entries = np.random.default_rng(11), [], {}
    for number in range(8):
        face = f"i{number:03d}_s{number:03d}"
        truth = _truth(rng, number)
        Image.fromarray(truth).save(folder / "masks" / f"{face}_combined.png")
        Image.fromarray(_skin(rng)).save(folder / "pictures" / f"{face}.png")
        made = _skin(rng) if number < 7 else np.asarray(Image.open(folder / "pictures" / f"{face}.png"))
        size = (96, 96) if number == 3 else (PICTURES, PICTURES)
        Image.fromarray(made).resize(size).save(folder / "pictures" / f"made_{face}.png")
        path = f"pictures/{face}.png"
        entries[path] = {"detections_rle": _lengths(_answer(rng, truth, number))}
        rows.append(_row(number, face, path))
    return Cases(rows, {"face_parsing": entries})


def _truth(rng: np.random.Generator, number: int) -> np.ndarray:
    """Background alone; one label alone; a label of one pixel; else bands of labels."""
    if number < 2:
        return np.full((SIDE, SIDE), number, np.uint8)
    truth = np.repeat(rng.choice(LABELS, SIDE // 4), 4)[:, np.newaxis].repeat(SIDE, axis=1).astype(np.uint8)
    truth[3, 5] = 11
    return truth


def _answer(rng: np.random.Generator, truth: np.ndarray, number: int) -> np.ndarray:
    """Right in most places; labels that the truth hasn't got (a hat) among the others; one answer all background."""
    if number == 4:
        return np.zeros_like(truth)
    return np.where(rng.random(truth.shape) < 0.3, rng.choice((*LABELS, 14), truth.shape), truth).astype(np.uint8)


def _skin(rng: np.random.Generator) -> np.ndarray:
    """A smooth picture, (64, 64, 3) uint8, with an edge that filters treat unalike."""
    rows, columns = np.mgrid[:PICTURES, :PICTURES] / PICTURES
    waves = [np.sin(rng.uniform(2, 40) * rows + rng.uniform(2, 40) * columns) for _ in range(3)]
    made = 127 + 100 * np.stack(waves, axis=-1)
    made[20:23] = 0
    return made.astype(np.uint8)


def _lengths(labels: np.ndarray) -> dict:
    from pycocotools import mask as coco

    told = {int(label): coco.encode(np.asfortranarray(labels == label, np.uint8)) for label in np.unique(labels)}
    return {label: {"size": [SIDE, SIDE], "counts": one["counts"].decode()} for label, one in told.items()}


def _row(number: int, face: str, path: str) -> dict:
    subject = face.partition("_")[2]
    return {
        **common(number), "image_id": face, "filepath": path, "json_path": path, "subject_id": subject,
        "is_primary": True, "image_height": SIDE, "image_width": SIDE, "pronoun": "['0. She/her/hers']",
        "CelebA": repr([f"masks/{face}_combined.png"]), "multiple_subjects": 0,
    }  # fmt: skip
