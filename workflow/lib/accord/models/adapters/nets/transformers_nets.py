"""Networks of the transformers library, from checked files alone: no other file is read, no code of theirs is run."""

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from accord.errors import AccordError, Problem
from accord.models import extras
from accord.models.adapters.declaring.shapes import alike
from accord.models.adapters.nets import transformers_backbones as backbones
from accord.models.adapters.nets.torch_nets import TF32, computing, device, dtype_of, ready, settle
from accord.models.adapters.nets.transformers_inputs import Inputs, shape
from accord.models.protocols import Prepared
from accord.models.weights import load_state

OPTIONAL = ("sentencepiece", "torchvision")
"""Packages with an extra of their own, which transformers imports where a tokenizer or processor asks for them."""


class Pretrained:
    """A network, its processor and its configuration; on a GPU where there is one.

    weights: `config` (config.json), `model` (model.safetensors, or a checkpoint of plain tensors; of one in several
    files `model_1`, `model_2`, ...), and the files of the processor, under any names: they are found by what they are
    called on the hub. kind: one of transformers' maps from configurations to networks. processor: `image`, `text`,
    `all` (of both) or `none`. precision: of torch_nets, or tf32; compiled: by torch.compile. Raises AccordError where
    the files don't belong together.
    """

    probe: ClassVar[Mapping[str, Any]] = {}
    """What the processor must be told of any picture."""

    def __init__(self, weights: dict[str, Path], kind: str, precision: str = "float32", processor: str = "image",
                 compiled: bool = False) -> None:  # fmt: skip
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        import transformers

        settle()
        transformers.logging.set_verbosity_error()
        transformers.logging.disable_progress_bar()
        self.device, self.precision, self.dtype = device(), precision, dtype_of(precision, (TF32,))
        loaders = {"all": "AutoProcessor", "image": "AutoImageProcessor", "text": "AutoTokenizer"}
        loader = getattr(transformers, loaders[processor]) if processor in loaders else None
        told = {"local_files_only": True, "trust_remote_code": False}
        try:
            with checked_folder(weights) as folder:
                self.config = transformers.AutoConfig.from_pretrained(folder, **told)
                self.processor: Any = loader.from_pretrained(folder, **told) if loader else None
            net = _fitted(_family(transformers, kind, self.config), self.config, _checkpoint(weights))
        except ImportError as error:
            raise _lacking(weights["config"].name, error) from None
        except (OSError, ValueError, RuntimeError) as error:
            what = f"can't be loaded by transformers ({str(error).strip().splitlines()[0][:200]})"
            hint = "list all files of the processor, and the model that matches the configuration"
            raise AccordError(Problem(weights["config"].name, what, hint)) from None
        self.net = ready(net, self.device, self.dtype, compiled)

    @cached_property
    def inputs(self) -> Inputs:
        """What makes inputs of pictures; tried out at the first picture, since not every adapter asks it."""
        return Inputs(self.processor, self.device, self.probe)

    def prepare(self, picture: np.ndarray, **told: Any) -> Prepared:
        """A picture as `answers` takes it, too; told: what the processor is told besides."""
        return self.inputs.prepare(picture, **told)

    def answers(
        self, pictures: Sequence[np.ndarray | Prepared], each: Sequence[dict] | None = None
    ) -> Iterator[tuple[list[int], Any, dict]]:
        """The numbers of pictures that were asked about together, the network's outputs for them, and its inputs.

        Each picture is prepared alone, and only those of one shape go together: so an answer depends on nothing but
        its picture. each: what the processor is told besides, of each picture that isn't prepared.
        """
        told = each or [{}] * len(pictures)
        given = [
            picture if isinstance(picture, Prepared) else self.prepare(picture, **one)
            for picture, one in zip(pictures, told, strict=True)
        ]
        for numbers in alike([shape(one) for one in given]):
            batch = self.inputs.batch([given[number] for number in numbers])
            batch["pixel_values"] = batch["pixel_values"].to(self.dtype)
            yield numbers, self.asked(batch), batch

    def asked(self, batch: Mapping[str, Any]) -> Any:
        """The network's outputs, float32, for inputs of some pictures."""
        with computing(self.precision):
            return precise(self.net(**batch, **self.extra(len(batch["pixel_values"]))))

    def extra(self, count: int) -> dict[str, Any]:
        """What the network is told besides what the processor gives."""
        return {}


def _lacking(where: str, error: ImportError) -> AccordError:
    """transformers imports some packages only for a few models, and says which in words."""
    said = str(error).strip().splitlines()[0][:200]
    install = next((extras.hint(name) for name in OPTIONAL if name in said.lower()), "")
    hint = "choose a model without it, or install it" + (f": {install}" if install else "")
    return AccordError(Problem(where, f"needs a package that is not installed ({said})", hint))


@contextmanager
def checked_folder(weights: dict[str, Path]) -> Iterator[Path]:
    """A folder that holds the checked files and no others, by their own names."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        for path in {file for name, file in weights.items() if not _is_part(name)}:
            (folder / path.name).symlink_to(path.resolve())
        yield folder


def _is_part(name: str) -> bool:
    return name == "model" or name.startswith("model_")


def _checkpoint(weights: dict[str, Path]) -> list[Path]:
    """The files of the checkpoint. Raises KeyError where there is none."""
    return [path for name, path in weights.items() if _is_part(name)] or [weights["model"]]


def precise(outputs: Any) -> Any:
    """A network's outputs with all numbers as float32, whatever it computes with."""
    import torch

    for key, value in outputs.items():
        if isinstance(value, torch.Tensor) and value.is_floating_point():
            outputs[key] = value.float()
    return outputs


def number_of(label: str, labels: dict[int, str]) -> int:
    """The number of a class. Raises AccordError where the model has no such class."""
    found = [number for number, text in labels.items() if text.lower() == label.lower()]
    if not found:
        known = ", ".join(sorted(labels.values())[:10])
        raise AccordError(Problem(f"option label: {label}", "the model has no such class", f"it has {known}, ..."))
    return int(found[0])


def _family(transformers: Any, kind: str, config: Any) -> type:
    try:
        return getattr(transformers, kind)[type(config)]
    except KeyError:
        what = f"describes a {config.model_type}, which does not fit this adapter"
        raise AccordError(Problem("config.json", what, "see the adapter's docstring")) from None


def _fitted(family: type, config: Any, paths: list[Path]):
    """The network with the tensors of the checkpoint's files; one that would stay random is an error.

    A ResNet of timm's becomes one of transformers', and there a tensor that is left over is an error, too.
    """
    state: dict = {}
    for path in paths:
        state |= load_state(path)
    left: list[str] = []
    timms = backbones.is_timms(config)
    if timms:
        config, state = backbones.on_own_resnet(config), backbones.renamed(state, paths[0].name)
    net, found = family.from_pretrained(None, config=config, state_dict=state, output_loading_info=True)
    missing = sorted(found["missing_keys"])
    if timms:
        left = sorted(name for name in found["unexpected_keys"] if backbones.FOUND.match(name))
    if missing or left:
        told = [f"lacks {len(missing)} tensors of the network ({missing[0]}, ...)"] if missing else []
        told += [f"has {len(left)} that the network lacks ({left[0]}, ...)"] if left else []
        hint = "it is a checkpoint of a different network than config.json describes"
        raise AccordError(Problem(paths[0].name, " and ".join(told), hint))
    return net.eval()
