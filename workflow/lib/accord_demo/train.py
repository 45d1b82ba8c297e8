"""Train the embedded inpainting model: `python -m accord_demo.train --help`.

The model predicts the clean picture. Cosine
schedule with zero terminal SNR (Lin et al. 2023), the error counted inside the hole only and weighted as for
v-prediction, at most HEAVIEST (Hang et al. 2023); AdamW, cosine learning rate, a moving average of the weights.
"""

from __future__ import annotations

import argparse
import copy
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from accord.privacy.painting.diffusion import SPREAD, cells, condition
from accord_demo.training.data import example, render_scenes
from accord_demo.training.model import Learner, build, encode_text, load, save

if TYPE_CHECKING:
    from torch import Tensor

PEAK_RATE = 1e-3
WARM_UP = 80
DECAY = 0.995
REPORT = 50
SAVED = 200
HEAVIEST = 5.0


def vocabulary(prompts: dict) -> list[str]:
    """All words of the prompts, sorted."""
    phrases = [prompts["negative"], *prompts["scenes"].values(), *prompts["regions"].values()]
    return sorted(set(re.findall(r"\w+", " ".join(phrases).lower())))


def batch(scenes: np.ndarray, prompts: dict, size: int, rng: np.random.Generator) -> tuple[Tensor, Tensor, list[str]]:
    """Images in [-1, 1] (B, 3, SIDE, SIDE), holes (B, 1, SIDE, SIDE), captions."""
    from torch import from_numpy

    images, holes, captions = zip(*(example(scenes, prompts, rng) for _ in range(size)), strict=True)
    pixels = from_numpy(np.stack(images)).permute(0, 3, 1, 2).float() / 127.5 - 1
    return pixels, from_numpy(np.stack(holes))[:, None], list(captions)


def loss_of(model: Learner, images: Tensor, holes: Tensor, captions: list[str]) -> Tensor:
    """Mean squared error of the clean picture inside the holes, weighted by SNR + 1, at most HEAVIEST."""
    import torch

    with torch.no_grad():
        base, known = condition(images, holes)
        clean = cells(images - base) / SPREAD
        inside = (cells(holes.float()) > 0).float().expand_as(clean)
        noise = torch.randn_like(clean)
        steps = torch.randint(0, model.scheduler.config.num_train_timesteps, (len(images),))
        noisy = model.scheduler.add_noise(clean, noise, steps) * inside
        signal = model.scheduler.alphas_cumprod[steps]
        weight = (1 / (1 - signal)).clamp(max=HEAVIEST)[:, None, None, None] * inside
    with torch.autocast("cpu", torch.bfloat16):
        text = encode_text(model, captions)
        guess = model.unet(torch.cat([noisy, known], 1), steps, text).sample
    return ((guess.float() - clean) ** 2 * weight).sum() / inside.sum()


def average_into(slow: Any, fast: Any, decay: float) -> None:
    """slow = decay * slow + (1 - decay) * fast, weight by weight."""
    for kept, new in zip(slow.parameters(), fast.parameters(), strict=True):
        kept.data.lerp_(new.data, 1 - decay)


def train(model: Learner, scenes: np.ndarray, prompts: dict, steps: int, size: int, seed: int, out: Path) -> None:
    """Run `steps` updates and save the averaged model to `out`, now and then and at the end."""
    import torch

    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    weights = [*model.unet.parameters(), *model.text_encoder.parameters()]
    optimiser = torch.optim.AdamW(weights, lr=PEAK_RATE, weight_decay=1e-3, fused=True)
    slow, total = copy.deepcopy(model), 0.0
    for step in range(steps):
        _set_rate(optimiser, step, steps)
        total += update(model, optimiser, batch(scenes, prompts, size, rng))
        decay = min(DECAY, (step + 1) / (step + 10))
        average_into(slow.unet, model.unet, decay)
        average_into(slow.text_encoder, model.text_encoder, decay)
        if (step + 1) % REPORT == 0:
            print(f"step {step + 1} of {steps}: loss {total / REPORT:.4f}", file=sys.stderr, flush=True)
            total = 0.0
        if (step + 1) % SAVED == 0 or step + 1 == steps:
            save(copy.deepcopy(slow), out)


def update(model: Learner, optimiser: Any, examples: tuple[Tensor, Tensor, list[str]]) -> float:
    """One step down the gradient of a batch, its norm clipped to 1; returns the loss before it."""
    import torch

    loss = loss_of(model, *examples)
    optimiser.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_([w for group in optimiser.param_groups for w in group["params"]], 1.0)
    optimiser.step()
    return float(loss.detach())


def _set_rate(optimiser: Any, step: int, steps: int) -> None:
    """A linear rise over WARM_UP steps, and half a cosine down to zero."""
    rate = min(1, (step + 1) / WARM_UP) * (0.5 + 0.5 * np.cos(np.pi * step / steps))
    for group in optimiser.param_groups:
        group["lr"] = PEAK_RATE * rate


def main() -> None:
    """Parse the command line, make the scenes, train."""
    import yaml

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder of the new model")
    parser.add_argument("--scenes", type=Path, required=True, help=".npy of scenes; rendered when it is missing")
    parser.add_argument("--prompts", type=Path, default=Path("config/demo-prompts.yaml"))
    parser.add_argument("--start", type=Path, help="model to go on from")
    parser.add_argument("--count", type=int, default=1600, help="scenes to render")
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    prompts = yaml.safe_load(chosen.prompts.read_text("utf-8"))
    model = load(chosen.start) if chosen.start else build(vocabulary(prompts))
    scenes = render_scenes(chosen.scenes, chosen.count)
    train(model, scenes, prompts, chosen.steps, chosen.batch, chosen.seed, chosen.out)


if __name__ == "__main__":
    main()
