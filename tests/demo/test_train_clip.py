"""The recipe of the demo's CLIP: captions by a rule, a network that learns them, files that the adapter loads."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from accord.models.adapters.transformers_clip import TextEncoder
from accord_demo import train_clip
from accord_demo.foundation.cues import UNIFORMS, called
from accord_demo.render import sample_person
from accord_demo.training import renders

PROBES = Path(__file__).parents[2] / "config/foundation-probes.yaml"


def test_people_are_called_by_what_is_visible():
    person = sample_person(1)
    cases = {("full", "long"): "he", ("full", "buzz"): "he", ("short", "buzz"): "", ("short", "long"): "",
             ("none", "wavy"): "she", ("stubble", "long"): "she", ("none", "bob"): "unspecified",
             ("stubble", "crop"): "unspecified", ("none", "ponytail"): "unspecified"}  # fmt: skip
    for (beard, hair), label in cases.items():
        one = replace(person, beard=beard, hair=hair)
        assert called(one) == label and called(one, short=True) == (label or "he")


def test_samples_have_every_label_about_equally_often():
    told = [renders.sample(renders.FIRST + number).labels for number in range(90)]
    for probe, labels in {"pronoun": 4, "scene": 2, "occupation": 6}.items():
        counts = Counter(one.get(probe) for one in told)
        assert len(counts) == labels and min(counts.values()) > 90 / labels / 3


def test_a_sample_wears_what_its_class_wears():
    for seed in range(40):
        shot, labels = renders.sample(renders.FIRST + seed)
        outfit, uniform = shot.outfit, UNIFORMS.get(labels.get("occupation"))
        assert outfit is not None and outfit.jacket == bool(uniform and uniform.jacket)
        assert bool(shot.objects) == bool(uniform and uniform.sign)


def test_renders_are_the_same_each_time_and_labelled(tmp_path):
    first, told = renders.render(tmp_path / "a.npy", 2)
    second, again = renders.render(tmp_path / "b.npy", 2)
    np.testing.assert_array_equal(first, second)
    assert told == again and first.shape == (2, renders.SIDE, renders.SIDE, 3) and first.std() > 10
    rng = np.random.default_rng(1)
    assert renders.varied(first[0], rng).shape == (renders.CROPPED, renders.CROPPED, 3)


def test_a_picture_without_a_label_of_a_probe_has_no_target_there():
    found = renders.targets([{"scene": "indoor"}], train_clip.prompts_of(PROBES))
    assert not found["occupation"].any() and found["scene"].sum() == 1


def test_the_right_prompts_share_the_target():
    prompts = train_clip.prompts_of(PROBES)
    found = renders.targets([{"pronoun": "he", "scene": "indoor"}], prompts)
    assert found["pronoun"].shape == (1, 16) and found["scene"].shape == (1, 8)
    assert {label for (label, _), share in zip(prompts["pronoun"], found["pronoun"][0], strict=True) if share} == {"he"}
    assert sorted(found["pronoun"][0]) == [0] * 12 + [0.25] * 4


@pytest.fixture(scope="module")
def learned(tmp_path_factory):
    """A narrow network that learned colours: what is red is a man indoors, blue a woman, grey a person outdoors."""
    colours = {"he": (200, 30, 30), "she": (30, 30, 200), "unspecified": (90, 90, 90)}
    side = renders.SIDE
    pictures = np.stack([np.full((side, side, 3), colours[name], np.uint8) for name in colours] * 4)
    classes = {"he": "laborer", "she": "nurse", "unspecified": "gardener"}
    told = [{"pronoun": name, "scene": "outdoor" if name == "unspecified" else "indoor", "occupation": classes[name]}
            for name in colours] * 4  # fmt: skip
    net, processor = train_clip.build(train_clip.vocabulary(PROBES), 1, width=32)
    losses = train_clip.train(net, processor, pictures, told, train_clip.prompts_of(PROBES), 50, 6, 1)
    folder = tmp_path_factory.mktemp("clip")
    train_clip.save(net, processor, folder)
    return folder, losses, pictures[:3], told[:3]


def test_training_lowers_the_loss(learned):
    _, losses, _, _ = learned
    assert np.mean(losses[-10:]) < 0.8 * np.mean(losses[:10])


def test_the_adapter_loads_it_and_the_rule_is_what_it_says(learned):
    folder, _, pictures, told = learned
    encoder = TextEncoder(train_clip.named(folder))
    shown = np.array(encoder.embed(list(pictures)))
    for probe, prompts in train_clip.prompts_of(PROBES).items():
        read = np.array(encoder.embed_texts([text for _, text in prompts]))
        cosines = shown @ read.T / np.linalg.norm(shown, axis=1)[:, None] / np.linalg.norm(read, axis=1)
        assert [prompts[n][0] for n in cosines.argmax(axis=1)] == [one[probe] for one in told]


def test_agreement_is_the_share_of_pictures_whose_best_prompt_is_right(learned):
    folder, _, pictures, told = learned
    prompts = train_clip.prompts_of(PROBES)
    assert train_clip.agreement(folder, pictures, told, prompts) == {"pronoun": 1, "scene": 1, "occupation": 1}
    swapped = [one | {"pronoun": "they"} for one in told[:1]] + told[1:]
    assert train_clip.agreement(folder, pictures, swapped, prompts)["pronoun"] == pytest.approx(2 / 3)


def test_the_whole_network_is_as_small_as_it_should_be():
    net, _ = train_clip.build(train_clip.vocabulary(PROBES), 1)
    assert sum(weights.numel() for weights in net.parameters()) * torch.float16.itemsize < 5_000_000
