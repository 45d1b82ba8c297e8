"""FaceNet (Schroff et al. 2015), the Inception-ResNet v1 of facenet-pytorch, without its package's code."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from accord.models.adapters.declaring.declared_inputs import Input
from accord.models.adapters.mtcnn import MTCNN
from accord.models.adapters.nets.torch_nets import device, dtype_of, fit, ready, settle, tensors

FACE = (0.235, 0.178, 0.740, 0.898)
"""Left, top, right, bottom of the box that MTCNN puts around FFHQ-aligned faces, as shares of the side (means of four
faces, standard deviations 0.02-0.03): the network was trained on such boxes."""
SIDE = 160
STANDARD = (-127.5 / 128, 127.5 / 128)
"""What 0 and 255 become (facenet-pytorch's fixed_image_standardization)."""
CASCADE = ("pnet", "rnet", "onet")


class FaceNet:
    """Embedder of aligned faces: 512 numbers; on a GPU where there is one.

    weights: `net`; and `pnet`, `rnet`, `onet`, the three networks of MTCNN, where the face shall be what the largest of
    its boxes shows, as facenet-pytorch has it (a picture in which it sees none has no vector); without, where MTCNN
    finds it in FFHQ-aligned faces.
    """

    GPU = "torch"

    def __init__(self, weights: dict[str, Path], precision: str = "float32"):
        from accord.models.adapters.nets.facenet_nets import InceptionResnet

        settle()
        self._device, self._dtype = device(), dtype_of(precision)
        net = fit(InceptionResnet(), tensors(weights["net"]), weights["net"].name)
        self._net = ready(net, self._device, self._dtype)
        self._detector = MTCNN(weights) if set(CASCADE) <= set(weights) else None
        whole = {"size": (SIDE, SIDE), "sampling": "pillow", "range": STANDARD}
        self._input, self._window = Input(**whole), Input(**whole, window=FACE)

    def embed(self, pictures: Sequence[np.ndarray]) -> list[np.ndarray | None]:
        import torch

        found: list[np.ndarray | None] = [None] * len(pictures)
        faces = {number: face for number, picture in enumerate(pictures) if (face := self.face(picture)) is not None}
        if faces:
            with torch.inference_mode():
                vectors = self._net(torch.from_numpy(np.stack(list(faces.values()))).to(self._device, self._dtype))
            for number, vector in zip(faces, vectors.double().cpu().numpy(), strict=True):
                found[number] = vector
        return found

    def face(self, picture: np.ndarray) -> np.ndarray | None:
        """(3, 160, 160) float32: what the network is given; None where the detector sees no face."""
        if self._detector is None:
            return self._window.values(picture, self._window.whole(picture))
        [found] = self._detector.detect([picture])
        if not len(found.boxes):
            return None
        box = found.boxes[np.argmax((found.boxes[:, 2:] - found.boxes[:, :2]).prod(axis=1))]
        shown = _cut(picture, box)
        return self._input.values(shown, self._input.whole(shown))


def _cut(picture: np.ndarray, box: np.ndarray) -> np.ndarray:
    """What a box shows of a picture, cut as facenet-pytorch cuts it: at whole pixels, by its numbers, which count from
    1."""
    height, width = picture.shape[:2]
    x0, y0 = int(np.clip(box[0] + 1, 0, width - 1)), int(np.clip(box[1] + 1, 0, height - 1))
    x1, y1 = int(min(box[2], width)), int(min(box[3], height))
    return picture[y0 : max(y1, y0 + 1), x0 : max(x1, x0 + 1)]
