"""FaceNet (Schroff et al. 2015), the Inception-ResNet v1 of facenet-pytorch, without its package's code."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from accord.evaluate.adapters.declared_inputs import Input
from accord.evaluate.adapters.torch_nets import device, dtype_of, fit, settle, tensors

FACE = (0.235, 0.178, 0.740, 0.898)
"""Left, top, right, bottom of the box that MTCNN puts around FFHQ-aligned faces, as shares of the side (means of four
faces, standard deviations 0.02-0.03): the network was trained on such boxes."""


class FaceNet:
    """Embedder of aligned faces: 512 numbers; on a GPU where there is one. weights: `net`."""

    def __init__(self, weights: dict[str, Path], precision: str = "float32"):
        from accord.evaluate.adapters.facenet_nets import InceptionResnet

        settle()
        self._device, self._dtype = device(), dtype_of(precision)
        net = fit(InceptionResnet(), tensors(weights["net"]), weights["net"].name)
        self._net = net.to(self._device, self._dtype)
        self._input = Input(size=(160, 160), window=FACE, range=(-127.5 / 128, 127.5 / 128))

    def embed(self, pictures: Sequence[np.ndarray]) -> list[np.ndarray | None]:
        import torch

        if not pictures:
            return []
        faces = np.stack([self._input.values(picture, self._input.whole(picture)) for picture in pictures])
        with torch.inference_mode():
            vectors = self._net(torch.from_numpy(faces).to(self._device, self._dtype))
        return list(vectors.double().cpu().numpy())
