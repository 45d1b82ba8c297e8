"""Overlaps and recall, against pycocotools and by hand."""

import numpy as np
import pandas as pd
import pytest
from analyse_cases import asked_of, verdicts_of
from pycocotools import mask as coco
from pycocotools.cocoeval import COCOeval, Params

from accord.analyse import localisation, parsing, pose
from accord.imaging import person_masks
from accord.imaging.keypoints import BLAZEPOSE, SIGMAS, oks, pck
from accord.imaging.overlap import best_iou, iou
from accord.imaging.recall import THRESHOLDS, average_recall
from accord.vocabularies import KEYPOINTS, text


def boxes(rng, count):
    corners = rng.uniform(0, 80, (count, 2))
    return np.hstack([corners, corners + rng.uniform(1, 60, (count, 2))])


def people(**columns):
    names = [f"{part}_{side}" for part in ("face", "person") for side in ("x", "y", "width", "height")]
    empty = {"is_primary": True, "age": 30, "face_annotator": "a"} | dict.fromkeys(names, np.nan)
    return pd.DataFrame({**empty, **columns})


def detections(*rows):
    columns = ["model", "image", "x0", "y0", "x1", "y1"]
    return pd.DataFrame(rows, columns=columns).assign(score=0.9, label="face")


def test_iou_equals_pycocotools(rng):
    left, right = boxes(rng, 40), boxes(rng, 40)
    as_xywh = [np.hstack([b[:, :2], b[:, 2:] - b[:, :2]]) for b in (left, right)]
    assert iou(left, right) == pytest.approx(np.diag(coco.iou(*as_xywh, [False] * 40)), abs=1e-12)


def test_iou_of_empty_and_inverted_boxes_is_0():
    left = np.array([[5.0, 5, 5, 5], [9, 9, 1, 1]])
    assert iou(left, left).tolist() == [0, 0]


def test_best_iou_looks_at_every_prediction_of_the_same_model_and_image(rng):
    truth = pd.DataFrame(
        {"model": ["m", "m", "n"], "image": ["a", "b", "a"], "x": 0, "y": 0, "width": 10, "height": 10}
    )
    found = detections(("m", "a", 0, 0, 5, 10), ("m", "a", 0, 0, 10, 8), ("n", "b", 0, 0, 10, 10))
    assert best_iou(truth, found).tolist() == [0.8, 0, 0]


def test_thresholds_are_the_exact_decimals():
    assert THRESHOLDS == (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)


@pytest.mark.parametrize(("covered", "recall"), [(49, 0), (50, 0.1), (59, 0.2), (60, 0.3), (95, 1), (100, 1)])
def test_an_overlap_of_exactly_a_threshold_reaches_it(covered, recall):
    overlap = iou(np.array([[0.0, 0, 100, 1]]), np.array([[0.0, 0, covered, 1]]))
    assert average_recall(overlap).tolist() == [recall]


def test_localisation_scores_what_was_asked_found_or_not():
    keys = [("a", "s"), ("a", "t"), ("b", "s"), ("c", "s")]
    frame = pd.DataFrame(keys, columns=["image", "subject"])
    faces = {"face_x": [0, 50, 0, 0], "face_y": [0, 50, 0, 0], "face_width": 10, "face_height": 10}
    found = detections(("m", "a", 0, 0, 10, 6), ("m", "a", 50, 50, 60, 60), ("m", "c", 0, 0, 10, 10))
    asked = asked_of("m", "face_localization", keys)
    got = localisation.run(
        found, asked, people(**frame, **faces), verdicts_of("abc", failed="c"), task="face_localization"
    )
    assert got[["image", "subject", "value"]].to_numpy().tolist() == [["a", "s", 0.3], ["a", "t", 1.0], ["b", "s", 0.0]]
    assert set(got["metric"]) == {"ar_iou"}


def test_localisation_leaves_out_who_was_not_asked_about():
    frame = pd.DataFrame(
        {"image": ["a"], "subject": ["s"], "face_x": 0, "face_y": 0, "face_width": 1, "face_height": 1}
    )
    asked = asked_of("m", "person_localization", [("a", "s")])
    got = localisation.run(detections(), asked, people(**frame), verdicts_of("a"), task="face_localization")
    assert len(got) == 0


