"""Scores told shard by shard are those of all shards at once."""

import numpy as np
import pandas as pd
import pytest
from analyse_cases import asked_of, verdicts_of

from accord.analyse.scoring.instances import joined
from accord.analyse.tables.scores import Scores
from accord.checks.tables.findings import Verdicts
from accord.engine import by_shard, step, table
from accord.evaluate.tables.predictions import Detections, Evaluated
from accord.release.tables import People

SHARDS, IMAGES = ("00", "01", "0a"), 30
SIDES = ("x", "y", "width", "height")


@pytest.fixture
def tables(tmp_path, rng):
    """The tables of three shards, whose images lie anywhere in the order of their names: flags of the step."""
    images = [f"i{number:02}" for number in rng.permutation(IMAGES)]
    flags = {name: [] for name in ("--people", "--asked", "--predictions")}
    for shard, some in zip(SHARDS, np.split(np.array(images), (12, 17)), strict=True):
        people = pd.DataFrame({"image": some, "subject": "s", "is_primary": True, "age": 30, "face_annotator": "a"})
        sides = {f"{part}_{side}": rng.uniform(5, 40, len(some)) for part in ("face", "person") for side in SIDES}
        own = {"--people": (people.assign(**sides), People)}
        asked = [asked_of(model, "face_localization", [(image, "s") for image in some]) for model in "mn"]
        own["--asked"] = (pd.concat(asked), Evaluated)
        low, high = rng.uniform(0, 20, (2, len(some))), rng.uniform(30, 60, (2, len(some)))
        found = pd.DataFrame({"model": "n", "image": some, "x0": low[0], "y0": low[1], "x1": high[0], "y1": high[1]})
        own["--predictions"] = (found.assign(score=0.9, label="face"), Detections)
        for flag, (rows, model) in own.items():
            path = tmp_path / shard / f"{flag[2:]}.parquet"
            path.parent.mkdir(exist_ok=True)
            table.write(rows, model, path)
            flags[flag].append(str(path))
    table.write(verdicts_of(images, failed=images[:3]), Verdicts, tmp_path / "verdicts.parquet")
    return flags | {"--verdicts": [str(tmp_path / "verdicts.parquet")], "--task": ["face_localization"]}


def scored(tables, out):
    step.run_step("analyse.localisation", [w for flag, of in tables.items() for w in (flag, *of)] + ["--out", str(out)])
    return out.read_bytes()


def test_a_step_by_shards_writes_the_same_bytes(tables, tmp_path, monkeypatch):
    """Of shards one by one, which have many rows, of small ones together, and of all at once."""
    read = []
    former = table.read
    monkeypatch.setattr(table, "read", lambda paths, model: read.append((paths, model)) or former(paths, model))
    together = scored(tables, tmp_path / "apart.parquet")
    assert [len(paths) for paths, model in read if model is People] == [3]
    monkeypatch.setattr(by_shard, "AT_ONCE", IMAGES)
    apart = scored(tables, tmp_path / "apart.parquet")
    assert [len(paths) for paths, model in read if model is People] == [3, 1, 1, 1]
    assert together == apart
    monkeypatch.setattr(by_shard, "divided", lambda *_: ())
    assert scored(tables, tmp_path / "apart.parquet") == apart
    assert len(former(tmp_path / "apart.parquet", Scores)) == 2 * (IMAGES - 3)


def test_files_of_no_shard_are_read_at_once(tmp_path):
    run = step.load("analyse.localisation")
    of_shards = [tmp_path / "00/people.parquet", tmp_path / "01/people.parquet"]
    assert by_shard.divided(run, {"people": of_shards}) == ("predictions", "asked", "people")
    assert by_shard.divided(run, {"people": [*of_shards, tmp_path / "people.parquet"]}) == ()
    assert by_shard.divided(run, {"people": of_shards[:1]}) == ()
    assert by_shard.shard_of(tmp_path / "face_masks/0a.parquet") == "0a"


def test_with_some_flags_a_step_is_run_at_once(tmp_path):
    of_shards = [tmp_path / "00/people.parquet", tmp_path / "01/people.parquet"]
    run = step.load("analyse.pose")
    assert by_shard.divided(run, {"people": of_shards, "points": "coco"}) != ()
    assert by_shard.divided(run, {"people": of_shards, "points": "blazepose"}) == ()


def test_metrics_stay_one_behind_the_other():
    parts = [
        pd.DataFrame({"metric": ["pck", "pck", "ar"], "model": "m", "image": images, "subject": "s"})
        for images in (["b", "d", "b"], ["a", "c", "a"])
    ]
    assert joined([parts[0].iloc[:0], *parts])["image"].tolist() == ["a", "b", "c", "d", "a", "b"]
