"""Annotation files that are broken, hostile or of another kind: what is said of them, all at once."""

import json
import zlib

import dataset_cases as cases
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accord import cli
from accord.analyse.dataset_command import ADAPTERS
from accord.analyse.datasets import files as dataset_files
from accord.analyse.datasets import matlab
from accord.errors import AccordError
from accord.release.archives import reading


def told(name, folder) -> str:
    """What is said of a folder that can't be read."""
    with pytest.raises(AccordError) as failure:
        dataset_files.load(name, folder)
    return str(failure.value).replace(str(folder), "F")


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "given"


@pytest.mark.parametrize("name", ADAPTERS)
def test_a_folder_without_annotation_files(name, tmp_path):
    assert "has no file" in told(name, tmp_path)
    with pytest.raises(AccordError, match="is not a folder"):
        cli.main(["dataset", name, str(tmp_path / "nowhere"), "--out", str(tmp_path / "out")])
    assert not (tmp_path / "out").exists()


def test_all_that_is_wrong_with_a_file_of_coco_is_told_with_its_place(folder):
    images = [{"id": 1, "file_name": "a.jpg", "width": 0, "height": 5}, {"id": "2"}, 3]
    annotations = [
        {"id": 1, "image_id": 9, "category_id": 1, "bbox": [0, 0, 1, 1]},
        {"id": 2, "image_id": 1, "category_id": 1, "bbox": [0, 0, True, 1]},
        {"id": 3, "image_id": 1, "category_id": 1, "bbox": [0, 0, 1, 1]},
        {"id": 3, "image_id": 1, "category_id": 1, "bbox": [0, 0, 1, 1]},
    ]
    cases.write(folder / "instances_x.json", images, annotations, [{"id": 1, "name": "person"}])
    text = told("coco", folder)
    assert "6 problems" in text
    assert "F/instances_x.json, images[0]: has no image size" in text
    assert "F/instances_x.json, images[1]: has no id, a whole number, or no file_name" in text
    assert "F/instances_x.json, images[2]: is not a JSON object" in text
    assert "annotations[0]: has an unknown image_id" in text
    assert "annotations[1]: has no bbox [x, y, width, height]" in text
    assert "F/instances_x.json, annotations[3]: duplicates a person in an image" in text


def test_json_that_is_none(folder):
    folder.mkdir()
    (folder / "instances_a.json").write_text('{"images":\n [}')
    (folder / "instances_b.json").write_text("[" * 200_000)
    (folder / "instances_c.json").write_text('{"images": [], "categories": [], "annotations": [NaN]}')
    (folder / "instances_d.json").write_bytes(b"\xff\xfe")
    text = told("coco", folder)
    assert "4 problems" in text
    assert "F/instances_a.json, line 2: is not valid JSON (JSONDecodeError)" in text
    assert "F/instances_b.json: is not valid JSON (RecursionError)" in text
    assert "F/instances_c.json: is not valid JSON (ValueError)" in text
    assert "F/instances_d.json, line 1: is not valid JSON" in text


def test_a_wrong_row_is_told_with_its_line(folder):
    cases.miap(folder)
    (folder / "open_images_extended_miap_boxes_val.csv").write_text(
        f"{cases.MIAP_HEADER}\n"
        "00c,/m/01g317,1,0.1,1.2,0.1,0.4,0,0,0,0,0,Predominantly Masculine,Young\n"
        "00c,/m/01g317,1,0.1,0.2\n"
        "00c,/m/01g317,1,0.1,0.2,0.1,0.4,0,0,0,0,0,Manly,Young\n"
    )
    text = told("miap", folder)
    name = "F/open_images_extended_miap_boxes_val.csv"
    assert "3 problems" in text
    assert f"{name}, line 2: XMin, YMin, XMax, YMax are not shares from 0 to 1" in text
    assert f"{name}, line 3: has 5 cells, not 14" in text
    assert f"{name}, line 4: GenderPresentation or AgePresentation is not one of the known values" in text
    (folder / "open_images_extended_miap_boxes_val.csv").write_text("ImageID,XMin\n")
    assert f"{name}, line 1: lacks the columns YMin, XMax, YMax, IsGroupOf" in told("miap", folder)
    (folder / "open_images_extended_miap_boxes_val.csv").write_text(cases.MIAP_HEADER.replace(",", ";"))
    assert f"{name}, line 1: looks separated by semicolons" in told("miap", folder)


