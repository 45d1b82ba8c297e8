"""Stable Diffusion inpainting checkpoints, from checked files alone: offline, and from safetensors only."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from accord.errors import AccordError, Problem
from accord.models.adapters.nets.torch_nets import device, dtype_of
from accord.privacy.painting.chosen import INDEX

AUTO, HALF, FULL = "auto", "float16", "float32"
VARIANT = ".fp16.safetensors"
HINT = "all parts must be present as safetensors; see docs/inpainting.md"


def load(files: dict[str, Path], precision: str = AUTO) -> Any:
    """A StableDiffusionInpaintPipeline that samples with DDIM, on a GPU where there is one.

    files: the checkpoint's, under any names, as they lie below its model_index.json. precision: of the U-Net and the
    text encoder: float32, bfloat16, float16, or auto, float16 on a GPU and float32 elsewhere. The autoencoder is of
    float32 always: its largest numbers leave the range of float16. Raises AccordError where the files make no model.
    """
    where = device()
    dtype = dtype_of(chosen(precision, where))
    with checked_folder(files) as folder:
        pipeline = _pipeline(folder, _name(files))
    from diffusers import DDIMScheduler

    pipeline.scheduler = DDIMScheduler.from_config(pipeline.scheduler.config)
    for part in (pipeline.unet, pipeline.text_encoder):
        part.to(dtype)
    pipeline.to(where)
    return pipeline


def chosen(precision: str, where: str) -> str:
    """The precision to compute with on a device: `auto` is half of it on a GPU."""
    return (HALF if where == "cuda" else FULL) if precision == AUTO else precision


@contextmanager
def checked_folder(files: dict[str, Path]) -> Iterator[Path]:
    """A folder that holds the files of a checkpoint and no others, the half-precision variant under its plain name."""
    index = [path for path in files.values() if path.name == INDEX]
    if len(index) != 1:
        raise AccordError(Problem(f"inpainting model {_name(files)!r}", f"lists no {INDEX}, or several", HINT))
    root = index[0].parent
    with tempfile.TemporaryDirectory() as made:
        for path in files.values():
            if not path.is_relative_to(root):
                what = f"has a file outside the folder of its {INDEX}: {path.name}"
                raise AccordError(Problem(f"inpainting model {root.name!r}", what, HINT))
            linked = Path(made, str(path.relative_to(root)).replace(VARIANT, ".safetensors"))
            linked.parent.mkdir(parents=True, exist_ok=True)
            linked.symlink_to(path.resolve())
        yield Path(made)


def _name(files: dict[str, Path]) -> str:
    """How to call a checkpoint in messages: by its folder."""
    roots = [path.parent.name for path in files.values() if path.name == INDEX]
    return roots[0] if roots else ""


def _pipeline(folder: Path, name: str) -> Any:
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    from diffusers import StableDiffusionInpaintPipeline

    options = {"local_files_only": True, "use_safetensors": True, "low_cpu_mem_usage": False}
    try:
        return StableDiffusionInpaintPipeline.from_pretrained(
            folder, safety_checker=None, feature_extractor=None, requires_safety_checker=False, **options
        )
    except (OSError, ValueError, KeyError) as error:
        what = f"can't be loaded ({type(error).__name__})"
        raise AccordError(Problem(f"inpainting model {name!r}", what, HINT)) from None
