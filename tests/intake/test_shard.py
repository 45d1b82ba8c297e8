"""One shard of a delivery: its tables by hand, and every refusal by its text."""

import hashlib
import json
import shutil
import struct
import zlib

import pandas as pd
import pytest
from intake_cases import jpeg
from PIL import Image

from accord.abuse import quarantine
from accord.delivery import command
from accord.engine import step
from accord.errors import AccordError
from accord.imaging import bundle
from accord.imaging.bundle import Member
from accord.intake import shard
from accord.intake.delivered import delivery, shares
from accord.intake.delivered.delivery import SCHEMA
from accord.intake.delivered.records import Records
from accord.intake.reading import images
from accord.shards import opaque_id, shard_of


def take(maker, count=1, at="00", max_pixels=1_000_000, write=True):
    root = maker.write() if write else maker.root
    tar = root.parent / f"{at}.tar"
    return shard.run([root], SCHEMA, tar, shard=at, shards=count, max_pixels=max_pixels), tar


def refused(maker, max_pixels=1_000_000, write=True):
    """(item, reference, check, reason, fatal) of all refusals, and the sources of the images taken."""
    records = Records()
    opened = delivery.load(maker.write() if write else maker.root)
    images.collect(opened, records, max_pixels, lambda name, data: Member(name, 0, len(data), "0" * 64))
    rows = [(row.item, row.reference, row.check, row.reason, row.fatal) for row in sorted(records.refused)]
    return rows, sorted(row[4] for row in records.images)


def image_id(source):
    return opaque_id("acme", "2026-03", source)


def subject_id(reference):
    return opaque_id("acme", reference)


def test_images_know_their_bytes_and_people(maker):
    taken, tar = take(maker)
    rows = taken.images.set_index("source")
    assert list(taken.images["image"]) == sorted(image_id(source) for source in ("IMG_1", "IMG_2", "IMG_3"))
    for row in taken.images.itertuples():
        assert bundle.read(tar, row) == maker.files[f"images/{row.source}.jpg"]
    assert rows.loc["IMG_1", "subject"] == subject_id("ann")
    assert (rows.loc["IMG_1", "width"], rows.loc["IMG_1", "height"]) == (64, 48)
    assert rows.loc["IMG_1", ["location_country", "location_country_m49"]].tolist() == ["Kenya", 404]
    shown = {(row.image, row.subject): row.is_primary for row in taken.people.itertuples()}
    assert shown == {
        (image_id("IMG_1"), subject_id("ann")): True,
        (image_id("IMG_2"), subject_id("ann")): True,
        (image_id("IMG_2"), subject_id("bob")): False,
        (image_id("IMG_3"), subject_id("bob")): True,
    }
    assert taken.refused.empty


@pytest.mark.parametrize("rendered", [True, False])
def test_images_know_whether_they_are_rendered(maker, rendered):
    maker.about["rendered"] = rendered
    assert take(maker)[0].images["rendered"].tolist() == [rendered] * 3


def test_attributes_are_one_row_per_value(maker):
    taken, _ = take(maker)
    said = taken.attributes.set_index(["image", "subject", "attribute"]).sort_index()
    ann = said.loc[(image_id("IMG_1"), subject_id("ann"))]
    assert ann.loc[["pronoun"], "value"].tolist() == ["0. She/her/hers", "2. They/them/their"]
    assert ann.loc[["nationality"], "value"].tolist() == ["Kenya", "Nigeria"]
    assert ann.loc[["country_of_residence"], "value"].tolist() == ["Nigeria"]
    assert ann.loc[["apparent_skin_color"], "annotator"].tolist() == [subject_id("a1")]
    assert ann.loc[["pronoun"], "annotator"].tolist() == ["", ""]
    assert said.loc[(image_id("IMG_1"), "", "scene"), "value"] == "12. Indoor: Home or hotel"
    assert taken.people["age"].tolist() == [35] * 4


def test_annotations_are_typed(maker):
    taken, _ = take(maker)
    mine = taken.keypoints[taken.keypoints["image"] == image_id("IMG_1")]
    assert mine[["keypoint", "x", "y", "visible"]].values.tolist() == [[0, 16, 12, True], [32, 9.5, 41, False]]
    assert taken.segments["polygon"].map(list).tolist() == [[10, 5, 22, 5, 16, 19]] * 4
    assert taken.regions[["image", "kind"]].values.tolist() == [[image_id("IMG_1"), "screen"]]
    assert list(taken.regions["polygon"][0]) == [1, 1, 5, 1, 5, 5]


