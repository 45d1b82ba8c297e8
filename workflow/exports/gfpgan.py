"""GFPGAN of TencentARC/GFPGAN (GFPGANv1.4.pth, the clean architecture): a restored face, 512 px.

Its authors draw new noise for each answer. Here it is the noise that the checkpoint keeps, so that the same face is
restored the same each time.
"""

from argparse import Namespace

from exports import checkpoints, code
from exports.checked import Graph
from exports.gpen import Face

SIZE, STYLE = 512, 512
SHAPE = {"num_mlp": 8, "input_is_latent": True, "different_w": True, "narrow": 1, "sft_half": True}


class Registry:
    """Stands for basicsr's register of architectures, which nothing here asks."""

    def register(self):
        return lambda kind: kind


def made(flags: Namespace) -> Graph:
    """The graph: input (1, 3, 512, 512) in [-1, 1] -> output of the same shape and range."""
    registry = code.holding("basicsr.utils.registry", ARCH_REGISTRY=Registry())
    weights = code.holding("basicsr.archs.arch_util", default_init_weights=lambda *_, **__: None)
    held = {"basicsr__utils__registry": registry, "basicsr__archs__arch_util": weights}
    for name in ("basicsr", "basicsr.utils", "basicsr.archs"):
        held[name.replace(".", "__")] = code.holding(name, __path__=[])
    kind = code.module(flags.code, "gfpgan.archs.gfpganv1_clean_arch", "gfpgan", "gfpgan.archs", **held).GFPGANv1Clean
    net = kind(SIZE, STYLE, channel_multiplier=2, decoder_load_path=None, fix_decoder=False, **SHAPE)
    checkpoints.fitted(net, checkpoints.tensors(flags.checkpoint), flags.checkpoint.name)
    return Graph(Face(net, return_rgb=False, randomize_noise=False), ["output"], (SIZE, SIZE), (-1, 1))
