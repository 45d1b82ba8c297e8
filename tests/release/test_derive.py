"""Derivatives and annotations of a shard."""

import io

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from accord.errors import AccordError
from accord.imaging import bundle
from accord.imaging.decode import decode
from accord.release.disclosure import survey
from accord.release.format import geometry
from accord.vocabularies import AGGREGATE_ATTRIBUTES


def of_kind(derived, kind: str) -> pd.DataFrame:
    return derived.derivatives[derived.derivatives["kind"] == kind]


def test_each_picture_has_an_original_and_a_downsampled_one(made, tiny):
    _files, derived = made
    sizes = of_kind(derived, "downsampled").set_index("image")[["width", "height"]].to_dict("index")
    assert sizes["img-1"] == {"width": tiny.LONGEST, "height": 58}  # 120 * 96 / 200 = 57.6
    assert sizes["img-2"] == {"width": 80, "height": 60}
    assert set(of_kind(derived, "original")["image"]) == set(tiny.IMAGES)


def test_a_picture_that_is_small_enough_is_kept_once(made):
    derived = made[1]
    small = derived.derivatives[(derived.derivatives["image"] == "img-2") & (derived.derivatives["subject"] == "")]
    assert sorted(small["kind"]) == ["downsampled", "original"]
    assert small["offset"].nunique() == small["sha256"].nunique() == 1


def test_all_files_are_pngs_of_the_stated_size_without_metadata(made):
    files, derived = made
    for row in derived.derivatives.itertuples():
        with Image.open(io.BytesIO(bundle.read(files, row)), formats=("PNG",)) as image:
            image.load()
            assert image.size == (row.width, row.height)
            assert image.info == {}


def test_terms_are_what_everyone_in_an_image_permits(tiny, tmp_path):
    public = ("publish_image", "publish_attr:*")
    both, one = tiny.Person("a", 0.0, (*public, "train", "external")), tiny.Person("b", 0.45, (*public, "external"))
    images = {"img-1": ("large", [both, one]), "img-2": ("small", [both]), "img-3": ("small", [tiny.Person("c")])}
    found = tiny.make_shard(tmp_path / "in", images).derive(tmp_path / "files.tar").terms
    assert found.to_numpy().tolist() == [["img-1", False, True], ["img-2", True, True], ["img-3", False, False]]


def test_annotations_are_in_px_of_the_downsampled_picture(made):
    derived = made[1]
    nose = derived.keypoints.set_index(["image", "subject", "keypoint"]).loc[("img-1", "sub-1", 0)]
    assert (nose["x"], nose["y"]) == (round(0.4 * 96, 2), round(0.4 * 58, 2))
    face = derived.people.set_index(["image", "subject"]).loc[("img-1", "sub-2")]
    assert face["face_x"] == pytest.approx(0.75 * 96, abs=0.01)
    assert face["face_height"] == pytest.approx(0.35 * 58, abs=0.01)


def test_the_person_box_is_taken_from_the_segments(made):
    person = made[1].people.set_index(["image", "subject"]).loc[("img-2", "sub-1")]
    box = person[["person_x", "person_y", "person_width", "person_height"]].tolist()
    assert box == pytest.approx([0.25 * 80, 0.2 * 60, 0.3 * 80, 0.75 * 60], abs=0.011)


def test_homographies_lead_from_the_downsampled_picture_to_the_face(made):
    _files, derived = made
    crop = derived.faces.set_index(["image", "subject", "kind"]).loc[("img-1", "sub-1", "face_crop"), "homography"]
    face = derived.people.set_index(["image", "subject"]).loc[("img-1", "sub-1")]
    row = of_kind(derived, "face_crop").set_index(["image", "subject"]).loc[("img-1", "sub-1")]
    centre = [face["face_x"] + face["face_width"] / 2, face["face_y"] + face["face_height"] / 2]
    moved = geometry.moved(np.array([centre]), np.reshape(crop, (3, 3)))[0]
    np.testing.assert_allclose(moved, [row["width"] / 2, row["height"] / 2], atol=200 / 96 + 0.5)


def test_the_pixels_of_a_crop_are_where_its_homography_says(made):
    files, derived = made
    homographies = derived.faces.set_index(["image", "subject", "kind"])["homography"]
    pictures = {
        (r.image, r.kind): decode(bundle.read(files, r)) for r in derived.derivatives.itertuples() if not r.part
    }
    whole, crop = pictures["img-2", "original"], pictures["img-2", "face_crop"]
    left, upper = np.round(-np.reshape(homographies["img-2", "sub-1", "face_crop"], (3, 3))[:2, 2]).astype(int)
    height, width = crop.shape[:2]
    inside = whole[max(upper, 0) : upper + height, max(left, 0) : left + width]
    np.testing.assert_array_equal(crop[max(-upper, 0) :, max(-left, 0) :][: len(inside), : inside.shape[1]], inside)
    assert (width, height) == (2 * 16, 2 * 21)  # the face box is 0.2 * 80 by 0.35 * 60


