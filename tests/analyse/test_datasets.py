"""Adapters of public datasets, on small files in their formats: what becomes of each row, by hand."""

import json

import dataset_cases as cases
import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from analyse_cases import verdicts_of

from accord import cli
from accord.analyse.dataset_command import ADAPTERS
from accord.analyse.datasets import files
from accord.checks.tables.findings import Verdicts
from accord.engine import table
from accord.errors import AccordError
from accord.release.tables import Attributes, Derivatives, Keypoints, People, Segments
from accord.vocabularies import PRONOUNS, SKIN_COLORS


def said(found, attribute: str) -> dict[tuple[str, str], list[str]]:
    """(image, subject) -> groups of an attribute."""
    some = found.members[found.members["attribute"] == attribute]
    return some.groupby(["image", "subject"])["group"].agg(sorted).to_dict()


def features(found) -> pd.Series:
    """Feature -> median."""
    return found.described.spreads.set_index("feature")["median"]


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "given"


def test_coco_s_people_are_those_of_instances_without_crowds(folder):
    cases.coco(folder)
    found = files.load("coco", folder)
    people = found.dataset.people.set_index(["image", "subject"])
    assert list(people.index) == [("a.jpg", "70"), ("a.jpg", "71"), ("b.jpg", "80")]
    assert people["is_primary"].tolist() == [False, True, True]
    assert people.loc[("a.jpg", "71"), ["person_x", "person_width", "face_x", "face_height"]].tolist() == [
        50,
        100,
        60,
        30,
    ]
    assert found.dataset.left_out == {"crowds": 1, "labels of images without people": 1}
    assert found.dataset.areas["area"].tolist() == [100.5] * 3
    assert features(found)["person_aspect"] == 2 and features(found)["face_share"] == pytest.approx(0.03)


def coco_of(folder, names, annotations, file="instances_val.json", first=1):
    """A file of COCO with images of some names, numbered from `first`, and annotations (id, image id, more)."""
    images = [{"id": n, "file_name": name, "width": 640, "height": 480} for n, name in enumerate(names, first)]
    found = [{"id": n, "image_id": image, "category_id": 1, "bbox": [10, 20, 100, 200], "area": 20_000, **more}
             for n, image, more in annotations]  # fmt: skip
    cases.write(folder / file, images, found, [{"id": 1, "name": "person"}])


OUTLINED = {"segmentation": [[10, 20, 110, 20, 110, 220, 10, 220]]}


def test_images_of_coco_s_folders_are_named_by_their_paths(folder):
    coco_of(folder, ["a/0001.jpg", "b\\0001.jpg", "./0001.jpg"], [(n, n, OUTLINED) for n in (1, 2, 3)])
    people = files.load("coco", folder).dataset.people
    assert people[["image", "subject"]].to_numpy().tolist() == [
        ["a/0001.jpg", "1"],
        ["b/0001.jpg", "2"],
        ["0001.jpg", "3"],
    ]


@pytest.mark.parametrize("name", ["0001.jpg", "./0001.jpg", " 0001.jpg", "０００１.jpg"])
def test_two_images_of_coco_never_become_one(folder, name):
    coco_of(folder, ["0001.jpg", name], [(1, 1, {}), (2, 2, {})])
    with pytest.raises(
        AccordError, match=r"instances_val\.json: has 1 image with the file_name of another image"
    ) as failure:
        files.load("coco", folder)
    assert len(failure.value.problems) == 1


def test_an_image_that_is_listed_twice_is_one_and_names_that_are_near_are_told(folder, tmp_path):
    coco_of(folder, ["A.jpg", "a.jpg"], [(1, 1, {}), (2, 2, {})])
    path = folder / "instances_val.json"
    document = json.loads(path.read_text())
    path.write_text(json.dumps(document | {"images": [*document["images"], document["images"][0]]}))
    told = files.read("coco", folder, tmp_path / "out")
    assert told[0] == "coco: 2 people in images, 2 images of them, 2 subjects"
    assert told[1].startswith("  note: 2 images differ from another only in case, blanks or leading zeros")


