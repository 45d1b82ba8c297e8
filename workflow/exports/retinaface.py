"""RetinaFace of biubug6/Pytorch_Retinaface (Resnet50_Final.pth): boxes as fractions of the input, and scores.

The entry `retinaface` drops boxes that overlap; here the priors are applied, which that code does outside its network.
"""

from argparse import Namespace

import torch

from exports import checkpoints, code
from exports.checked import Graph


def made(flags: Namespace) -> Graph:
    """The graph: input of any size -> boxes (1, n, 4) x0, y0, x1, y1 as fractions, scores (1, n, 2)."""
    settings = code.module(flags.code, "data.config", "data").cfg_re50
    kind = code.module(flags.code, "models.retinaface").RetinaFace
    net = kind(cfg={**settings, "pretrain": False}, phase="test")
    checkpoints.fitted(net, checkpoints.tensors(flags.checkpoint), flags.checkpoint.name)
    boxes = code.module(flags.code, "utils.box_utils")
    priors = code.module(flags.code, "layers.functions.prior_box", "layers", "layers.functions")

    def reference(given: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        moved, scores, _ = net(given)
        there = priors.PriorBox(settings, image_size=tuple(given.shape[-2:])).forward()
        return boxes.decode(moved[0], there, settings["variance"])[None], scores

    any_size = {"input": {2: "height", 3: "width"}, "boxes": {1: "n"}, "scores": {1: "n"}}
    return Graph(
        Boxes(net, settings), ["boxes", "scores"], (320, 256), (-123, 151),
        sizes=[(419, 300), (300, 419)], dynamic=any_size, reference=reference,
    )  # fmt: skip


class Boxes(torch.nn.Module):
    """A network that tells how priors move, with the priors of its input's size applied (SSD's, Liu et al. 2016)."""

    def __init__(self, net: torch.nn.Module, settings: dict):
        super().__init__()
        self.net, self.settings = net, settings

    def forward(self, given):
        moved, scores, _ = self.net(given)
        priors = self.priors(given.shape[-2], given.shape[-1])
        first, second = self.settings["variance"]
        middle = priors[:, :2] + moved[..., :2] * first * priors[:, 2:]
        sides = priors[:, 2:] * torch.exp(moved[..., 2:] * second)
        return torch.cat([middle - sides / 2, middle + sides / 2], dim=-1), scores

    def priors(self, height, width):
        """(n, 4) middles x, y and sides as fractions: map by map, row by row, cell by cell, both sides of a cell."""
        whole = torch.stack([torch.as_tensor(width), torch.as_tensor(height)]).float()
        found = []
        for step, sides in zip(self.settings["steps"], self.settings["min_sizes"], strict=True):
            y = (torch.arange((height + step - 1) // step) + 0.5) * step
            x = (torch.arange((width + step - 1) // step) + 0.5) * step
            middles = torch.stack([x[None, :] + 0 * y[:, None], y[:, None] + 0 * x[None, :]], dim=-1).reshape(-1, 1, 2)
            squares = torch.tensor(sides).float().reshape(1, -1, 1)
            both = torch.cat([middles + 0 * squares, squares + 0 * middles], dim=-1)
            found.append(both.reshape(-1, 4))
        return torch.cat(found) / torch.cat([whole, whole])
