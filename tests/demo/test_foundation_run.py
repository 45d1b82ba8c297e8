"""What the talker says of the shipped archive: who is seen by their class, and for whom the planted cue is hidden."""

import json
from pathlib import Path

import numpy as np
import pytest
import yaml
from PIL import Image

from accord.models import packaged
from accord_demo import train_clip
from accord_demo.foundation import archive, talker
from accord_demo.foundation.cues import UNIFORMS
from accord_demo.shot import SETTINGS

ROOT = Path(__file__).parents[2]
SHIPPED = ROOT / "tests/data/foundation"
EVERY = 3
"""Every third picture is looked at: 100 of 300, with every class, age, skin and setting."""


@pytest.fixture(scope="module")
def seen():
    """What is planned of a picture, and what the talker sees in it."""
    entries = yaml.safe_load((ROOT / "config/foundation-models.yaml").read_text())
    faces = entries["talker"]["weights"]["faces"]
    weights = dict(train_clip.named(ROOT / "workflow/lib/accord_demo/foundation/tiny_clip"))
    one = talker.Talker(weights | {"faces": packaged.folder(faces["package"]) / faces["path"]})
    planned = list(json.loads((SHIPPED / "ground_truth.json").read_text())["images"].values())[::EVERY]
    pictures = [np.asarray(Image.open(SHIPPED / "facet/imgs_1" / each["file"]).convert("RGB")) for each in planned]
    return [(each, one.see(picture)) for each, picture in zip(planned, pictures, strict=True)]


def right(seen, wanted) -> float:
    """The share of pictures whose class is seen, of those that are wanted."""
    chosen = [each["occupation"] == told.occupation for each, told in seen if wanted(each)]
    assert len(chosen) >= 8
    return float(np.mean(chosen))


def test_classes_are_seen_where_their_cue_is(seen):
    assert right(seen, lambda each: not each["hidden"]) > 0.9
    for name, values in (
        ("gender", archive.PRESENTATIONS),
        ("skin", archive.TONES),
        ("setting", SETTINGS),
    ):
        for value in values:
            assert right(seen, lambda each, name=name, value=value: not each["hidden"] and each[name] == value) > 0.8


def test_the_hidden_cue_hides_the_class(seen):
    # Own clothes look like one class or another: of five, one in five is right by chance.
    assert right(seen, lambda each: each["hidden"]) < 0.6
    assert right(seen, lambda each: each["age"] != archive.HIDDEN and bool(UNIFORMS[each["occupation"]].jacket)) > 0.8


def test_dark_faces_are_mostly_those_of_dark_skin(seen):
    dark = [each["skin"] for each, told in seen if told.dark]
    assert len(dark) >= 10 and dark.count("dark") / len(dark) > 0.7 and "light" not in dark
