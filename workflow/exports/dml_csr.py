"""DML-CSR of deepinsight/insightface (parsing/dml_csr): 19 layers of scores at the size of the input.

Its batch norms are those of the compiled package inplace_abn; here they are written out, so that it isn't needed.
"""

from argparse import Namespace

import torch
from torch.nn import functional

from exports import checkpoints, code
from exports.checked import Graph

CLASSES = 19
SIZE = (473, 473)
TRAINING = "edge_layer."
"""Tensors of the head that only training has."""


def made(flags: Namespace) -> Graph:
    """The graph: input (1, 3, 473, 473) -> labels (1, 19, 473, 473); --code is the folder parsing/dml_csr."""
    abn = code.holding("inplace_abn", InPlaceABN=Abn, InPlaceABNSync=Abn)
    kind = code.module(flags.code, "networks.dml_csr", "networks", "networks.modules", inplace_abn=abn).DML_CSR
    state = checkpoints.tensors(flags.checkpoint)
    state = {name: value for name, value in state.items() if not name.startswith(TRAINING)}
    net = checkpoints.fitted(kind(CLASSES, Abn, False), state, flags.checkpoint.name)
    return Graph(Whole(net), ["labels"], SIZE, (-2.2, 2.7))


class Whole(torch.nn.Module):
    """A network's scores at the size of its input, as its authors' test enlarges them (corners aligned)."""

    def __init__(self, net: torch.nn.Module):
        super().__init__()
        self.net = net

    def forward(self, given):
        return functional.interpolate(self.net(given), size=SIZE, mode="bilinear", align_corners=True)


class Abn(torch.nn.BatchNorm2d):
    """A batch norm with its activation (leaky, 0.01), as inplace_abn has it: by the weight's amount, not its sign."""

    def forward(self, given):
        weight = self.weight.abs() + self.eps
        found = functional.batch_norm(given, self.running_mean, self.running_var, weight, self.bias, eps=self.eps)
        return functional.leaky_relu(found, 0.01)
