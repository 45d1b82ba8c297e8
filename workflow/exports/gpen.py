"""GPEN of yangxy/GPEN (GPEN-BFR-512.pth): a restored face, 512 px."""

from argparse import Namespace

import torch

from exports import checkpoints, code
from exports.checked import Graph
from exports.stylegan_ops import stand_in

SIZE, STYLE, LAYERS = 512, 512, 8


def made(flags: Namespace) -> Graph:
    """The graph: input (1, 3, 512, 512) in [-1, 1] -> output of the same shape and range."""
    kind = code.module(flags.code / "face_model", "gpen_model", op=stand_in("op")).FullGenerator
    net = kind(SIZE, STYLE, LAYERS, channel_multiplier=2, narrow=1, device="cpu")
    face = Face(checkpoints.fitted(net, checkpoints.tensors(flags.checkpoint), flags.checkpoint.name))
    return Graph(of_one_size(face, SIZE), ["output"], (SIZE, SIZE), (-1, 1), reference=face)


def of_one_size(net: torch.nn.Module, size: int) -> torch.nn.Module:
    """A network for squares of one size: every shape in it is a number, as ONNX wants those of kernels to be."""
    from torch.fx.experimental.proxy_tensor import make_fx

    with torch.no_grad():
        return make_fx(net.eval())(torch.zeros(1, 3, size, size))


class Face(torch.nn.Module):
    """The picture of a generator that also returns what it made it of."""

    def __init__(self, net: torch.nn.Module, **told):
        super().__init__()
        self.net, self.told = net, told

    def forward(self, given):
        return self.net(given, **self.told)[0]
