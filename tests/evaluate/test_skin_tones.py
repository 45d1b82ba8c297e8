"""Tones of faces on Monk's scale: of labelled pictures by hand, and of a photograph through the face mesh."""

from pathlib import Path

import cv2
import numpy as np
import pytest
import yaml

from accord.engine.table import rows
from accord.evaluate import skin_tones
from accord.evaluate.annotating import tones
from accord.imaging import decode
from accord.imaging.bundle import BundleWriter
from accord.release.tables import Derivatives
from accord.vocabularies import FACE_PARTS

ROOT = Path(__file__).parents[2]
MESH = yaml.safe_load((ROOT / "config/models.yaml").read_text())["facemesh"]
PARSER = {"name": "facemesh", "batch": 8, "options": {}} | {key: MESH[key] for key in ("task", "adapter", "weights")}
SKIN, NOSE, EYE = (FACE_PARTS.index(part) for part in ("skin", "nose", "l_eye"))


@pytest.mark.parametrize("number", range(1, 11))
def test_the_colour_of_a_swatch_has_its_tone(number):
    assert tones.nearest(tones.SWATCHES[number - 1]) == (number, number)


def test_both_distances_are_those_of_opencv_and_can_name_different_tones():
    colours = np.random.default_rng(2).integers(40, 250, (200, 3))
    told = np.array([tones.nearest(colour) for colour in colours])
    rgb = np.float32(tones.SWATCHES[None]) / 255, np.float32(colours[None]) / 255
    for place, (swatches, given) in enumerate((rgb, [cv2.cvtColor(one, cv2.COLOR_RGB2Lab) for one in rgb])):
        apart = np.linalg.norm(given[0][:, None] - swatches[0], axis=2)
        # OpenCV interpolates in tables: it is up to 1 off.
        assert (apart[np.arange(200), told[:, place] - 1] <= apart.min(axis=1) + 0.5).all()
    assert (told[:, 0] != told[:, 1]).any()


def test_the_largest_of_three_clusters_of_skin_counts_and_nothing_but_skin():
    rng = np.random.default_rng(0)
    picture, labels = np.zeros((40, 40, 3), np.uint8), np.zeros((40, 40), np.uint8)
    labels[:20], labels[20:25], labels[25:30], labels[30:] = SKIN, NOSE, EYE, 0
    picture[:12], picture[12:25] = (160, 126, 86), (90, 60, 50)
    picture[:4] = (230, 220, 210)
    picture[25:] = (250, 250, 250)
    noisy = np.clip(picture.astype(int) + rng.integers(-2, 3, picture.shape), 0, 255).astype(np.uint8)
    found = tones.tone(noisy, labels, 1)
    assert (found.red, found.green, found.blue) == pytest.approx((90, 60, 50), abs=0.5)
    assert found.tone_rgb == 8 and found.pixels == 25 * 40 and found.share == pytest.approx(13 / 25)
    assert tones.tone(noisy, labels, 1) == found
    plain = tones.tone(picture, np.where(np.arange(40)[:, None] < 4, SKIN, np.zeros((40, 40), np.uint8)), 1)
    assert (plain.red, plain.share, plain.pixels) == (230, 1, 160)
    assert tones.tone(picture, np.zeros((40, 40), np.uint8), 1) is None


def test_each_face_is_a_row_and_a_darker_picture_has_a_darker_tone(tmp_path):
    whole = decode.decode((ROOT / "tests/data/photographs/astronaut.jpg").read_bytes())
    face = cv2.resize(whole[45:193, 149:297], (256, 256))
    given = {"a": face, "b": (face * 0.45).astype(np.uint8), "c": np.full((256, 256, 3), 128, np.uint8)}
    made = []
    with BundleWriter(tmp_path / "files.tar") as writer:
        for image, pixels in given.items():
            member = writer.add(f"{image}.png", decode.encode_png(pixels))
            made.append((image, "", "downsampled", "", *member, member.sha256, 256, 256))
    derivatives = rows(made, Derivatives)
    how = {"parser": PARSER, "weights": tmp_path, "kind": "downsampled"}
    found = skin_tones.run(derivatives, tmp_path / "files.tar", **how).set_index("image")
    assert found["note"].to_dict() == {"a": "", "b": "", "c": "no face was found to be parsed"}
    assert found.loc["c"].drop(["note", "pixels", "subject"]).isna().all()
    for column in ("tone_rgb", "tone_lab"):
        assert found.loc["a", column] < found.loc["b", column]
    assert 3000 < found.loc["a", "pixels"] < 30000 and found.loc["a", "red"] > found.loc["a", "blue"]
