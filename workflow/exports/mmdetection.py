"""Detectors of open-mmlab/mmdetection: Cascade R-CNN, with masks or without, and DDOD, each over ResNet-50 and COCO.

MMDetection's own networks are asked; what it does with their answers is done in operators that ONNX has, so that the
file needs no operator of MMDeploy's, and takes an input of any size whose sides are multiples of 32.
"""

from argparse import Namespace
from types import SimpleNamespace

import torch

from exports import checkpoints
from exports.cascade import Cascade
from exports.checked import Graph
from exports.deformed import without_kernels
from exports.dense import Dense
from exports.openmmlab import built

CONFIGS = {
    "cascade_rcnn": "configs/cascade_rcnn/cascade-rcnn_r50_fpn_1x_coco.py",
    "cascade_mask_rcnn": "configs/cascade_rcnn/cascade-mask-rcnn_r50_fpn_1x_coco.py",
    "ddod": "configs/ddod/ddod_r50_fpn_1x_coco.py",
}
NAMES = ["dets", "labels", "masks"]
MASK = (28, 28)
"""Rows and columns of a mask."""
UPRIGHT, BROAD, TRACED = (288, 192), (192, 288), (224, 256)


def made(flags: Namespace) -> Graph:
    """The graph: input of any size -> dets (1, n, 5) x0, y0, x1, y1, score; labels (1, n); masks (1, n, 28, 28)."""
    net = built(flags.code, flags.config or CONFIGS[flags.name], "mmdet")
    checkpoints.fitted(net, checkpoints.tensors(flags.checkpoint), flags.checkpoint.name)
    return graph(net, masks=flags.name == "cascade_mask_rcnn")


def graph(net: torch.nn.Module, masks: bool) -> Graph:
    """The graph of a detector that is loaded."""
    names = NAMES if masks else NAMES[:2]
    any_size = {"input": {2: "height", 3: "width"}, **{name: {1: "n"} for name in names}}
    asked = Cascade(net, masks) if hasattr(net, "roi_head") else Dense(without_kernels(net))
    return Graph(asked, names, TRACED, (-2.2, 2.7), sizes=[UPRIGHT, BROAD], dynamic=any_size, rows=True,
                 reference=lambda given: answer(net, given, masks))  # fmt: skip


def answer(net: torch.nn.Module, given: torch.Tensor, masks: bool) -> tuple[torch.Tensor, ...]:
    """MMDetection's own answer for a picture that fills the input; masks as they are before they are pasted."""
    shape = tuple(int(side) for side in given.shape[-2:])
    told = {"img_shape": shape, "ori_shape": shape, "batch_input_shape": shape, "pad_shape": shape}
    heard, head = [], None
    if masks:
        head = net.roi_head.mask_head[-1]
        head.predict_by_feat = lambda mask_preds, results_list, **_: heard.append(mask_preds[0]) or results_list
    try:
        found = net.predict(given, [sample({**told, "scale_factor": (1.0, 1.0)})], rescale=False)[0].pred_instances
    finally:
        if head is not None:
            del head.predict_by_feat
    boxes = (torch.cat([found.bboxes, found.scores[:, None]], dim=1)[None], found.labels[None])
    if not masks:
        return boxes
    if not len(found.labels):
        return (*boxes, torch.zeros(1, 0, *MASK))
    return (*boxes, torch.as_tensor(heard[0])[torch.arange(len(found.labels)), found.labels][None])


def sample(told: dict):
    """What MMDetection wants to know of a picture."""
    try:
        from mmdet.structures import DetDataSample
    except ImportError:
        return SimpleNamespace(metainfo=told)
    return DetDataSample(metainfo=told)
