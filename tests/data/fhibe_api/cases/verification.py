"""Faces to tell apart: people with many and with few pictures, in one group and in several, pictures of two people."""

import numpy as np

from cases import Cases, common

PRONOUNS = ("0. She/her/hers", "1. He/him/his")
ANCESTRIES = ("1. Northern Africa", "2. Eastern Africa", "13. Eastern Asia", "18. Eastern Europe")
MANY, DIMENSIONS = 46, 6


def make() -> Cases:
    rng, rows, entries = np.random.default_rng(23), [], {}
    for person in range(44):
        subject = f"{rng.integers(16**6):06x}-{person:02d}"
        centre, said = rng.normal(size=DIMENSIONS), _said(person)
        for _ in range(_count(rng, person)):
            face = f"{rng.integers(16**8):08x}_{subject}"
            rows.append(_row(len(rows), face, subject, said, 0))
            entries[rows[-1]["filepath"]] = {"detections": _vector(centre + 0.45 * rng.normal(size=DIMENSIONS))}
    known = [row["subject_id"] for row in rows]
    for pair in range(3):
        for subject in (known[pair * MANY], known[-1 - 5 * pair]):
            rows.append(_row(len(rows), f"{pair:08x}_{subject}", subject, _said(0), 1))
    order = rng.permutation(len(rows))
    return Cases([rows[place] for place in order], {"face_verification": entries})


def _count(rng: np.random.Generator, person: int) -> int:
    """Four people with so many pictures that not all of their pairs are compared; some with one."""
    return MANY if person < 4 else int(rng.integers(1, 5))


def _said(person: int) -> dict:
    named = [ANCESTRIES[person % 4]] + ([ANCESTRIES[0]] if person % 7 == 3 else [])
    return {"pronoun": repr([PRONOUNS[person % 3 == 1]]), "ancestry": repr(sorted(set(named)))}


def _vector(values: np.ndarray) -> list[float]:
    return (values / np.linalg.norm(values)).astype(np.float32).tolist()


def _row(number: int, face: str, subject: str, said: dict, several: int) -> dict:
    image = face.partition("_")[0]
    path = f"data/raw/fhibe_downsampled/{subject}/{image}/faces_crop_and_align_{face}.png"
    return {
        **common(number), "image_id": face, "filepath": path, "json_path": path, "subject_id": subject,
        "is_primary": True, "image_height": 512, "image_width": 512, **said, "multiple_subjects": several,
    }  # fmt: skip
