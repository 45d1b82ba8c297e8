from pathlib import Path

import pandas as pd
import pytest

from accord.errors import AccordError
from accord.privacy.prompts import Prompts

SHIPPED = Path(__file__).parents[2] / "config" / "prompts.yaml"


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


def test_the_shipped_prompts_name_every_kind_of_region():
    from accord.intake.tables import REGION_KINDS

    prompts = Prompts.read(SHIPPED)
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
        ("{", ["`negative` is not a text (ParserError)", "`scenes` does not map", "`regions` does not map"]),
    ],
)
def test_all_that_is_wrong_is_told_at_once(tmp_path, text, problems):
    (tmp_path / "prompts.yaml").write_text(text)
    with pytest.raises(AccordError) as caught:
        Prompts.read(tmp_path / "prompts.yaml")
    assert len(caught.value.problems) == len(problems)
    assert all(f"prompts.yaml: {problem}" in str(caught.value) for problem in problems)
