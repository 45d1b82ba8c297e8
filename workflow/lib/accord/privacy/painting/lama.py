"""LaMa and networks like it as painters: picture and mask in, picture out, no words, no chance.

Suvorov et al., "Resolution-robust large mask inpainting with Fourier convolutions", 2022.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from accord.errors import AccordError, Problem
from accord.privacy.fitting import texture
from accord.privacy.painting.request import Job

MULTIPLE = 8
"""Sides that the network takes are multiples of it, px: it halves them three times."""
ONNX = ".onnx"


class LaMa:
    """A TorchScript program or an ONNX graph of a picture (1, 3, H, W), 0 to 1, and a mask (1, 1, H, W), 1 in the hole.

    files: `net`. side: px of the smallest square crop; largest: of the largest one, to which larger ones are reduced
    (the same as `side` for a graph of one size); white: what it answers where the picture is white, 1 or 255. It
    computes in float32: Fourier transforms of half precision exist for some sides only. One crop is in a call, so that
    a picture depends on nothing but itself: `batch` is taken, since all painters are told one, and changes nothing.
    """

    GPU = "torch"
    method = "lama"
    guided = False
    batch = 1

    def __init__(self, files: dict[str, Path], side: int = 512, largest: int = 1024, white: float = 1.0,
                 batch: int = 1, sha256: str = "") -> None:  # fmt: skip
        if side % MULTIPLE or largest % MULTIPLE or not 0 < side <= largest:
            what = f"are {side} and {largest}"
            raise AccordError(Problem("options side, largest", what, f"multiples of {MULTIPLE}, in order of size"))
        self.side, self.sha256 = side, sha256
        self._largest, self._white, self._net = largest, white, _network(files)

    def paint_all(self, jobs: Sequence[Job]) -> list[np.ndarray]:
        """See Painter. Words, guidance and seeds are not looked at."""
        return [self._painted(job) for job in jobs]

    def _painted(self, job: Job) -> np.ndarray:
        longer = MULTIPLE * int(np.ceil(max(job.unknown.shape) / MULTIPLE))
        small, hidden = texture.shrink(job.crop, job.hidden, min(max(longer, self.side), self._largest))
        image = np.where(hidden[..., None], np.float32(0), small / np.float32(255)).transpose(2, 0, 1)[None]
        [answer] = self._net(image, hidden[None, None].astype(np.float32)).values()
        if answer.shape != image.shape or not np.isfinite(answer).all():
            what = f"answers {answer.shape} to a picture of {image.shape}, or numbers that are not finite"
            raise AccordError(
                Problem("inpainting model", what, "it must take a picture and a mask and return the picture")
            )
        pixels = (answer[0].transpose(1, 2, 0) * (255 / self._white) + 0.5).clip(0, 255).astype(np.uint8)
        return texture.fit(pixels, job.crop, job.unknown)


def _network(files: dict[str, Path]) -> Callable[..., dict[str, np.ndarray]]:
    """By the name of its file. Raises AccordError for one that is not safe to run: see the adapters."""
    if files["net"].suffix == ONNX:
        from accord.models.adapters.onnx import Session

        return Session(files, inputs=2)
    from accord.models.adapters.torchscript import Program

    return Program(files["net"], "float32")