def test_annotators_who_withdrew_disclose_nothing(maker):
    taken, _ = take(maker)
    told = taken.annotators.set_index("annotator")
    disclosed = ["pronoun", "age_group", "ancestry", "nationality"]
    assert told.loc[subject_id("a2"), disclosed].tolist() == ["", "", "", ""]
    assert not told.loc[subject_id("a2"), "consents"]
    assert told.loc[subject_id("a1"), disclosed].tolist() == [
        "1. He/him/his", "[30, 40)", "13. Eastern Asia", "Viet Nam"
    ]  # fmt: skip
    assert told["role"].to_dict() == {
        subject_id("a1"): "annotator", subject_id("a2"): "annotator", subject_id("q1"): "qa"
    }  # fmt: skip


def test_who_checked_is_known_beside_who_annotated(maker):
    maker.tables["annotated.csv"] += [
        {"image": "IMG_1", "subject": "", "attribute": "scene", "annotator": "a1", "qa_annotator": "q1"},
        {"image": "IMG_1", "subject": "bob", "attribute": "head_pose", "annotator": "a1", "qa_annotator": "q1"},
        {"image": "IMG_1", "subject": "ann", "attribute": "scene", "annotator": "a1", "qa_annotator": "q1"},
        {"image": "IMG_1", "subject": "ann", "attribute": "head_pose", "annotator": "a1", "qa_annotator": ""},
    ]
    taken, _ = take(maker)
    found = taken.checked[taken.checked["image"] == image_id("IMG_1")]
    # Bob isn't in this image, no scene is Ann's, and nobody checked her head pose.
    assert sorted(map(tuple, found[["subject", "attribute", "annotator"]].to_numpy())) == [
        ("", "scene", subject_id("q1")),
        (subject_id("ann"), "apparent_skin_color", subject_id("q1")),
    ]


def test_forms_are_one_row_per_scope(maker):
    taken, _ = take(maker)
    mine = taken.forms[taken.forms["subject"] == subject_id("bob")].set_index("scope")
    assert sorted(mine.index) == ["collect", "copyright", "publish_attr:*", "publish_image"]
    assert mine.loc["collect", ["signed_on", "expires_on", "birth_date", "notice_version"]].tolist() == [
        "2026-01-02", "", "1990-05-01", "1"
    ]  # fmt: skip
    assert mine.loc["collect", "evidence_sha256"] == hashlib.sha256(b"signed by hand: c-bob").hexdigest()


def test_shards_share_the_delivery_out(maker):
    tables = delivery.load(maker.write()).tables
    shared = shares.split("acme", tables, 16)
    for at, share in shared.items():
        assert all(shard_of(subject_id(row["subject"]), 16) == at for row in share["images.csv"])
    assert sorted(r["image"] for share in shared.values() for r in share["images.csv"]) == ["IMG_1", "IMG_2", "IMG_3"]
    home = shared[shard_of(subject_id("ann"), 16)]
    assert {"ann", "bob"} == {row["subject"] for row in home["forms.csv"]}  # bob is in an image of ann's
    assert {"ann", "bob"} == {row["subject"] for row in home["subjects.csv"]}
    away = shared[shard_of(subject_id("bob"), 16)]
    assert {"bob"} == {row["subject"] for row in away["forms.csv"]}


def test_a_shard_takes_its_own_images_alone(maker):
    home = shard_of(subject_id("bob"), 16)
    assert shard_of(subject_id("ann"), 16) != home
    assert take(maker, count=16, at=home)[0].images["source"].tolist() == ["IMG_3"]


