"""The demo's planted bias: what it rests on is named, and no other attribute of people is."""

import json

import pandas as pd
import pytest

from accord.vocabularies import ATTRIBUTES, PERSON
from house import DEMO, ROOT

PLANTED = {"brightness", "sharpness", "face_height", "face_share", "person_share", "ancestry"}
"""Pictures of the group are dark, blurred and taken from farther away."""

POSES = {"head_pose", "action_body_pose"}


@pytest.fixture(scope="module")
def tables(demo):
    names = ("patterns", "causes", "conditioned", "numbers")
    return {name: pd.read_parquet(demo.folder / f"results/analyse/{name}.parquet") for name in names}


@pytest.fixture(scope="module")
def group():
    planted = json.loads((ROOT / DEMO / "ground_truth.json").read_text())["bias"]
    return f"{planted['attribute']} = {planted['group']}"


def of(table):
    return table[(table["task"] == "face_localization") & (table["model"] == "yunet")]


def test_the_planted_cause_is_named(tables):
    causes = of(tables["causes"])
    claimed = causes[causes["claimed"]]
    assert {"brightness", "sharpness"} <= set(claimed["feature"]) <= PLANTED
    dark = claimed.set_index("feature").loc["brightness"]
    assert dark["side"] == "<=" and dark["worse_high"] < dark["other_mean"]


def test_the_planted_group_is_an_error_pattern_and_so_is_what_it_shares(tables, group):
    patterns = of(tables["patterns"])
    assert group in set(patterns["pattern"])
    items = {item.split(" ")[0] for pattern in patterns["pattern"] for item in pattern.split(" & ")}
    assert items & {"brightness", "sharpness"} and items <= PLANTED


def test_no_other_attribute_of_people_is_named(tables):
    people = {name for name, attribute in ATTRIBUTES.items() if attribute.of == PERSON} - {"ancestry"} - POSES
    causes = tables["causes"]
    named = set(causes.loc[causes["claimed"], "feature"])
    named |= {item.split(" ")[0] for pattern in tables["patterns"]["pattern"] for item in pattern.split(" & ")}
    assert named & people == set()


def test_darkness_and_the_group_can_t_be_told_apart(tables):
    gaps = of(tables["conditioned"])
    dark = gaps[(gaps["attribute"] == "ancestry") & (gaps["feature"] == "brightness")]
    assert dark["gap"].isna().all() and (dark["note"] != "").all()


def test_the_published_figures_are_checked(tables):
    numbers = tables["numbers"]
    broken = numbers[numbers["state"] == "broken"]
    assert "images.fhibe" in set(broken["name"]) and (broken["reason"] != "").all()
