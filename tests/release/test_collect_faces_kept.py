"""Faces that are taken over from the last run are, byte for byte, what a run from nothing cuts out."""

import json
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
import sources_cases as cases
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.engine import kept, step, table
from accord.models import loading
from accord.release import collect_faces
from accord.release.source_tables import Listed
from accord.release.sources import cutting
from video_cases import write_video

SOURCES = """
sources:
- {subset: Real, category: real, method: none, folder: real, people: '{one}/*', terms: {train: true, external: false}}
- {subset: Films, category: deepfake, method: Swap, folder: films, frames: 3, terms: {train: false, external: false}}
"""
MADE: Counter = Counter()
DARK = 40
"""In a picture whose first pixel is darker the detector below finds nobody."""


class World(NamedTuple):
    """An archive: picture -> seed of its noise, 0 for a dark one; film -> seeds of its frames; settings; code."""

    pictures: dict[str, int]
    films: dict[str, tuple[int, ...]]
    side: int = 48
    detector: str = "one"
    code: str = ""


WORLD = World({"ada/1": 1, "ada/2": 0, "bo/1": 3}, {"x": (4, 5, 5), "cut": (6, 7, 8)})


class Detector:
    """It finds one face, in the middle; it is no network, so that hundreds of runs take seconds."""

    def detect(self, pictures):
        [one] = pictures
        boxes = [[16.25, 12.5, 44.75, 50.0]] if one[0, 0].sum() > DARK else []
        return [type("Found", (), {"boxes": np.array(boxes).reshape(-1, 4), "scores": np.ones(len(boxes))})]


def archive(world: World, root: Path) -> None:
    for name, seed in world.pictures.items():
        cases.put(root / f"real/{name}.png", pixels(seed))
    for name, seeds in world.films.items():
        path = root / f"films/{name}.mp4"
        path.parent.mkdir(parents=True, exist_ok=True)
        write_video(path, [frame for seed in seeds for frame in [pixels(seed)] * 5])
        if name == "cut":
            path.write_bytes(path.read_bytes()[:-300])
    (root / "sources.yaml").write_text(SOURCES)


def pixels(seed: int) -> np.ndarray:
    return cases.noise(seed) if seed else np.zeros((64, 64, 3), np.uint8)


def run(patch, world: World, out: Path) -> dict[str, bytes]:
    """Run the step from the shell's side on the archive of a world; returns its outputs, and counts in MADE."""
    root = out.with_name(f"archive-{kept.digest(world)}") / "sources"
    if not root.exists():
        archive(world, root)
    [listed] = cases.lists(root, cut=True).values()
    table.write(listed, Listed, Path("listed.parquet"))
    flags = ["--listed", "listed.parquet", "--archive", str(root), "--terms", "{}", "--weights", "."]
    flags += ["--detector", json.dumps({"name": world.detector}), "--side", str(world.side)]
    flags += ["--files", str(out / "files.tar")]
    for name in step.outputs(collect_faces.Collected):
        flags += [f"--{name.replace('_', '-')}", str(out / f"{name}.parquet")]
    patch.setattr(kept.source, "digest", lambda name: world.code + name)
    patch.setattr(loading, "load", lambda *told: Detector())
    MADE.clear()
    step.run_step("release.collect_faces", flags)
    return {file.name: file.read_bytes() for file in sorted(out.iterdir())}


def watched(patch) -> None:
    """Count the pictures and videos that are decoded."""
    for name in ("of_picture", "of_video"):
        patch.setattr(cutting, name, counted(getattr(cutting, name)))


def counted(real):
    def of(first, *told):
        MADE[real.__name__] += 1
        return real(first, *told)

    return of


def without(some: dict, name: str) -> dict:
    return {key: value for key, value in some.items() if key != name}


CHANGES = {
    "nothing": (WORLD, 0),
    "a withdrawal": (WORLD._replace(pictures=without(WORLD.pictures, "ada/1")), 0),
    "a film that is gone": (WORLD._replace(films=without(WORLD.films, "x")), 0),
    "a new picture": (WORLD._replace(pictures={**WORLD.pictures, "ada/0": 9}), 1),
    "another picture": (WORLD._replace(pictures={**WORLD.pictures, "bo/1": 10}), 1),
    "another film": (WORLD._replace(films={**WORLD.films, "x": (4, 5, 6)}), 1),
    "a size": (WORLD._replace(side=32), 5),
    "a detector": (WORLD._replace(detector="two"), 5),
    "the code": (WORLD._replace(code="new"), 5),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_changed_is_looked_at_again_alone(tmp_path, monkeypatch, change):
    monkeypatch.chdir(tmp_path)
    watched(monkeypatch)
    world, made = CHANGES[change]
    run(monkeypatch, WORLD, Path("kept"))
    again = run(monkeypatch, world, Path("kept"))
    assert MADE.total() == made
    assert again == run(monkeypatch, world, Path("new"))
    assert MADE.total() == len(world.pictures) + len(world.films)


@settings(max_examples=6, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(sorted(CHANGES)),
                          st.sampled_from(["", "files.tar", "out_cut.parquet", "out_derivatives.parquet",
                                           "out_prints.parquet"]), st.floats(0, 0.99)),
                min_size=2, max_size=4))  # fmt: skip
def test_after_any_days_and_kills_the_bytes_are_those_of_a_run_from_nothing(tmp_path_factory, days):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("days"))
        for number, (change, harmed, share) in enumerate(days):
            again = run(patch, CHANGES[change][0], Path("kept"))
            assert again == run(patch, CHANGES[change][0], Path(f"new-{number}"))
            if harmed:
                data = Path("kept", harmed).read_bytes()
                Path("kept", harmed).write_bytes(data[: int(share * len(data))])


def test_nothing_is_kept_of_who_left(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert b"ada/1" in run(monkeypatch, WORLD, Path("kept"))["out_cut.parquet"]
    left = run(monkeypatch, CHANGES["a withdrawal"][0], Path("kept"))
    assert all(b"ada/1" not in data for data in left.values())


def test_a_former_bundle_that_was_changed_is_not_believed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    watched(monkeypatch)
    whole = run(monkeypatch, WORLD, Path("kept"))
    data = bytearray(whole["files.tar"])
    data[700] ^= 255
    Path("kept/files.tar").write_bytes(data)
    assert run(monkeypatch, WORLD, Path("kept")) == whole
    assert MADE.total() == 1
