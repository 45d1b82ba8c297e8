"""Reading FACET archives: a small one in FACET's format, written here."""

import csv
import json

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from accord import shards
from accord.errors import AccordError
from accord.imaging import bundle
from accord.imaging.decode import decode
from accord.release import describe_archive, import_facet
from accord.release.archives import facet

COUNTED = [
    *(f"gender_presentation_{name}" for name in ("masc", "fem", "non_binary", "na")),
    *(f"age_presentation_{name}" for name in ("young", "middle", "older", "na")),
    *(f"skin_tone_{name}" for name in (*range(1, 11), "na")),
    *("hair_color_black", "hair_color_brown", "hair_color_na", "has_cap"),
]


def row(person: str, image: str, box=(10, 20, 30, 40), **cells) -> dict[str, str]:
    """A row as FACET's table has it: nobody said anything but what `cells` say."""
    told = json.dumps(dict(zip(("x", "y", "width", "height"), box, strict=True)) | {"dict_attributes": {}})
    start = {"person_id": person, "class1": "nurse", "class2": "", "filename": image, "bounding_box": told}
    return start | dict.fromkeys(COUNTED, "0") | {name: str(cell) for name, cell in cells.items()}


def write(root, rows, pictures=True, folder="imgs_1", size=(120, 80)):
    """FACET's tree; each picture is a JPEG of (width, height)."""
    table = root / "annotations/annotations.csv"
    table.parent.mkdir(parents=True, exist_ok=True)
    with table.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    for number, name in enumerate(dict.fromkeys(given["filename"] for given in rows) if pictures else ()):
        path = root / folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(np.full((size[1], size[0], 3), 40 + number, np.uint8)).save(path, "JPEG")
    return root


def taken_in(root, tmp_path, count=1, terms=None):
    """(files.tar, Derived) of each shard of an archive."""
    found = []
    for name in shards.names(count):
        files = tmp_path / f"{name}.tar"
        made = import_facet.run(root, shard=name, shards=count, terms=terms or {}, files=files)
        found.append((files, made))
    return found


def said(read, subject: str) -> dict[str, str]:
    some = read.attributes[read.attributes["subject"] == subject]
    return dict(zip(some["attribute"], some["value"], strict=True))


@pytest.fixture
def root(tmp_path):
    """Two people in a picture of one folder, one in a picture of another."""
    write(tmp_path / "FACET", [row("3", "sa_2.jpg")], folder="imgs_3")
    two = [
        row("1", "sa_1.jpg", (0, 0, 10, 10), gender_presentation_masc=3, age_presentation_young=2, skin_tone_2=2,
            skin_tone_4=1, hair_color_black=1, class2="doctor"),
        row("2", "sa_1.jpg", (5, 6.5, 50, 60), gender_presentation_fem=1, skin_tone_9=1, skin_tone_10=1),
    ]  # fmt: skip
    table = [*two, row("3", "sa_2.jpg", gender_presentation_non_binary=2, age_presentation_older=1)]
    write(tmp_path / "FACET", two)
    return write(tmp_path / "FACET", table, pictures=False)


def test_a_small_archive_by_hand(root, tmp_path):
    [(files, read)] = taken_in(root, tmp_path)
    people = read.people.set_index("subject")
    assert people["is_primary"].to_dict() == {"1": False, "2": True, "3": True}  # the larger of two boxes
    assert people.loc["2", ["person_x", "person_y", "person_width", "person_height"]].tolist() == [5, 6.5, 50, 60]
    assert people["face_x"].isna().all() and people["age"].isna().all()
    assert said(read, "1") == {"gender": "male", "age_presentation": "young", "skin": "light", "class1": "nurse",
                               "class2": "doctor", "hair_color": "black"}  # fmt: skip
    assert said(read, "2") == {"gender": "female", "age_presentation": "unknown", "skin": "dark", "class1": "nurse",
                               "hair_color": "unknown"}  # fmt: skip
    assert (said(read, "3")["gender"], said(read, "3")["age_presentation"]) == ("other", "older")
    whole = read.derivatives[read.derivatives["image"] == "sa_1.jpg"]
    assert whole["kind"].tolist() == ["downsampled", "original"]
    assert whole[["width", "height"]].to_numpy().tolist() == [[120, 80]] * 2
    for picture in read.derivatives.itertuples():
        data = bundle.read(files, picture)
        assert data == next(root.glob(f"imgs_*/{picture.image}")).read_bytes()
        assert decode(data).shape == (80, 120, 3)
    assert read.public["image"].tolist() == ["sa_1.jpg", "sa_2.jpg"] and read.public["iso_speed_ratings"].isna().all()


