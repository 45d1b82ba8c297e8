import numpy as np
import pytest
import torch

from accord.privacy.painting.diffusion import SIDE
from accord_demo import train
from accord_demo.training.data import crop, hole, render_scenes
from accord_demo.training.model import build, load

PROMPTS = {"negative": "person", "scenes": {"indoor": "wall", "outdoor": "sky"}, "regions": {"other": "plain"}}


@pytest.fixture
def scenes():
    ramp = np.linspace(0, 255, 160)
    image = np.stack([np.tile(ramp, (160, 1)), np.tile(ramp[:, None], (1, 160)), np.full((160, 160), 90.0)], 2)
    return np.stack([image, image[::-1]]).astype(np.uint8)


def tiny(prompts=PROMPTS):
    torch.manual_seed(3)
    return build(train.vocabulary(prompts), channels=(8, 8, 16), width=16)


def test_training_is_saved_and_repeatable(scenes, tmp_path):
    for name in ("one", "two"):
        train.train(tiny(), scenes, PROMPTS, steps=2, size=2, seed=1, out=tmp_path / name)
    files = sorted(path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*.safetensors"))
    assert len(files) == 2
    for file in files:
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()
    kept = load(tmp_path / "one").unet.state_dict()
    assert all(weights.dtype == torch.float32 for weights in kept.values())


def test_training_lowers_the_loss(scenes):
    model, rng = tiny(), np.random.default_rng(0)
    fixed = train.batch(scenes, PROMPTS, 4, rng)
    optimiser = torch.optim.AdamW(model.unet.parameters(), lr=5e-3)

    def loss():
        torch.manual_seed(0)
        return train.loss_of(model, *fixed)

    before = float(loss().detach())
    for _ in range(15):
        optimiser.zero_grad()
        loss().backward()
        optimiser.step()
    assert float(loss().detach()) < 0.9 * before


def test_the_average_moves_by_its_decay():
    slow, fast = torch.nn.Linear(1, 1, bias=False), torch.nn.Linear(1, 1, bias=False)
    slow.weight.data.fill_(1.0)
    fast.weight.data.fill_(3.0)
    train.average_into(slow, fast, 0.75)
    assert slow.weight.item() == pytest.approx(1.5)


def test_the_vocabulary_is_every_word_of_the_prompts():
    assert train.vocabulary(PROMPTS) == ["person", "plain", "sky", "wall"]


def test_holes_leave_something_to_see_and_crops_have_the_models_size(scenes):
    rng = np.random.default_rng(0)
    shares = [hole(rng).mean() for _ in range(200)]
    assert min(shares) > 0 and max(shares) < 0.8 and 0.05 < np.mean(shares) < 0.4
    assert {crop(scenes[0], rng).shape for _ in range(20)} == {(SIDE, SIDE, 3)}


def test_scenes_are_rendered_once(scenes, tmp_path):
    np.save(tmp_path / "scenes.npy", scenes)
    assert (render_scenes(tmp_path / "scenes.npy", 1600) == scenes).all()
