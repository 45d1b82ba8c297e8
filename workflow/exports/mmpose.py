"""Top-down poses of open-mmlab/mmpose: Simple Baselines and HRNet (heatmaps), RTMPose (SimCC), 17 keypoints of COCO.

Where their configuration asks a second time with the mirrored picture (flip_test, as the published figures do), so does
the graph.
"""

from argparse import Namespace

import torch

from exports import checkpoints
from exports.checked import Graph
from exports.openmmlab import built

BODY = "configs/body_2d_keypoint"
CONFIGS = {
    "simple_baseline": f"{BODY}/topdown_heatmap/coco/td-hm_res50_8xb64-210e_coco-256x192.py",
    "hrnet": f"{BODY}/topdown_heatmap/coco/td-hm_hrnet-w32_8xb64-210e_coco-256x192.py",
    "rtmpose": f"{BODY}/rtmpose/coco/rtmpose-m_8xb256-420e_coco-256x192.py",
}
MIRRORED = [0, 2, 1, 4, 3, 6, 5, 8, 7, 10, 9, 12, 11, 14, 13, 16, 15]
"""Which keypoint of COCO's 17 each one is in the mirror."""
SIZE = (256, 192)


def made(flags: Namespace) -> Graph:
    """The graph: input (1, 3, 256, 192) -> output (1, 17, 64, 48); of RTMPose simcc_x (1, 17, 384), simcc_y."""
    net = built(flags.code, flags.config or CONFIGS[flags.name], "mmpose")
    checkpoints.fitted(net, checkpoints.tensors(flags.checkpoint), flags.checkpoint.name)
    told = net.test_cfg or {}
    flips = bool(told.get("flip_test")) and not flags.no_flip
    if flips and told.get("flip_mode", "heatmap") != "heatmap":
        raise checkpoints.Unfit(
            f"its configuration mirrors by {told['flip_mode']}, which no entry reads: use --no-flip"
        )
    names = ["simcc_x", "simcc_y"] if flags.name == "rtmpose" else ["output"]
    return Graph(Pose(net, flips, bool(told.get("shift_heatmap"))), names, SIZE, (-2.2, 2.7),
                 reference=lambda given: answer(net, given, flips))  # fmt: skip


class Pose(torch.nn.Module):
    """A pose network; `flips`: the mean of its answers for the picture and for the mirrored one, mirrored back.

    shift: the mirrored heatmap goes one cell to the right, as it does where cells aren't symmetric in the input.
    """

    def __init__(self, net: torch.nn.Module, flips: bool, shift: bool):
        super().__init__()
        self.net, self.flips, self.shift = net, flips, shift

    def forward(self, given):
        found = self.asked(given)
        if self.flips:
            back = self.mirrored(self.asked(given.flip(-1)))
            found = tuple((one + other) * 0.5 for one, other in zip(found, back, strict=True))
        return found if len(found) > 1 else found[0]

    def asked(self, given):
        found = self.net.head.forward(self.net.extract_feat(given))
        return found if isinstance(found, tuple) else (found,)

    def mirrored(self, found):
        """The first answer has columns at its end, the second of SimCC rows."""
        across = found[0][:, MIRRORED].flip(-1)
        if self.shift and across.ndim == 4:
            across = torch.cat([across[..., :1], across[..., :-1]], dim=-1)
        return (across, *(rows[:, MIRRORED] for rows in found[1:]))


def answer(net: torch.nn.Module, given: torch.Tensor, flips: bool):
    """MMPose's own answer, before it is decoded: the network's `predict` with its decoder listening."""
    heard = []
    decode = net.head.decode
    net.head.decode = lambda found: heard.append(found) or decode(found)
    before = net.test_cfg
    try:
        net.test_cfg = {**before, "flip_test": flips, "output_heatmaps": False}
        net.head.predict(feats(net, given, flips), [sample()], test_cfg=net.test_cfg)
    finally:
        net.head.decode, net.test_cfg = decode, before
    return heard[0]


def feats(net: torch.nn.Module, given: torch.Tensor, flips: bool):
    """The features that the head is asked with."""
    found = net.extract_feat(given)
    return [found, net.extract_feat(given.flip(-1))] if flips else found


def sample():
    """What the head wants to know of a picture besides."""
    return Namespace(metainfo={"flip_indices": MIRRORED})