def test_mask_recall_equals_the_overlap_of_the_drawn_pixels():
    """The person covers 10 x 10 px in two halves; the better mask covers 6 of 10 rows: IoU 0.6."""
    halves = [[0, 0, 5, 0, 5, 10, 0, 10], [5, 0, 10, 0, 10, 10, 5, 10]]
    segments = pd.DataFrame({"image": "a", "subject": "s", "segment": [0, 1], "num": 1, "annotator": "x"})
    segments["polygon"] = [np.array(half, float) for half in halves]
    masks = [np.zeros((20, 30), np.uint8, order="F") for _ in range(2)]
    masks[0][:6, :10] = 1
    masks[1][:2, :10] = 1
    counts = [coco.encode(mask)["counts"].decode() for mask in masks]
    found = pd.DataFrame({"model": "m", "image": "a", "score": 1.0, "label": "person", "counts": counts})
    found = found.assign(height=20, width=30)
    asked = asked_of("m", "person_parsing", [("a", "s"), ("a", "t"), ("b", "s")])
    segments = pd.concat([segments, segments.assign(image="b")])
    got = parsing.run(found, asked, segments, verdicts_of("ab"))
    assert got["value"].tolist()[:1] == [0.3]
    assert np.isnan(got["value"][1]) and got["note"][1] == "no segment of the person is annotated"
    assert got["value"][2] == 0


def test_the_union_counts_shared_pixels_once_and_skips_what_has_no_area():
    square = [0, 0, 10, 0, 10, 10, 0, 10]
    drawn = person_masks.union([square, square, [1, 1, 4, 4], []], 20, 20)
    assert coco.area(drawn) == 100
    assert coco.area(person_masks.union([], 20, 20)) == 0


def coco_oks(truth, visible, area, predicted):
    """OKS as COCOeval computes it."""
    judge = COCOeval.__new__(COCOeval)
    judge.params = Params("keypoints")
    judge.params.useCats = 1
    width = {"keypoints": [c for (x, y), v in zip(truth, visible, strict=True) for c in (x, y, 2 * v)]}
    judge._gts = {(1, 1): [{**width, "bbox": [0, 0, 9, 9], "area": area, "num_keypoints": sum(visible)}]}
    judge._dts = {(1, 1): [{"keypoints": [c for x, y in predicted for c in (x, y, 1)], "score": 1}]}
    return judge.computeOks(1, 1)[0, 0]


def test_oks_equals_pycocotools(rng):
    for _ in range(20):
        truth, visible = rng.uniform(0, 100, (17, 2)), rng.random(17) < 0.6
        visible[0] = True
        predicted, area = truth + rng.normal(0, 6, (17, 2)), float(rng.uniform(300, 5000))
        distance = np.linalg.norm(predicted - truth, axis=1)
        ours = oks(distance[np.newaxis], np.array([area]), visible[np.newaxis])[0]
        assert ours == pytest.approx(coco_oks(truth, visible, area, predicted), abs=1e-12)


def test_keypoints_are_cocos():
    named = [text(KEYPOINTS[number]).lower() for number in BLAZEPOSE]
    parts = ("eye", "ear", "shoulder", "elbow", "wrist", "hip", "knee", "ankle")
    assert named == ["nose", *(f"{side} {part}" for part in parts for side in ("left", "right"))]
    assert pytest.approx(Params("keypoints").kpt_oks_sigmas) == SIGMAS


def test_pck_counts_visible_points_within_reach():
    distance = np.array([[1.0, 5.0, 5.1, np.inf, 0.0]])
    visible = np.array([[True, True, True, True, False]])
    assert pck(distance, np.array([10.0]), visible, (0.5,)).tolist() == [0.5]
    assert pck(distance, np.array([10.0]), visible, (0.1, 0.5)).tolist() == [0.375]
    assert np.isnan(pck(distance, np.array([10.0]), visible & False, (0.5,)))


