"""The embedded model's networks and schedule are, to the last bit, those of diffusers and transformers."""

import pytest
import torch

from accord.privacy.painting import diffusion, sampling
from accord.privacy.painting.painters import EMBEDDED_FOLDER
from accord_demo.training import model as learning

PROMPTS = ["a Room, wall", "street", "", "zebra giraffe; " * 30, "plain floor"]


@pytest.fixture(scope="module", params=["embedded", "untrained"])
def both(request, tmp_path_factory):
    folder = EMBEDDED_FOLDER
    if request.param == "untrained":
        torch.manual_seed(0)
        folder = tmp_path_factory.mktemp("untrained")
        learning.save(learning.build(["room", "street"], channels=(8, 16, 8, 16), width=16), folder)
    return learning.load(folder), diffusion.load(folder)


def test_prompts_are_encoded_as_by_transformers(both):
    theirs, ours = both
    with torch.inference_mode():
        for prompts in (PROMPTS, PROMPTS[:2], PROMPTS[2:3]):
            assert torch.equal(ours.encode_text(prompts), learning.encode_text(theirs, prompts))


@pytest.mark.parametrize("step", [999, 500, 0])
def test_guesses_are_those_of_diffusers(both, step):
    theirs, ours = both
    maps = torch.randn(2, 67, diffusion.GRID, diffusion.GRID, generator=torch.Generator().manual_seed(step))
    with torch.inference_mode():
        text = learning.encode_text(theirs, PROMPTS[:2])
        assert torch.equal(ours.unet(maps, step, text), theirs.unet(maps, step, text).sample)


@pytest.mark.parametrize("steps", [1, 3, 7, 20, 30, 999])
def test_steps_are_those_of_diffusers(both, steps):
    scheduler = both[0].scheduler
    scheduler.set_timesteps(steps)
    told = list(sampling.schedule(steps))
    assert [step for step, _, _ in told] == scheduler.timesteps.tolist()
    latent, clean = torch.randn(2, 3, 4, 4), torch.randn(2, 3, 4, 4)
    for step, signal, next_signal in told:
        moved = sampling.moved(latent, clean, signal, next_signal)
        assert torch.equal(moved, scheduler.step(clean, step, latent, eta=0.0).prev_sample)
