"""Faces and looks of an archive's videos that are taken over from the last run are what a run from nothing makes."""

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.engine import kept, step, table
from accord.evaluate import video_faces
from accord.models import loading
from accord.models.protocols import Boxes, Look
from accord.release.video_tables import Videos
from video_cases import entry, write_annotations, write_video

MADE: Counter = Counter()
DARK = 40
MODEL = {"name": "m", "task": "age_gender", "batch": 3, "options": {}}


class World(NamedTuple):
    """An archive: video -> its person, and the shades of its frames, 0 for one without a face; settings; code."""

    videos: dict[str, tuple[str, tuple[int, ...]]]
    times: int = 4
    detector: str = "one"
    model: str = "one"
    code: str = ""


VIDEOS = {"a": (60, 90, 0, 120), "b": (0, 0, 0, 0), "c": (200, 180, 90, 70), "cut": (80,)}
WORLD = World({name: ("s" if name in "ac" else name, shades) for name, shades in VIDEOS.items()})
OUT = Path("results")


class Model:
    """A detector that finds one face in the middle, and a model of age that tells the shade: no networks."""

    def detect(self, pictures):
        [one] = pictures
        boxes = np.array([[16.25, 12.5, 44.75, 50.0]] if one[0, 0].sum() > DARK else []).reshape(-1, 4)
        return [Boxes(boxes, np.ones(len(boxes)), ["face"] * len(boxes))]

    def look(self, pictures, boxes):
        MADE["batches"] += 1
        return [Look(float(picture.mean()) / 3, "female", 0.75) for picture in pictures]


def archive(world: World, root: Path) -> None:
    for name, (_, shades) in world.videos.items():
        path = root / f"{name}.mp4"
        path.parent.mkdir(parents=True, exist_ok=True)
        write_video(path, [np.full((64, 64, 3), shade, np.uint8) for shade in shades for _ in range(5)])
        if name == "cut":
            path.write_bytes(path.read_bytes()[:-100])
    write_annotations(root, {"0001": entry({f"{name}.mp4": "0001" for name in world.videos})})


def from_nothing(patch, world: World) -> dict[str, bytes]:
    """As `run`; what lies there stays as it was."""
    aside = OUT.rename("aside")
    made = run(patch, world)
    shutil.rmtree(OUT)
    aside.rename(OUT)
    return made


def run(patch, world: World) -> dict[str, bytes]:
    """Run both steps from the shell's side on the archive of a world; returns their outputs, and counts in MADE."""
    root = Path(f"archive-{kept.digest(world.videos)}") / "CC"
    if not root.exists():
        archive(world, root)
    told = [(f"{name}.mp4", subject, 9, "bright", True) for name, (subject, _) in world.videos.items()]
    table.write(table.rows(told, Videos), Videos, Path("videos.parquet"))
    patch.setattr(kept.source, "digest", lambda name: world.code + name)
    patch.setattr(loading, "load", lambda *told: Model())
    MADE.clear()
    faces, crops = OUT / "video_faces.parquet", OUT / "video_faces.tar"
    detector = json.dumps({"name": world.detector})
    flags = ["--videos", "videos.parquet", "--archive", str(root), "--detector", detector, "--weights", "."]
    flags += ["--crops", str(crops), "--times", str(world.times), "--out-frames", str(faces)]
    step.run_step("evaluate.video_faces", flags)
    model = json.dumps(MODEL | {"options": {"way": world.model}})
    flags = ["--frames", str(faces), "--crops", str(crops), "--model", model, "--weights", "."]
    flags += ["--out-predictions", str(OUT / "m.parquet"), "--out-asked", str(OUT / "m.asked.parquet")]
    step.run_step("evaluate.looks", flags)
    return {file.name: file.read_bytes() for file in sorted(OUT.iterdir())}


def watched(patch) -> None:
    """Count the videos that are decoded, and the batches that a model is shown."""
    real = video_faces.video.frames

    def frames(*told):
        MADE["decoded"] += 1
        return real(*told)

    patch.setattr(video_faces.video, "frames", frames)


def without(name: str) -> dict:
    return {key: value for key, value in WORLD.videos.items() if key != name}


CHANGES = {
    "nothing": (WORLD, 0, 0),
    "a withdrawal": (WORLD._replace(videos=without("a")), 0, 0),
    "a new video": (WORLD._replace(videos={"0": ("v", (50, 60, 70, 80)), **WORLD.videos}), 1, 2),
    "another video": (WORLD._replace(videos={**WORLD.videos, "c": ("s", (66, 77, 88, 99))}), 1, 2),
    "another person": (WORLD._replace(videos={**WORLD.videos, "a": ("w", WORLD.videos["a"][1])}), 1, 1),
    "fewer frames": (WORLD._replace(times=2), 4, 2),
    "a detector": (WORLD._replace(detector="two"), 4, 0),
    "a model": (WORLD._replace(model="two"), 0, 3),
    "the code": (WORLD._replace(code="new"), 4, 3),
}
"""What changes -> the world, the videos decoded, the batches (of MODEL, each of one video) that are shown."""


@pytest.mark.parametrize("change", CHANGES)
def test_what_changed_is_looked_at_again_alone(tmp_path, monkeypatch, change):
    monkeypatch.chdir(tmp_path)
    watched(monkeypatch)
    world, decoded, batches = CHANGES[change]
    run(monkeypatch, WORLD)
    assert MADE == {"decoded": 4, "batches": 3}
    again = run(monkeypatch, world)
    assert (MADE["decoded"], MADE["batches"]) == (decoded, batches)
    assert again == from_nothing(monkeypatch, world)


@settings(max_examples=6, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(sorted(CHANGES)),
                          st.sampled_from(["", "video_faces.tar", "video_faces.parquet", "m.parquet"]),
                          st.floats(0, 0.99)), min_size=2, max_size=4))  # fmt: skip
def test_after_any_days_and_kills_the_bytes_are_those_of_a_run_from_nothing(tmp_path_factory, days):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("days"))
        for change, harmed, share in days:
            again = run(patch, CHANGES[change][0])
            assert again == from_nothing(patch, CHANGES[change][0])
            if harmed:
                data = (OUT / harmed).read_bytes()
                (OUT / harmed).write_bytes(data[: int(share * len(data))])
