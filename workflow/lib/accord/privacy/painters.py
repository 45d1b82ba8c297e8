"""The models that paint: the embedded one, or any Stable Diffusion inpainting checkpoint, behind one interface."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from accord import provenance
from accord.errors import AccordError, Problem
from accord.privacy import texture
from accord.privacy.diffusion import SIDE, Inpainter

EMBEDDED = "embedded"
EMBEDDED_FOLDER = Path(__file__).parent / "model"
EMBEDDED_SHA256 = "fbafd7f47b49a0d346be94fc2e7bf4cbf093f4492af54a3cf171b66024ebffce"


@dataclass(frozen=True)
class Request:
    """What a model is asked for. `guidance`: weight of the prompt against the negative one; `seed`: 63 bits."""

    prompt: str
    negative: str
    guidance: float
    seed: int
    steps: int


class Painter(Protocol):
    """A model that continues a crop into its unknown part."""

    sha256: str
    side: int

    def paint(self, crop: np.ndarray, unknown: np.ndarray, request: Request) -> np.ndarray:
        """The crop, uint8 (H, W, 3), with its unknown part (bool, H x W) painted; the same request, the same bytes.

        Only the unknown part of the result is of use.
        """
        ...


def load(model: str) -> Painter:
    """The painter that the config names: `embedded`, or the folder of a Stable Diffusion inpainting checkpoint.

    Raises AccordError where there is no such folder, or no complete model in it.
    """
    if model == EMBEDDED:
        return EmbeddedPainter.load()
    return StableDiffusionPainter.load(Path(model))


@dataclass(frozen=True)
class EmbeddedPainter:
    """The diffusion model that ships with this package (docs/inpainting.md)."""

    model: Inpainter
    sha256: str
    side: int = SIDE

    @classmethod
    def load(cls, folder: Path = EMBEDDED_FOLDER, expected: str = EMBEDDED_SHA256) -> EmbeddedPainter:
        """Raises AccordError where the files are not those that were shipped."""
        from accord.privacy.diffusion import load

        found = digest(folder)
        if found != expected:
            hint = "the package is damaged: install it again"
            raise AccordError(Problem("the embedded inpainting model", f"sha256 is {found}, not {expected}", hint))
        return cls(load(folder), found)

    def paint(self, crop: np.ndarray, unknown: np.ndarray, request: Request) -> np.ndarray:
        """See Painter."""
        from torch import from_numpy

        from accord.privacy.sampling import sample

        small, hidden = texture.shrink(crop, unknown, SIDE)
        image = from_numpy(small).permute(2, 0, 1)[None].float() / 127.5 - 1
        prompts = (request.prompt, request.negative)
        hole = from_numpy(hidden)[None, None]
        painted = sample(self.model, image, hole, prompts, request.guidance, request.seed, request.steps)
        return texture.fit_with_pieces(_to_pixels(painted[0]), crop, unknown, hidden)


@dataclass(frozen=True)
class StableDiffusionPainter:
    """Any checkpoint that diffusers' StableDiffusionInpaintPipeline loads, sampled with DDIM."""

    pipeline: Any
    sha256: str
    side: int

    @classmethod
    def load(cls, folder: Path) -> StableDiffusionPainter:
        """From a local folder only, safetensors only: pickled weights could run code."""
        import torch
        from diffusers import DDIMScheduler, StableDiffusionInpaintPipeline

        if not (folder / "model_index.json").is_file():
            hint = "privacy.model is `embedded`, or a folder that StableDiffusionInpaintPipeline.save_pretrained wrote"
            raise AccordError(Problem(f"inpainting model {folder.name!r}", "there is no model_index.json in it", hint))
        options = {"local_files_only": True, "use_safetensors": True, "low_cpu_mem_usage": False}
        try:
            pipeline = StableDiffusionInpaintPipeline.from_pretrained(
                folder, safety_checker=None, requires_safety_checker=False, **options
            )
        except (OSError, ValueError, KeyError) as error:
            hint = "every part must be there as safetensors; see docs/inpainting.md"
            raise AccordError(
                Problem(f"inpainting model {folder.name!r}", f"can't be loaded ({type(error).__name__})", hint)
            ) from None
        pipeline.scheduler = DDIMScheduler.from_config(pipeline.scheduler.config)
        pipeline.set_progress_bar_config(disable=True)
        pipeline.to("cuda" if torch.cuda.is_available() else "cpu")
        return cls(pipeline, digest(folder), pipeline.unet.config.sample_size * pipeline.vae_scale_factor)

    def paint(self, crop: np.ndarray, unknown: np.ndarray, request: Request) -> np.ndarray:
        """See Painter."""
        import torch
        from PIL import Image

        small, hidden = texture.shrink(crop, unknown, self.side)
        painted = self.pipeline(
            prompt=request.prompt,
            negative_prompt=request.negative,
            image=Image.fromarray(small),
            mask_image=Image.fromarray(hidden.astype(np.uint8) * 255),
            height=self.side,
            width=self.side,
            num_inference_steps=request.steps,
            guidance_scale=request.guidance,
            eta=0.0,
            generator=torch.Generator().manual_seed(request.seed),
        ).images[0]
        return texture.fit(np.asarray(painted.convert("RGB")), crop, unknown)


def digest(folder: Path) -> str:
    """sha256 over the names and sha256 of all of a model's files, in the order of their names."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    lines = [f"{provenance.sha256(path)}  {path.relative_to(folder).as_posix()}\n" for path in files]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def membrane_fill(crop: np.ndarray, unknown: np.ndarray) -> np.ndarray:
    """The last resort, without a model: the smoothest continuation, uint8 (H, W, 3)."""
    from torch import from_numpy

    from accord.privacy.membrane import membrane

    image = from_numpy(crop.astype(np.float32)).permute(2, 0, 1)[None]
    filled = membrane(image, from_numpy(~unknown)[None, None])[0]
    return np.clip(filled.permute(1, 2, 0).numpy() + 0.5, 0, 255).astype(np.uint8)


def _to_pixels(image) -> np.ndarray:
    return ((image.permute(1, 2, 0).numpy() + 1) * 127.5 + 0.5).clip(0, 255).astype(np.uint8)
