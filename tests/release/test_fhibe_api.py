"""FHIBE's public Evaluation API on a release of ours, unchanged.

It runs where FHIBE_API names a checkout of github.com/SonyResearch/fhibe_evaluation_api (docs/tests.md).
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pandas as pd
import pytest

from accord import vocabularies
from accord.engine import table
from accord.engine.table import rows
from accord.evaluate.asking import answers
from accord.evaluate.exchange import export, formats
from accord.evaluate.tables.predictions import Evaluated
from accord.imaging import bundle
from accord.imaging.decode import decode
from accord.models import rle
from accord.release.comparing import api_view
from accord.release.making.shard_tables import MODELS

CHECKOUT = os.environ.get("FHIBE_API", "")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHECKOUT, reason="FHIBE_API names no checkout of fhibe_evaluation_api"),
]
MODEL = "perfect"
NAMED = ("publish_image", "publish_attr:pronoun")


@pytest.fixture(scope="module")
def given(tmp_path_factory, shards, tiny):
    """(folder, house, tables, bundle): three people with three images of their own, two together, one who states no age
    and is with another as well."""
    Person = tiny.Person
    images = {f"own-{n}-{i}": (size, [Person(f"sub-{n}")]) for n in (1, 2, 3)
              for i, size in enumerate(("large", "small", "large"))}  # fmt: skip
    images |= {"both": ("large", [Person("sub-1"), Person("sub-2", 0.45)])}
    images |= {"shy": ("large", [Person("sub-4", 0.0, NAMED)])}
    images |= {"beside": ("large", [Person("sub-4", 0.0, NAMED), Person("sub-3", 0.45)])}
    folder = tmp_path_factory.mktemp("api")
    house = tiny.House(folder, shards)
    reported = house.publish(images, shards=1)
    made = house._shard(images)
    derived = {name: table.read(made / f"{name}.parquet", model) for name, model in MODELS.items()}
    release = folder / "results/release"
    (release / "00").mkdir(parents=True)
    for name in ("derivatives", "people"):
        table.write(derived[name], MODELS[name], release / "00" / f"{name}.parquet")
    told = reported | {"path": str(house.releases / reported["version"])}
    (release / "release.json").write_text(json.dumps(told))
    return folder, house, derived, made / "files.tar"


def perfect(task: str, derived: dict[str, pd.DataFrame], files: Path) -> list[tuple]:
    """The annotations themselves, as a model's answers."""
    people, points, segments = derived["people"], derived["keypoints"], derived["segments"]
    if task in ("person_localization", "face_localization"):
        part = task.partition("_")[0]
        x, y, width, height = (people[f"{part}_{side}"] for side in ("x", "y", "width", "height"))
        boxes = zip(people["image"], x, y, x + width, y + height, strict=True)
        return [(MODEL, *box, 0.9, part) for box in boxes]
    if task == "keypoint_estimation":
        seen = points[points["visible"]]
        return [(MODEL, p.image, p.subject, p.keypoint, p.x, p.y, 0.9) for p in seen.itertuples()]
    if task == "person_parsing":
        return [(MODEL, image, 0.9, "person", *mask.shape, rle.encode(mask)) for image, mask in drawn(derived)]
    if task == "body_parts_detection":
        there = segments.groupby(["image", "subject"])["segment"].agg(set)
        parts = {pair: {vocabularies.text(vocabularies.SEGMENTS[n]) for n in found} | {"Face"} for pair, found in
                 there.items()}  # fmt: skip
        return [(MODEL, *pair, part, float(part in parts[pair])) for pair in parts for part in vocabularies.BODY_PARTS]
    faces = derived["derivatives"].query("kind == 'face_aligned'")
    if task == "face_verification":
        whose = sorted(set(faces["subject"]))
        unit = {subject: np.eye(len(whose), dtype=np.float32)[n] for n, subject in enumerate(whose)}
        return [(MODEL, face.image, face.subject, unit[face.subject]) for face in faces.itertuples()]
    combined = derived["derivatives"].query("kind == 'mask' and part == 'combined'")
    masks = ((m, decode(bundle.read(files, m))[:, :, 0]) for m in combined.itertuples())
    return [(MODEL, m.image, m.subject, int(label), *found.shape, rle.encode(found == label))
            for m, found in masks for label in np.unique(found) if label]  # fmt: skip


def drawn(derived: dict[str, pd.DataFrame]):
    """(image, mask) of each person, drawn as the API draws: points cut to whole numbers, outlines filled."""
    sizes = derived["derivatives"].query("kind == 'downsampled'").set_index("image")
    for (image, _), polygons in derived["segments"].groupby(["image", "subject"])["polygon"]:
        canvas = np.zeros((sizes.loc[image, "height"], sizes.loc[image, "width"]), np.uint8)
        for polygon in polygons:
            cv2.fillPoly(canvas, [np.reshape(polygon, (-1, 2)).astype(int)], 1)
        yield image, canvas.astype(bool)


def write_outputs(task: str, given, view: Path, results: Path) -> None:
    folder, house, derived, files = given
    form = formats.FORMATS[task]
    who = derived["people"] if form.kind == "downsampled" else derived["derivatives"].query("kind == 'face_aligned'")
    shard = folder / "results/evaluate/00"
    shard.mkdir(parents=True, exist_ok=True)
    asked = answers.asked({"name": MODEL, "task": task}, who)
    table.write(asked, Evaluated, shard / f"{MODEL}.asked.parquet")
    table.write(rows(perfect(task, derived, files), form.table), form.table, shard / f"{MODEL}.parquet")
    made = export.export(folder / "results", house.vault, MODEL, view)
    assert made.lacking == 0
    dataset = "fhibe_downsampled" if form.kind == "downsampled" else "fhibe_face_crop_align"
    (results / task / dataset / MODEL).mkdir(parents=True)
    (results / task / dataset / MODEL / "model_outputs.json").write_text(export.text(made))


def test_every_task_runs_to_its_end_and_perfect_outputs_are_perfect(given, tmp_path):
    _, house, *_ = given
    view = tmp_path / "view"
    told = api_view.view(house.releases / "1.0.0", view)
    assert [(found.rows, found.left_out) for found in told.values()] == [(12, {"age": 2}), (12, {"age": 2})]
    for task in formats.FORMATS:
        write_outputs(task, given, view, tmp_path / "out")
    runner = Path(__file__).with_name("run_api.py")
    command = [sys.executable, runner, CHECKOUT, view, tmp_path / "out", MODEL]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr[-4000:]
    found = json.loads(ran.stdout.splitlines()[-1])
    assert set(found) == {*formats.FORMATS, "face_encoding", "face_super_resolution"}
    groups = {"['1. He/him/his']", "['2. They/them/their']"}
    for task, metrics in found.items():
        for metric, by_group in metrics.items():
            assert set(by_group) == groups, (task, metric)
            best = {"LPIPS": 0.0, "PSNR": 80.0}.get(metric, 1.0)
            assert list(by_group.values()) == pytest.approx([best, best]), (task, metric)