@pytest.mark.parametrize(
    ("votes", "expected"),
    [
        ({"skin_tone_3": 1, "skin_tone_1": 1, "skin_tone_4": 1}, "light"),
        ({"skin_tone_3": 1, "skin_tone_4": 1}, "unknown"),
        ({"skin_tone_6": 2, "skin_tone_na": 2}, "unknown"),
        ({"skin_tone_6": 2, "skin_tone_na": 1}, "medium"),
        ({"skin_tone_7": 1}, "dark"),
        ({"skin_tone_na": 3}, "unknown"),
        ({f"skin_tone_{tone}": 1 for tone in range(1, 11)}, "unknown"),
        ({}, "unknown"),
    ],
)
def test_skin_is_the_third_with_most_votes(votes, expected):
    none = {f"skin_tone_{name}": 0.0 for name in (*range(1, 11), "na")}
    assert facet.skin(none | votes) == expected


@pytest.mark.parametrize(
    ("votes", "expected"),
    [
        ({"masc": 2, "fem": 1}, "male"),
        ({"masc": 1, "fem": 1}, "unknown"),
        ({"fem": 1, "na": 2}, "unknown"),
        ({"non_binary": 1}, "other"),
        ({}, "unknown"),
    ],
)
def test_gender_is_what_most_said_and_a_tie_is_unknown(votes, expected):
    none = dict.fromkeys(("masc", "fem", "non_binary", "na"), 0.0)
    assert facet.gender({f"gender_presentation_{name}": count for name, count in (none | votes).items()}) == expected


def test_the_classes_are_facet_s():
    assert len(facet.CLASSES) == 52 == len(set(facet.CLASSES)) and list(facet.CLASSES) == sorted(facet.CLASSES)


def test_an_image_lives_with_its_primary_subject_in_one_shard(root, tmp_path):
    homes = {"sa_1.jpg": int(shards.shard_of("2", 8), 16), "sa_2.jpg": int(shards.shard_of("3", 8), 16)}
    for number, (_, read) in enumerate(taken_in(root, tmp_path, count=8)):
        here = {image for image, home in homes.items() if home == number}
        for name in ("people", "attributes", "derivatives", "public", "terms"):
            assert set(getattr(read, name)["image"]) == here, name


def test_training_is_forbidden_whatever_is_stated(root, tmp_path):
    [(_, read)] = taken_in(root, tmp_path, terms={"external": True})
    assert read.terms.to_numpy().tolist() == [["sa_1.jpg", False, True], ["sa_2.jpg", False, True]]
    with pytest.raises(AccordError, match=r"terms\.train: is true, but the licence of FACET forbids it"):
        taken_in(root, tmp_path, terms={"train": True})


def test_everything_that_is_wrong_in_the_table_is_told_at_once(tmp_path):
    mark = tmp_path / "ran"
    rows = [
        row("1", "../secret.jpg"),
        row("", "a.jpg"),
        row("3", "a.jpg", class1=""),
        row("4", "a.jpg", class1="nurze", class2="astronout"),
        row("5", "a.jpg", skin_tone_1="-1", skin_tone_2="1_0", skin_tone_3="\u0661", has_cap="many"),
        row("6", "a.jpg") | {"bounding_box": f"__import__('pathlib').Path({str(mark)!r}).touch()"},
        row("7", "a.jpg") | {"bounding_box": '{"x": 1e999, "y": 0, "width": 1, "height": 1}'},
        row("8", "b" * 101),
        row("9", "a.jpg"),
        row("9", "a.jpg"),
    ]
    with pytest.raises(AccordError) as caught:
        taken_in(write(tmp_path / "FACET", rows, pictures=False), tmp_path)
    told = str(caught.value)
    assert told.startswith("10 problems found")
    for line, what in (
        (2, "filename is not a plain name"),
        (3, "person_id is not a plain name"),
        (4, "has no class1"),
        (5, "class1 is not one of FACET's classes (did you mean 'nurse'?)"),
        (5, "class2 is not one of FACET's classes (did you mean 'astronaut'?)"),
        (6, "columns skin_tone_1, skin_tone_2, skin_tone_3, has_cap are not counts"),
        (7, "bounding_box is not a JSON object with the numbers x, y, width, height"),
        (8, "bounding_box is not a JSON object with the numbers x, y, width, height"),
        (9, "filename is not a plain name"),  # too long
        (11, "duplicates a person in an image"),
    ):
        assert f"annotations/annotations.csv, line {line}: {what}" in told
    assert not mark.exists()


