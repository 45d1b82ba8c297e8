"""What is planted is in the files and in the ground truth, and nothing else is wrong."""

import csv
import json
import zlib
from collections import Counter
from datetime import date, datetime

import cv2
import numpy as np
import pdqhash
import pytest
from PIL import Image

from accord.errors import AccordError
from accord.imaging.bundle import Member
from accord.imaging.decode import decode
from accord.intake.delivered import delivery
from accord.intake.delivered.records import Records
from accord.intake.reading import images
from accord.vocabularies import ANCESTRIES, ANCESTRY_REGIONS, SKIN_COLORS, age_group
from accord_demo.cohort import BIASED_GROUP, GROUPS, HAIR, TONES, draw_cohort
from accord_demo.draft import Settings
from accord_demo.moving import moved
from accord_demo.plan import make_plan, to_render
from accord_demo.planting import files
from accord_demo.polygons import fill

DEMO = Settings(subjects=124, images_per_subject=3, seed=1)
KINDS = {
    "partial_grant", "two_people", "form_missing", "form_expired", "form_without_evidence", "scope_missing",
    "copyright_missing", "minor", "companion_without_consent", "too_small", "too_few_pixels", "too_long",
    "exif_missing", "old_device", "too_many_images", "too_close_in_time", "keypoint_outside", "box_outside",
    "file_missing", "sha256_wrong", "path_outside", "subject_unknown", "annotations_missing", "country_misspelt",
    "value_unknown", "on_the_web", "duplicate_exact", "duplicate_near", "duplicate_cropped_5", "truncated", "corrupt",
    "header_broken", "extension_wrong", "no_image", "decompression_bomb",
}  # fmt: skip
MAX_DISTANCE = 31


def truth(out):
    return json.loads((out / "ground_truth.json").read_text())


def defects(out, kind):
    return [defect for defect in truth(out)["defects"] if defect["kind"] == kind]


def rows(out, name="images.csv"):
    with (out / "delivery" / name).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def row(out, image):
    return next(found for found in rows(out) if found["image"] == image)


def data(out, image):
    return (out / "delivery" / row(out, image)["file"]).read_bytes()


def pdq(pixels):
    return pdqhash.compute(pixels)[0]


def test_everything_is_planted_and_its_images_exist(small):
    found = truth(small)
    assert {defect["kind"] for defect in found["defects"]} == KINDS
    assert len({defect["id"] for defect in found["defects"]}) == len(found["defects"])
    listed = {image["image"] for image in rows(small)}
    for defect in found["defects"]:
        assert set(defect["expect"]["stopped"]) | set(defect["expect"]["either"]) <= set(defect["images"]) <= listed
    stopped = {image for d in found["defects"] for image in d["expect"]["stopped"] + d["expect"]["either"]}
    assert stopped | set(found["clean"]) == listed
    assert not stopped & set(found["clean"])
    assert len(found["later_withdrawals"]) == 3


def test_intake_refuses_just_what_was_planted_for_it(small):
    records = Records()
    opened = delivery.load(small / "delivery")
    images.collect(opened, records, 200_000_000, lambda member, data: Member(member, 0, len(data), ""))
    refused = {
        (r.reference, f"intake.{r.check}") for r in records.refused if r.fatal and r.item in ("image", "annotation")
    }
    expected = {
        (image, defect["expect"]["check"])
        for defect in truth(small)["defects"]
        if defect["expect"]["room"] == "intake" and defect["kind"] != "form_without_evidence"
        for image in defect["expect"]["stopped"]
    }
    assert {image for image, _ in refused} == {image for image, _ in expected}
    assert expected <= refused


@pytest.mark.parametrize("kind", ["truncated", "corrupt"])
def test_broken_files_open_but_do_not_decode(small, kind):
    for defect in defects(small, kind):
        path = small / "delivery" / row(small, defect["images"][0])["file"]
        with Image.open(path) as image:
            assert min(image.size) > 100
        with pytest.raises(AccordError, match="can't be decoded"):
            decode(path.read_bytes())


def test_wrong_extensions_and_headers(small):
    assert data(small, defects(small, "extension_wrong")[0]["images"][0]).startswith(b"\x89PNG")
    assert data(small, defects(small, "no_image")[0]["images"][0]).decode().startswith("This is a note")
    header = data(small, defects(small, "header_broken")[0]["images"][0])
    assert header.startswith(b"\xff\xd8\xff")
    with pytest.raises(AccordError, match="can't be decoded"):
        decode(header)