def test_the_same_delivery_elsewhere_gives_the_same_bytes(maker, tmp_path):
    root = maker.write()
    (tmp_path / "elsewhere").mkdir()
    shutil.copytree(root, tmp_path / "elsewhere/delivery")
    for place in (root, tmp_path / "elsewhere/delivery"):
        out = place.parent / "out"
        flags = [f"--out-{name}={out / name}.parquet" for name in shard.Intake._fields]
        step.run_step("intake.shard", ["--deliveries", str(place), "--schema", str(SCHEMA), "--shard", "00", "--shards",
                                       "1", "--max-pixels", "9999", "--bundle", str(out / "images.tar"),
                                       *flags])  # fmt: skip
    for path in sorted((root.parent / "out").iterdir()):
        assert path.read_bytes() == (tmp_path / "elsewhere/out" / path.name).read_bytes(), path.name


def edit(table, key, **changes):
    return lambda maker: maker.row(table, **key).update(changes)


def drop(path):
    return lambda maker: maker.files.pop(path)


def replace(path, data):
    """Another content than the one that its sha256 was taken of."""

    def change(maker):
        sha = hashlib.sha256(maker.files[path]).hexdigest()
        maker.files[path] = data
        for row in maker.tables["images.csv"]:
            for column, name in (("file", "sha256"), ("annotations", "annotations_sha256")):
                if row[column] == path:
                    row[name] = sha

    return change


def respace(path):
    """The same annotation in other bytes than its sha256 was taken of."""
    return lambda maker: replace(path, maker.files[path] + b" ")(maker)


def redraw(**changes):
    def change(maker):
        document = json.loads(maker.files["annotations/IMG_1.json"])
        maker.files["annotations/IMG_1.json"] = json.dumps({**document, **changes}).encode()

    return change


def outlined(*corners):
    """The second of two regions has these corners."""
    regions = [("r1", [[1, 1], [5, 1], [5, 5]]), ("r2", [list(corner) for corner in corners])]
    return redraw(regions=[{"region": name, "kind": "card", "polygon": polygon} for name, polygon in regions])


def bomb(maker):
    head = struct.pack(">IIBBBBB", 30_000, 30_000, 8, 2, 0, 0, 0)
    chunk = struct.pack(">I", len(head)) + b"IHDR" + head + struct.pack(">I", zlib.crc32(b"IHDR" + head))
    data = struct.pack(">I", 0) + b"IDAT" + struct.pack(">I", zlib.crc32(b"IDAT"))
    maker.files["images/IMG_1.png"] = b"\x89PNG\r\n\x1a\n" + chunk + data
    maker.row("images.csv", image="IMG_1")["file"] = "images/IMG_1.png"


def add_stranger(maker):
    maker.annotation("IMG_1", [maker.person("ann"), maker.person("zoe")])


def add_unlisted(maker):
    maker.tables["people.csv"].append({"image": "IMG_1", "subject": "zoe", "is_primary": "false"})


def out_of_place(maker):
    maker.tables["people.csv"].append({"image": "IMG_9", "subject": "bob", "is_primary": "true"})


