"""Small detectors with the parts that exports asks of MMDetection's, and its way from them to boxes, box by box."""

from types import SimpleNamespace
from typing import ClassVar

import torch
from torch import nn

STRIDES = [(8, 8), (16, 16)]
CLASSES = 3
CODER = SimpleNamespace(means=(0.0, 0.0, 0.0, 0.0), stds=(0.1, 0.1, 0.2, 0.2))


class Priors:
    """One square for each cell, four strides wide."""

    strides = STRIDES
    base_anchors = tuple(torch.tensor([[-2.0, -2, 2, 2]]) * stride for stride, _ in STRIDES)

    def all(self, number: int, shape) -> list[list[float]]:
        [(stride, _), half] = STRIDES[number], STRIDES[number][0] * 2
        return [[x * stride - half, y * stride - half, x * stride + half, y * stride + half]
                for y in range(shape[0]) for x in range(shape[1])]  # fmt: skip


class Dcn(nn.Module):
    """A deformable convolution, sampled cell by cell."""

    stride, padding, dilation, groups, deform_groups = (1, 1), (1, 1), (1, 1), 1, 1

    def __init__(self, channels: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(channels, channels, 3, 3) * 0.2)
        self.conv_offset = nn.Conv2d(channels, 18, 3, 1, 1)

    def forward(self, given):
        offsets, (_, _, height, width) = self.conv_offset(given)[0], given.shape
        around = nn.functional.pad(given[0], (1, 1, 1, 1))
        found = torch.zeros(given.shape[1], height, width)
        for y in range(height):
            for x in range(width):
                for cell in range(9):
                    down = y + cell // 3 - 1 + float(offsets[2 * cell, y, x])
                    across = x + cell % 3 - 1 + float(offsets[2 * cell + 1, y, x])
                    if -1 < down < height and -1 < across < width:
                        found[:, y, x] += self.weight[:, :, cell // 3, cell % 3] @ between(around, down + 1, across + 1)
        return found[None]


def between(values, y: float, x: float):
    """(channels,): bilinear, between the four cells around a place."""
    top, left = min(int(y // 1), values.shape[1] - 2), min(int(x // 1), values.shape[2] - 2)
    y, x = y - top, x - left
    upper = values[:, top, left] * (1 - x) + values[:, top, left + 1] * x
    return upper * (1 - y) + (values[:, top + 1, left] * (1 - x) + values[:, top + 1, left + 1] * x) * y


class RoIAlign:
    """mmcv's, aligned, as many samples as a region has cells."""

    sampling_ratio, aligned, pool_mode = 0, True, "avg"

    def __init__(self, side: int, scale: float):
        self.output_size, self.spatial_scale = (side, side), scale

    def __call__(self, feature, boxes):
        side, found = self.output_size[0], []
        for x0, y0, x1, y1 in (boxes[:, 1:] * self.spatial_scale - 0.5).tolist():
            y, x = sampled(y0, y1, side), sampled(x0, x1, side)
            height, width = feature.shape[-2:]
            # The outer cells go on for one cell, and beyond that there is nothing.
            there = ((y >= -1) & (y <= height))[:, None] & ((x >= -1) & (x <= width))[None, :]
            places = torch.broadcast_tensors(((2 * x + 1) / width - 1)[None, :], ((2 * y + 1) / height - 1)[:, None])
            told = {"padding_mode": "border", "align_corners": False}
            values = nn.functional.grid_sample(feature, torch.stack(places, dim=-1)[None], **told)[0] * there
            found.append(values.unflatten(2, (side, -1)).unflatten(1, (side, -1)).mean((2, 4)))
        return torch.stack(found) if found else feature.new_zeros((0, feature.shape[1], side, side))


def sampled(start: float, end: float, side: int):
    """Where a region is looked at along an axis: in each of `side` parts, in the middle of each of its samples."""
    each, part = int(-(-(end - start) / side // 1)), (end - start) / side
    within = (torch.arange(each) + 0.5) / each
    return (start + part * (torch.arange(side)[:, None] + within[None, :])).flatten()


def moved(box: list[float], moves: list[float], shape) -> list[float]:
    """MMDetection's DeltaXYWHBBoxCoder, for one box."""
    moves = [move * std for move, std in zip(moves, CODER.stds, strict=True)]
    width, height = box[2] - box[0], box[3] - box[1]
    x, y = (box[0] + box[2]) / 2 + width * moves[0], (box[1] + box[3]) / 2 + height * moves[1]
    width, height = width * float(torch.tensor(moves[2]).exp()) / 2, height * float(torch.tensor(moves[3]).exp()) / 2
    ends = (x - width, shape[1]), (y - height, shape[0]), (x + width, shape[1]), (y + height, shape[0])
    return [min(max(value, 0), most) for value, most in ends]


def kept(rows: list[tuple], limit: float) -> list[tuple]:
    """Of (score, group, box, ...) those that no better one of their group overlaps by more, best first."""
    found = []
    for row in sorted(rows, key=lambda row: -row[0]):
        if all(row[1] != other[1] or iou(row[2], other[2]) <= limit for other in found):
            found.append(row)
    return found


def iou(one, other) -> float:
    width, height = (max(min(one[n + 2], other[n + 2]) - max(one[n], other[n]), 0) for n in (0, 1))
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (one, other)]
    return width * height / (sum(areas) - width * height)


def answer(rows: list[tuple]):
    """MMDetection's: (score, label, box)."""
    boxes = torch.tensor([row[2] for row in rows]).reshape(-1, 4)
    scores, labels = torch.tensor([row[0] for row in rows]), torch.tensor([row[1] for row in rows]).long()
    return [SimpleNamespace(pred_instances=SimpleNamespace(bboxes=boxes, scores=scores, labels=labels))]


class Features(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Sequential(nn.Conv2d(3, 8, 9, 8, 4), nn.Tanh())
        self.second = nn.Sequential(nn.Conv2d(8, 8, 3, 2, 1), nn.Tanh())

    def extract_feat(self, given):
        first = self.first(given)
        return first, self.second(first)


class DdodHead(nn.Module):
    """What it is, how it moves, and how sure it is of that."""

    cls_out_channels, bbox_coder, prior_generator = CLASSES, CODER, Priors()
    test_cfg: ClassVar = {
        "nms_pre": 12,
        "score_thr": 0.05,
        "nms": {"type": "nms", "iou_threshold": 0.6},
        "max_per_img": 10,
    }

    def __init__(self):
        super().__init__()
        self.dcn = Dcn(8)
        self.classes, self.moves, self.sure = nn.Conv2d(8, CLASSES, 1), nn.Conv2d(8, 4, 1), nn.Conv2d(8, 1, 1)
        self.classes.bias.data[0] += 1

    def forward(self, features):
        features = [self.dcn(one).tanh() for one in features]
        return tuple([layer(one) for one in features] for layer in (self.classes, self.moves, self.sure))


class Ddod(Features):
    def __init__(self):
        super().__init__()
        self.bbox_head = DdodHead()

    def predict(self, given, samples, rescale):
        told, shape, rows = self.bbox_head.test_cfg, samples[0].metainfo["img_shape"], []
        for number, level in enumerate(zip(*self.bbox_head.forward(self.extract_feat(given)), strict=True)):
            classes, moves, sure = (one[0].flatten(1).T for one in level)
            priors = Priors().all(number, level[0].shape[-2:])
            pairs = [
                (float(classes[n, label].sigmoid()), n, label) for n in range(len(priors)) for label in range(CLASSES)
            ]
            pairs = sorted((pair for pair in pairs if pair[0] > told["score_thr"]), reverse=True)[: told["nms_pre"]]
            rows += [(score * float(sure[n].sigmoid()), label, moved(priors[n], moves[n].tolist(), shape))
                     for score, n, label in pairs]  # fmt: skip
        return answer(kept(rows, told["nms"]["iou_threshold"])[: told["max_per_img"]])


class Rpn(nn.Module):
    bbox_coder, prior_generator = SimpleNamespace(means=(0.0,) * 4, stds=CODER.stds), Priors()
    test_cfg: ClassVar = {
        "nms_pre": 10,
        "max_per_img": 8,
        "nms": {"type": "nms", "iou_threshold": 0.7},
        "min_bbox_size": 0,
    }

    def __init__(self):
        super().__init__()
        self.scores, self.moves = nn.Conv2d(8, 1, 1), nn.Conv2d(8, 4, 1)

    def forward(self, features):
        return [self.scores(one) for one in features], [self.moves(one) for one in features]


class Extractor:
    finest_scale, num_inputs = 30, 2

    def __init__(self, side: int):
        self.roi_layers = [RoIAlign(side, 1 / stride) for stride, _ in STRIDES]

    def __call__(self, features, boxes):
        sides = ((boxes[:, 3] - boxes[:, 1]) * (boxes[:, 4] - boxes[:, 2])).sqrt()
        found = [self.roi_layers[int(side >= 2 * self.finest_scale)] for side in sides]
        levels = [features[int(side >= 2 * self.finest_scale)] for side in sides]
        return torch.cat(
            [layer(level, boxes[n : n + 1]) for n, (layer, level) in enumerate(zip(found, levels, strict=True))]
        )


class BoxHead(nn.Module):
    bbox_coder = CODER

    def __init__(self):
        super().__init__()
        self.scores, self.moves = nn.Linear(8 * 4, CLASSES + 1), nn.Linear(8 * 4, 4)
        self.scores.bias.data[0] += 1

    def forward(self, cells):
        return self.scores(cells.flatten(1)), self.moves(cells.flatten(1))


class MaskHead(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.ConvTranspose2d(8, CLASSES, 2, 2)

    def forward(self, cells):
        return self.layer(cells)

    def predict_by_feat(self, mask_preds, results_list, **_):
        return results_list


class RoiHead(nn.Module):
    num_stages = 2
    test_cfg: ClassVar = {"score_thr": 0.05, "nms": {"type": "nms", "iou_threshold": 0.5}, "max_per_img": 6}

    def __init__(self, masks: bool):
        super().__init__()
        self.bbox_roi_extractor = [Extractor(2) for _ in range(2)]
        self.bbox_head = nn.ModuleList(BoxHead() for _ in range(2))
        if masks:
            self.mask_roi_extractor = [Extractor(14) for _ in range(2)]
            self.mask_head = nn.ModuleList(MaskHead() for _ in range(2))


class Cascade(Features):
    def __init__(self, masks: bool = False):
        super().__init__()
        self.rpn_head, self.roi_head, self.masks = Rpn(), RoiHead(masks), masks

    def predict(self, given, samples, rescale):
        shape, features = samples[0].metainfo["img_shape"], self.extract_feat(given)
        boxes, told = self.proposals(features, shape), []
        for extractor, head in zip(self.roi_head.bbox_roi_extractor, self.roi_head.bbox_head, strict=True):
            scores, moves = head(extractor(features, rois(boxes)))
            told.append(scores)
            boxes = [moved(box, move, shape) for box, move in zip(boxes, moves.tolist(), strict=True)]
        chances = (sum(told) / len(told)).softmax(1)[:, :-1]
        told = self.roi_head.test_cfg
        rows = [(float(chances[n, label]), label, box) for n, box in enumerate(boxes) for label in range(CLASSES)]
        rows = kept([row for row in rows if row[0] > told["score_thr"]], told["nms"]["iou_threshold"])
        found = answer(rows[: told["max_per_img"]])
        if self.masks and rows:
            boxes = rois(found[0].pred_instances.bboxes.tolist())
            parts = zip(self.roi_head.mask_roi_extractor, self.roi_head.mask_head, strict=True)
            shapes = [head(extractor(features, boxes)).sigmoid() for extractor, head in parts]
            self.roi_head.mask_head[-1].predict_by_feat(mask_preds=[sum(shapes) / len(shapes)], results_list=found)
        return found

    def proposals(self, features, shape) -> list[list[float]]:
        told, rows = self.rpn_head.test_cfg, []
        for number, level in enumerate(zip(*self.rpn_head.forward(features), strict=True)):
            scores, moves = (one[0].flatten(1).T for one in level)
            priors = Priors().all(number, level[0].shape[-2:])
            best = scores[:, 0].argsort(descending=True)[: told["nms_pre"]].tolist()
            rows += [(float(scores[n, 0].sigmoid()), number, moved(priors[n], moves[n].tolist(), shape)) for n in best]
        rows = [row for row in rows if row[2][2] > row[2][0] and row[2][3] > row[2][1]]
        return [row[2] for row in kept(rows, told["nms"]["iou_threshold"])[: told["max_per_img"]]]


def rois(boxes: list[list[float]]):
    """(n, 5): boxes of the only picture."""
    return torch.tensor([[0.0, *box] for box in boxes])