def test_the_bomb_is_small_and_inflates_to_all_that_its_header_says(small):
    packed = data(small, defects(small, "decompression_bomb")[0]["images"][0])
    assert len(packed) < 400_000
    with pytest.raises(AccordError, match="has more than 200000000 pixels"):
        decode(packed)
    start = packed.index(b"IDAT") + 4
    unpack, rest, total = zlib.decompressobj(), packed[start:-16], 0
    while rest and not unpack.eof:
        total += len(unpack.decompress(rest, 1 << 24))
        rest = unpack.unconsumed_tail
    assert total == 40_000 * (1 + 40_000 // 8)


def test_copies_are_copies(small):
    for defect in defects(small, "duplicate_exact"):
        original, copy = defect["images"]
        assert data(small, original) == data(small, copy)
    subjects = Counter(len(d["subjects"]) for d in defects(small, "duplicate_exact") + defects(small, "duplicate_near"))
    assert subjects == {1: 4, 2: 4}
    for defect in defects(small, "duplicate_near"):
        original, copy = (decode(data(small, image)) for image in defect["images"])
        assert original.shape[0] * original.shape[1] > copy.shape[0] * copy.shape[1]
        assert (pdq(original) != pdq(copy)).sum() <= MAX_DISTANCE
        assert defect["expect"]["stopped"] == defect["images"][1:]


@pytest.mark.parametrize("how", ["re_encoded", "resized", "cropped_1", "cropped_5"])
def test_annotations_move_with_the_pixels(how):
    pixels = np.zeros((400, 300, 3), np.uint8)
    square = [(60, 100), (200, 100), (200, 320), (60, 320)]
    pixels[fill([square], pixels.shape[:2])] = 255
    keypoints = {"0. Nose": [60.0, 100.0, 1], "7. Right ear": [1.0, 1.0, 0]}
    person = {
        "face_bbox": [60, 100, 140, 220], "person_bbox": [60, 100, 140, 220], "keypoints": keypoints,
        "segments": [{"class_name": "0. Face skin", "num": 1, "polygon": [{"x": x, "y": y} for x, y in square]}],
    }  # fmt: skip
    region = {"region": "r1", "kind": "card", "polygon": [list(point) for point in square]}
    record = moved({"people": [person], "regions": [region], "width": 300, "height": 400}, how)
    jpeg = cv2.imencode(".jpg", pixels)[1].tobytes()
    copy = decode(files.made(how, jpeg, b""))
    assert copy.shape[:2] == (record["height"], record["width"])
    ys, xs = np.nonzero(copy[:, :, 0] > 127)
    bounds = np.array([xs.min(), ys.min(), xs.max() + 1 - xs.min(), ys.max() + 1 - ys.min()])
    for box in (record["people"][0]["face_bbox"], record["people"][0]["person_bbox"]):
        assert np.abs(np.array(box) - bounds).max() <= 2
    for polygon in (record["regions"][0]["polygon"],
                    [(p["x"], p["y"]) for p in record["people"][0]["segments"][0]["polygon"]]):  # fmt: skip
        drawn = fill([polygon], copy.shape[:2])
        assert (drawn ^ (copy[:, :, 0] > 127)).mean() < 0.02
    assert ("7. Right ear" in record["people"][0]["keypoints"]) == (not how.startswith("cropped"))


def test_pictures_of_the_wrong_size(small):
    def shape(kind):
        return decode(data(small, defects(small, kind)[0]["images"][0])).shape[:2]

    share = 192 / 768
    assert min(shape("too_small")) < 300 * share
    assert 300 * share <= min(shape("too_few_pixels"))
    assert np.prod(shape("too_few_pixels")) < 0.25e6 * share**2
    assert max(shape("too_long")) / min(shape("too_long")) > 2
    assert np.prod(shape("too_long")) > 0.25e6 * share**2


def test_pictures_without_exif_or_of_an_old_device(small):
    for defect in defects(small, "exif_missing"):
        with Image.open(small / "delivery" / row(small, defect["images"][0])["file"]) as image:
            assert not image.getexif()
    models = set()
    for defect in defects(small, "old_device"):
        with Image.open(small / "delivery" / row(small, defect["images"][0])["file"]) as image:
            models.add(image.getexif()[0x0110])
    assert models == {"iPhone 3GS", "Canon PowerShot G10"}


def test_too_many_and_too_close(small):
    (many,) = defects(small, "too_many_images")
    taken = {image: row(small, image)["user_date_captured"] for image in many["images"]}
    assert len(taken) == 11
    assert many["expect"]["stopped"] == [max(taken, key=taken.get)]
    (close,) = defects(small, "too_close_in_time")
    first, second = (row(small, image) for image in close["images"])
    moments = [datetime.fromisoformat(f"{r['user_date_captured']}T{r['user_hour_captured']}") for r in (first, second)]
    assert 0 < (moments[1] - moments[0]).total_seconds() < 86_400
    assert close["expect"]["stopped"] == [second["image"]]


def test_slips_of_annotators(small):
    far = []
    for defect in defects(small, "keypoint_outside") + defects(small, "box_outside"):
        image = defect["images"][0]
        height, width = decode(data(small, image)).shape[:2]
        person = json.loads((small / f"delivery/annotations/{image}.json").read_text())["people"][0]
        drawn = fill([[(p["x"], p["y"]) for p in s["polygon"]] for s in person["segments"]], (height, width))
        away = cv2.distanceTransform((~drawn).astype(np.uint8), cv2.DIST_L2, 5)
        points = [away[round(y), round(x)] for x, y, visible in person["keypoints"].values() if visible]
        x, _, w, _ = person["person_bbox"]
        far.append((sum(d > 0.03 * width for d in points), x + w > 1.2 * width))
    assert far == [(1, False), (4, False), (0, True)]


def test_the_web_list_knows_the_subject_and_nobody_else(small):
    lines = (small / "web.csv").read_text().split()
    assert lines[0] == "pdq"
    assert all(len(line) == 64 for line in lines[1:])
    listed = np.array([np.unpackbits(np.frombuffer(bytes.fromhex(line), np.uint8)) for line in lines[1:]])
    (web,) = defects(small, "on_the_web")
    near = {
        r["image"] for r in rows(small)
        if r["image"] in {*truth(small)["clean"], *web["images"]}
        and (listed != pdq(decode(data(small, r["image"])))).sum(1).min() <= MAX_DISTANCE
    }  # fmt: skip
    assert near == set(web["images"])


def test_forms_are_missing_expired_or_narrow(small):
    forms = rows(small, "forms.csv")

    def of(kind, form_kind="consent"):
        subjects = {s for d in defects(small, kind) for s in d["subjects"]}
        return [form for form in forms if form["subject"] in subjects and form["kind"] == form_kind]

    assert of("form_missing") == []
    assert [form["expires_on"] for form in of("form_expired")] == ["2026-06-30"]
    assert "publish_image" not in of("scope_missing")[0]["scopes"].split("|")
    assert of("copyright_missing", "copyright") == []
    assert len(of("copyright_missing")) == 1
    first, second = defects(small, "companion_without_consent")[0]["subjects"]
    assert {form["subject"] for form in forms} & {first, second} == {first}
    assert all(
        "publish_attr:*" not in form["scopes"] for form in of("partial_grant") if form["party"] == "subject_primary"
    )


def test_pictures_of_two(small):
    people = rows(small, "people.csv")
    forms = rows(small, "forms.csv")
    for defect in defects(small, "two_people"):
        (image,) = defect["images"]
        mine = [(p["subject"], p["is_primary"]) for p in people if p["image"] == image]
        assert [primary for _, primary in mine] == ["true", "false"]
        said = json.loads((small / f"delivery/annotations/{image}.json").read_text())["people"]
        assert [p["subject"] for p in said] == [subject for subject, _ in mine]
        second = [f["subject"] for f in forms if f["image"] == image and f["party"] == "subject_secondary"]
        assert second == [mine[1][0]]


def test_the_minor_is_a_minor_and_nobody_else(small):
    (minor,) = defects(small, "minor")
    born = {s["subject"]: date.fromisoformat(s["birth_date"]) for s in rows(small, "subjects.csv")}
    age = {p["subject"]: int(p["age"]) for p in rows(small, "people.csv") if p["subject"] in born}
    first = min(date.fromisoformat(r["user_date_captured"]) for r in rows(small))
    last = max(date.fromisoformat(r["user_date_captured"]) for r in rows(small))
    for subject, birthday in born.items():
        assert {(day - birthday).days // 365.2425 for day in (first, last)} == {age.get(subject, 2025 - birthday.year)}
    assert {subject for subject, years in age.items() if years < 18} == set(minor["subjects"])


def test_misspelt_countries_and_the_annotator_who_withdrew(small):
    misspelt = {d["images"][0]: d["note"] for d in defects(small, "country_misspelt")}
    for image, note in misspelt.items():
        assert note.startswith(f"{row(small, image)['location_country']} is ")
    gone = [a["annotator"] for a in rows(small, "annotators.csv") if a["consents"] == "false"]
    assert gone == truth(small)["withdrawn_annotators"]
    assert len(gone) == 1


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_subjects_say_is_independent_of_how_they_look(seed):
    cohort = draw_cohort(124, seed)
    assert min(Counter(s.ancestry[0] for s in cohort).values()) >= 15
    factors = {
        "ancestry": lambda s: s.ancestry[0], "pronoun": lambda s: s.pronoun, "age": lambda s: age_group(s.age),
        "skin": lambda s: s.skin_color, "presentation": lambda s: s.looks.presentation,
    }  # fmt: skip
    for a in factors:
        for b in set(factors) - {a, "presentation"} - ({"pronoun"} if a == "presentation" else set()):
            pairs = Counter((factors[a](s), factors[b](s)) for s in cohort)
            one, two = Counter(map(factors[a], cohort)), Counter(map(factors[b], cohort))
            worst = max(abs(pairs[(x, y)] - one[x] * two[y] / len(cohort)) for x in one for y in two)
            assert worst <= 3.5, (a, b)


def test_looks_fit_what_is_said_of_them():
    for subject in draw_cohort(124, 1):
        low, high = TONES[subject.skin_color]
        assert low <= subject.looks.tone <= high
        assert subject.looks.age == subject.age
        assert subject.looks.hair in (*HAIR[subject.looks.presentation], "afro")
        assert subject.ancestry == tuple(sorted(subject.ancestry, key=ANCESTRIES.index))
    assert [TONES[color] for color in SKIN_COLORS] == sorted(TONES.values(), reverse=True)


def test_hair_is_no_matter_of_skin():
    cohort = draw_cohort(240, 4)
    for presentation in HAIR:
        mine = [s for s in cohort if s.looks.presentation == presentation]
        counts = {style: Counter() for style in HAIR[presentation]}
        for subject in mine:
            counts["curly" if subject.looks.hair == "afro" else subject.looks.hair][subject.skin_color] += 1
        for found in counts.values():
            assert max(found[color] for color in SKIN_COLORS) - min(found[color] for color in SKIN_COLORS) <= 2


def test_the_bias_concerns_all_pictures_of_its_group_and_no_other():
    plan = make_plan(DEMO)
    group = {s.reference for s in plan.subjects.values() if BIASED_GROUP in s.ancestry}
    region = next(region for region, parts in ANCESTRY_REGIONS.items() if BIASED_GROUP in parts)
    assert {
        s.reference for s in plan.subjects.values() if set(s.ancestry) & {region, *ANCESTRY_REGIONS[region]}
    } == group
    degraded = {p.reference for p in to_render(plan) if p.frame.exposure or p.frame.blur or p.frame.distance != 1}
    assert degraded == {p.reference for p in plan.pictures.values() if p.subject in group}
    assert all({"exposure", "blur", "distance"} <= {k for k, v in p.frame._asdict().items() if v not in (0, 1)}
               for p in plan.pictures.values() if p.subject in group)  # fmt: skip
    assert all(len(s.ancestry) == 1 for s in plan.subjects.values() if s.reference in group)
    assert {a for s in plan.subjects.values() for a in s.ancestry} == set(GROUPS)
    touched = {s for d in plan.defects for s in d.subjects}
    assert not touched & group


def test_every_subject_has_the_same_mix_of_framings():
    plan = make_plan(DEMO)
    for subject in list(plan.subjects)[:124]:
        frames = [p.frame.framing for p in plan.pictures.values() if p.subject == subject][:3]
        assert frames == ["face", "bust", "full"]


def test_the_demo_is_large_enough():
    plan = make_plan(DEMO)
    clean = plan.clean()
    assert len(clean) >= 360
    assert len({picture.subject for picture in clean}) >= 120
