"""EfficientNet-Lite0, trained on ImageNet: its last feature map, averaged, describes a whole picture."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from accord.models.adapters.nets.torch_nets import fit, tensors

SIZE = 224
MEAN, SCALE = 127.0, 128.0


class EfficientNetLite0:
    """Embedder of whole pictures: 1,280 numbers. The picture is squeezed into a square, so that all of it counts."""

    def __init__(self, weights: dict[str, Path]):
        import torch
        from efficientnet_lite_pytorch import EfficientNet

        from accord.models.adapters.nets import efficientnet_nets

        torch.set_num_threads(1)
        self._net = EfficientNet.from_name("efficientnet-lite0")
        fit(self._net, tensors(weights["net"]), weights["net"].name)
        self._stages = efficientnet_nets.stages(self._net.eval())

    def embed(self, pictures: Sequence[np.ndarray]) -> list[np.ndarray | None]:
        return list(self.maps(pictures).mean(axis=(2, 3)))

    def logits(self, pictures: Sequence[np.ndarray]) -> np.ndarray:
        """(n, 1000) float32: how far each class of ImageNet (ILSVRC 2012) is seen, in the order of their numbers."""
        import torch

        means = torch.from_numpy(self.maps(pictures).mean(axis=(2, 3)))
        with torch.inference_mode():
            return self._net._fc(means).numpy()

    def maps(self, pictures: Sequence[np.ndarray]) -> np.ndarray:
        """(n, 1280, 7, 7) float32: the last feature maps, of which any part can be averaged."""
        import cv2
        import torch

        cv2.setNumThreads(1)
        small = [cv2.resize(picture, (SIZE, SIZE), interpolation=cv2.INTER_AREA) for picture in pictures]
        batch = (np.stack(small).astype(np.float32) - MEAN) / SCALE
        with torch.inference_mode():
            maps = torch.from_numpy(batch).permute(0, 3, 1, 2)
            for stage in self._stages:
                maps = stage(maps)
            return maps.contiguous().numpy()
