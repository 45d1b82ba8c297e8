"""Small models are asked together: what their own steps would say, each picture decoded once, what is the same kept."""

import importlib
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.consent.tables import Permits
from accord.engine import file_outputs, provenance, step, table
from accord.engine.parameter_types import Former
from accord.errors import AccordError
from accord.evaluate import detect, embed, label, masked, parse, parts, pose, restore, small
from accord.evaluate.asking import pictures
from accord.evaluate.tables.predictions import Evaluated
from accord.models import registry, tasks

ROOT = Path(__file__).parents[2]
SCHEMA = ROOT / "workflow/schemas/models.schema.yaml"
STUBS = """
import numpy as np
from accord.models.protocols import Boxes, Mask, Pose

class Stub:
    def __init__(self, weights, gain=1.0):
        self.gain = gain

    def score(self, picture):
        assert picture.mean() < 255, "too bright"
        return min(float(picture.mean()) * self.gain / 255, 1.0)

    def detect(self, pictures):
        box = np.array([[1.0, 2, 3, 4]])
        return [Boxes(box, np.array([self.score(p)]), ["face"]) for p in pictures]

    def estimate(self, pictures, boxes):
        return [Pose(np.array([0]), box[None, :2], np.array([self.score(p)])) for p, box in zip(pictures, boxes)]

    def parse(self, pictures):
        return [[Mask(p[:, :, 0] > 100, self.score(p), "person")] for p in pictures]

    def parts(self, pictures, boxes):
        return [{"Nose": self.score(p)} for p in pictures]

    def embed(self, pictures):
        return [None if p.mean() < 10 else np.array([3.0, self.score(p)]) for p in pictures]

    def label(self, pictures):
        return [(p[:, :, 0] > 100).astype(np.uint8) for p in pictures]

    def restore(self, pictures):
        return [np.full_like(p, p.mean() // 2) for p in pictures]
"""
TASKS = {
    "faces": "face_localization", "crops": "face_localization", "people": "person_localization",
    "poses": "keypoint_estimation", "masks": "person_parsing", "parts": "body_parts_detection",
    "vectors": "face_verification", "labels": "face_parsing", "sharper": "face_super_resolution",
    "scenes": "image_embedding", "texts": "image_text",
}  # fmt: skip
MEASURING = {"side": 16, "factor": 2}
OWN = {"detect": detect, "pose": pose, "parse": parse, "parts": parts, "label": label, "masked": masked}


@pytest.fixture(scope="session")
def entries(tmp_path_factory):
    """Entries of models of all tasks, by name, as a step is told them; gain: an option of theirs."""
    stubs = tmp_path_factory.mktemp("adapters") / "stubs.py"
    stubs.write_text(STUBS)

    def made(gain: float = 1.0, names=tuple(TASKS)) -> dict[str, dict]:
        same = {"adapter": f"{stubs}:Stub", "weights": {}, "batch": 2, "options": {"gain": gain}}
        told = {name: {"name": name, "task": TASKS[name], **same} for name in names}
        return {name: entry | ({"reads": "crop"} if name == "crops" else {}) for name, entry in told.items()}

    return made


def world(shard, levels: dict[str, int], x: float = 0.0) -> dict:
    """A shard with a picture of each grey level, and a person in it, whose box begins at x."""
    for image, level in levels.items():
        shard.picture(image, np.full((30, 40, 3), level, np.uint8))
        shard.picture(image, np.full((32, 32, 3), level, np.uint8), "face_aligned", "s")
        shard.crop(image, "s", np.full((20, 20, 3), level, np.uint8), 5, x)
        shard.person(image, "s", face=(1, 2, 3, 4), person=(x, 1, 20, 20))
    return {**shard.inputs(), "faces": shard.faces()}


@pytest.fixture
def decoded(monkeypatch):
    """Image and kind of each picture that is decoded."""
    seen: list[tuple[str, str]] = []
    decode = pictures._decoded

    def told(files: Path, row) -> np.ndarray:
        seen.append((row.image, row.kind))
        return decode(files, row)

    monkeypatch.setattr(pictures, "_decoded", told)
    return seen


def asked(inputs: dict, told: dict, former: Former, permits=()) -> dict[str, bytes]:
    """Name -> bytes of each file that the step makes."""
    files = small.run(**inputs, permits=list(permits), former=former, entries=told, weights=Path("w"), **MEASURING)
    return file_outputs.documents(files, {})