def pose_case(face=(30.0, 40.0)):
    """Two people in one image, two visible points each; a third image without a visible point."""
    keys = [("a", "s"), ("a", "t"), ("b", "s")]
    frame = pd.DataFrame(keys, columns=["image", "subject"])
    shown = people(**frame, face_x=0, face_y=0, face_width=face[0], face_height=face[1])
    places = [("a", "s", 0, 100, 100), ("a", "s", 5, 110, 100), ("a", "t", 0, 200, 200), ("a", "t", 5, 210, 200)]
    points = pd.DataFrame(places, columns=["image", "subject", "keypoint", "x", "y"]).assign(
        visible=True, annotator="k"
    )
    hidden = points.iloc[:1].assign(image="b", visible=False)
    square = np.array([90, 90, 190, 90, 190, 190, 90, 190], float)
    segments = frame.assign(segment=0, num=1, annotator="k", polygon=[square] * 3)
    predicted = points.drop(columns=["visible", "annotator"]).assign(model="m", score=1.0)
    asked = asked_of("m", "keypoint_estimation", keys)
    return predicted, asked, shown, pd.concat([points, hidden]), segments, verdicts_of("ab")


def test_pose_scores_a_perfect_pose_1_and_tells_what_is_undefined():
    got = pose.run(*pose_case())
    for metric in ("pck@0.5", "ar_oks"):
        some = got[got["metric"] == metric]
        assert some["value"].tolist()[:2] == [1, 1]
        assert some["note"].tolist() == ["", "", "no visible keypoint"]


def test_pck_reaches_half_a_head_and_a_head_is_0_6_diagonals():
    """A face box of 30 x 40 has a diagonal of 50 and a head of 30: the reach is 15 px."""
    predicted, *rest = pose_case()
    for shift, value in ((15, 1.0), (15.1, 0.5)):
        moved = predicted.assign(x=predicted["x"] + np.where(predicted["keypoint"] == 5, shift, 0))
        got = pose.run(moved, *rest)
        assert got[got["metric"] == "pck@0.5"]["value"].tolist()[:2] == [value, value]


def test_pck_by_the_face_diagonal_is_the_mean_over_nine_thresholds():
    """Points 12 px off, a diagonal of 50: within 0.3 ... 0.9 of it, seven of nine."""
    predicted, *rest = pose_case()
    got = pose.run(predicted.assign(x=predicted["x"] + 12), *rest, normaliser="face_diagonal")
    assert got[got["metric"] == "pck@0.1-0.9"]["value"][0] == pytest.approx(7 / 9)


def test_a_pose_that_was_not_predicted_scores_0():
    predicted, *rest = pose_case()
    got = pose.run(predicted.iloc[:0], *rest)
    assert got["value"].dropna().tolist() == [0, 0, 0, 0]


def test_oks_takes_the_best_pose_of_the_image_pck_the_persons_own():
    predicted, *rest = pose_case()
    swapped = predicted.assign(subject=predicted["subject"].map({"s": "t", "t": "s"}))
    got = pose.run(swapped, *rest).groupby("metric")["value"].first()
    assert got["ar_oks"] == 1 and got["pck@0.5"] == 0


def test_what_can_not_be_measured_says_by_what():
    predicted, asked, shown, points, segments, verdicts = pose_case(face=(np.nan, np.nan))
    got = pose.run(predicted, asked, shown, points, segments.iloc[1:], verdicts)
    told = got[(got["image"] == "a") & (got["subject"] == "s")].set_index("metric")["note"]
    assert told.to_dict() == {"pck@0.5": "no face box to normalise by", "ar_oks": "no segments to normalise by"}


def wide_case():
    """As `pose_case`, where the knuckle 17 of each of the two is visible too."""
    predicted, asked, shown, points, segments, verdicts = pose_case()
    knuckle = points[points["keypoint"] == 5].assign(keypoint=17, x=150.0)
    return predicted, asked, shown, pd.concat([points, knuckle]), segments, verdicts


def test_a_model_of_17_keypoints_is_scored_over_these_alone():
    for points in ("coco", "blazepose"):
        got = pose.run(*wide_case(), points=points)
        assert set(got["metric"]) == {"pck@0.5", "ar_oks"}
        assert got["value"].dropna().tolist() == [1, 1, 1, 1]


def test_a_model_of_33_keypoints_is_scored_over_all_beside():
    predicted, *rest = wide_case()
    knuckle = predicted[predicted["keypoint"] == 5].assign(keypoint=17, x=[150.0, 500.0])
    got = pose.run(pd.concat([predicted, knuckle]), *rest, points="blazepose")
    told = {metric: some["value"].dropna().tolist() for metric, some in got.groupby("metric")}
    assert told == {"pck@0.5": [1, 1], "ar_oks": [1, 1], "pck33@0.5": [1, pytest.approx(2 / 3)]}
