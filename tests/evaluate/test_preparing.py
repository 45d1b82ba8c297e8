"""Pictures that are prepared for a network in the threads that decode: by steps, by adapters, and by processors."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
import torch
import transformers as hf
from tiny_nets import DETECTORS, TINY, entry, named, owlv2, save, segformer

from accord.engine.parameter_types import Former
from accord.errors import AccordError
from accord.evaluate import detect, embed, masked, parse, parts, pose, small
from accord.evaluate.asking import preparing
from accord.models import loading
from accord.models.adapters.nets import transformers_inputs
from accord.models.protocols import Prepared

STUB = """
import threading
import numpy as np
from accord.models.protocols import Boxes, Mask, Pose, Prepared

class Stub:
    def __init__(self, weights, broken=False):
        self.broken = broken

    def prepare(self, picture, box=None):
        if self.broken and picture.mean() < 100:
            raise ValueError("too dark")
        return Prepared((picture.mean(), box, threading.current_thread().name), picture.shape)

    def detect(self, pictures):
        return [Boxes(np.array([[0.0, 0, p.inputs[0], 9]]), np.ones(1), [p.inputs[2]]) for p in pictures]

    def parse(self, pictures):
        return [[Mask(np.ones(p.shape[:2], bool), p.inputs[0] / 255, "person")] for p in pictures]

    def embed(self, pictures):
        return [np.array([p.inputs[0], 1.0]) for p in pictures]

    def estimate(self, pictures, boxes):
        assert all(p.inputs[1] is not None and (p.inputs[1] == box).all() for p, box in zip(pictures, boxes))
        return [Pose(np.array([0]), p.inputs[1][None, :2], np.array([p.inputs[0] / 255])) for p in pictures]

    def parts(self, pictures, boxes):
        return [{"Hand": p.inputs[0] / 255} for p in pictures]
"""


@pytest.fixture
def model(tmp_path):
    (tmp_path / "stubs.py").write_text(STUB)

    def made(task: str, **options) -> dict:
        of = {"name": "stub", "task": task, "adapter": f"{tmp_path}/stubs.py:Stub", "weights": {}, "batch": 2}
        return {**of, "options": options}

    return made


@pytest.fixture
def three(shard):
    """Three grey pictures of 200, 20 and 210, with two people in the first and one in the second."""
    for image, level, size in (("b", 200, (30, 40)), ("a", 20, (50, 60)), ("c", 210, (20, 20))):
        shard.picture(image, np.full((*size, 3), level, np.uint8))
        shard.picture(image, np.full((8, 8, 3), level, np.uint8), "face_aligned", "x")
    for image, subject, person in (("b", "y", (5.5, 6, 10, 20)), ("b", "x", (0, 0, 4, 8)), ("a", "x", (1, 1, 2, 2))):
        shard.person(image, subject, face=(1, 2, 3, 4), person=person)
    return shard.inputs()


def test_every_step_shows_what_was_prepared_beside_the_network(three, model, tmp_path):
    told = {"weights": tmp_path}
    boxes = detect.run(**three, model=model("face_localization"), **told).predictions
    assert dict(zip(boxes["image"], boxes["x1"], strict=True)) == {"a": 20, "b": 200, "c": 210}
    masks = parse.run(**three, model=model("person_parsing"), **told).predictions
    assert sorted(np.round(masks["score"] * 255)) == [20, 200, 210]
    poses = pose.run(**three, model=model("keypoint_estimation"), **told).predictions
    expected = [("a", "x", 1.0), ("b", "x", 0.0), ("b", "y", 5.5)]
    assert list(poses[["image", "subject", "x"]].itertuples(index=False, name=None)) == expected
    seen = parts.run(**three, model=model("body_parts_detection"), **told).predictions
    np.testing.assert_allclose(seen["score"] * 255, [20, 200, 200])
    shown = {name: three[name] for name in ("derivatives", "files")}
    vectors = embed.run(**shown, permits=[], model=model("face_verification"), **told).predictions
    np.testing.assert_allclose([vector[0] / vector[1] for vector in vectors["vector"]], [20, 200, 210], rtol=1e-5)


def test_preparing_is_done_by_the_threads_that_decode(three, model, tmp_path):
    found = detect.run(**three, model=model("face_localization"), weights=tmp_path).predictions
    assert len(found) == 3 and all(name.startswith("decode") for name in found["label"])


def test_a_picture_that_cannot_be_prepared_is_named_with_the_line(three, model, tmp_path):
    with pytest.raises(AccordError, match=r"model stub, picture a: .*stubs\.py, line 1[0-9]: ValueError: too dark"):
        detect.run(**three, model=model("face_localization", broken=True), weights=tmp_path)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("decode")]


def test_a_method_of_that_name_for_something_else_is_told(three, tmp_path):
    (tmp_path / "own.py").write_text("""