def test_numbers_of_coco_s_images_and_annotations_are_unique_over_files(folder):
    coco_of(folder, ["a.jpg"], [(1, 1, {})], "instances_train.json")
    coco_of(folder, ["b.jpg"], [(1, 1, {})], "instances_val.json")
    with pytest.raises(AccordError, match=r"instances_val\.json: has 1 image with the id of another image"):
        files.load("coco", folder)
    coco_of(folder, ["b.jpg"], [(1, 2, {})], "instances_val.json", first=2)
    with pytest.raises(AccordError, match=r"annotations\[0\]: has the id of another annotation, in another image"):
        files.load("coco", folder)
    coco_of(folder, ["a.jpg"], [(2, 2, {})], "instances_val.json", first=2)
    with pytest.raises(AccordError, match=r"instances_val\.json: has 1 image with the file_name of another file"):
        files.load("coco", folder)
    coco_of(folder, ["b.jpg"], [(2, 2, {})], "instances_val.json", first=2)
    assert len(files.load("coco", folder).dataset.people) == 2


@pytest.mark.parametrize(("more", "areas"), [
    ({}, 0), ({"segmentation": None}, 0), ({"segmentation": []}, 0), ({"segmentation": [[]]}, 0),
    ({"segmentation": [[1, 2, 3, 4]]}, 0), (OUTLINED, 1), ({"segmentation": {"counts": [1], "size": [480, 640]}}, 1),
    ({"segmentation": {}}, 0), (OUTLINED | {"area": None}, 0),
])  # fmt: skip
def test_an_area_without_an_outline_is_that_of_a_box(folder, more, areas):
    coco_of(folder, ["a.jpg"], [(1, 1, more)])
    found = files.load("coco", folder)
    assert len(found.dataset.areas) == areas and ("mask_share" in features(found)) == bool(areas)


def test_miap_s_images_of_two_files_are_told(folder):
    cases.miap(folder)
    file = next(folder.rglob("open_images_extended_miap_boxes_*.csv"))
    file.with_name("open_images_extended_miap_boxes_copy.csv").write_bytes(file.read_bytes())
    with pytest.raises(AccordError, match=r"has \d (person|people) in images of .*one picture, or two\?"):
        files.load("miap", folder)


def test_people_are_spelled_in_one_way(folder):
    cases.facet(folder)
    file = folder / "annotations/annotations.csv"
    file.write_text(file.read_text().replace("sa_2.jpg", "Zoe\u0308.jpg") + file.read_text().splitlines()[-1].replace(
        "sa_2.jpg", "Zo\u00eb.jpg"))  # fmt: skip
    with pytest.raises(AccordError, match="names an image or a person in other characters than an earlier row"):
        files.load("facet", folder)


def test_coco_s_keypoints_get_blazepose_s_numbers(folder):
    cases.coco(folder)
    found = files.load("coco", folder).dataset.keypoints.set_index("keypoint")
    # Left shoulder, right wrist; right eye's outer corner, left heel (COCO-WholeBody 19), right index knuckle.
    points = {number: (row.x, row.y) for number, row in found.iterrows()}
    assert points == {12: (30, 31), 15: (40, 41), 3: (5, 6), 30: (7, 8), 19: (9, 10)}
    assert found["visible"].to_dict() == {12: False, 15: True, 3: True, 30: True, 19: True}


def test_coco_s_own_keypoints_are_read_where_there_is_no_whole_body(folder):
    cases.coco(folder, whole_body=False)
    assert sorted(files.load("coco", folder).dataset.keypoints["keypoint"]) == [12, 15]


def test_labels_of_an_image_are_those_of_its_largest_person(folder):
    cases.coco(folder)
    found = files.load("coco", folder)
    assert said(found, "gender") == {("a.jpg", "71"): ["female"], ("b.jpg", "80"): ["unknown"]}
    assert said(found, "skin_halves") == {("a.jpg", "71"): ["darker"], ("b.jpg", "80"): ["unknown"]}
    assert said(found, "bb_skin")["b.jpg", "80"] == ["Unsure"]