def test_a_cell_is_never_run(folder, tmp_path):
    mark = tmp_path / "mark"
    cases.facet(folder)
    path = folder / "annotations/annotations.csv"
    lines = path.read_text().splitlines()
    code = f"__import__('pathlib').Path('{mark}').touch() or dict(x=1)"
    lines[2] = lines[2].replace("{'x': 10.0, 'y': 20, 'width': 30, 'height': 60.5, 'dict_attributes': {}}", code)
    lines[3] = lines[3].replace('"3"', '"-1"')
    path.write_text("\n".join(lines))
    text = told("facet", folder)
    assert "annotations.csv, line 3: bounding_box is not a JSON object with the numbers x, y, width, height" in text
    assert "annotations.csv, line 4: columns skin_tone_10 are not counts" in text
    assert not mark.exists() and code not in text


def test_wider_face_s_lines_must_follow_each_other(folder):
    cases.wider_face(folder)
    path = folder / "wider_face_split/wider_face_val_bbx_gt.txt"
    whole = path.read_text()
    path.write_text(whole.replace("\n2\n10 20", "\nmany\n10 20"))
    assert "wider_face_val_bbx_gt.txt, line 2: is not a number of faces" in told("wider_face", folder)
    path.write_text(whole.replace("\n2\n10 20", "\n1\n10 20"))
    assert "wider_face_val_bbx_gt.txt, line 4: is neither an image name nor a face" in told("wider_face", folder)
    path.write_text(whole.replace("40 0 20 20 0 1 0 0 2 1\n", ""))
    assert "wider_face_val_bbx_gt.txt: ends in the middle of an image" in told("wider_face", folder)
    path.write_text(whole.replace("40 0 20 20 0 1", "40 0 20 20 0 7"))
    assert "wider_face_val_bbx_gt.txt, line 11: is not a face: x, y, width, height, blur" in told("wider_face", folder)


def test_celebamask_hq_s_rows_must_be_those_that_it_counts(folder):
    cases.celebamask_hq(folder)
    path = folder / "CelebAMask-HQ-attribute-anno.txt"
    whole = path.read_text()
    path.write_text(whole.replace("1.jpg  -1 1 -1", "1.jpg  -1 1").replace("2.jpg  1 1 1", "2.jpg  1 1 0"))
    text = told("celebamask_hq", folder)
    assert "attribute-anno.txt, line 4: must have a name and 3 numbers" in text
    assert "attribute-anno.txt, line 5: has attributes that are neither 1 nor -1" in text
    path.write_text(whole.replace("3\nSmiling", "4\nSmiling"))
    assert "the number of rows differs from its first line" in told("celebamask_hq", folder)


def test_casual_conversations_of_another_kind(folder):
    folder.mkdir()
    (folder / "CasualConversations.json").write_text(
        json.dumps({"1": {"label": {"skin-type": "9"}, "files": []}, "2": []})
    )
    text = told("ccv1", folder)
    assert "entry 1: has a skin-type that is not one of 1 to 6" in text
    assert "entry 2: has no label, files and dark_files" in text
    (folder / "CasualConversationsV2.json").write_text(
        json.dumps(
            [{"video_name": "a"}, {"video_name": "a", "subject_id": "b", "monk_skin_tone": {"scale": "scale 11"}}]
        )
    )
    text = told("ccv2", folder)
    assert "videos[0]: has no video_name or subject_id" in text
    assert "videos[1]: monk_skin_tone is not 1 to 10" in text


def test_matlab_files_of_another_kind(folder):
    cases.imdb_wiki(folder, dob=np.array([[1.0, 2.0]]))
    assert "wiki.mat: the fields of wiki differ in length" in told("imdb_wiki", folder)
    cases.imdb_wiki(folder, gender=np.array([["f", "f", "m", "m"]], object))
    assert "wiki.mat: fields gender are not numbers" in told("imdb_wiki", folder)
    cases.imdb_wiki(folder, face_location=np.array([[1.0, 2.0, 3.0, 4.0]]))
    assert "wiki.mat, entry 1: has no full_path or face_location" in told("imdb_wiki", folder)
    (folder / "wiki.mat").rename(folder / "imdb.mat")
    assert "imdb.mat: has no structure 'imdb'" in told("imdb_wiki", folder)
    (folder / "imdb.mat").write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(200))
    assert "imdb.mat: is not a MATLAB file of version 5 to 7" in told("imdb_wiki", folder)


