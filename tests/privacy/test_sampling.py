import pytest
import torch

from accord.privacy.painting.diffusion import SIDE
from accord.privacy.painting.request import Request
from accord.privacy.painting.sampling import deviation, guided, sample
from accord_demo.training.data import caption


@pytest.fixture
def scene():
    image = torch.rand(1, 3, SIDE, SIDE, generator=torch.Generator().manual_seed(0)) * 2 - 1
    hole = torch.zeros(1, 1, SIDE, SIDE, dtype=torch.bool)
    hole[..., 40:90, 30:100] = True
    return image, hole


def test_only_the_hole_changes_and_what_was_in_it_does_not_matter(tiny_embedded, scene):
    image, hole = scene
    arguments = (hole, [Request("room", "street", 14.0, 5, 3)])
    painted = sample(tiny_embedded.model, image, *arguments)
    other = sample(tiny_embedded.model, torch.where(hole, torch.ones_like(image), image), *arguments)
    kept = (~hole).expand_as(image)
    assert torch.equal(painted[kept], image[kept])
    assert torch.equal(painted, other)
    assert not torch.equal(painted, image)


def test_the_seed_decides(tiny_embedded, scene):
    image, hole = scene
    requests = [Request("room", "", 14.0, seed, 3) for seed in (1, 1, 2)]
    pictures = [sample(tiny_embedded.model, image, hole, [request]) for request in requests]
    assert torch.equal(pictures[0], pictures[1]) and not torch.equal(pictures[0], pictures[2])


def test_pictures_of_one_call_are_those_of_several_to_the_last_bits(tiny_embedded, scene):
    image, hole = scene
    images, holes = torch.cat([image, image.flip(-1), image]), torch.cat([hole, hole, hole.roll(9, -2)])
    words = [("room", "street", 12.0, 1), ("street", "", 16.0, 2), ("room", "room", 14.0, 3)]
    requests = [Request(*request, 3) for request in words]
    together = sample(tiny_embedded.model, images, holes, requests)
    alone = [sample(tiny_embedded.model, images[i : i + 1], holes[i : i + 1], requests[i : i + 1]) for i in range(3)]
    assert torch.allclose(together, torch.cat(alone), atol=1e-4)
    assert not torch.allclose(together[0], together[2], atol=1e-2)


def test_guidance_of_one_is_the_wanted_estimate():
    wanted, unwanted, inside = torch.randn(1, 4, 8, 8), torch.randn(1, 4, 8, 8), torch.ones(1, 4, 8, 8)
    assert torch.allclose(guided(wanted, unwanted, 1.0, inside), wanted, atol=1e-5)


def test_guidance_points_away_from_the_unwanted_and_keeps_its_spread():
    inside = torch.ones(1, 1, 2, 2)
    wanted, unwanted = torch.tensor([[[[1.0, 0], [0, 0]]]]), torch.tensor([[[[0.0, 1], [0, 0]]]])
    # pushed = (14, -13, 0, 0): root mean square sqrt(365) / 2 against 1 / 2, so that matched = pushed / sqrt(365)
    expected = torch.tensor([14.0, -13, 0, 0]).reshape(1, 1, 2, 2) * (0.7 / 365**0.5 + 0.3)
    assert torch.allclose(guided(wanted, unwanted, 14.0, inside), expected)
    assert deviation(wanted, inside).item() == 0.5


def test_unknown_words_and_long_prompts_are_taken(tiny_embedded):
    model = tiny_embedded.model
    with torch.inference_mode():
        text = model.encode_text(["room", "ROOM", "zebra", "giraffe", "room " * 100])
    assert torch.equal(text[0], text[1]) and torch.equal(text[2], text[3])
    assert not torch.equal(text[0], text[2]) and not torch.equal(text[0], text[4])


def test_captions_name_the_setting_or_nothing():
    import numpy as np

    prompts = {"negative": "person, face", "scenes": {"indoor": "wall, floor"}, "regions": {"other": "plain"}}
    rng = np.random.default_rng(0)
    seen = {caption("indoor", prompts, rng) for _ in range(400)}
    assert seen == {
        "plain, wall, floor", "plain, wall", "plain, floor", "plain, ", "", "person, face", "person", "face",
    }  # fmt: skip