def test_each_model_says_what_its_own_step_says(shard, entries, tmp_path):
    inputs, told = world(shard, {"a": 200, "b": 120, "c": 5}), entries()
    made = small.run(**inputs, permits=[], former=Former(), entries=told, weights=tmp_path, **MEASURING)
    assert sorted(made) == sorted(f"{name}{of}.parquet" for name in TASKS for of in ("", ".asked"))
    for name, model in told.items():
        own = {"derivatives": inputs["derivatives"], "files": inputs["files"], "model": model, "weights": tmp_path}
        kind = tasks.STEP_OF_TASK[model["task"]]
        if kind in ("detect", "pose", "parse", "parts", "masked"):
            own["people"] = inputs["people"]
        if kind == "detect":
            own["faces"] = inputs["faces"]
        if kind == "embed":
            alone = embed.run(permits=[], **own)
        else:
            alone = restore.run(**own, **MEASURING) if kind == "restore" else OWN[kind].run(**own)
        predictions = alone.predictions.rows if kind == "masked" else alone.predictions
        rows, about = made[f"{name}.parquet"], made[f"{name}.asked.parquet"]
        pd.testing.assert_frame_equal(rows.rows.rows, predictions.reset_index(drop=True))
        pd.testing.assert_frame_equal(about.rows, alone.asked)
        assert len(about.rows) > 0 and about.model is Evaluated


def test_a_picture_is_decoded_once(shard, entries, decoded):
    asked(world(shard, {"a": 200, "b": 120, "c": 50}), entries(), Former())
    assert sorted(decoded) == sorted((i, k) for i in "abc" for k in ("downsampled", "face_aligned", "face_crop"))


READING = ("crops", "poses", "vectors", "scenes")
"""Models of which each reads other tables."""
LEVELS = st.dictionaries(st.sampled_from("abcd"), st.integers(1, 3).map(lambda n: 60 * n), max_size=4)
WORLDS = st.lists(
    st.tuples(LEVELS, st.sampled_from([0.0, 1.5]), st.sampled_from([1.0, 0.5]), st.sets(st.sampled_from("abcd"))),
    min_size=2, max_size=3,
)  # fmt: skip


@settings(max_examples=5, deadline=None)
@given(WORLDS)
def test_what_is_the_same_is_taken_over_byte_for_byte(tmp_path_factory, shard_in, entries, worlds):
    kept_in = tmp_path_factory.mktemp("kept")
    for levels, x, gain, consenting in worlds:
        inputs, told = world(shard_in(tmp_path_factory.mktemp("shard")), levels, x), entries(gain, READING)
        permits = kept_in / "permits.parquet"
        rows = [(image, "s", "biometric") for image in sorted(consenting)]
        table.write(table.rows(rows, Permits), Permits, permits)
        whole = asked(inputs, told, Former(), [permits])
        former = Former({name: kept_in / name for name in whole})
        assert asked(inputs, told, former, [permits]) == whole
        for name, data in whole.items():
            (kept_in / name).write_bytes(data)


def test_only_what_changed_is_asked_again(shard_in, entries, tmp_path, decoded):
    def again(folder: str, levels: dict, told: dict, x: float = 0.0) -> list[tuple[str, str]]:
        (tmp_path / folder).mkdir()
        former = Former({path.name: path for path in tmp_path.glob("*.parquet")})
        decoded.clear()
        for name, data in asked(world(shard_in(tmp_path / folder), levels, x), told, former).items():
            (tmp_path / name).write_bytes(data)
        return sorted(decoded)

    assert len(again("first", {"a": 200, "b": 120}, entries())) == 6
    assert again("same", {"a": 200, "b": 120}, entries()) == []
    assert again("reordered", {"b": 120, "a": 200}, entries()) == []
    assert again("left", {"b": 120}, entries()) == []
    assert not [name for name in tmp_path.glob("*.parquet") if b'"a"' in name.read_bytes()]
    assert {image for image, _ in again("new", {"b": 120, "c": 200}, entries())} == {"c"}
    # Another box: crops lie elsewhere, aligned faces are the same.
    assert again("moved", {"b": 120}, entries(), 3.0) == [("b", "downsampled"), ("b", "face_crop")]
    other = entries(names=["faces", "masks"]) | {"vectors": entries(0.5)["vectors"]}
    assert again("options", {"b": 120}, other, 3.0) == [("b", "face_aligned")]


def test_all_models_that_can_t_be_had_are_told_at_once(shard, entries):
    told = entries()
    for name in ("poses", "labels"):
        told[name] = told[name] | {"options": {"unknown": 1}}
    with pytest.raises(AccordError, match=r"model poses: its options(.|\n)*model labels: its options"):
        asked(world(shard, {"a": 200}), told, Former())