def test_a_matlab_file_that_unpacks_without_end_is_not_unpacked(folder, monkeypatch):
    cases.imdb_wiki(folder)
    header = (folder / "wiki.mat").read_bytes()[:128]
    bomb = zlib.compress(bytes(5_000_000))
    (folder / "wiki.mat").write_bytes(header + np.array([15, len(bomb)], "<u4").tobytes() + bomb)
    monkeypatch.setattr(matlab, "MOST_BYTES", 4_000_000)
    monkeypatch.setattr(matlab, "_loaded", lambda *_: pytest.fail("it was unpacked"))
    assert "is not a MATLAB file of version 5 to 7 within 4,000,000 bytes" in told("imdb_wiki", folder)


def test_bounds(folder, tmp_path, monkeypatch):
    cases.ccv2(tmp_path / "elsewhere")
    folder.mkdir()
    (folder / "CasualConversationsV2.json").symlink_to(tmp_path / "elsewhere/CasualConversationsV2.json")
    assert "F/CasualConversationsV2.json: is a link to outside the folder" in told("ccv2", folder)
    monkeypatch.setattr(reading, "LARGEST", 10)
    assert "CasualConversationsV2.json: is larger than 10 bytes" in told("ccv2", tmp_path / "elsewhere")


def test_a_file_of_another_kind_is_not_read_to_its_end(folder):
    folder.mkdir()
    rows = "00c,1\n" * (reading.MOST_PROBLEMS + 500)
    (folder / "open_images_extended_miap_boxes_val.csv").write_text(f"{cases.MIAP_HEADER}\n{rows}")
    assert f"({reading.MOST_PROBLEMS} times: lines 2, 3, 4" in told("miap", folder)


def test_names_are_bounded_and_printable(folder):
    cases.ccv2(folder)
    path = folder / "CasualConversationsV2.json"
    videos = json.loads(path.read_text())
    path.write_text(json.dumps([videos[0] | {"subject_id": "a\nb"}, videos[1] | {"video_name": "v" * 501}]))
    assert told("ccv2", folder).count("has an empty or unprintable name or value, or one over 500 characters") == 2


WRITERS = {name: getattr(cases, name) for name in ADAPTERS if name != "accord"}


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(sorted(WRITERS)), st.integers(0, 10**6), st.integers(0, 255), st.booleans())
def test_a_file_that_is_cut_or_changed_is_read_or_refused(tmp_path_factory, name, place, byte, cut):
    """No other kind of failure, whatever byte is changed."""
    folder = tmp_path_factory.mktemp(name)
    WRITERS[name](folder)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    file = files[place % len(files)]
    data = bytearray(file.read_bytes())
    data[place % len(data)] = byte
    file.write_bytes(data[: place % len(data)] if cut else data)
    try:
        assert len(dataset_files.load(name, folder).dataset.people)
    except AccordError as error:
        assert error.problems


IMAGES = [{"id": number, "file_name": f"{number}.jpg", "width": 640, "height": 480} for number in (1, 2)]
PEOPLE = [{"id": 1, "name": "person"}]


def person_of(number, image, **more):
    return {"id": number, "image_id": image, "category_id": 1, "bbox": [10, 20, 100, 200], **more}


def test_annotations_of_coco_with_one_fault_are_told_once(folder):
    cases.write(folder / "instances_x.json", IMAGES, [person_of(one, str(one % 2 + 1)) for one in range(1, 6)], PEOPLE)
    text = told("coco", folder)
    assert "1 problem" in text
    assert (
        "annotations[0]: has its image_id as a text, and images have numbers as ids (4 other annotations too)" in text
    )


def test_whole_numbers_of_coco_may_be_written_with_a_point(folder):
    images = [{**image, "id": float(image["id"])} for image in IMAGES]
    people = [person_of(1.0, 1), person_of(2, 2.0, category_id=1.0)]
    cases.write(folder / "instances_x.json", images, people, PEOPLE)
    found = dataset_files.load("coco", folder).dataset.people
    assert sorted(zip(found["image"], found["subject"], strict=True)) == [("1.jpg", "1"), ("2.jpg", "2")]


@pytest.mark.parametrize("box", [[-500, -500, 100, 100], [640, 20, 10, 10], [10, -200, 100, 200], [10, 480, 5, 5]])
def test_a_box_of_coco_outside_its_picture_is_left_out_and_counted(folder, box):
    cases.write(folder / "instances_x.json", IMAGES, [person_of(1, 1), person_of(2, 2, bbox=box)], PEOPLE)
    found = dataset_files.load("coco", folder).dataset
    assert found.people["image"].tolist() == ["1.jpg"]
    assert found.left_out == {"boxes wholly outside their picture": 1}