IMG_1 = {"image": "IMG_1"}
ANN_1 = {"image": "IMG_1", "subject": "ann"}
NOT_PRIMARY = "the image's subject is not its one primary person in people.csv and subjects.csv"
STOPPED = [
    (drop("images/IMG_1.jpg"), "image", "missing_file", "the file does not exist"),
    (replace("images/IMG_1.jpg", jpeg(color=1)), "image", "sha256", "the file does not match its sha256"),
    (edit("images.csv", IMG_1, file="../outside.jpg"), "image", "path",
     "the path is outside the delivery, or not a plain relative path"),
    (lambda m: m.files.update({"images/IMG_1.jpg": b"no picture"}), "image", "header",
     "not a readable JPEG or PNG (UnidentifiedImageError)"),
    (lambda m: (m.files.update({"images/IMG_1.png": m.files["images/IMG_1.jpg"]}),
                m.row("images.csv", image="IMG_1").update(file="images/IMG_1.png")),
     "image", "extension", "the file's extension is not one of image/jpeg"),
    (bomb, "image", "pixels", "the header says more than 1000000 pixels"),
    (edit("images.csv", IMG_1, subject="bob"), "image", "subject", NOT_PRIMARY),
    (edit("people.csv", ANN_1, is_primary="false"), "image", "subject", NOT_PRIMARY),
    (drop("annotations/IMG_1.json"), "annotation", "annotation", "annotations: the file does not exist"),
    (respace("annotations/IMG_1.json"), "annotation", "sha256",
     "annotations: the file does not match its sha256"),
    (edit("images.csv", IMG_1, annotations="/etc/passwd"), "annotation", "path",
     "annotations: the path is outside the delivery, or not a plain relative path"),
    (redraw(image="IMG_2"), "annotation", "annotation", "annotations: the file is about another image"),
    (redraw(regions=[{"region": "r", "kind": "card"}]), "annotation", "annotation",
     "annotations: region 1 of 1 has no polygon of 3 points or more"),
    (outlined([0.1, 0.2], [0.9, 0.2], [0.9, 1.0]), "annotation", "annotation",
     "annotations: region 2 of 2 has all its points within one pixel: they look like shares of the picture's width and"
     ' height (0 to 1): give px, or declare "units": "shares" (from-csv --units shares)'),
    (outlined([20.1, 20.2], [20.9, 20.2], [20.9, 21.0]), "annotation", "annotation",
     "annotations: region 2 of 2 has all its points within one pixel"),
    (outlined([10, 10], [30, 30], [20, 20]), "annotation", "annotation",
     "annotations: region 2 of 2 has no area in the image"),
    (outlined([10, 10], [30, 10], [30, 30], [30, 10]), "annotation", "annotation",
     "annotations: region 2 of 2 has no area in the image"),
    (outlined([10, 10], [30, 10], [30, 30], [10, 10], [30, 30], [30, 10]), "annotation", "annotation",
     "annotations: region 2 of 2 has no area in the image"),
    (outlined(*[[1, 1], [60, 40]] * 200), "annotation", "annotation",
     "annotations: region 2 of 2 has an outline more than 100 times as long as the image is wide and high: draw its"
     " border once"),
    (outlined([900, 10], [950, 10], [950, 30]), "annotation", "annotation",
     "annotations: region 2 of 2 lies off the image: coordinates are px of the upright image"),
    (outlined([-9, -9], [-2, -9], [-2, 5]), "annotation", "annotation",
     "annotations: region 2 of 2 lies off the image: coordinates are px of the upright image"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "item", "check", "reason"), STOPPED)
def test_an_image_is_refused_with_a_reason(maker, change, item, check, reason):
    change(maker)
    rows, taken = refused(maker)
    assert rows == [(item, "IMG_1", check, reason, True)]
    assert taken == ["IMG_2", "IMG_3"]


@pytest.mark.parametrize(("orientation", "is_taken"), [(1, False), (3, False), (6, True), (8, True)])
def test_regions_lie_on_the_upright_image(maker, orientation, is_taken):
    exif = Image.Exif()
    exif[0x0112] = orientation
    maker.files["images/IMG_1.jpg"] = jpeg(exif=exif)
    outlined([10, 52], [30, 52], [30, 62])(maker)
    assert ("IMG_1" in refused(maker)[1]) == is_taken


def test_regions_over_the_edge_are_taken_and_so_are_those_drawn_twice_with_a_remark(maker):
    square = [[40, 30], [90, 30], [90, 60], [40, 60]]
    outlined(*square, *square)(maker)
    reason = "annotations: region 2 of 2 has an outline that is drawn twice"
    assert refused(maker)[0] == [("annotation", "IMG_1", "outline", reason, False)]


