"""Detectors of one stage that tell of each prior what it is and how it moves, as DDOD (Chen et al. 2021)."""

import torch

from exports.onnx_boxes import FAR, best, decoded, grid, suppressed


class Dense(torch.nn.Module):
    """input -> dets (1, n, 5), labels (1, n), by the numbers of MMDetection's `test_cfg`."""

    def __init__(self, net: torch.nn.Module):
        super().__init__()
        self.net = net

    def forward(self, given):
        head, told = self.net.bbox_head, self.net.bbox_head.test_cfg
        answers = zip(*head.forward(self.net.extract_feat(given)), strict=True)
        found = [self.level(number, *one, shape=given.shape[-2:]) for number, one in enumerate(answers)]
        scores, labels, boxes = (torch.cat(parts) for parts in zip(*found, strict=True))
        kept = suppressed(boxes, scores, labels, told["nms"]["iou_threshold"], told["nms_pre"] * len(found))
        kept = kept[: told["max_per_img"]]
        return torch.cat([boxes[kept], scores[kept, None]], dim=1)[None], labels[kept][None]

    def level(self, number, classes, moves, sure, shape):
        """The best pairs of prior and class of a level: scores, labels, boxes."""
        head, told = self.net.bbox_head, self.net.bbox_head.test_cfg
        priors = head.prior_generator
        boxes = grid(priors.base_anchors[number], priors.strides[number], classes.shape[-2:])
        scores = classes[0].permute(1, 2, 0).reshape(-1, head.cls_out_channels).sigmoid()
        sure, moves = sure[0].permute(1, 2, 0).reshape(-1).sigmoid(), moves[0].permute(1, 2, 0).reshape(-1, 4)
        pairs = scores.reshape(-1)
        pairs, order = best(pairs, told["nms_pre"], torch.arange(pairs.shape[0]))
        prior, label = order // head.cls_out_channels, order % head.cls_out_channels
        together = torch.where(pairs > told["score_thr"], pairs * sure[prior], torch.full_like(pairs, FAR))
        return together, label, decoded(boxes[prior], moves[prior], head.bbox_coder, shape)
