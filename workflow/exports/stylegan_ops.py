"""StyleGAN2's two operators in plain torch, in place of the kernels that its ports compile when they are imported.

Karras et al. 2020; names and arguments as in rosinality/stylegan2-pytorch, from which GPEN and ReStyle have theirs.
"""

import torch
from torch.nn import functional

from exports import code


class FusedLeakyReLU(torch.nn.Module):
    """A bias for each channel, then a leaky ReLU, scaled."""

    def __init__(self, channel: int, negative_slope: float = 0.2, scale: float = 2**0.5, device: str = "cpu"):
        super().__init__()
        self.bias = torch.nn.Parameter(torch.zeros(channel))
        self.negative_slope, self.scale = negative_slope, scale

    def forward(self, given):
        return fused_leaky_relu(given, self.bias, self.negative_slope, self.scale)


def fused_leaky_relu(given, bias, negative_slope: float = 0.2, scale: float = 2**0.5, device: str = "cpu"):
    """scale * leaky(given + bias); the bias is of the second axis."""
    bias = bias.reshape(1, -1, *[1] * (given.ndim - 2))
    return functional.leaky_relu(given + bias, negative_slope) * scale


def upfirdn2d(given, kernel, up: int = 1, down: int = 1, pad=(0, 0), device: str = "cpu"):
    """(n, c, h, w): zeros put between the cells, padded, convolved with a kernel, and every `down`-th cell of that."""
    # Whole numbers, not what a trace makes of a shape: a kernel of ONNX has a known one.
    count, channels, height, width = (int(side) for side in given.shape)
    if up > 1:
        spread = functional.pad(given.reshape(count, channels, height, 1, width, 1), [0, up - 1, 0, 0, 0, up - 1])
        given = spread.reshape(count, channels, height * up, width * up)
    padded = functional.pad(given, [pad[0], pad[1], pad[0], pad[1]])
    weight = torch.flip(kernel, [0, 1])[None, None].repeat(channels, 1, 1, 1)
    return functional.conv2d(padded, weight, groups=channels)[:, :, ::down, ::down]


def stand_in(name: str):
    """A module with these operators, in place of the one that compiles them."""
    names = {"FusedLeakyReLU": FusedLeakyReLU, "fused_leaky_relu": fused_leaky_relu, "upfirdn2d": upfirdn2d}
    return code.holding(name, **names)