KEPT = [
    (edit("people.csv", ANN_1, pronoun="0. She/her/hers|9. Other"),
     ("attribute", "IMG_1 pronoun", "vocabulary", "a value of pronoun is not in its vocabulary")),
    (edit("people.csv", ANN_1, hairstyle="1. Buzz cut|2. Short"),
     ("attribute", "IMG_1 hairstyle", "vocabulary", "a value of hairstyle is not in its vocabulary")),
    (edit("people.csv", ANN_1, age="old"), ("attribute", "IMG_1 age", "vocabulary", "age is not a number of years")),
    (edit("people.csv", ANN_1, age="121"), ("attribute", "IMG_1 age", "vocabulary", "age is not a number of years")),
    (edit("people.csv", ANN_1, nationality="Atlantis"), ("attribute", "IMG_1 nationality", "country",
     "a country in nationality is unknown or ambiguous; kept as given")),
    (edit("images.csv", IMG_1, location_country="Nigera"), ("attribute", "IMG_1", "country",
     "location_country is unknown or ambiguous; kept as given")),
    (edit("images.csv", IMG_1, user_date_captured="3 May"), ("attribute", "IMG_1", "date",
     "user_date_captured is not a date YYYY-MM-DD")),
    (edit("images.csv", IMG_1, user_hour_captured="25:00"), ("attribute", "IMG_1", "date",
     "user_hour_captured is neither HH:MM nor a quarter of the day")),
    (redraw(people=[]), ("annotation", "IMG_1", "annotation", "a person in the image is not annotated")),
    (add_stranger, ("person", "IMG_1", "subject", "a person is annotated who is not in people.csv and subjects.csv")),
    (add_unlisted, ("person", "IMG_1", "subject", "a person is not in subjects.csv")),
    (out_of_place, ("person", "IMG_9", "subject", "a person is in an image that is not in images.csv or videos.csv")),
    (edit("annotators.csv", {"annotator": "q1"}, role="boss"), ("annotator", "q1", "vocabulary",
     "an annotator is not in annotators.csv, or their role or consent can't be read")),
    (drop("forms/c-ann.txt"), ("form", "c-ann", "form", "the file does not exist")),
    (edit("forms.csv", {"form": "c-ann"}, file="../c-ann.txt"), ("form", "c-ann", "path",
     "the path is outside the delivery, or not a plain relative path")),
    (edit("forms.csv", {"form": "c-ann"}, sha256="0" * 64), ("form", "c-ann", "sha256",
     "the signed form does not match its sha256")),
    (edit("forms.csv", {"form": "c-ann"}, scopes="collect|fly"), ("form", "c-ann", "form",
     "the form has a scope that is not known")),
    (edit("forms.csv", {"form": "c-ann"}, scopes="publish_attr:height"), ("form", "c-ann", "form",
     "the form has a scope that is not known")),
    (edit("forms.csv", {"form": "c-ann"}, subject="zoe"), ("form", "c-ann", "form",
     "the form's subject is not in subjects.csv")),
    (edit("forms.csv", {"form": "c-ann"}, signed_on="0001-01-01"), ("form", "c-ann", "form",
     "the form was signed before 1990-01-01, or before whoever signed it was born")),
    (edit("forms.csv", {"form": "c-ann"}, signed_on="1990-04-30"), ("form", "c-ann", "form",
     "the form was signed before 1990-01-01, or before whoever signed it was born")),
    (edit("subjects.csv", {"subject": "ann"}, birth_date="0001-01-01"), ("attribute", "ann birth_date", "date",
     "birth_date is not a date YYYY-MM-DD, 1900-01-01 or later: the age is unknown")),
    (edit("subjects.csv", {"subject": "ann"}, birth_date="1.5.1990"), ("attribute", "ann birth_date", "date",
     "birth_date is not a date YYYY-MM-DD, 1900-01-01 or later: the age is unknown")),
    (edit("forms.csv", {"form": "c-ann"}, scopes=""), ("form", "c-ann", "form",
     "the form is of no known kind, or has no scope")),
    (edit("forms.csv", {"form": "r-ann"}, scopes="collect"), ("form", "r-ann", "form",
     "the scope of a copyright form is not copyright")),
    (edit("forms.csv", {"form": "r-ann"}, subject="studio"), ("form", "r-ann", "form",
     "a rightsholder who is not a subject must name the image")),
    (edit("forms.csv", {"form": "c-ann"}, signed_on="2026-02-30"), ("form", "c-ann", "form",
     "the form's dates are not written YYYY-MM-DD")),
    (edit("forms.csv", {"form": "c-ann"}, notice="notice-2"), ("form", "c-ann", "form",
     "the notice that was agreed to is not in the delivery")),
]  # fmt: skip


@pytest.mark.parametrize(("change", "row"), KEPT)
def test_a_thing_is_refused_and_the_image_stays(maker, change, row):
    change(maker)
    rows, taken = refused(maker)
    assert rows == [(*row, False)]
    assert taken == ["IMG_1", "IMG_2", "IMG_3"]


