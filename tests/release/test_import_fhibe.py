"""Reading FHIBE archives: our own releases, and a small one written by hand in FHIBE's format."""

import json

import numpy as np
import pandas as pd
import pytest
from archive_cases import CHECKER, IMAGE, OTHER, SECOND, SECOND_CHECKER, SUBJECT, row, taken_in, write_archive

from accord import shards
from accord.errors import AccordError
from accord.imaging import bundle
from accord.imaging.decode import encode_png
from accord.release import describe_archive
from accord.release.format import fhibe, literals
from accord.release.making.shard_tables import MODELS
from accord.release.seal import identity, versions


def with_released_ids(derived, ids: identity.Ids):
    """The tables under the ids that a release gave."""
    changed = {}
    for name in MODELS:
        frame = getattr(derived, name).copy()
        frame["image"] = [ids.image(image) for image in frame["image"]]
        frame["subject"] = [ids.subject(subject) if subject else "" for subject in frame["subject"]]
        for column in frame.columns.intersection(["annotator", "face_annotator"]):
            frame[column] = [ids.annotator(name) for name in frame[column]]
        changed[name] = frame
    return changed


def test_our_own_release_is_read_back_as_it_was_derived(tiny, shards, tmp_path):
    house = tiny.House(tmp_path, shards)
    house.edits = []  # a claim that something was painted over is in the picture's file, not in what it was derived as
    house.publish(shards=1)
    [(_, read)] = taken_in(house.releases / "1.0.0", tmp_path)
    files = tmp_path / "again.tar"
    ids = identity.ids(versions.private(house.vault, "1.0.0"))
    derived = with_released_ids(tiny.make_shard(tmp_path / "in", tiny.IMAGES).derive(files), ids)
    # Who says what FHIBE lets people say themselves is told beside the pictures, in no column of its tables.
    unnamed = derived["attributes"]["attribute"] != "head_pose"
    derived["attributes"].loc[unnamed, "annotator"] = ""
    # The region of an ancestry is in FHIBE's tables, whether it was said or not.
    asia = derived["attributes"].query("attribute == 'ancestry'").assign(value="11. Asia")
    derived["attributes"] = pd.concat([derived["attributes"], asia])
    # FHIBE's tables have no column of who checked the scene.
    derived["checked"] = derived["checked"].query("attribute != 'scene'")
    for name in ("people", "attributes", "keypoints", "segments", "public", "derivatives", "faces", "checked"):
        drop = ["member", "offset"] if name == "derivatives" else []
        key = MODELS[name].to_schema().unique or ["image"]
        expected = derived[name].drop(columns=drop).sort_values(key, ignore_index=True)
        found = getattr(read, name).drop(columns=drop).sort_values(key, ignore_index=True)
        pd.testing.assert_frame_equal(found, expected, check_exact=True, obj=name)
    assert len(read.aggregate) == 0


def test_a_small_archive_by_hand(tmp_path):
    root = write_archive(tmp_path / "fhibe.u.gT5_downsampled_public", [row(IMAGE, SUBJECT), row(IMAGE, SECOND, age="")])
    [(files, read)] = taken_in(root, tmp_path)
    person = read.people.set_index("subject").loc[SUBJECT]
    assert (person["is_primary"], person["age"], person["face_height"], person["person_y"]) == (True, 31, 25, 5.5)
    assert pd.isna(read.people.set_index("subject").loc[SECOND, "age"])
    said = read.attributes.groupby(["subject", "attribute"])["value"].agg(list)
    assert said[SUBJECT, "ancestry"] == ["2. Eastern Africa", "5. Western Africa"]
    assert said[SUBJECT, "natural_skin_color"] == ["2. [164, 131, 103]"]
    assert said["", "scene"] == ["12. Indoor: Home or hotel"]
    assert said[SUBJECT, "facial_marks"] == ["10. Report string"] and said[SUBJECT, "nationality"] == ["India"]
    by = read.attributes[read.attributes["subject"] == SUBJECT].set_index("attribute")["annotator"]
    assert by["head_pose"] == "11111111-1111-4111-8111-111111111111" and by["facial_marks"] == ""
    checked = read.checked.groupby(["subject", "attribute"])["annotator"].agg(list)
    assert checked["", "lighting"] == [CHECKER, SECOND_CHECKER] and checked[SUBJECT, "hairstyle"] == [CHECKER]
    points = read.keypoints[read.keypoints["subject"] == SUBJECT]
    assert points[["keypoint", "x", "y", "visible"]].to_numpy().tolist() == [[0, 30, 20.5, True], [32, 31, 80, False]]
    assert read.segments["polygon"].iloc[0].tolist() == [1, 2, 3.5, 4]
    public = read.public.iloc[0]
    assert (public["location_country"], public["location_country_m49"]) == ("Nigeria", 566)
    assert (public["user_date_captured"], public["aperture_value"]) == ("May-2023", 1.85)
    kinds = read.derivatives.set_index("kind")
    assert set(kinds.index) == {"original", "downsampled"} and (kinds["height"] == 90).all()
    assert all(bundle.read(files, picture).startswith(b"\x89PNG") for picture in read.derivatives.itertuples())


