"""Face recognisers of ArcFace's family: ArcFace, CurricularFace, and whatever else puts faces through such networks."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from accord.errors import AccordError, Problem
from accord.imaging.face_alignment import FFHQ, aligned
from accord.models.adapters.nets.torch_nets import device, dtype_of, fit, ready, settle, tensors
from accord.models.adapters.opencv import find_faces, yunet

LOOKED_AT, SURE = 320, 0.5


class ArcFace:
    """Embedder of aligned faces, which it aligns once more to ArcFace's template; on a GPU where there is one.

    weights: `net`, a checkpoint of plain tensors; `detector`, YuNet, where its five points shall place the face (one in
    which it sees none has no vector): without, the face is where FFHQ's alignment puts it. order: of the colours that
    the network was trained on. mirrored: the sum of a face's vector and its mirror image's.
    """

    GPU = "torch"

    def __init__(self, weights: dict[str, Path], order: str = "rgb", mirrored: bool = False,
                 precision: str = "float32") -> None:  # fmt: skip
        from accord.models.adapters.nets import arcface_nets

        settle()
        if order not in ("rgb", "bgr"):
            raise AccordError(Problem("option order", f"unknown value {order!r}", "use rgb or bgr"))
        self._device, self._dtype = device(), dtype_of(precision)
        state = tensors(weights["net"])
        try:
            net = arcface_nets.made_for(state)
        except (KeyError, IndexError, ValueError, AttributeError) as error:
            hint = "it must contain a residual network with InsightFace or face.evoLVe names"
            raise AccordError(Problem(weights["net"].name, f"belongs to another network ({error})", hint)) from None
        self._net = ready(fit(net, state, weights["net"].name), self._device, self._dtype)
        self._side, self._order, self._mirrored = net.side, order, mirrored
        self._detector = yunet(weights["detector"], SURE) if "detector" in weights else None

    def embed(self, pictures: Sequence[np.ndarray]) -> list[np.ndarray | None]:
        found: list[np.ndarray | None] = [None] * len(pictures)
        faces = {number: face for number, picture in enumerate(pictures) if (face := self._face(picture)) is not None}
        if faces:
            for number, vector in zip(faces, self._vectors(np.stack(list(faces.values()))), strict=True):
                found[number] = vector
        return found

    def _face(self, picture: np.ndarray) -> np.ndarray | None:
        points = FFHQ * picture.shape[1::-1]
        if self._detector is not None:
            faces = find_faces(self._detector, picture, LOOKED_AT)
            if not len(faces):
                return None
            # An aligned face is the largest in its picture; a bystander behind it can score higher.
            points = faces[np.argmax(faces[:, 2] * faces[:, 3]), 4:14].reshape(5, 2)
        return aligned(picture, points, self._side)

    def _vectors(self, faces: np.ndarray) -> np.ndarray:
        import torch

        ordered = faces if self._order == "rgb" else faces[:, :, :, ::-1]
        values = torch.from_numpy(np.ascontiguousarray(ordered.transpose(0, 3, 1, 2))).to(self._device)
        values = ((values.float() - 127.5) / 127.5).to(self._dtype)
        with torch.inference_mode():
            vectors = self._net(values)
            if self._mirrored:
                vectors = vectors + self._net(values.flip(3))
        return vectors.double().cpu().numpy()