def test_facet_s_counts_become_groups(folder):
    cases.facet(folder)
    found = files.load("facet", folder)
    one, two, three = ("sa_1.jpg", "1"), ("sa_1.jpg", "2"), ("sa_2.jpg", "3")
    assert said(found, "gender") == {one: ["female"], two: ["unknown"], three: ["male"]}
    assert said(found, "age_presentation") == {one: ["young"], two: ["unknown"], three: ["older"]}
    assert said(found, "monk_tone") == {one: ["2", "4"], two: ["5", "9"], three: ["10"]}
    # Two of three votes are for light tones; one for medium and one for dark decide nothing.
    assert said(found, "skin") == {one: ["light"], two: ["unknown"], three: ["dark"]}
    assert said(found, "class")[three] == ["judge", "lawman"]
    assert said(found, "hair_color") == {two: ["black"]} and said(found, "has") == {three: ["cap"]}
    assert features(found)["person_share"] == pytest.approx(30 * 60.5 / 20000)
    assert features(found)["person_aspect"] == pytest.approx(60.5 / 30)


def test_miap_s_relative_boxes_have_a_size_and_no_shape(folder):
    cases.miap(folder)
    found = files.load("miap", folder)
    boxes = found.dataset.people.set_index(["image", "subject"])["person_width"]
    assert boxes.to_dict() == pytest.approx({("00b", "00b:1"): 0.1, ("00a", "00a:1"): 0.5, ("00a", "00a:2"): 0.5})
    assert features(found)["person_share"] == pytest.approx(0.25) and "person_aspect" not in features(found)
    assert said(found, "gender") == {
        ("00a", "00a:1"): ["female"],
        ("00a", "00a:2"): ["unknown"],
        ("00b", "00b:1"): ["male"],
    }
    assert said(found, "age_presentation")["00a", "00a:1"] == ["middle"]
    assert said(found, "occluded") == {("00a", "00a:1"): ["no"], ("00b", "00b:1"): ["no"]}
    assert said(found, "depiction")["00a", "00a:2"] == ["yes"]
    assert found.dataset.left_out == {"groups": 1}
    # Nobody is known from another image: each is a subject.
    assert found.described.spreads["subjects"].tolist() == [3, 3]


def test_wider_face_s_faces(folder):
    cases.wider_face(folder)
    found = files.load("wider_face", folder)
    parade, group = "0--Parade/0_Parade_1.jpg", "12--Group/12_Group_3.jpg"
    one, none, two = (parade, f"{parade}:1"), (group, f"{group}:1"), (group, f"{group}:2")
    people = found.dataset.people.set_index(["image", "subject"])
    assert list(people.index) == [one, none, two]
    assert people.loc[two, ["face_x", "face_width"]].tolist() == [40, 20] and pd.isna(people.loc[none, "face_x"])
    assert said(found, "blur")[one] == ["heavy"] and said(found, "expression")[two] == ["exaggerate"]
    assert said(found, "occlusion")[two] == ["heavy"] and said(found, "pose")[two] == ["atypical"]
    assert said(found, "event")[two] == ["Group"] and said(found, "illumination")[one] == ["extreme"]
    assert found.dataset.left_out == {"boxes without area": 1, "invalid faces": 1}
    assert features(found)["face_share"] == pytest.approx((30 * 45 / 9000 + 400 / 3200) / 2)
    (folder / "sizes.csv").unlink()
    assert set(features(files.load("wider_face", folder)).index) == {"face_aspect"}


