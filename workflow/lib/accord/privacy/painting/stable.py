"""Stable Diffusion inpainting checkpoints as painters: many crops in a call, tiles for what exceeds the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from accord.errors import AccordError, Problem
from accord.privacy.fitting import texture, tiles
from accord.privacy.painting import checkpoints
from accord.privacy.painting.chosen import missing
from accord.privacy.painting.request import Job, Request, digest

if TYPE_CHECKING:
    from torch import Tensor

REDRAWN = 0.5


class StableDiffusionPainter:
    """Any checkpoint that diffusers' StableDiffusionInpaintPipeline loads, sampled with DDIM.

    files: those of the checkpoint, under any names, as they lie below its model_index.json; no other file is read.
    precision: see `checkpoints.load`. batch: crops in one model call. On a processor it is 1: larger calls gain nothing
    there, and the last bits of a float depend on them. Raises AccordError where the files make no model.
    """

    GPU = "torch"
    method = "diffusion"
    guided = True

    def __init__(self, files: dict[str, Path], precision: str = "auto", batch: int = 1, sha256: str = "") -> None:
        self.pipeline = checkpoints.load(files, precision)
        self.sha256 = sha256
        self.side = self.pipeline.unet.config.sample_size * self.pipeline.vae_scale_factor
        self.batch = batch if self.pipeline.device.type == "cuda" else 1

    @classmethod
    def load(cls, folder: Path, batch: int = 1) -> StableDiffusionPainter:
        """From a local folder only, safetensors only: pickled weights could run code."""
        if problems := missing(str(folder), None, folder):
            raise AccordError(problems)
        files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
        return cls(files, batch=batch, sha256=digest(folder))

    def paint(
        self, crop: np.ndarray, unknown: np.ndarray, request: Request, barred: np.ndarray | None = None
    ) -> np.ndarray:
        """One job alone."""
        return self.paint_all([Job(crop, unknown, request, barred)])[0]

    def paint_all(self, jobs: Sequence[Job]) -> list[np.ndarray]:
        """See Painter. A hole that is larger than the model's side is painted as a whole, then over again in tiles."""
        small = [texture.shrink(job.crop, job.hidden, self.side) for job in jobs]
        drafts = self._called([Job(*one, job.request) for one, job in zip(small, jobs, strict=True)], 1.0)
        fills = [texture.fit(draft, job.crop, job.unknown) for draft, job in zip(drafts, jobs, strict=True)]
        return [self._sharpened(fill, job) for fill, job in zip(fills, jobs, strict=True)]

    def _sharpened(self, fill: np.ndarray, job: Job) -> np.ndarray:
        """The fill with the detail of tiles at the crop's own size, where it was painted at less."""
        whole = np.where(job.hidden[..., None], fill, job.crop)
        rows, columns = np.flatnonzero(job.unknown.any(1)), np.flatnonzero(job.unknown.any(0))
        if not len(rows) or max(np.ptp(rows), np.ptp(columns)) < self.side or min(job.unknown.shape) < self.side:
            return fill
        places = tiles.windows(job.unknown, self.side)
        wanted = [Job(place.of(whole), place.of(job.hidden), _tile(job.request, n)) for n, place in enumerate(places)]
        painted = self._called(wanted, REDRAWN)
        blended = tiles.blend(whole.astype(np.float32), zip(places, painted, strict=True))
        return texture.fit_at_size(blended, job.crop, job.unknown)

    def _called(self, jobs: Sequence[Job], strength: float) -> list[np.ndarray]:
        """Jobs of the model's own size, `batch` of them in a call."""
        parts = [jobs[start : start + self.batch] for start in range(0, len(jobs), self.batch)]
        return [painted for part in parts for painted in sample(self.pipeline, part, strength)]


