"""dlib's face recognition ResNet (King 2017) on torch: in a sixth of the time that dlib takes, which has no BLAS."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch.nn.functional import avg_pool2d, max_pool2d, pad

from accord.errors import AccordError, Problem
from accord.models.adapters.nets import torch_nets
from accord.models.adapters.nets.folded import Convolution

MEANS, SCALE = (122.782, 117.001, 104.298), 1 / 256
WIDTHS = (*(32,) * 4, *(64,) * 4, *(128,) * 3, *(256,) * 4)
"""Channels of the first convolution and of each block."""
HALVING = (3, 7, 10, 13)
"""The blocks that halve their maps: those with more channels than the one before, and the last but one."""
OUTPUTS = 128
VERSION, LENGTH = 2, 4
"""Of dlib's format of tensors, and bytes of a number in it."""


class Block(NamedTuple):
    """Two convolutions; to what they make their input is added, its means over 2 x 2 cells where they halve it."""

    first: Convolution
    second: Convolution

    def __call__(self, maps: torch.Tensor) -> torch.Tensor:
        made = self.second(self.first(maps))
        return _sum(made, maps if self.first.stride == 1 else avg_pool2d(maps, 2)).relu_()


class DlibResNet:
    """Embedder of one aligned face, uint8 RGB (150, 150, 3), as dlib.get_face_chip gives it.

    Raises AccordError where the file holds another network.
    """

    def __init__(self, path: Path) -> None:
        torch_nets.settle()
        file = _File(path)
        self._first = _convolution(file, 3, WIDTHS[0], 7, 2)
        self._blocks = [
            Block(_convolution(file, before, width, 3, 2 if number in HALVING else 1),
                  _convolution(file, width, width, 3, 1, clipped=False))
            for number, (before, width) in enumerate(pairwise(WIDTHS))
        ]  # fmt: skip
        self._last = file.next(WIDTHS[-1], OUTPUTS)

    def feature(self, face: np.ndarray) -> np.ndarray:
        """(128,) float32."""
        with torch.inference_mode():
            maps = (torch.from_numpy(face)[None].float() - torch.tensor(MEANS)) * SCALE
            maps = max_pool2d(self._first(maps.permute(0, 3, 1, 2)), 3, 2)
            for block in self._blocks:
                maps = block(maps)
            return (maps.mean(dim=(2, 3)) @ self._last)[0].numpy()


class _File:
    """The tensors of a network that dlib has written, one after the other: those of its first layer come first."""

    def __init__(self, path: Path) -> None:
        self._name, self._data, self._at = path.name, path.read_bytes(), 0

    def next(self, *shape: int) -> torch.Tensor:
        """The next one of a shape: what lies in between belongs to learning."""
        head = b"".join(map(_written, (VERSION, *shape, *(1,) * (4 - len(shape)))))
        start, size = self._data.find(head, self._at) + len(head), math.prod(shape)
        self._at = start + LENGTH * size
        if start < len(head) or self._at > len(self._data):
            raise AccordError(Problem(self._name, "is not dlib's face recognition network", "see docs/models.md"))
        return torch.from_numpy(np.frombuffer(self._data, "<f4", size, start).copy()).reshape(shape)


def _written(number: int) -> bytes:
    """As dlib writes what is more than 0: how many bytes it takes, and these, the lowest first."""
    length = (number.bit_length() + 7) // 8
    return bytes([length]) + number.to_bytes(length, "little")


def _convolution(file: _File, channels: int, width: int, side: int, stride: int, clipped: bool = True) -> Convolution:
    """One with its bias, and what its output is multiplied by and what is added then, channel by channel."""
    weight, bias = file.next(width * (channels * side**2 + 1)).split([width * channels * side**2, width])
    share, more = file.next(2 * width).chunk(2)
    weight = (weight.view(width, channels, side, side) * share.view(-1, 1, 1, 1)).contiguous(
        memory_format=torch.channels_last
    )
    padding = side // 2 if stride == 1 else 0
    return Convolution(weight, bias * share + more, stride, padding, 1, most=math.inf if clipped else None)


def _sum(*maps: torch.Tensor) -> torch.Tensor:
    """Of maps that may differ in channels and size: zeros stand where one has none."""
    shape = [max(lengths) for lengths in zip(*(each.shape for each in maps), strict=True)]
    one, other = (_filled(each, shape) for each in maps)
    return one + other


def _filled(maps: torch.Tensor, shape: Sequence[int]) -> torch.Tensor:
    lacking = [whole - part for whole, part in zip(shape, maps.shape, strict=True)]
    return pad(maps, [0, lacking[3], 0, lacking[2], 0, lacking[1]]) if any(lacking) else maps
