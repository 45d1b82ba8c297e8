"""Networks whose ResNet was timm's when they were published, on transformers' own ResNet instead: timm isn't needed.

Both are the network of He et al. 2016 with the stride of a bottleneck in its 3 x 3 convolution ("v1.5"); only the names
of the tensors differ.
"""

import re
from typing import Any

from accord.errors import AccordError, Problem

BASIC, BOTTLENECK = ("basic", (64, 128, 256, 512)), ("bottleneck", (256, 512, 1024, 2048))
RESNETS = {
    "resnet18": (*BASIC, (2, 2, 2, 2)),
    "resnet34": (*BASIC, (3, 4, 6, 3)),
    "resnet50": (*BOTTLENECK, (3, 4, 6, 3)),
    "resnet101": (*BOTTLENECK, (3, 4, 23, 3)),
    "resnet152": (*BOTTLENECK, (3, 8, 36, 3)),
}
"""timm's name -> kind of layers, channels and depths of the four stages."""
FOUND = re.compile(r"^(.*\bbackbone\.(?:conv_encoder\.)?model\.)(.+)$")
COUNTER = "num_batches_tracked"
STEM = re.compile(r"^(conv|bn)1\.(\w+)$")
LAYER = re.compile(r"^layer([1-4])\.(\d+)\.(conv|bn)([1-3])\.(\w+)$")
SHORTCUT = re.compile(r"^layer([1-4])\.(\d+)\.downsample\.([01])\.(\w+)$")
KINDS = {"conv": "convolution", "bn": "normalization", "0": "convolution", "1": "normalization"}


def is_timms(config: Any) -> bool:
    """Whether a configuration of transformers wants a ResNet of timm for which there is one of transformers."""
    wanted = getattr(config, "backbone_config", None)
    if getattr(wanted, "model_type", "") != "timm_backbone" or getattr(wanted, "output_stride", None):
        return False
    return _name(wanted) in RESNETS


def on_own_resnet(config: Any):
    """The configuration with transformers' ResNet in place of timm's; the same feature maps go on."""
    from transformers import ResNetConfig

    wanted = config.backbone_config
    kind, channels, depths = RESNETS[_name(wanted)]
    stages = [f"stage{number}" for number in wanted.out_indices]
    sizes = {"embedding_size": 64, "hidden_sizes": list(channels), "depths": list(depths)}
    config.backbone_config = ResNetConfig(
        **sizes, layer_type=kind, num_channels=wanted.num_channels, out_features=stages
    )
    return config


def renamed(state: dict, file: str) -> dict:
    """A checkpoint's tensors with those of timm's ResNet under transformers' names, the others as they are.

    Raises AccordError for a tensor of the backbone that is none of a ResNet's.
    """
    found, strange = {}, []
    for name, tensor in state.items():
        inside = FOUND.match(name)
        if inside is None:
            found[name] = tensor
        elif not inside[2].endswith(COUNTER):
            new = own_name(inside[2])
            found[inside[1] + (new or inside[2])] = tensor
            strange += [] if new else [name]
    if strange:
        what = f"has {len(strange)} tensors of a backbone that is not a timm ResNet ({strange[0]}, ...)"
        raise AccordError(Problem(file, what, "it is a checkpoint of a different network than config.json describes"))
    return found


def own_name(name: str) -> str | None:
    """transformers' name of a tensor of timm's ResNet; None where it is none of a ResNet's."""
    if stem := STEM.match(name):
        return f"embedder.embedder.{KINDS[stem[1]]}.{stem[2]}"
    if layer := LAYER.match(name):
        stage, number, kind, place, rest = layer.groups()
        return f"encoder.stages.{int(stage) - 1}.layers.{number}.layer.{int(place) - 1}.{KINDS[kind]}.{rest}"
    if shortcut := SHORTCUT.match(name):
        stage, number, kind, rest = shortcut.groups()
        return f"encoder.stages.{int(stage) - 1}.layers.{number}.shortcut.{KINDS[kind]}.{rest}"
    return None


def _name(wanted: Any) -> str:
    """timm's name of an architecture, without the tag of its weights (resnet50.a1_in1k)."""
    return str(wanted.backbone).split(".")[0]
