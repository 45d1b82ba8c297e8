"""Features of people: each by hand."""

import numpy as np
import pandas as pd
import pytest
from analyse_cases import by_shards, verdicts_of

from accord.analyse.features import run
from accord.checks.tables.findings import Fingerprints
from accord.engine import table
from accord.release.tables import Attributes, Derivatives, Keypoints, People, PublicImages, Segments
from accord.vocabularies import ANCESTRIES


@pytest.fixture
def given():
    """Two people of one image, and one person of an image that doesn't pass."""
    box = {"face_x": 0.0, "face_y": 0.0, "person_x": 0.0, "person_y": 0.0, "is_primary": True, "face_annotator": "a"}
    people = [
        {"image": "i", "subject": "s", "age": 30, "face_width": 10.0, "face_height": 20.0, "person_width": 50.0,
         "person_height": 100.0, **box},
        {"image": "i", "subject": "t", "age": None, "face_width": None, "face_height": None, "person_width": None,
         "person_height": None, **box},
        {"image": "gone", "subject": "u", "age": 40, "face_width": 1.0, "face_height": 1.0, "person_width": 1.0,
         "person_height": 1.0, **box},
    ]  # fmt: skip
    said = [("s", "ancestry", ANCESTRIES[26]), ("s", "pronoun", "0. She/her/hers"), ("s", "pronoun", "2. They"),
            ("", "scene", "0. Outdoor")]  # fmt: skip
    attributes = [{"image": "i", "subject": s, "attribute": a, "value": v, "annotator": ""} for s, a, v in said]
    camera = dict.fromkeys(table.empty(PublicImages).columns, "") | {"image": "i", "subject": "s"}
    camera |= dict.fromkeys(("focal_length", "iso_speed_ratings", "shutter_speed_value"), np.nan)
    camera |= {"aperture_value": 1.7, "manufacturer": "Xiaomi", "location_country_m49": pd.NA}
    spots = [(0, True), (10, False), (12, True)]
    keypoints = [
        {"image": "i", "subject": "s", "keypoint": k, "x": 1.0, "y": 1.0, "visible": v, "annotator": "a"}
        for k, v in spots
    ]
    outline = {"image": "i", "subject": "s", "num": 1, "polygon": [0.0, 0, 1, 1, 2, 0], "annotator": "a"}
    file = {"image": "i", "subject": "", "kind": "downsampled", "part": "", "member": "m", "offset": 0, "size": 1,
            "sha256": "0" * 64, "source_sha256": "0" * 64, "width": 100, "height": 200}  # fmt: skip
    print_ = {"image": "i", "subject": "s", "pixels": "0" * 64, "pdq": "0" * 64, "pdq_quality": 9, "phash": "0" * 16,
              "turned": "0" * 192, "encoding": 90, "width": 1, "height": 1, "sharpness": 12.5,
              "brightness": 40.0}  # fmt: skip
    rows = {
        "people": (people, People),
        "attributes": (attributes, Attributes),
        "public": ([camera], PublicImages),
        "keypoints": (keypoints, Keypoints),
        "segments": ([outline | {"segment": 0}, outline | {"segment": 17}], Segments),
        "derivatives": ([file], Derivatives),
        "fingerprints": ([print_], Fingerprints),
    }
    made = {name: table.rows(records, model) for name, (records, model) in rows.items()}
    return made | {"verdicts": verdicts_of(["i", "gone"], failed=["gone"])}


def test_every_number_by_hand(given):
    told = run(**given)
    numbers = told[(told["subject"] == "s") & (told["kind"] == "number")].set_index("feature")["number"].to_dict()
    assert numbers == pytest.approx({
        "age": 30, "visible_keypoints": 2, "visible_face_keypoints": 1, "face_height": 20, "face_share": 200 / 20_000,
        "person_share": 5_000 / 20_000, "face_aspect": 2, "person_aspect": 2, "image_aspect": 2, "brightness": 40,
        "sharpness": 12.5, "aperture_value": 1.7,
    })  # fmt: skip


def test_every_label_by_hand(given):
    told = run(**given)
    mine = told[(told["subject"] == "s") & (told["kind"] == "category")]
    assert sorted(zip(mine["feature"], mine["label"], strict=True)) == [
        ("ancestry", ANCESTRIES[22]), ("camera_maker", "Xiaomi"), ("pronoun", "0. She/her/hers"),
        ("pronoun", "2. They"), ("scene", "0. Outdoor"), ("visible_eyewear", "no"), ("visible_head_hair", "no"),
        ("visible_headwear", "yes"),
        ("visible_mask", "no"),
    ]  # fmt: skip


def test_what_is_not_annotated_is_left_out_and_who_does_not_pass_too(given):
    told = run(**given)
    other = told[told["subject"] == "t"]
    assert set(other["feature"]) == {
        "scene",
        "camera_maker",
        "image_aspect",
        "brightness",
        "sharpness",
        "aperture_value",
    }
    assert set(told["subject"]) == {"s", "t"}


def test_without_anybody_there_is_an_empty_table(given):
    empty = {name: some.iloc[:0] for name, some in given.items()}
    assert run(**empty).empty


def test_shard_by_shard_all_is_told_as_of_all_at_once(given):
    images = [f"{name}{number}" for number in (3, 1, 2) for name in ("i", "gone")]
    many = {
        name: pd.concat([some.assign(image=some["image"] + str(number)) for number in (3, 1, 2)], ignore_index=True)
        for name, some in given.items()
    }
    many["verdicts"] = verdicts_of(images, failed=images[1::2])
    pd.testing.assert_frame_equal(run(**many), by_shards(run, **many))