def test_every_picture_that_can_t_be_read_is_told(tmp_path):
    rows = [row(str(n), f"{name}.jpg") for n, name in enumerate(("missing", "text", "link", "small"))]
    root = write(tmp_path / "FACET", rows, size=(9, 9))
    (root / "imgs_1/missing.jpg").unlink()
    (root / "imgs_1/text.jpg").write_text("no picture")
    (tmp_path / "private.jpg").write_bytes((root / "imgs_1/link.jpg").read_bytes())
    (root / "imgs_1/link.jpg").unlink()
    (root / "imgs_1/link.jpg").symlink_to(tmp_path / "private.jpg")
    with pytest.raises(AccordError) as caught:
        taken_in(root, tmp_path)
    told = str(caught.value)
    assert "image missing.jpg: is missing" in told and "image link.jpg: is outside the archive" in told
    assert "image text.jpg: is not a valid JPEG or PNG" in told
    assert "line 5: bounding_box lies outside the picture" in told


def test_pictures_of_one_name_in_two_folders_are_refused(root, tmp_path):
    (root / "imgs_2").mkdir()
    (root / "imgs_2/sa_1.jpg").write_bytes((root / "imgs_3/sa_2.jpg").read_bytes())
    with pytest.raises(AccordError, match=r"image sa_1\.jpg: lies in imgs_1 and imgs_2: several pictures would be one"):
        taken_in(root, tmp_path)


def test_a_turned_picture_has_the_size_that_viewers_show(tmp_path):
    root = write(tmp_path / "FACET", [row("1", "a.jpg")])
    turned = Image.Exif()
    turned[0x0112] = 6
    Image.open(root / "imgs_1/a.jpg").save(root / "imgs_1/a.jpg", exif=turned)
    [(files, read)] = taken_in(root, tmp_path)
    whole = next(read.derivatives.itertuples())
    assert (whole.width, whole.height) == (80, 120)
    assert decode(bundle.read(files, whole)).shape == (120, 80, 3)


def test_a_box_without_area_is_none_and_its_person_stays(tmp_path, capsys):
    root = write(tmp_path / "FACET", [row("1", "a.jpg", (5, 5, 0, 10)), row("2", "a.jpg", (0, 0, 5, 5))])
    [(_, read)] = taken_in(root, tmp_path)
    people = read.people.set_index("subject")
    assert pd.isna(people.loc["1", "person_x"]) and people.loc["2", "is_primary"]
    assert "1 of 2 people has no box" in capsys.readouterr().err


def test_votes_are_whole_numbers(tmp_path):
    cells = ("3.5", "1e999", "nan", "-1", "3.0", "", "2")
    rows = [row(str(n), "a.jpg", gender_presentation_masc=cell) for n, cell in enumerate(cells)]
    with pytest.raises(AccordError) as caught:
        taken_in(write(tmp_path / "FACET", rows), tmp_path)
    told = str(caught.value)
    assert told.startswith("4 problems found")
    for line in (2, 3, 4, 5):
        assert f"line {line}: columns gender_presentation_masc are not counts: whole numbers" in told


def test_folders_that_are_no_archive_are_told(tmp_path):
    with pytest.raises(AccordError, match=r"release\.archive\.path: has no annotations/annotations\.csv"):
        taken_in(tmp_path, tmp_path)
    (tmp_path / "annotations.csv").write_text("person_id,filename\n1,a.jpg\n")
    with pytest.raises(AccordError, match=r"annotations\.csv, line 1: lacks the columns bounding_box, class1"):
        taken_in(tmp_path, tmp_path)


def test_an_archive_is_described_as_a_release(root, tmp_path):
    [(_, read)] = taken_in(root, tmp_path)
    described = describe_archive.run(read.people, read.derivatives, archive=root, format="facet")
    assert described.verdicts[["image", "subject", "verdict"]].to_numpy().tolist() == [
        ["sa_1.jpg", "2", "pass"],
        ["sa_2.jpg", "3", "pass"],
    ]
    release = described.release
    assert (release["dataset"], release["version"], release["images"], release["subjects"]) == ("facet", "FACET", 2, 3)