def test_faces_without_visible_eyes_and_mouth_are_not_aligned(tmp_path, tiny):
    shard = tiny.make_shard(tmp_path / "in", {"img-1": ("large", [tiny.Person("sub-1")])})
    points = shard.tables["keypoints"]
    points.loc[points["keypoint"] == 10, "visible"] = False
    derived = shard.derive(tmp_path / "files.tar")
    assert len(of_kind(derived, "face_aligned")) == len(of_kind(derived, "mask")) == 0
    assert len(of_kind(derived, "face_crop")) == 1
    assert set(derived.faces["kind"]) == {"face_crop"}


def test_only_what_is_permitted_is_published(made):
    derived = made[1]
    said = derived.attributes.groupby(["image", "subject"])["attribute"].agg(set)
    assert said["img-3", "sub-3"] == {"pronoun", "camera_distance"}
    assert {"ancestry", "hairstyle", "apparent_skin_color"} <= said["img-1", "sub-1"]
    assert said["img-1", ""] == {"scene", "lighting"}
    ages = derived.people.set_index("subject")["age"]
    assert pd.isna(ages["sub-3"]) and (ages["sub-1"] == 31).all()


def test_who_checked_is_told_of_what_is_published_alone(made, tiny):
    found = made[1].checked.groupby(["image", "subject"])["attribute"].agg(set)
    assert found["img-1", "sub-1"] == {"apparent_skin_color"}  # of the height, too, which is only ever counted
    assert found["img-1", ""] == {"scene", "lighting"}
    assert ("img-3", "sub-3") not in found.index  # publishes no skin colour
    assert set(made[1].checked["annotator"]) == {tiny.CHECKER, tiny.WITHDRAWN}
    # They are described among those who annotated, where they let their demographics be used.
    assert survey._annotators(made[1]._asdict()) == {tiny.ANNOTATOR, tiny.CHECKER, tiny.WITHDRAWN}


def test_aggregate_only_attributes_are_never_told_per_person(made):
    derived = made[1]
    assert not set(derived.attributes["attribute"]) & set(AGGREGATE_ATTRIBUTES)
    assert set(derived.aggregate["attribute"]) == {"height", "pregnancy"}
    assert set(derived.aggregate["subject"]) == {"sub-1", "sub-2"}  # sub-3 grants no aggregates


def test_camera_distance_follows_from_the_original(made):
    rows = made[1].attributes
    found = rows[rows["attribute"] == "camera_distance"].set_index("image")["value"]
    assert set(found) == {"0. CD I"}  # 0.35 * 120 px and 0.35 * 60 px


def test_a_picture_of_someone_who_does_not_permit_it_stops_everything(tmp_path, tiny):
    people = [tiny.Person("sub-1"), tiny.Person("sub-2", 0.4, ("publish_attr:*",))]
    shard = tiny.make_shard(tmp_path / "in", {"img-1": ("small", people)})
    with pytest.raises(AccordError, match="image img-1: shows someone who did not permit publish_image"):
        shard.derive(tmp_path / "files.tar")


def test_a_picture_without_public_image_row_is_named(tmp_path, tiny):
    shard = tiny.make_shard(tmp_path / "in", {"img-1": ("small", [tiny.Person("sub-1")])})
    shard.tables["public"] = shard.tables["public"].iloc[:0]
    with pytest.raises(AccordError, match="image img-1: is not in the privacy steps' table of public images"):
        shard.derive(tmp_path / "files.tar")


def test_rows_on_other_images_are_left_out(tmp_path, tiny):
    shard = tiny.make_shard(tmp_path / "in", tiny.IMAGES)
    shard.tables["pictures"] = shard.tables["pictures"].query("image == 'img-2'")
    derived = shard.derive(tmp_path / "files.tar")
    assert {image for table in derived for image in table["image"]} == {"img-2"}


def test_an_empty_shard_gives_empty_tables(tmp_path, tiny):
    derived = tiny.make_shard(tmp_path / "in", {}).derive(tmp_path / "files.tar")
    assert [len(table) for table in derived] == [0] * 10


def test_the_same_shard_gives_the_same_bytes(tmp_path, tiny):
    bytes_of = []
    for name in ("a", "b"):
        tiny.make_shard(tmp_path / name, tiny.IMAGES).derive(tmp_path / f"{name}.tar")
        bytes_of.append((tmp_path / f"{name}.tar").read_bytes())
    assert bytes_of[0] == bytes_of[1]