def test_an_image_lives_with_its_primary_subject_in_one_shard(tmp_path):
    rows = [row(IMAGE, SECOND), row(IMAGE, SUBJECT), row(OTHER, SUBJECT)]
    found = taken_in(write_archive(tmp_path / "archive", rows), tmp_path, count=8)
    home = int(shards.shard_of(SUBJECT, 8), 16)
    assert [len(read.people) for _, read in found] == [3 if n == home else 0 for n in range(8)]


def test_everything_that_is_wrong_is_told_at_once_and_nothing_is_run(tmp_path):
    mark = tmp_path / "ran"
    attack = f"__import__('pathlib').Path({str(mark)!r}).touch()"
    cells = {"keypoints": attack, "segments": "[" * 5000, "pronoun": "[1]", "age": "old", "face_bbox": "[1, 2]"}
    root = write_archive(tmp_path / "archive", [row(IMAGE, SUBJECT, **cells)])
    with pytest.raises(AccordError) as caught:
        taken_in(root, tmp_path)
    told = str(caught.value)
    assert told.startswith("5 problems found")
    assert f"image {IMAGE}, column keypoints: is not a valid Python literal" in told
    assert "column segments: is not a valid Python literal" in told
    assert "column pronoun: must contain a list of labels" in told
    assert "column face_bbox: must contain a box [x, y, width, height]" in told
    assert "column age: could not convert" not in told and "column age: must contain a number" in told
    assert not mark.exists()


def test_files_outside_the_archive_are_not_read(tmp_path):
    (tmp_path / "private.png").write_bytes(encode_png(np.zeros((4, 4, 3), np.uint8)))
    rows = [row(IMAGE, SUBJECT, filepath="../private.png"), row(OTHER, SUBJECT, filepath="data/missing.png")]
    root = write_archive(tmp_path / "archive", rows, pictures=False)
    with pytest.raises(AccordError) as caught:
        taken_in(root, tmp_path)
    assert f"image {IMAGE}, downsampled: is outside the archive" in str(caught.value)
    assert f"image {OTHER}, downsampled: is missing" in str(caught.value)


def test_an_image_without_primary_subject_is_told(tmp_path):
    root = write_archive(tmp_path / "archive", [row(IMAGE, SECOND)])
    with pytest.raises(AccordError, match=f"image {IMAGE}: has no primary subject"):
        taken_in(root, tmp_path)


def test_terms_are_false_unless_stated_and_never_allow_training(tmp_path):
    root = write_archive(tmp_path / "archive", [row(IMAGE, SUBJECT), row(OTHER, SUBJECT)])
    [(_, read)] = taken_in(root, tmp_path)
    assert read.terms.to_numpy().tolist() == [[IMAGE, False, False], [OTHER, False, False]]
    [(_, read)] = taken_in(root, tmp_path, terms={"external": True})
    assert read.terms["external"].all() and not read.terms["train"].any()
    with pytest.raises(AccordError, match=r"terms\.train: is true, but the licence of FHIBE forbids it"):
        taken_in(root, tmp_path, terms={"train": True})


def test_a_folder_that_is_no_archive_is_told(tmp_path):
    with pytest.raises(AccordError, match=r"release\.archive\.path: has no .*\n *hint: for fhibe it is the folder"):
        taken_in(tmp_path, tmp_path)


def test_a_table_without_its_columns_is_told(tmp_path):
    path = tmp_path / fhibe.WHOLE_TABLE
    path.parent.mkdir(parents=True)
    path.write_text("image_id,subject_id\n")
    with pytest.raises(AccordError, match="has no column 'filepath'"):
        taken_in(tmp_path, tmp_path)


@pytest.mark.parametrize(
    ("parse", "text", "what"),
    [
        (literals.literal, "x" * (literals.LONGEST + 1), "is too long"),
        (literals.literal, "1 +", "is not a valid Python literal"),
        (literals.keypoints, "{'33. Tail': [1, 2, 1]}", "known labels"),
        (literals.keypoints, "{'Nose': [1, 2, 1]}", "numbered labels"),
        (literals.keypoints, "{'0. Nose': [1, 1e999, 1]}", "keypoints"),
        (literals.segments, "[{'class_name': '0. Face skin', 'num': 1}]", "segments with a polygon"),
        (literals.integer, "31.5", "a whole number"),
        (literals.real, "inf", "a finite number"),
        (literals.boolean, "maybe", "True or False"),
    ],
)
def test_cells_that_can_not_be_read(parse, text, what):
    with pytest.raises(ValueError, match=what):
        parse(text)


def test_empty_cells_are_nothing():
    assert literals.labels("") == [] == literals.keypoints("nan") == literals.segments("")
    assert literals.box("") == [None] * 4
    assert literals.integer("31.0") == 31 and literals.real("") is None


def test_an_archive_is_described_as_a_release(tmp_path):
    root = write_archive(
        tmp_path / "fhibe.20250716.u.gT5_downsampled_public", [row(IMAGE, SUBJECT), row(IMAGE, SECOND)]
    )
    [(_, read)] = taken_in(root, tmp_path)
    described = describe_archive.run(read.people, read.derivatives, archive=root, format="fhibe")
    assert described.verdicts[["image", "subject", "verdict"]].to_numpy().tolist() == [[IMAGE, SUBJECT, "pass"]]
    assert described.waterfall["stopped"].sum() == 0 and described.waterfall["images_out"].iloc[-1] == 1
    release = described.release
    assert (release["version"], release["images"], release["subjects"]) == ("20250716.u.gT5", 1, 2)
    assert json.dumps(release)
