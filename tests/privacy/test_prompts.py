import json
from pathlib import Path

import pandas as pd
import pytest

from accord.errors import AccordError
from accord.intake.tables import REGION_KINDS
from accord.privacy.painting.painters import EMBEDDED_FOLDER
from accord.privacy.painting.prompts import Prompts
from accord_demo.train import vocabulary

CONFIG = Path(__file__).parents[2] / "config"


def test_a_prompt_is_the_regions_phrase_and_the_scenes():
    prompts = Prompts(
        "person", {"indoor": "a room", "other": "a scene"}, {"screen": "a blank screen", "other": "nothing"}
    )
    assert prompts.of("screen", "indoor") == "a blank screen, a room"
    assert prompts.of("sticker", "under water") == "nothing, a scene"


def test_scenes_are_read_from_fhibes_labels():
    records = [
        ("a", "scene", "12. Indoor: Home or hotel"),
        ("b", "scene", "0. Outdoor: Water, ice, snow"),
        ("c", "weather", "6. Clear"),
        ("d", "scene", "something"),
    ]
    attributes = pd.DataFrame(records, columns=["image", "attribute", "value"])
    assert Prompts.scenes_of(attributes) == {"a": "indoor", "b": "outdoor", "d": ""}


def test_photographs_are_asked_for_in_fhibes_own_words_wherever_they_were_taken():
    prompts = Prompts.read(CONFIG / "prompts.yaml")
    wanted = {prompts.of(kind, scene) for kind in (*REGION_KINDS, "sticker") for scene in ("indoor", "outdoor", "")}
    assert wanted == {"a high-resolution image with no humans or people in it"}
    assert prompts.negative == "human, people, person, human body parts, android, animal"


@pytest.mark.parametrize(
    ("region", "scene", "asked"), [("", "a room", "a room"), ("a wall", "", "a wall"), ("", "", "")]
)
def test_an_empty_phrase_is_left_out(region, scene, asked):
    assert Prompts("person", {"other": scene}, {"other": region}).of("card", "indoor") == asked


def test_the_embedded_model_knows_every_word_that_the_demo_asks_for():
    known = json.loads((EMBEDDED_FOLDER / "tokenizer" / "tokenizer.json").read_text())["model"]["vocab"]
    prompts = Prompts.read(CONFIG / "demo-prompts.yaml")
    asked = vocabulary({"negative": prompts.negative, "scenes": prompts.scenes, "regions": prompts.regions})
    assert [word for word in asked if word not in known] == []


def test_the_demos_prompts_name_every_kind_of_region():
    prompts = Prompts.read(CONFIG / "demo-prompts.yaml")
    assert set(prompts.regions) == set(REGION_KINDS)
    assert set(prompts.scenes) == {"indoor", "outdoor", "other"}
    assert "person" in prompts.negative


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        (
            "negative: [1]\nscenes: {other: a}\nregions: {card: b}",
            ["`negative` is not a text", "`regions` has no `other`"],
        ),
        ("negative: a\nscenes: {other: 1}", ["`scenes` does not map names to texts", "`regions` does not map names"]),
        ("{}", ["`negative` is not a text", "`scenes` does not map", "`regions` does not map"]),
    ],
)
def test_all_that_is_wrong_is_told_at_once(tmp_path, text, problems):
    (tmp_path / "prompts.yaml").write_text(text)
    with pytest.raises(AccordError) as caught:
        Prompts.read(tmp_path / "prompts.yaml")
    assert len(caught.value.problems) == len(problems)
    assert all(f"prompts.yaml: {problem}" in str(caught.value) for problem in problems)
