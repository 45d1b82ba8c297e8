"""The demo delivery: right in its tables and files, the same each time, and resumable."""

import csv
import hashlib
import io
import json
from dataclasses import replace
from datetime import datetime

import numpy as np
import pytest
import yaml
from PIL import Image

from accord import cli
from accord.errors import AccordError
from accord.imaging.decode import decode
from accord.vocabularies import ATTRIBUTES, KEYPOINTS, SEGMENTS
from accord_demo import deliver, studio
from accord_demo.draft import Settings
from accord_demo.plan import make_plan, to_render
from accord_demo.polygons import fill

SMALL = Settings(subjects=24, images_per_subject=3, seed=5, size=192)
TINY = Settings(subjects=12, images_per_subject=1, seed=3, size=160, defects=False)
EXIF, GPS = 0x8769, 0x8825


def table(out, name):
    with (out / "delivery" / name).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def truth(out):
    return json.loads((out / "ground_truth.json").read_text())


def planted(out, *kinds):
    return {image for defect in truth(out)["defects"] if defect["kind"] in kinds for image in defect["images"]}


def digests(out):
    files = sorted(path for path in out.rglob("*") if path.is_file())
    return {path.relative_to(out).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def annotations(out, image):
    return json.loads((out / f"delivery/annotations/{image}.json").read_text())


def clean_rows(out):
    clean = set(truth(out)["clean"])
    return [row for row in table(out, "images.csv") if row["image"] in clean]


def test_the_same_seed_gives_the_same_bytes_and_another_others(tmp_path, drawing):
    for name, seed in (("a", 3), ("b", 3), ("c", 4)):
        deliver.deliver(tmp_path / name, replace(TINY, seed=seed), jobs=1)
    assert digests(tmp_path / "a") == digests(tmp_path / "b")
    same = digests(tmp_path / "a").items() & digests(tmp_path / "c").items()
    assert not [name for name, _ in same if name.startswith("delivery/images/")]


@pytest.mark.slow
def test_the_number_of_processes_changes_no_byte(tmp_path, monkeypatch):
    monkeypatch.setattr(deliver, "PICTURES_PER_PROCESS", 1)  # three pictures on two processes: these are replaced once
    plan = make_plan(replace(TINY, size=96))
    faces = [p for p in to_render(plan) if p.frame.framing == "face"][:3]
    orders = [studio.order(picture, plan.subjects, 3, 96) for picture in faces]
    made = {}
    for jobs in (1, 2):
        out = tmp_path / str(jobs)
        for folder in ("rendered", "delivery/images"):
            (out / folder).mkdir(parents=True)
        done = list(deliver.render_all(orders, out / "rendered", out / "delivery", jobs))
        assert sorted(done) == sorted(picture.reference for picture in faces)
        made[jobs] = digests(out)
    assert len(made[1]) == 6
    assert made[1] == made[2]


def test_a_killed_run_goes_on_where_it_was(tmp_path, drawing, monkeypatch):
    deliver.deliver(tmp_path / "whole", TINY, jobs=1)
    draw, drawn = studio._photograph, []

    def dying(order):
        if len(drawn) == 5:
            raise KeyboardInterrupt
        drawn.append(order.picture.reference)
        return draw(order)

    monkeypatch.setattr(studio, "_photograph", dying)
    with pytest.raises(KeyboardInterrupt):
        deliver.deliver(tmp_path / "killed", TINY, jobs=1)
    assert not (tmp_path / "killed/delivery/delivery.yaml").exists()
    first = list(drawn)
    drawn.clear()
    monkeypatch.setattr(studio, "_photograph", lambda order: drawn.append(order.picture.reference) or draw(order))
    deliver.deliver(tmp_path / "killed", TINY, jobs=1)
    assert not set(first) & set(drawn)
    assert len(first) + len(drawn) == 12
    assert digests(tmp_path / "killed") == digests(tmp_path / "whole")


def test_a_whole_delivery_is_left_alone_and_other_settings_are_refused(tmp_path, drawing, capsys):
    deliver.deliver(tmp_path, TINY, jobs=1)
    before = digests(tmp_path)
    deliver.deliver(tmp_path, TINY, jobs=1)
    assert "is complete" in capsys.readouterr().err
    with pytest.raises(AccordError, match="is of a delivery with other settings: seed 3, size 160"):
        deliver.deliver(tmp_path, replace(TINY, seed=4, size=192), jobs=1)
    assert digests(tmp_path) == before


def test_wrong_flags_are_told_all_at_once(tmp_path):
    flags = ["--subjects", "3", "--images-per-subject", "11", "--size", "20", "--jobs", "0", "--seed", "-1"]
    with pytest.raises(AccordError) as error:
        deliver.main([str(tmp_path / "out"), *flags])
    assert [problem.where for problem in error.value.problems] == [
        "--subjects", "--images-per-subject", "--seed", "--size", "--jobs",
    ]  # fmt: skip
    assert not (tmp_path / "out").exists()


def test_progress_counts_what_was_there_before():
    lines = list(deliver.progress(iter("abc"), missing=3, total=10))
    assert lines[-1] == "rendered 10 of 10 images, about 0 min left"


def test_hashes_are_right_but_for_the_planted_one(small):
    manifest = yaml.safe_load((small / "delivery/delivery.yaml").read_text())
    for name, digest in manifest["tables"].items():
        assert hashlib.sha256((small / "delivery" / name).read_bytes()).hexdigest() == digest
    assert manifest["rendered"] is True
    notice = manifest["notices"][0]
    assert hashlib.sha256((small / f"delivery/notices/{notice['id']}.txt").read_bytes()).hexdigest() == notice["sha256"]
    wrong = set()
    for row in table(small, "images.csv"):
        for file, digest in ((row["file"], row["sha256"]), (row["annotations"], row["annotations_sha256"])):
            path = small / "delivery" / file
            if path.exists() and hashlib.sha256(path.read_bytes()).hexdigest() != digest:
                wrong.add(row["image"])
    assert wrong == planted(small, "sha256_wrong")


def test_no_file_is_left_over(small):
    images = table(small, "images.csv")
    named = {row["file"] for row in images} | {row["annotations"] for row in images}
    named |= {row["file"] for row in table(small, "forms.csv")} | {"notices/notice-1.txt", "delivery.yaml"}
    found = {name.removeprefix("delivery/") for name in digests(small) if name.startswith("delivery/")}
    assert {name for name in found if not name.endswith(".csv")} <= named
    assert sorted(path.name for path in small.iterdir()) == ["delivery", "ground_truth.json", "web.csv"]


def test_values_are_of_the_vocabularies_but_for_the_planted_ones(small):
    strange = set()
    for row in [*table(small, "images.csv"), *table(small, "people.csv")]:
        for name, attribute in ATTRIBUTES.items():
            values = [value for value in row.get(name, "").split("|") if value]
            if attribute.labels and not set(values) <= set(attribute.labels):
                strange.add(row["image"])
            assert attribute.multiple or len(values) <= 1, (name, values)
    assert strange == planted(small, "value_unknown")
    assert strange


def test_exif_says_when_where_and_with_what(small):
    towns = {subject.reference: subject for subject in make_plan(SMALL).subjects.values()}
    for row in clean_rows(small):
        with Image.open(small / "delivery" / row["file"]) as image:
            block = image.getexif()
        exposure, place = block.get_ifd(EXIF), block.get_ifd(GPS)
        taken = datetime.strptime(exposure[0x9003], "%Y:%m:%d %H:%M:%S")
        assert f"{taken:%Y-%m-%d %H:%M}" == f"{row['user_date_captured']} {row['user_hour_captured']}"
        subject = towns[row["subject"]]
        assert (block[0x010F], block[0x0110]) == (subject.device.manufacturer, subject.device.model)
        degrees = [sum(float(v) / 60**i for i, v in enumerate(place[key])) for key in (2, 4)]
        signs = [1 if place[1] == "N" else -1, 1 if place[3] == "E" else -1]
        town = np.array([subject.place.latitude, subject.place.longitude])
        assert np.abs(np.multiply(degrees, signs) - town).max() < 0.031
        assert {0x829A, 0x829D, 0x8827, 0x9201, 0x9202, 0x920A} <= set(exposure)


def test_subjects_take_their_pictures_on_different_days(small):
    days = {}
    for row in clean_rows(small):
        days.setdefault(row["subject"], []).append(row["user_date_captured"])
    assert all(len(set(mine)) == len(mine) for mine in days.values())


def test_annotations_fit_the_upright_pictures(small):
    sideways = 0
    for row in clean_rows(small):
        data = (small / "delivery" / row["file"]).read_bytes()
        height, width = decode(data).shape[:2]
        sideways += Image.open(io.BytesIO(data)).getexif()[0x0112] == 6
        people = annotations(small, row["image"])["people"]
        assert people[0]["subject"] == row["subject"]
        for person in people:
            segments = [[(p["x"], p["y"]) for p in s["polygon"]] for s in person["segments"]]
            drawn = fill(segments, (height, width))
            assert drawn.any()
            for name, (x, y, visible) in person["keypoints"].items():
                assert name in KEYPOINTS
                assert visible in (0, 1)
                assert drawn[round(y), round(x)]
            for x, y, w, h in (person["face_bbox"], person["person_bbox"]):
                assert x >= 0 and y >= 0 and w > 0 and h > 0 and x + w <= width and y + h <= height
            assert {s["class_name"] for s in person["segments"]} <= set(SEGMENTS)
    assert sideways


def test_regions_leave_the_subject_alone(small):
    regions = {(r["image"], r["kind"]) for r in truth(small)["regions"]}
    assert {kind for _, kind in regions} == {"bystander", "license_plate", "card", "screen", "logo"}
    for image, _ in regions:
        said = annotations(small, image)
        shape = decode((small / f"delivery/images/{image}.jpg").read_bytes()).shape[:2]
        people = [[(p["x"], p["y"]) for p in s["polygon"]] for one in said["people"] for s in one["segments"]]
        inside = fill(people, shape)
        hidden = fill([region["polygon"] for region in said["regions"]], shape)
        assert hidden.any()
        assert (inside & hidden).sum() <= 0.02 * inside.sum()


def test_everybody_who_annotates_is_listed(small):
    roles = {row["annotator"]: row["role"] for row in table(small, "annotators.csv")}
    for row in table(small, "annotated.csv"):
        assert (roles[row["annotator"]], roles[row["qa_annotator"]]) == ("annotator", "qa")
        assert ATTRIBUTES[row["attribute"]].annotated
    drawn = {a for row in clean_rows(small) for p in annotations(small, row["image"])["people"]
             for a in p["annotators"].values()}  # fmt: skip
    assert drawn == {name for name, role in roles.items() if role == "annotator"}


def test_forms_cover_everybody_and_their_evidence_is_there(small):
    forms = table(small, "forms.csv")
    gone = {row["subject"] for row in forms if not (small / "delivery" / row["file"]).exists()}
    assert gone == {s for d in truth(small)["defects"] if d["kind"] == "form_without_evidence" for s in d["subjects"]}
    for row in forms:
        path = small / "delivery" / row["file"]
        assert not path.exists() or hashlib.sha256(path.read_bytes()).hexdigest() == row["sha256"]
    agreed = {row["subject"] for row in forms if row["kind"] == "consent" and "publish_image" in row["scopes"]}
    assert {row["subject"] for row in clean_rows(small)} <= agreed


def test_without_defects_a_delivery_is_valid_and_all_is_clean(tmp_path, drawing, capsys):
    deliver.deliver(tmp_path, TINY, jobs=1)
    found = truth(tmp_path)
    assert found["defects"] == [] and found["withdrawn_annotators"] == []
    assert found["clean"] == [row["image"] for row in table(tmp_path, "images.csv")]
    assert cli.main(["delivery", "validate", str(tmp_path / "delivery")]) == 0
    assert "all 12 images can be published" in capsys.readouterr().out