@pytest.mark.parametrize("name", ["faces", "poses", "masks"])
def test_a_failing_model_names_the_picture_and_the_line(shard, entries, name):
    inputs, model = world(shard, {"a": 200, "b": 255, "c": 120}), entries()[name]
    line = next(number for number, one in enumerate(STUBS.splitlines(), 1) if "too bright" in one)
    wanted = re.escape(f"model {name}, picture b: {model['adapter'].rpartition(':')[0]}, line {line}: AssertionError")
    with pytest.raises(AccordError, match=wanted):
        asked(inputs, {name: model}, Former())
    alone = OWN[tasks.STEP_OF_TASK[model["task"]]]
    told = {key: inputs[key] for key in ("derivatives", "people", "files")}
    with pytest.raises(AccordError, match=wanted):
        alone.run(**told, model=model, weights=Path("w"))


def test_the_step_writes_checked_tables_that_tell_their_models(shard, entries, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    inputs, told = world(shard, {"a": 200}), entries(names=["faces", "vectors"])
    for name, model in (("derivatives", small.Derivatives), ("people", small.People), ("faces", small.Faces)):
        table.write(inputs[name], model, Path(f"{name}.parquet"))
    names = [f"o/{name}{of}.parquet" for of in ("", ".asked") for name in told]
    argv = [f"--{name}={name}.parquet" for name in ("derivatives", "people", "faces")]
    argv += ["--permits", "--files=files.tar", f"--entries={json.dumps(told)}", "--weights=w"]
    argv += ["--side=16", "--factor=2", "--lpips=null", "--embedder=null", "--out", *names]
    step.run_step("evaluate.small", argv)
    first = {name: Path(name).read_bytes() for name in names}
    monkeypatch.setattr(pictures, "stream", lambda *_: 1 / 0)
    step.run_step("evaluate.small", argv)
    assert {name: Path(name).read_bytes() for name in names} == first
    assert provenance.of(Path("o/vectors.parquet"))["params"]["entries"] == told


def models(tmp_path: Path, more: str) -> registry.Models:
    path = tmp_path / "models.yaml"
    path.write_text(f"m:\n  task: face_localization\n  licence: MIT\n  source: me\n{more}")
    return registry.read({"models": str(path), "run": ["m"]}, SCHEMA)


@pytest.mark.parametrize(
    ("more", "is_small"),
    [
        ("  adapter: opencv:YuNet\n  weights: {net: {package: p, path: x, sha256: SUM}}\n", True),
        ("  adapter: bicubic:Bicubic\n  weights: {}\n", True),
        ("  adapter: opencv:YuNet\n  alone: true\n  weights: {net: {package: p, path: x, sha256: SUM}}\n", False),
        ("  adapter: opencv:YuNet\n  weights: {net: {path: x, sha256: SUM}}\n", False),
        ("  adapter: package.module:Mine\n  weights: {}\n", False),
        ("  outputs: {path: x.json, sha256: SUM}\n", False),
    ],
)
def test_models_of_packages_are_small_and_have_no_jobs_of_their_own(tmp_path, more, is_small):
    listed = models(tmp_path, more.replace("SUM", "ab" * 32))
    assert listed.small == (["m"] if is_small else [])
    asked_alone = listed.pattern("detect") == "m" or listed.pattern("outputs") == "m"
    assert asked_alone is not is_small


def test_all_models_that_ship_are_small():
    settings = {"models": str(ROOT / "config/models.yaml"), "run": ["yunet", "dlib_faces", "efficientnet", "bicubic"]}
    assert registry.read(settings, SCHEMA).small == settings["run"]


def test_the_benchmark_asks_each_step_for_what_it_takes(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    benchmark = importlib.import_module("evaluate_small")
    listed = registry.read({"models": str(ROOT / "config/models.yaml"), "run": ["yunet", "sface", "bicubic"]}, SCHEMA)
    specs = {name: listed.spec(name) for name in listed.small}
    for name, *argv in (*(benchmark.job(model, spec) for model, spec in specs.items()), benchmark.together(specs)):
        asked_for = step.parser(name, step.load(name)).parse_args(argv)
        assert asked_for.files == Path("files.tar")
    assert sorted(path.name for path in asked_for.out) == sorted(
        f"{n}{of}.parquet" for n in specs for of in ("", ".asked")
    )
