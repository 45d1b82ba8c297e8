"""Embedders of whole pictures of the transformers library: the last feature map is averaged, as of SEER's RegNet.

Weights: `config` (config.json) and `model`. No processor is asked: `size` and ImageNet's means prepare pictures.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from accord.errors import AccordError, Problem
from accord.models.adapters.nets.torch_copies import Copies
from accord.models.adapters.nets.torch_nets import computing
from accord.models.adapters.nets.transformers_nets import Pretrained
from accord.models.protocols import Prepared

MEAN, STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)


class Embedder:
    """The average of the last feature map (embed); on a GPU where there is one.

    size: side of the square that the whole picture is squeezed to, as FHIBE's authors did for SEER (224 px, z-scores by
    ImageNet's means and deviations), with Pillow's bilinear filter, which averages what shrinks.
    """

    GPU = "torch"

    def __init__(self, weights: dict[str, Path], size: int = 224, precision: str = "float32", compile: bool = False):
        if not isinstance(size, int) or size < 1:
            raise AccordError(
                Problem("option size", f"must be a whole number of pixels, not {size!r}", "use 1 or more")
            )
        self._model = Pretrained(weights, "MODEL_MAPPING", precision, processor="none", compiled=compile)
        self._size, self._copies = size, Copies(self._model.device)

    def prepare(self, picture: np.ndarray) -> Prepared:
        """(1, size, size, 3) uint8."""
        import torch
        from PIL import Image

        small = Image.fromarray(picture).resize((self._size, self._size), Image.Resampling.BILINEAR)
        return Prepared(self._copies.begun(torch.from_numpy(np.array(small)[np.newaxis])), picture.shape)

    def embed(self, pictures: Sequence[np.ndarray | Prepared]) -> list[np.ndarray | None]:
        import torch

        if not len(pictures):
            return []
        model = self._model
        given = [one if isinstance(one, Prepared) else self.prepare(one) for one in pictures]
        pixels = self._copies.joined([one.inputs for one in given]).float() / 255
        mean, std = (torch.tensor(values, device=model.device) for values in (MEAN, STD))
        with computing(model.precision):
            pooled = model.net(pixel_values=((pixels - mean) / std).permute(0, 3, 1, 2).to(model.dtype)).pooler_output
        return list(pooled.flatten(1).double().cpu().numpy())
