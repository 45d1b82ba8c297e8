"""Cascade R-CNN (Cai and Vasconcelos 2018): proposals, then heads in a row, each of which moves the boxes once more."""

from typing import Any

import torch

from exports.onnx_boxes import FAR, Suppression, best, decoded, grid, levels, suppressed


class Cascade(torch.nn.Module):
    """input -> dets (1, n, 5), labels (1, n) and, where `masks`, masks (1, n, 28, 28) of their boxes.

    By the numbers of MMDetection's `test_cfg`; its heads' boxes are one for all classes.
    """

    def __init__(self, net: torch.nn.Module, masks: bool):
        super().__init__()
        self.net, self.masks = net, masks

    def forward(self, given):
        shape, features = given.shape[-2:], self.net.extract_feat(given)
        boxes, scores = self.stages(features, self.proposals(features, shape), shape)
        dets, labels = self.detections(boxes, scores)
        if not self.masks:
            return dets[None], labels[None]
        return dets[None], labels[None], self.shapes(features, dets[:, :4], labels)[None]

    def proposals(self, features, shape):
        """(n, 4) boxes that may hold something."""
        head, told = self.net.rpn_head, self.net.rpn_head.test_cfg
        scores, moves = head.forward(features)
        found = [self.level(number, *one, shape) for number, one in enumerate(zip(scores, moves, strict=True))]
        scores, boxes, level = (torch.cat(parts) for parts in zip(*found, strict=True))
        sides = boxes[:, 2:] - boxes[:, :2]
        scores = torch.where(sides.min(dim=1)[0] > told["min_bbox_size"], scores, torch.full_like(scores, FAR))
        kept = suppressed(boxes, scores, level, told["nms"]["iou_threshold"], told["nms_pre"] * len(found))
        return boxes[kept[: told["max_per_img"]]]

    def level(self, number, scores, moves, shape):
        """The best proposals of a level: scores, boxes, the level's number."""
        head = self.net.rpn_head
        boxes = grid(head.prior_generator.base_anchors[number], head.prior_generator.strides[number], scores.shape[-2:])
        scores = scores[0].permute(1, 2, 0).reshape(-1).sigmoid()
        moves = moves[0].permute(1, 2, 0).reshape(-1, 4)
        scores, boxes, moves = best(scores, head.test_cfg["nms_pre"], boxes, moves)
        return scores, decoded(boxes, moves, head.bbox_coder, shape), torch.full_like(scores, number)

    def stages(self, features, boxes, shape):
        """(n, 4) boxes after all stages, (n, classes) chances: softmax of the mean of their scores."""
        roi, told = self.net.roi_head, []
        for number in range(roi.num_stages):
            extractor, head = roi.bbox_roi_extractor[number], roi.bbox_head[number]
            scores, moves = head(levels(extractor, features[: extractor.num_inputs], of_picture(boxes)))
            told.append(scores)
            boxes = decoded(boxes, moves, head.bbox_coder, shape)
        total: Any = sum(told)
        return boxes, (total / len(told)).softmax(dim=1)[:, :-1]

    def detections(self, boxes, scores):
        """(n, 5) boxes with scores, (n,) labels, best first."""
        told = self.net.roi_head.test_cfg
        numbers = Suppression.apply(
            boxes[None], scores.T[None], boxes_at_most(self.net), told["nms"]["iou_threshold"], told["score_thr"]
        )
        labels, kept = numbers[:, 1], numbers[:, 2]
        scores = scores[kept, labels]
        scores, boxes, labels = best(scores, told["max_per_img"], boxes[kept], labels)
        some = (scores > 0).nonzero()[:, 0]
        return torch.cat([boxes[some], scores[some, None]], dim=1), labels[some]

    def shapes(self, features, boxes, labels):
        """(n, 28, 28) chances: the mean of all stages, of each box's own class."""
        roi, told, count = self.net.roi_head, [], labels.shape[0]
        # One more, which is left out again: ONNX Runtime refuses to convolve nothing, as there is where nobody is seen.
        boxes = torch.cat([boxes, torch.tensor([[0.0, 0.0, 16.0, 16.0]])])
        for number in range(roi.num_stages):
            extractor = roi.mask_roi_extractor[number]
            cells = levels(extractor, features[: extractor.num_inputs], of_picture(boxes))
            told.append(roi.mask_head[number](cells).sigmoid()[:count])
        total: Any = sum(told)
        return (total / len(told))[torch.arange(count), labels]


def of_picture(boxes):
    """(n, 5): boxes of the only picture."""
    return torch.cat([torch.zeros_like(boxes[:, :1]), boxes], dim=1)


def boxes_at_most(net) -> int:
    """No class keeps more boxes than there are proposals."""
    return net.rpn_head.test_cfg["max_per_img"]
