"""What detectors do with boxes outside their networks, for any size of the input: priors, decoding, NMS, RoIAlign.

Each is what MMDetection computes, in operators that ONNX has; NonMaxSuppression and RoiAlign are asked as such.
"""

import math

import torch

FAR = -1.0
"""The score of what is only there to fill up."""


def grid(anchors, stride, shape):
    """(rows * columns * n, 4) boxes: n anchors (x0, y0, x1, y1 around 0) at each cell of a map, row by row."""
    x, y = torch.arange(shape[1]) * stride[0], torch.arange(shape[0]) * stride[1]
    x, y = x[None, :] + 0 * y[:, None], y[:, None] + 0 * x[None, :]
    moved = torch.stack([x, y, x, y], dim=-1).reshape(-1, 1, 4).to(anchors)
    return (moved + anchors[None]).reshape(-1, 4)


def decoded(boxes, moves, coder, shape):
    """(n, 4) boxes moved by (n, 4) shares of their sides (Girshick et al. 2014), cut at the input's edges.

    coder: MMDetection's, for its means, deviations and the largest growth. shape: height, width.
    """
    moves = moves * torch.tensor(list(coder.stds)) + torch.tensor(list(coder.means))
    most = abs(math.log(16 / 1000))
    sides = boxes[:, 2:] - boxes[:, :2]
    middles = (boxes[:, :2] + boxes[:, 2:]) * 0.5 + sides * moves[:, :2]
    sides = sides * moves[:, 2:].clamp(-most, most).exp()
    return cut(torch.cat([middles - sides * 0.5, middles + sides * 0.5], dim=1), shape)


def cut(boxes, shape):
    """(n, 4) boxes that end at the input's edges."""
    ends = torch.stack([torch.as_tensor(side) for side in (shape[1], shape[0], shape[1], shape[0])]).to(boxes)
    return torch.minimum(boxes.clamp(min=0), ends[None])


def best(scores, count, *others):
    """The `count` highest of (n,) scores, and the same rows of others; filled up with FAR where there are fewer."""
    scores = torch.cat([scores, scores.new_full((count,), FAR)])
    found, order = scores.topk(count)
    return (found, *(torch.cat([one, one.new_zeros((count, *one.shape[1:]))])[order] for one in others))


def suppressed(boxes, scores, groups, overlap, most):
    """Numbers of the rows that are kept, best first: of a group none that overlaps a better one by more.

    Groups (levels, classes) are moved apart, as mmcv's batched_nms does. Rows whose score isn't above 0 are left out.
    """
    apart = boxes + (groups.to(boxes) * (boxes.max() + 1))[:, None]
    return Suppression.apply(apart[None], scores[None, None], most, overlap, 0.0)[:, 2]


class Suppression(torch.autograd.Function):
    """ONNX's NonMaxSuppression: (1, n, 4) boxes, (1, classes, n) scores -> (k, 3) numbers of picture, class, box."""

    @staticmethod
    def forward(_, boxes, scores, most, overlap, least):
        found = []
        for number, row in enumerate(scores[0]):
            kept = _kept(boxes[0], row, overlap, least)[:most]
            found.append(torch.stack([torch.zeros_like(kept), torch.full_like(kept, number), kept], dim=1))
        return torch.cat(found)

    @staticmethod
    def symbolic(g, boxes, scores, most, overlap, least):
        told = [torch.tensor([most]), torch.tensor([overlap]), torch.tensor([least])]
        return g.op("NonMaxSuppression", boxes, scores, *(g.op("Constant", value_t=value) for value in told))


def _kept(boxes, scores, overlap, least):
    """(k,) numbers of boxes, best first."""
    order = scores.argsort(descending=True, stable=True)
    order, kept = order[scores[order] > least], []
    areas = (boxes[:, 2:] - boxes[:, :2]).prod(dim=1)
    while len(order):
        first, order = order[0], order[1:]
        kept.append(first)
        ends = torch.minimum(boxes[first, 2:], boxes[order, 2:]) - torch.maximum(boxes[first, :2], boxes[order, :2])
        shared = ends.clamp(min=0).prod(dim=1)
        order = order[shared / (areas[first] + areas[order] - shared) <= overlap]
    return torch.stack(kept) if kept else torch.zeros(0, dtype=torch.long)


class Aligned(torch.autograd.Function):
    """ONNX's RoiAlign by half pixels, as mmcv's RoIAlign with `aligned`: a map, (n, 5) boxes -> (n, channels, ...)."""

    @staticmethod
    def forward(_, feature, boxes, layer):
        return layer(feature, boxes)

    @staticmethod
    def symbolic(g, feature, boxes, layer):
        column = g.op("Constant", value_t=torch.tensor([0]))
        sides = g.op("Gather", boxes, g.op("Constant", value_t=torch.tensor([1, 2, 3, 4])), axis_i=1)
        first = g.op("Squeeze", g.op("Gather", boxes, column, axis_i=1), g.op("Constant", value_t=torch.tensor([1])))
        height, width = layer.output_size
        mode = "half_pixel" if layer.aligned else "output_half_pixel"
        return g.op(
            "RoiAlign", feature, sides, g.op("Cast", first, to_i=7), output_height_i=height, output_width_i=width,
            sampling_ratio_i=layer.sampling_ratio, spatial_scale_f=layer.spatial_scale,
            coordinate_transformation_mode_s=mode, mode_s=layer.pool_mode,
        )  # fmt: skip


def levels(extractor, features, boxes):
    """(n, channels, rows, columns): for each of (n, 5) boxes, from the level that fits its size (Lin et al. 2017)."""
    sides = ((boxes[:, 3] - boxes[:, 1]) * (boxes[:, 4] - boxes[:, 2])).sqrt()
    level = torch.floor(torch.log2(sides / extractor.finest_scale + 1e-6)).clamp(0, extractor.num_inputs - 1)
    found, order = [], []
    for number, (feature, layer) in enumerate(zip(features, extractor.roi_layers, strict=False)):
        mine = (level == number).nonzero()[:, 0]
        found.append(Aligned.apply(feature, boxes[mine], layer))
        order.append(mine)
    return torch.cat(found)[torch.cat(order).argsort()]