def test_values_in_their_vocabulary_stay_when_others_go(maker):
    maker.row("people.csv", **ANN_1)["pronoun"] = "0. She/her/hers|9. Other"
    said = take(maker)[0].attributes
    mine = said[(said["image"] == image_id("IMG_1")) & (said["attribute"] == "pronoun")]
    assert mine["value"].tolist() == ["0. She/her/hers"]


def test_an_unmapped_country_is_kept_as_given(maker):
    maker.row("images.csv", image="IMG_1")["location_country"] = "Nigera"
    row = take(maker)[0].images.set_index("source").loc["IMG_1"]
    assert (row["location_country"], row["location_country_given"]) == ("", "Nigera")
    assert pd.isna(row["location_country_m49"])


def test_a_rightsholder_who_is_no_subject_may_name_an_image(maker):
    maker.row("forms.csv", form="r-ann").update(subject="studio", image="IMG_1")
    taken, _ = take(maker)
    assert taken.refused.empty
    assert image_id("IMG_1") in set(taken.forms["image"])


def test_a_changed_sha256_hides_no_other_problem(maker):
    replace("images/IMG_1.jpg", b"no picture")(maker)
    replace("annotations/IMG_1.json", b"{}")(maker)
    maker.row("forms.csv", form="c-ann").update(sha256="0" * 64, signed_on="never", scopes="fly")
    assert [(row[0], row[3]) for row in refused(maker)[0]] == [
        ("annotation", "annotations: the file is about another image"),
        ("annotation", "annotations: the file does not match its sha256"),
        ("form", "the form has a scope that is not known"),
        ("form", "the form's dates are not written YYYY-MM-DD"),
        ("form", "the signed form does not match its sha256"),
        ("image", "not a readable JPEG or PNG (UnidentifiedImageError)"),
        ("image", "the file does not match its sha256"),
    ]


@pytest.mark.parametrize(("true", "false"), [("TRUE", "FALSE"), ("1", "0"), ("True", "False")])
def test_booleans_of_spreadsheets(maker, true, false):
    for row in maker.tables["people.csv"]:
        row["is_primary"] = {"true": true, "false": false}[row["is_primary"]]
    for row in maker.tables["annotators.csv"]:
        row["consents"] = {"true": true, "false": false}[row["consents"]]
    taken, _ = take(maker)
    assert taken.refused.empty
    assert taken.people["is_primary"].value_counts().to_dict() == {True: 3, False: 1}
    assert taken.annotators["consents"].value_counts().to_dict() == {True: 2, False: 1}


def test_references_are_one_however_they_are_spelled(maker):
    for row in maker.tables["people.csv"]:
        row["subject"] = {"ann": "\uff41nn\u00a0"}.get(row["subject"], row["subject"])
    maker.annotation("IMG_1", [maker.person(" a\uff4en")])
    taken, _ = take(maker)
    assert set(taken.people["subject"]) == {subject_id("ann"), subject_id("bob")}
    assert len(taken.people) == 4
    told = taken.refused[["item", "subject", "reference", "check", "fatal"]].to_numpy().tolist()
    assert told == [["reference", subject_id("ann"), subject_id("\uff41nn"), "spelling", False]]


@pytest.mark.parametrize("other", ["Bob", "b\u043eb", "b0b"])
def test_references_that_look_alike_are_told_wherever_they_live(maker, other):
    maker.subject(other)
    maker.image("IMG_4", other)
    told = [take(maker, count=16, at=shard_of(subject_id(one), 16))[0].refused for one in ("bob", other)]
    for found, one in zip(told, ("bob", other), strict=True):
        mine = found[found["subject"] == subject_id(one)]
        assert mine[["item", "reference", "check", "fatal"]].to_numpy().tolist() == [
            ["reference", one, "lookalike", False]
        ]


def test_all_that_is_wrong_with_an_image_is_said(maker):
    maker.files.pop("images/IMG_1.jpg")
    maker.files.pop("annotations/IMG_1.json")
    maker.row("people.csv", **ANN_1)["age"] = "old"
    assert [row[2] for row in refused(maker)[0]] == ["annotation", "vocabulary", "missing_file"]


def test_size_by_the_header_is_bounded(maker):
    rows, taken = refused(maker, max_pixels=64 * 48 - 1)
    assert {row[3] for row in rows} == {"the header says more than 3071 pixels"}
    assert taken == []


