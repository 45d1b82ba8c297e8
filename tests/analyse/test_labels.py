"""Face labels: F1 against scikit-learn's, by hand, and what the truth is drawn from."""

import numpy as np
import pandas as pd
import pytest
from analyse_cases import asked_of, verdicts_of
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from pycocotools import mask as coco
from sklearn.metrics import f1_score

from accord.analyse import labels
from accord.errors import AccordError
from accord.vocabularies import FACE_PARTS

TASK, SIDE = "face_parsing", 40
MAPS = arrays.arrays(np.uint8, (6, 5), elements=st.integers(0, 18))
SKIN, NOSE, EAR, HAIR = (FACE_PARTS.index(name) for name in ("skin", "nose", "l_ear", "hair"))


@settings(deadline=None, max_examples=60)
@given(MAPS, MAPS)
def test_f1_is_that_of_scikit_learn(truth, predicted):
    found, there = labels.f1(truth, predicted), np.unique(truth)
    wanted = f1_score(truth.ravel(), predicted.ravel(), labels=there, average=None, zero_division=0)
    np.testing.assert_allclose(found[there], wanted)
    assert np.isnan(np.delete(found, there)).all()


@settings(deadline=None, max_examples=20)
@given(MAPS)
def test_a_perfect_map_scores_1(truth):
    assert np.nanmean(labels.f1(truth, truth)) == 1


def box(x0, y0, x1, y1) -> np.ndarray:
    return np.array([x0, y0, x1, y0, x1, y1, x0, y1], float)


def predicted(image: str, pixels: np.ndarray) -> pd.DataFrame:
    found = [
        (int(label), coco.encode(np.asfortranarray(pixels == label, np.uint8))["counts"].decode())
        for label in np.unique(pixels[pixels > 0])
    ]
    table = pd.DataFrame(found, columns=["label", "counts"])
    return table.assign(model="m", image=image, subject="s", height=pixels.shape[0], width=pixels.shape[1])


class Case:
    """Faces of 40 px, each at x 100, y 200 of its picture and twice as large there: skin, and a nose in it."""

    def __init__(self, *images: str):
        keys = pd.DataFrame({"image": list(images), "subject": "s"})
        file = {"part": "", "member": "m", "offset": 0, "size": 1, "sha256": "0" * 64, "source_sha256": "0" * 64}
        self.derivatives = keys.assign(kind="face_aligned", width=SIDE, height=SIDE, **file)
        frame = np.array([0.5, 0, -50, 0, 0.5, -100, 0, 0, 1])
        self.faces = keys.assign(kind="face_aligned", homography=[frame] * len(keys))
        sides = dict.fromkeys([f"person_{s}" for s in ("x", "y", "width", "height")], 0.0)
        face = {"face_x": 120.0, "face_y": 220.0, "face_width": 40.0, "face_height": 40.0}
        self.people = keys.assign(is_primary=True, age=30, face_annotator="a", **face, **sides)
        skin, nose = (keys.assign(segment=number, num=1, annotator="a") for number in (0, 11))
        skin["polygon"] = [box(100, 200, 180, 240)] * len(keys)
        nose["polygon"] = [box(120, 210, 140, 230)] * len(keys)
        self.segments = pd.concat([skin, nose], ignore_index=True)
        self.asked = asked_of("m", TASK, [(image, "s") for image in images])
        self.verdicts = verdicts_of(images)

    @property
    def truth(self) -> np.ndarray:
        drawn = np.zeros((SIDE, SIDE), np.uint8)
        drawn[:20] = SKIN
        drawn[5:15, 10:20] = NOSE
        return drawn

    def scores(self, *maps: tuple[str, np.ndarray]) -> pd.DataFrame:
        empty = predicted("a", np.zeros((SIDE, SIDE), np.uint8))
        predictions = pd.concat([empty, *(predicted(*one) for one in maps)], ignore_index=True)
        given = (self.asked, self.derivatives, self.faces, self.people, self.segments, self.verdicts)
        return labels.run(predictions, *given)


def test_truth_is_drawn_from_the_segments_where_the_aligned_face_shows_them():
    case = Case("a")
    assert case.scores(("a", case.truth))["value"].tolist() == [1.0]


def test_the_mean_is_over_the_labels_that_the_truth_has():
    """The nose is missed: its 100 px are taken for skin, of which the truth has 700; hair is made up in 200 px of the
    800 of background."""
    case = Case("a")
    said = case.truth
    said[said == NOSE] = SKIN
    said[35:] = HAIR
    background, skin = 2 * 600 / (800 + 600), 2 * 700 / (700 + 800)
    assert case.scores(("a", said))["value"][0] == pytest.approx((background + skin + 0) / 3)


def test_a_model_s_ears_are_skin():
    case = Case("a")
    said = case.truth
    said[:, 30:][said[:, 30:] == SKIN] = EAR
    assert case.scores(("a", said))["value"].tolist() == [1.0]


def test_a_face_without_a_prediction_has_its_background_alone():
    assert Case("a").scores()["value"][0] == pytest.approx(2 * 800 / (800 + 1600) / 3)


def test_what_is_undefined_says_why():
    case = Case("a", "b", "c")
    case.segments = case.segments[case.segments["image"] != "b"]
    other = case.people.iloc[[2]].assign(subject="t", face_x=150.0)
    beside = case.people.iloc[[0]].assign(subject="t", face_x=400.0)
    case.people = pd.concat([case.people, other, beside])
    found = case.scores(("a", case.truth), ("c", case.truth))
    assert found["note"].tolist() == [
        "", "no part of the face is annotated", "another person's face is in the picture",
    ]  # fmt: skip
    assert found["value"].notna().tolist() == [True, False, False]


def test_labels_of_another_size_are_refused():
    with pytest.raises(AccordError, match="model m: labels 9 x 9 px for a face of 40"):
        Case("a").scores(("a", np.full((9, 9), SKIN, np.uint8)))