def test_celebamask_hq_s_faces_belong_to_identities_where_they_are_known(folder):
    cases.celebamask_hq(folder)
    found = files.load("celebamask_hq", folder)
    assert said(found, "gender") == {("0.jpg", "5"): ["female"], ("1.jpg", "6"): ["male"], ("2.jpg", "5"): ["male"]}
    assert said(found, "Young") == {("0.jpg", "5"): ["yes"], ("1.jpg", "6"): ["no"], ("2.jpg", "5"): ["yes"]}
    assert said(found, "head_pose") == {
        ("0.jpg", "5"): ["typical"], ("1.jpg", "6"): ["atypical"], ("2.jpg", "5"): ["typical"],
    }  # fmt: skip
    sizes = found.described.group_sizes.set_index(["attribute", "group"])
    assert sizes.loc[("all", "all"), ["images", "subjects", "images_per_subject"]].tolist() == [3, 2, 1.5]
    (folder / "identity_CelebA.txt").unlink()
    assert files.load("celebamask_hq", folder).dataset.people["subject"].tolist() == ["0.jpg", "1.jpg", "2.jpg"]


def test_casual_conversations_v1_s_videos(folder):
    cases.ccv1(folder)
    found = files.load("ccv1", folder)
    bright, dark, other = ("A/0001/0001_00.MP4", "0001"), ("A/0001/0001_01.MP4", "0001"), ("A/0002/0002_00.MP4", "0002")
    assert said(found, "lighting") == {bright: ["bright"], dark: ["dark"], other: ["bright"]}
    assert said(found, "age_group") == {bright: ["[30, 40)"], dark: ["[30, 40)"]}
    assert said(found, "gender") == {bright: ["female"], dark: ["female"], other: ["unknown"]}
    assert said(found, "fitzpatrick")[dark] == ["V"] and said(found, "fitzpatrick")[other] == ["III"]
    assert said(found, "skin") == {bright: ["dark"], dark: ["dark"], other: ["medium"]}
    assert said(found, "skin_halves")[other] == ["lighter"]
    by = found.dataset.attributes.groupby("attribute")["annotator"].first()
    assert by[["gender", "age_group", "fitzpatrick"]].tolist() == ["", "", "annotator"]


def test_casual_conversations_v2_s_videos(folder):
    cases.ccv2(folder)
    found = files.load("ccv2", folder)
    one, two = ("0000_portuguese_nonscripted_1.mp4", "0000"), ("0001_hindi_scripted_1.mp4", "0001")
    assert said(found, "age_group") == {one: ["[18, 30)"]}
    assert said(found, "gender") == {one: ["female"], two: ["other"]}
    assert said(found, "stated_gender")[two] == ["non-binary"]
    assert said(found, "monk_tone") == {one: ["5"], two: ["10"]}
    assert said(found, "fitzpatrick") == {one: ["III"], two: ["VI"]}
    assert said(found, "skin") == {one: ["medium"], two: ["dark"]}


def test_imdb_wiki_s_faces_without_anyone_s_name(folder):
    cases.imdb_wiki(folder)
    found = files.load("imdb_wiki", folder)
    people = found.dataset.people
    assert people["subject"].tolist() == ["wiki 0", "wiki 0", "wiki 1", "wiki 2"]
    # Born on 1 January 1970; photographs are taken in the middle of the year.
    assert people["age"].tolist()[:2] == [30, 10] and people["age"].isna().tolist() == [False, False, True, False]
    assert people.loc[0, ["face_x", "face_y", "face_width", "face_height"]].tolist() == [10, 20, 20, 40]
    assert people["face_x"].isna().tolist() == [False, False, True, False]
    groups = said(found, "age_group")
    assert groups["17/11_1970-01-01_1980.jpg", "wiki 0"] == ["under 18"]
    assert [group for _, group in sorted(said(found, "gender").items())] == [["female"]] * 2 + [["male"], ["unknown"]]
    assert found.dataset.left_out == {"impossible ages": 1}
    assert not any("Example" in text for text in found.dataset.attributes["value"])