def test_a_link_to_an_image_is_refused(maker):
    root = maker.write()
    (root / "images/IMG_1.jpg").rename(root.parent / "real.jpg")
    (root / "images/IMG_1.jpg").symlink_to(root.parent / "real.jpg")
    rows, _ = refused(maker, write=False)
    assert rows == [("image", "IMG_1", "path", "the path goes through a link or a file", True)]


def test_refusals_say_no_value(maker):
    maker.row("people.csv", **ANN_1)["pronoun"] = "my secret"
    rows, _ = refused(maker)
    assert len(rows) == 1
    assert "secret" not in str(rows)


def test_deliveries_that_cannot_be_read_are_all_named(maker, tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(AccordError) as caught:
        shard.load_all([tmp_path / "empty", tmp_path / "gone", maker.write()], SCHEMA)
    assert [problem.where for problem in caught.value.problems] == ["empty/delivery.yaml", "gone"]


def test_of_several_deliveries_the_one_with_a_broken_table_is_named(maker, tmp_path):
    broken = shutil.copytree(maker.write(), tmp_path / "broken")
    with (broken / "people.csv").open("a") as opened:
        opened.write("one cell\n")
    with pytest.raises(AccordError) as caught:
        shard.load_all([maker.root, broken], SCHEMA)
    assert {problem.where.partition("/")[0] for problem in caught.value.problems} == {"broken"}
    assert all("/people.csv" in problem.where for problem in caught.value.problems)


def test_no_delivery_and_twice_the_same(maker):
    with pytest.raises(AccordError, match=r"intake.deliveries: names no delivery"):
        shard.load_all([], SCHEMA)
    root = maker.write()
    with pytest.raises(AccordError, match="acme 2026-03: is delivered twice"):
        shard.load_all([root, root], SCHEMA)


def test_a_file_of_known_abuse_material_is_neither_opened_nor_copied(maker, tmp_path):
    root, vault = maker.write(), tmp_path / "vault"
    whole = shard.run([root], SCHEMA, tmp_path / "a.tar", shard="00", shards=1, max_pixels=1_000_000, vault=vault)
    row = whole.images[whole.images["source"] == "IMG_1"].iloc[0]
    facts = ("image", "subject", "vendor", "delivery", "source", "sha256")
    quarantine.record(vault, [quarantine.Hit(*(row[name] for name in facts), "hotline", "md5", "0" * 32, 0)])
    (root / "images/IMG_1.jpg").unlink()
    rest = shard.run([root], SCHEMA, tmp_path / "b.tar", shard="00", shards=1, max_pixels=1_000_000, vault=vault)
    assert rest.images["source"].tolist() == [source for source in whole.images["source"] if source != "IMG_1"]
    told = rest.refused[["item", "image", "subject", "check", "fatal"]].to_numpy().tolist()
    assert told == [["image", image_id("IMG_1"), subject_id("ann"), "known", True]]
    assert maker.files["images/IMG_1.jpg"] not in (tmp_path / "b.tar").read_bytes()
    assert image_id("IMG_1") not in set(rest.people["image"]) | set(rest.attributes["image"])


@pytest.mark.parametrize("same_path", [True, False])
def test_one_photograph_of_two_subjects_is_refused_for_both(maker, same_path):
    maker.image("IMG_8", "ann", data=jpeg(color=201))
    maker.image("IMG_9", "bob", data=jpeg(color=201), **({"file": "images/IMG_8.jpg"} if same_path else {}))
    root = maker.write()
    taken, _ = take(maker)
    told = taken.refused[taken.refused["check"] == "copy"]
    assert sorted(told[["reference", "fatal"]].itertuples(index=False, name=None)) == [("IMG_8", True), ("IMG_9", True)]
    assert not {"IMG_8", "IMG_9"} & set(taken.images["source"])
    judged = command.check(root)
    assert {image for fault in judged.faults for image in fault.images} == {"IMG_8", "IMG_9"}


def test_a_subjects_own_photograph_twice_is_left_to_the_checks(maker):
    maker.image("IMG_8", "ann", data=jpeg(color=201))
    maker.image("IMG_9", "ann", data=jpeg(color=201))
    taken, _ = take(maker)
    assert {"IMG_8", "IMG_9"} <= set(taken.images["source"])
