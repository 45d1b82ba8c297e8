"""How like its original a restored face is: perceptual distance, noise, and whether it is still the same person."""

from collections.abc import Sequence

import numpy as np

from accord.engine.parameter_types import Folder
from accord.evaluate.asking import answers
from accord.models import loading
from accord.protocol import ACCORD, is_api

FAINTEST = 1e-8
"""Added to the squared error, so that equal pictures have a finite PSNR: 80 dB."""

NO_DISTANCE = "no model of perceptual distance is available (evaluate/likeness/lpips)"
NO_EMBEDDER = "no model of face embeddings is available (evaluate/likeness/embedder)"
NO_FACE = "no face was found in the original"


class Measures:
    """What restored faces are measured by. Both pictures are brought to `side` px first, but for embedding.

    lpips, embedder: entries of models.yaml, None for none. protocol: fhibe_api brings pictures to a square of `side` px
    as the API does, and negative cosines stay. Raises AccordError where a model can't be had.
    """

    def __init__(self, lpips: dict | None, embedder: dict | None, side: int, weights: Folder, protocol: str = ACCORD):
        self._lpips, self._embedder, self._side = lpips, embedder, side
        self._scaled, self._least = (squared, -1.0) if is_api(protocol) else (scaled, 0.0)
        self._distance = loading.load(lpips, weights, "distance") if lpips else None
        self._embed = loading.load(embedder, weights, "embed") if embedder else None

    def tell(self, originals: Sequence[np.ndarray], restored: Sequence[np.ndarray]) -> list[list[tuple]]:
        """For each pair its measures: (measure, value, why there is none)."""
        both = zip(originals, restored, strict=True)
        pairs = [(self._scaled(a, self._side), self._scaled(b, self._side)) for a, b in both]
        noise = [("psnr", psnr(a, b), "") for a, b in pairs]
        return list(map(list, zip(self._distances(pairs), noise, self._cosines(originals, restored), strict=True)))

    def _distances(self, pairs: Sequence[tuple[np.ndarray, np.ndarray]]) -> list[tuple]:
        if self._lpips is None or self._distance is None:
            return [("lpips", np.nan, NO_DISTANCE)] * len(pairs)
        first, second = ([pair[side] for pair in pairs] for side in (0, 1))
        told = answers.one_each(self._lpips, self._distance.distance(first, second), len(pairs))
        answers.finite(self._lpips, np.array(told))
        return [("lpips", float(value), "") for value in told]

    def _cosines(self, originals: Sequence[np.ndarray], restored: Sequence[np.ndarray]) -> list[tuple]:
        if self._embedder is None or self._embed is None:
            return [("cosine", np.nan, NO_EMBEDDER)] * len(originals)
        vectors = answers.one_each(self._embedder, self._embed.embed([*originals, *restored]), 2 * len(originals))
        pairs = zip(vectors[: len(originals)], vectors[len(originals) :], strict=True)
        return [("cosine", *((np.nan, NO_FACE) if a is None else (cosine(a, b, self._least), ""))) for a, b in pairs]


def scaled(picture: np.ndarray, side: int) -> np.ndarray:
    """The picture with a longer side of `side` px: (height, width, 3) uint8; averaged over areas where it shrinks."""
    import cv2

    height, width = picture.shape[:2]
    size = tuple(max(round(length * side / max(height, width)), 1) for length in (width, height))
    shrinks = size[0] < width
    return cv2.resize(picture, size, interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC)


def squared(picture: np.ndarray, side: int) -> np.ndarray:
    """The picture as a square of `side` px, whatever its proportions: (side, side, 3) uint8.

    As FHIBE's public Evaluation API: Pillow's bilinear filter, which spreads over twice what an average of areas does.
    """
    from PIL import Image

    return np.asarray(Image.fromarray(picture).resize((side, side), Image.Resampling.BILINEAR))


def psnr(first: np.ndarray, second: np.ndarray) -> float:
    """Peak signal-to-noise ratio in dB of two uint8 pictures of one size: -10 log10(MSE / 255^2 + 1e-8)."""
    error = np.mean(np.square((first.astype(np.float64) - second) / 255))
    return float(-10 * np.log10(error + FAINTEST))


def cosine(first: np.ndarray, second: np.ndarray | None, least: float = 0.0) -> float:
    """Cosine of two embeddings, at least `least`; 0 where the embedder makes nothing of the second picture."""
    if second is None:
        return 0.0
    a, b = (np.asarray(vector, np.float64).ravel() for vector in (first, second))
    return float(np.clip(a @ b / max(np.linalg.norm(a) * np.linalg.norm(b), np.finfo(float).tiny), least, 1))