def test_imdb_s_people_are_known_by_their_number(folder):
    cases.imdb_wiki(folder / "imdb_crop", "imdb", celeb_id=np.array([[9.0, 9.0, 4.0, 7.0]]))
    people = files.load("imdb_wiki", folder).dataset.people
    assert people["subject"].tolist() == ["imdb 9", "imdb 9", "imdb 4", "imdb 7"]


def accord_results(folder) -> None:
    """Results of a release of two people in one image each; a third image fails."""
    keys = pd.DataFrame({"image": ["i0", "i1", "i2"], "subject": ["s0", "s1", "s1"]})
    sides = [f"{part}_{side}" for part in ("face", "person") for side in ("x", "y", "width", "height")]
    people = keys.assign(is_primary=True, age=[25, 61, 61], face_annotator="a", **dict.fromkeys(sides, 10.0))
    values = {
        "pronoun": PRONOUNS[:2] + PRONOUNS[1:2],
        "natural_skin_color": [SKIN_COLORS[0], SKIN_COLORS[5], SKIN_COLORS[5]],
    }
    attributes = pd.concat(
        [keys.assign(attribute=name, value=list(some), annotator="") for name, some in values.items()]
    )
    where = {"part": "", "member": "m", "offset": 0, "size": 1, "sha256": "0" * 64, "source_sha256": "0" * 64}
    derivatives = keys[["image"]].assign(subject="", kind="downsampled", width=100, height=200, **where)
    square = np.array([0, 0, 50, 0, 50, 50, 0, 50], float)
    segments = keys.assign(segment=20, num=1, polygon=[square] * 3, annotator="a")
    points = keys.assign(keypoint=0, x=25.0, y=30.0, visible=True, annotator="a")
    tables = {"people": (people, People), "attributes": (attributes, Attributes), "keypoints": (points, Keypoints)}
    tables |= {"segments": (segments, Segments), "derivatives": (derivatives, Derivatives)}
    (folder / "release/00").mkdir(parents=True)
    for name, (frame, model) in tables.items():
        table.write(frame, model, folder / f"release/00/{name}.parquet")
    table.write(verdicts_of(keys["image"], failed=["i2"]), Verdicts, folder / "release/verdicts.parquet")


def test_a_release_is_read_under_the_shared_names_too(folder):
    accord_results(folder)
    found = files.load("accord", folder)
    one, two = ("i0", "s0"), ("i1", "s1")
    assert said(found, "gender") == {one: ["female"], two: ["male"]}
    assert said(found, "skin") == {one: ["dark"], two: ["light"]}
    assert said(found, "age_group") == {one: ["[18, 30)"], two: ["[60, +]"]}
    assert features(found)["person_share"] == pytest.approx(100 / 20000)
    assert found.described.spreads.set_index("feature").loc["mask_share", "people"] == 2


def test_every_adapter_writes_all_tables_and_tells_its_files(tmp_path, capsys):
    for name in ADAPTERS:
        write = accord_results if name == "accord" else getattr(cases, name)
        write(tmp_path / name)
        out = tmp_path / "first" / name
        assert cli.main(["dataset", name, str(tmp_path / name), "--out", str(out)]) == 0
        assert {file.name for file in out.iterdir()} == {
            f"{table}.parquet" for table in set(files.MODELS) - {"shares", "distances"}
        }
    cli.main(["dataset", "coco", str(tmp_path / "coco"), "--out", str(tmp_path / "second/coco")])
    for file in (tmp_path / "first/coco").iterdir():
        assert file.read_bytes() == (tmp_path / "second/coco" / file.name).read_bytes()
    told = capsys.readouterr().out
    assert "coco: 3 people in images, 2 images of them, 3 subjects\n  left out: 1 crowds\n" in told
    record = json.loads(pq.read_schema(tmp_path / "first/coco/people.parquet").metadata[b"provenance"])
    assert sorted(record["inputs"]) == [
        "annotations/coco_wholebody_val_v1.0.json", "annotations/instances_val2017.json", "images_val2014.csv",
    ]  # fmt: skip