def sample(pipeline: Any, jobs: Sequence[Job], strength: float = 1.0) -> list[np.ndarray]:
    """Crops of the model's size with their unknown parts painted, uint8; all jobs have the same number of steps.

    Classifier-free guidance with a scale of its own for each job, DDIM, eta 0, noise from each job's seed. strength: 1
    starts from noise alone; less starts from the crop as it is, unknown part and all, with that share of the steps'
    noise on it (SDEdit, Meng et al. 2022), and so keeps what is drawn there already. The U-Net and the text encoder may
    be of half precision: all between them is float32, so that rounding does not add up over the steps.
    """
    import torch

    device, requests = pipeline.device, [job.request for job in jobs]
    seeds = [torch.Generator().manual_seed(request.seed) for request in requests]
    with torch.inference_mode():
        image = pipeline.image_processor.preprocess(np.stack([job.crop for job in jobs]) / np.float32(255)).to(device)
        hole = torch.from_numpy(np.stack([job.unknown for job in jobs]))[:, None].float().to(device)
        words = [r.negative for r in requests], [r.prompt for r in requests]
        text = torch.cat([_text(pipeline, phrases) for phrases in words])
        pipeline.scheduler.set_timesteps(requests[0].steps, device=device)
        steps = pipeline.scheduler.timesteps[requests[0].steps - max(1, round(strength * requests[0].steps)) :]
        latent = _start(pipeline, image, seeds, steps[:1] if strength < 1 else None)
        told = _told(pipeline, image, hole, seeds, latent.shape[-2:])
        guidance = torch.tensor([r.guidance for r in requests], device=device).view(-1, 1, 1, 1)
        latent = _denoised(pipeline, latent, told, text, guidance, steps)
        painted = pipeline.vae.decode(latent / pipeline.vae.config.scaling_factor, return_dict=False)[0]
        _refuse_overflow(painted)
        pixels = ((painted / 2 + 0.5).clamp(0, 1) * 255).round().permute(0, 2, 3, 1).cpu().numpy()
    return list(pixels.astype(np.uint8))


def _denoised(pipeline: Any, latent: Tensor, told: Tensor, text: Tensor, guidance: Tensor, steps: Tensor) -> Tensor:
    import torch

    for step in steps:
        pair = torch.cat([torch.cat([latent, told], 1)] * 2)
        answer = pipeline.unet(pair.to(pipeline.unet.dtype), step, encoder_hidden_states=text, return_dict=False)[0]
        unwanted, wanted = answer.float().chunk(2)
        noise = unwanted + guidance * (wanted - unwanted)
        latent = pipeline.scheduler.step(noise, step, latent, eta=0.0, return_dict=False)[0]
    return latent


def _start(pipeline: Any, image: Tensor, seeds: list, step: Tensor | None) -> Tensor:
    """Noise of each seed; on the encoded image where a step to begin with is given."""
    import torch

    size = [side // pipeline.vae_scale_factor for side in image.shape[-2:]]
    shape = (1, pipeline.vae.config.latent_channels, *size)
    noise = torch.cat([torch.randn(shape, generator=seed) for seed in seeds]).to(image.device)
    if step is None:
        return noise * pipeline.scheduler.init_noise_sigma
    return pipeline.scheduler.add_noise(_encoded(pipeline, image, seeds), noise, step.expand(len(seeds)))


def _told(pipeline: Any, image: Tensor, hole: Tensor, seeds: list, size: tuple[int, int]) -> Tensor:
    """What the U-Net sees besides the latent: the hole, and the encoded image without what is in it."""
    import torch

    return torch.cat(
        [torch.nn.functional.interpolate(hole, size=size), _encoded(pipeline, image * (hole < 0.5), seeds)], 1
    )


def _encoded(pipeline: Any, image: Tensor, seeds: list) -> Tensor:
    import torch

    drawn = pipeline.vae.encode(image).latent_dist
    spread = [torch.randn(drawn.mean[:1].shape, generator=seed) for seed in seeds]
    return (drawn.mean + drawn.std * torch.cat(spread).to(image.device)) * pipeline.vae.config.scaling_factor


def _text(pipeline: Any, phrases: list[str]) -> Tensor:
    return pipeline.encode_prompt(phrases, pipeline.device, 1, False)[0].to(pipeline.unet.dtype)


def _refuse_overflow(painted: Tensor) -> None:
    """Raises AccordError where a number left the range of the model's precision: the fill would be black."""
    if not painted.isfinite().all():
        hint = "in its entry of models.yaml: options: {precision: float32}, or bfloat16 where the GPU has it"
        raise AccordError(Problem("inpainting model", "its fill contains numbers that are not finite", hint))


def _tile(request: Request, number: int) -> Request:
    """The request of a tile: the same words, other noise."""
    return replace(request, seed=(request.seed + number + 1) % 2**63)
