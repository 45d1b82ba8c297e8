"""A dossier: all by which something of one person could be known again. Kept in memory or in the vault, never shown."""

import io
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import numpy as np

from accord.errors import AccordError, Problem
from accord.files import keep_private

SUBJECT, IMAGE, RELEASED, FORM = "subject id", "image id", "id in a release", "form id"
REFERENCE = "vendor's reference"
FILE, PIXELS, PERCEPTUAL = "sha256 of a file", "sha256 of pixels", "perceptual hash"
DIGESTS = (FILE, PIXELS, PERCEPTUAL)
KINDS = (SUBJECT, IMAGE, RELEASED, FORM, REFERENCE, *DIGESTS)
FORMAT = "accord dossier 1"
ARRAYS = ("points", "descriptors", "luma")


class Value(NamedTuple):
    """A text that stands for the person. `kind`: one of KINDS; digests are hexadecimal."""

    kind: str
    text: str


class Print(NamedTuple):
    """What a picture is known by. `pixels`: sha256 of its upright RGB pixels; `pdq`: 64 hexadecimal digits.

    points: (n, 2) float32, px of the picture at the size that `pictures.features` makes of it; descriptors: (n, 128)
    uint8, SIFT (OpenCV gives whole numbers up to 255); luma: (h, w) uint8, a small picture to confirm a match with;
    scale: px of it per px of `points`.
    """

    pixels: str
    pdq: str
    quality: int
    points: np.ndarray
    descriptors: np.ndarray
    luma: np.ndarray
    scale: float


class Dossier(NamedTuple):
    """values: texts; prints: of their pictures and face pictures; vectors: by length d, (n, d) float32 embeddings."""

    values: frozenset[Value]
    prints: tuple[Print, ...]
    vectors: dict[int, np.ndarray]

    def counts(self) -> dict[str, int]:
        """How much of each kind it holds: all of it that may be shown."""
        kinds = Counter(value.kind for value in self.values)
        vectors = sum(len(rows) for rows in self.vectors.values())
        return {kind: kinds[kind] for kind in KINDS} | {"picture": len(self.prints), "embedding": vectors}


def save(dossier: Dossier, path: Path, vault: Path) -> None:
    """Write a dossier that its owner alone can read. Raises AccordError where the path is outside the vault."""
    if not path.resolve().is_relative_to(vault.resolve()):
        raise AccordError(Problem("dossier", "is outside the vault", f"give a path under {vault}"))
    values = np.array(sorted(dossier.values), dtype=str).reshape(-1, 2)
    arrays = {"format": np.array(FORMAT), "values": values}
    arrays["prints"] = np.array([(p.pixels, p.pdq, str(p.quality), repr(p.scale)) for p in dossier.prints], dtype=str)
    for index, kept in enumerate(dossier.prints):
        arrays |= {f"{name}{index}": getattr(kept, name) for name in ARRAYS}
    arrays |= {f"vectors{length}": rows for length, rows in dossier.vectors.items()}
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    keep_private(path, buffer.getvalue())


def load(path: Path) -> Dossier:
    """The dossier that was saved. Raises AccordError where the file is none."""
    try:
        with np.load(path, allow_pickle=False) as arrays:
            if str(arrays["format"]) != FORMAT:
                raise ValueError
            values = frozenset(Value(kind, text) for kind, text in arrays["values"].tolist())
            prints = tuple(
                Print(
                    pixels=pixels,
                    pdq=pdq,
                    quality=int(quality),
                    scale=float(scale),
                    **{name: arrays[f"{name}{index}"] for name in ARRAYS},
                )
                for index, (pixels, pdq, quality, scale) in enumerate(arrays["prints"].reshape(-1, 4).tolist())
            )
            names = [name for name in arrays.files if name.startswith("vectors")]
            return Dossier(values, prints, {int(name.removeprefix("vectors")): arrays[name] for name in names})
    except (OSError, ValueError, KeyError, EOFError) as error:
        hint = "create it with --keep-dossier before the erasure"
        raise AccordError(Problem("dossier", f"can't be read ({type(error).__name__})", hint)) from None
