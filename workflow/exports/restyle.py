"""ReStyle of yuval-alaluf/restyle-encoder over e4e or pSp and StyleGAN2 of FFHQ, as one TorchScript program.

A face goes through the encoder five times, each time beside what was made of it before (Alaluf et al. 2021); the
first time beside the average face. The noise is the one that the checkpoint keeps, as its authors' inference has it.
"""

from argparse import Namespace
from contextlib import contextmanager
from unittest import mock

import torch

from exports import checkpoints, code
from exports.checked import Graph
from exports.stylegan_ops import stand_in

STEPS = 5
SIZE = 256
KINDS = {"restyle_e4e": ("models.e4e", "e4e"), "restyle_psp": ("models.psp", "pSp")}


def made(flags: Namespace) -> Graph:
    """The program: input (1, 3, 256, 256) in [-1, 1] -> the face at StyleGAN's size, in the same range."""
    place, kind = KINDS[flags.name]
    operators = {"models__stylegan2__op": stand_in("models.stylegan2.op")}
    family = getattr(code.module(flags.code, place, **operators), kind)
    held = checkpoints.read(flags.checkpoint)
    told = {**held["opts"], "checkpoint_path": str(flags.checkpoint), "device": "cpu", "n_iters_per_batch": STEPS}
    options = Namespace(**{"output_size": 1024, "input_nc": 6, "dataset_type": "ffhq_encode", **told})
    options.resize_outputs = False
    with read_already(held):
        net = family(options).eval()
    _check(net, held["state_dict"], flags.checkpoint.name)
    average = _average(net)
    inference = code.module(flags.code, "utils.inference_utils", "utils")

    def reference(given: torch.Tensor) -> torch.Tensor:
        faces, _ = inference.run_on_batch(given, net, options, average)
        return faces[0][-1][None]

    return Graph(Steps(net, average), ["out0"], (SIZE, SIZE), (-1, 1), reference=reference)


def _average(net) -> torch.Tensor:
    """(3, 256, 256): the face of the average code."""
    with torch.no_grad():
        told = {"randomize_noise": False, "return_latents": False, "average_code": True}
        return net(net.latent_avg.unsqueeze(0), input_code=True, **told)[0].float()


@contextmanager
def read_already(held: dict):
    """The authors' class reads the file itself, by pickle: it is handed what was read as plain tensors."""
    with mock.patch("torch.load", lambda *_, **__: held):
        yield


def _check(net: torch.nn.Module, state: dict, name: str) -> None:
    """Raises Unfit where the checkpoint lacks a tensor of the network, which its own code lets pass."""
    wanted = {key for key in net.state_dict() if key.startswith(("encoder.", "decoder."))}
    lacks = sorted(key for key in wanted - set(state) if checkpoints.COUNTER not in key)
    if lacks:
        raise checkpoints.Unfit(f"{name} is a checkpoint of another network: it lacks {', '.join(lacks[:3])}, ...")


class Steps(torch.nn.Module):
    """All steps, and the last one's face."""

    def __init__(self, net: torch.nn.Module, average: torch.Tensor):
        super().__init__()
        self.net = net
        self.register_buffer("average", average[None])

    def forward(self, given):
        before = face = self.average.repeat(given.shape[0], 1, 1, 1)
        code_ = None
        for _ in range(STEPS):
            told = {"latent": code_, "randomize_noise": False, "return_latents": True, "resize": False}
            face, code_ = self.net.forward(torch.cat([given, before], dim=1), **told)
            before = self.net.face_pool(face)
        return face
