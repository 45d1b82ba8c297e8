"""A trained detector as evaluate asks it."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from accord.models.adapters.nets import torch_nets
from accord.train.models import stored
from accord.train.pictures.reading import normalised, square


class Trained:
    """A detector of generated faces by its file: the sigmoid of its logit for each picture."""

    def __init__(self, path: Path):
        torch_nets.settle()
        self.net, self.about = stored.load(path)

    def score(self, pictures: Sequence[np.ndarray]) -> list[float]:
        """How probably each picture (height, width, 3) uint8 is a fake."""
        import torch

        shown = np.stack([square(pixels, self.about["side"]) for pixels in pictures])
        pixels = torch.from_numpy(normalised(shown, self.about["mean"], self.about["std"]))
        with torch.no_grad():
            return self.net(pixels.to(torch_nets.device())).float().sigmoid().cpu().tolist()