class Own:
    def __init__(self, weights): pass
    def prepare(self, picture): return picture / 255
    def detect(self, pictures): return []
""")
    of = {"name": "own", "task": "face_localization", "adapter": f"{tmp_path}/own.py:Own", "weights": {}, "batch": 2}
    with pytest.raises(AccordError, match=r"adapter Own: prepare\(\) returned ndarray, not Prepared\n    hint: "):
        detect.run(**three, model={**of, "options": {}}, weights=tmp_path)


PROCESSORS = [
    *(
        "Detr",
        "ConditionalDetr",
        "DeformableDetr",
        "RTDetr",
        "Yolos",
        "Mask2Former",
        "MaskFormer",
        "Segformer",
        "VitPose",
    ),
    *("VitPose", "ViT", "Beit", "ConvNext", "CLIP", "Siglip", "OwlViT", "GroundingDino", "Bit"),
]
BOXES = {"VitPose": {"boxes": [[[10.0, 10, 50, 60]]]}}
MORE = {"Mask2Former": {"pad_size": {"height": 1400, "width": 1500}}, "Detr": {"size": {"longest_edge": 200,
        "shortest_edge": 120}}}  # fmt: skip


@pytest.mark.parametrize("name", PROCESSORS)
def test_the_two_halves_give_what_the_processor_gives(name):
    """To the last bit, as the processors compute with NumPy: so no score of a network changes."""
    processor = getattr(hf, f"{name}ImageProcessorPil")(**MORE.get(name, {}))
    made = transformers_inputs.Inputs(processor, "cpu", BOXES.get(name))
    rng = np.random.default_rng(5)
    for size in ((80, 121, 3), (301, 100, 3)):
        picture = rng.integers(0, 256, size, dtype=np.uint8)
        ready = made.prepare(picture, **BOXES.get(name, {}))
        assert ready.inputs["pixel_values"].values.dtype == torch.uint8 and ready.shape == size
        expected = processor(images=[picture, picture], return_tensors="pt",
                             **{key: value * 2 for key, value in BOXES.get(name, {}).items()})  # fmt: skip
        found = made.batch([ready, ready])
        assert set(found) == set(expected)
        for key, values in found.items():
            np.testing.assert_array_equal(values.numpy(), expected[key].numpy())


@pytest.mark.parametrize("name", ["Owlv2", "EfficientNet"])
def test_a_processor_that_rescales_before_it_resizes_is_asked_for_all(name):
    processor = getattr(hf, f"{name}ImageProcessorPil")()
    made = transformers_inputs.Inputs(processor, "cpu")
    picture = np.random.default_rng(5).integers(0, 256, (80, 121, 3), dtype=np.uint8)
    expected = processor(images=[picture], return_tensors="pt")["pixel_values"].numpy()
    np.testing.assert_array_equal(made.batch([made.prepare(picture)])["pixel_values"].numpy(), expected)


def detr(folder):
    config, processor, settings = DETECTORS["detr"]
    save(folder, hf.AutoModelForObjectDetection, named(config(), "cat", "Person"), processor, **settings)
    return entry(folder, "transformers:Detector", "person_localization", min_score=0.0), "detect"


def regions(folder):
    segformer(folder, "wall", "Person", "sky", "hair")
    return entry(folder, "transformers_masks:Regions", "person_parsing"), "parse"


def vitpose(folder):
    seeing = hf.VitPoseBackboneConfig(**{**TINY, "num_hidden_layers": 1}, image_size=[64, 48], patch_size=[16, 16])
    save(folder, hf.AutoModelForPoseEstimation, hf.VitPoseConfig(backbone_config=seeing, num_labels=17),
         "VitPoseImageProcessorPil", size={"height": 64, "width": 48})  # fmt: skip
    return entry(folder, "transformers_pose:PoseEstimator", "keypoint_estimation", mirrored=True), "estimate"


def prompted(folder):
    save(folder, hf.AutoModelForZeroShotObjectDetection, owlv2(folder))
    told = entry(folder, "transformers_prompted:Prompted", "person_localization", min_score=0.0)
    told["options"] |= {"prompts": ["a person", "a human face"]}
    return told, "detect"


def features(folder):
    sizes = {"embedding_size": 8, "hidden_sizes": [8, 16, 16, 24], "depths": [1] * 4, "groups_width": 4}
    save(folder, hf.AutoModel, hf.RegNetConfig(**sizes, layer_type="y"))
    return entry(folder, "transformers_features:Embedder", "image_embedding", size=64), "embed"


def flat(answer) -> list:
    """The numbers and arrays of an answer."""
    if isinstance(answer, np.ndarray | float | int | str):
        return [answer]
    return [part for one in answer for part in flat(one)]


@pytest.fixture(scope="module")
def pictures() -> list[np.ndarray]:
    rng = np.random.default_rng(3)
    return [rng.integers(0, 256, size, dtype=np.uint8) for size in ((80, 120, 3), (80, 120, 3), (200, 100, 3))]


@pytest.mark.parametrize("build", [detr, regions, vitpose, prompted, features])
def test_an_adapter_answers_the_same_whoever_prepared_the_pictures(build, tmp_path, pictures):
    told, method = build(tmp_path)
    adapter = loading.load(told, tmp_path, method)
    boxes = [[np.array([10.0, 10, 70, 60 + 5 * n]) for n in range(3)]] if method == "estimate" else []
    with ThreadPoolExecutor(3) as pool:
        ready = list(pool.map(adapter.prepare, pictures, *boxes))
    assert all(isinstance(one, Prepared) for one in ready)
    expected = flat(getattr(adapter, method)(pictures, *boxes))
    found = flat(getattr(adapter, method)(ready, *boxes))
    assert len(found) == len(expected) > 0
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("build", [detr, prompted])
def test_pictures_go_together_and_are_answered_as_if_alone(build, tmp_path, pictures):
    told, method = build(tmp_path)
    adapter = loading.load(told, tmp_path, method)
    counts = []
    adapter._model.net.register_forward_pre_hook(
        lambda net, given, named: counts.append(len(named["pixel_values"])), with_kwargs=True
    )
    together = adapter.detect(pictures)
    assert max(counts) > 1
    for picture, boxes in zip(pictures, together, strict=True):
        [alone] = adapter.detect([picture])
        np.testing.assert_allclose(alone.scores, boxes.scores, atol=1e-5)
        np.testing.assert_allclose(alone.boxes, boxes.boxes, atol=0.01)


def test_steps_say_the_same_where_nothing_is_prepared_ahead(tmp_path, shard, pictures, monkeypatch):
    """To the last bit: those that ask one model in batches, and the one that asks several about one picture."""
    for image, picture in zip("abc", pictures, strict=True):
        shard.picture(image, picture)
        shard.person(image, "s", face=(1, 2, 3, 4), person=(10, 10, 50, 40))
    inputs, told = shard.inputs(), {}
    steps = {"detr": detect, "regions": parse, "vitpose": pose, "features": masked}
    for name, build in (("detr", detr), ("regions", regions), ("vitpose", vitpose), ("features", features)):
        entry, _ = build(tmp_path / name)
        told[name] = {**entry, "name": name}
        for file in entry["weights"].values():
            file["path"] = f"{name}/{file['path']}"
    measuring = {"permits": [], "faces": shard.faces(), "former": Former(), "side": 16, "factor": 2}

    def said() -> dict:
        alone = {n: one.run(**inputs, model=told[n], weights=tmp_path).predictions for n, one in steps.items()}
        alone["features"] = alone["features"].rows
        together = small.run(**inputs, **measuring, entries=told, weights=tmp_path)
        return alone | {f"{n} of several": together[f"{n}.parquet"].rows.rows for n in steps}

    ahead, prepare = said(), []
    monkeypatch.setattr(preparing, "ahead", lambda *_: prepare.append(1))
    expected = said()
    assert prepare and all(len(rows) for rows in expected.values())
    for name, rows in ahead.items():
        pd.testing.assert_frame_equal(rows, expected[name], check_exact=True)
