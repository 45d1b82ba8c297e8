"""Deformable convolutions (Dai et al. 2017) of mmcv, by sampling: the operators of ONNX that every runtime has."""

import copy

import torch
from torch.nn import functional

from exports.checkpoints import Unfit


def without_kernels(net: torch.nn.Module) -> torch.nn.Module:
    """A copy of a network whose deformable convolutions sample."""
    made = copy.deepcopy(net)
    for parent in list(made.modules()):
        for name, child in list(parent.named_children()):
            if hasattr(child, "conv_offset") and hasattr(child, "deform_groups"):
                setattr(parent, name, Deformed(child))
    return made


class Deformed(torch.nn.Module):
    """A convolution that looks, for each cell of its kernel, where another one tells it to. Stride 1, one group."""

    def __init__(self, layer: torch.nn.Module):
        super().__init__()
        self.offsets, self.weight = layer.conv_offset, layer.weight
        self.side = int(layer.weight.shape[-1])
        told = (layer.stride, layer.dilation, layer.padding, layer.groups, layer.deform_groups)
        known = all(pair(value) == want for value, want in zip(told, (1, 1, self.side // 2, 1, 1), strict=True))
        if not known or self.offsets.out_channels != 2 * self.side**2:
            raise Unfit("only plain deformable convolutions of stride 1 and one group are exported")

    def forward(self, given):
        offsets = self.offsets(given)
        height, width = given.shape[-2], given.shape[-1]
        reach = self.side // 2
        rows, columns = torch.arange(height)[:, None].to(given), torch.arange(width)[None, :].to(given)
        sampled = []
        for cell in range(self.side**2):
            y = rows + (cell // self.side - reach) + offsets[0, 2 * cell]
            x = columns + (cell % self.side - reach) + offsets[0, 2 * cell + 1]
            sampled.append(functional.grid_sample(given, shares(x, y, width, height), align_corners=False))
        return functional.conv2d(torch.cat(sampled, dim=1), self.flat())

    def flat(self):
        """(out, cells * in, 1, 1): the kernel, cell by cell."""
        out, channels, *_ = self.weight.shape
        return self.weight.permute(0, 2, 3, 1).reshape(out, self.side**2 * channels, 1, 1)


def shares(x, y, width, height):
    """(1, rows, columns, 2): numbers of cells as grid_sample wants them, -1 and 1 at the outer edges."""
    return torch.stack([(2 * x + 1) / width - 1, (2 * y + 1) / height - 1], dim=-1)[None]


def pair(value) -> int:
    """The one number of a setting that is one for both axes; -1 where they differ."""
    values = set(value) if isinstance(value, (tuple, list)) else {value}
    return values.pop() if len(values) == 1 else -1
