"""Embedders of whole pictures of the transformers library: the last feature map is averaged, as of SEER's RegNet.

Weights: `config` (config.json) and `model`. No processor is asked: `size` and ImageNet's means prepare pictures.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from accord.errors import AccordError, Problem
from accord.models.adapters.nets.transformers_nets import Pretrained

MEAN, STD = np.array([0.485, 0.456, 0.406], np.float32), np.array([0.229, 0.224, 0.225], np.float32)


class Embedder:
    """The average of the last feature map (embed); on a GPU where there is one.

    size: side of the square that the whole picture is squeezed to, as FHIBE's authors did for SEER (224 px, z-scores by
    ImageNet's means and deviations), with Pillow's bilinear filter, which averages what shrinks.
    """

    GPU = "torch"

    def __init__(self, weights: dict[str, Path], size: int = 224, precision: str = "float32"):
        if not isinstance(size, int) or size < 1:
            raise AccordError(
                Problem("option size", f"must be a whole number of pixels, not {size!r}", "use 1 or more")
            )
        self._model = Pretrained(weights, "MODEL_MAPPING", precision, processor="none")
        self._size = size

    def embed(self, pictures: Sequence[np.ndarray]) -> list[np.ndarray | None]:
        import torch

        if not len(pictures):
            return []
        batch = torch.from_numpy(np.stack([self._prepared(picture) for picture in pictures]))
        with torch.inference_mode():
            pooled = self._model.net(pixel_values=batch.to(self._model.device, self._model.dtype)).pooler_output
        return list(pooled.flatten(1).double().cpu().numpy())

    def _prepared(self, picture: np.ndarray) -> np.ndarray:
        """(3, size, size) float32."""
        from PIL import Image

        small = Image.fromarray(picture).resize((self._size, self._size), Image.Resampling.BILINEAR)
        return ((np.asarray(small, dtype=np.float32) / 255 - MEAN) / STD).transpose(2, 0, 1)
