"""The room as a whole: every step by its command line, from predictions to groups, twice, with the same bytes."""

import json
from contextlib import chdir
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from analyse_cases import asked_of, verdicts_of
from pycocotools import mask as coco

from accord.analyse.tables.benchmark import Extremes, Intersections
from accord.analyse.tables.causes import Causes, Conditioned, Patterns
from accord.analyse.tables.compared import Compared
from accord.analyse.tables.robustness import Multiverse, Power, Reversals
from accord.analyse.tables.scores import Disparities, Groups, Members, Verification
from accord.checks.tables.findings import Verdicts
from accord.engine import table
from accord.engine.step import run_step
from accord.evaluate.tables.parts import PartEmbeddings
from accord.evaluate.tables.predictions import Detections, Embeddings, Evaluated, Masks, Poses
from accord.release.tables import Attributes, Keypoints, People, Segments
from accord.vocabularies import ANCESTRIES, PRONOUNS, SKIN_COLORS

SUBJECTS, IMAGES = 48, 2
TASKS = ("face_localization", "keypoint_estimation", "person_parsing", "face_verification", "image_embedding")


def write(folder, rng):
    """A release of 48 people and what models made of it; faces of the first ancestry are found badly."""
    owner = np.repeat(np.arange(SUBJECTS), IMAGES)
    keys = pd.DataFrame({"image": [f"i{n:03d}" for n in range(len(owner))], "subject": [f"s{s:02d}" for s in owner]})
    region = owner % 2
    box = {"face_x": 10.0, "face_y": 10.0, "face_width": 30.0, "face_height": 40.0}
    box |= {"person_x": 0.0, "person_y": 0.0, "person_width": 60.0, "person_height": 90.0}
    people = keys.assign(is_primary=True, age=20 + owner % 30, face_annotator="a", **box)
    said = {
        "ancestry": np.array(ANCESTRIES)[[0, 17]][region],
        "pronoun": np.array(PRONOUNS)[owner // 2 % 2],
        "natural_skin_color": np.array(SKIN_COLORS)[owner // 4 % 2],
    }
    attributes = pd.concat([keys.assign(attribute=name, value=value, annotator="") for name, value in said.items()])
    square = np.array([0, 0, 60, 0, 60, 90, 0, 90], float)
    segments = keys.assign(segment=20, num=1, polygon=[square] * len(keys), annotator="a")
    points = keys.assign(keypoint=0, x=25.0, y=30.0, visible=True, annotator="a")
    width = np.where(region == 0, 12, 27) + rng.integers(0, 3, len(keys))
    found = pd.DataFrame({"model": "m", "image": keys["image"], "x0": 10.0, "y0": 10.0, "x1": 10.0 + width, "y1": 50.0})
    mask = coco.encode(np.ones((90, 60), np.uint8, order="F"))["counts"].decode()
    masks = {"model": "m", "image": keys["image"], "score": 1.0, "label": "person", "height": 90, "width": 60}
    vectors = rng.normal(size=(SUBJECTS, 8))[owner] + 0.3 * rng.normal(size=(len(owner), 8))
    vectors = list((vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32))
    made = {
        "people": (people, People),
        "attributes": (attributes, Attributes),
        "keypoints": (points, Keypoints),
        "segments": (segments, Segments),
        "verdicts": (verdicts_of(keys["image"]), Verdicts),
        "asked": (pd.concat([asked_of("m", t, keys.to_numpy()) for t in TASKS]), Evaluated),
        "face_localization": (found.assign(score=1.0, label="face"), Detections),
        "keypoint_estimation": (keys.assign(model="m", keypoint=0, x=25.0, y=30.0, score=1.0), Poses),
        "person_parsing": (pd.DataFrame({**masks, "counts": mask}), Masks),
        "face_verification": (keys.assign(model="m", vector=vectors), Embeddings),
        "image_embedding": (keys.assign(model="m", subject="", part="image", vector=vectors), PartEmbeddings),
    }
    for name, (frame, model) in made.items():
        table.write(table.check(frame, model, name), model, folder / f"{name}.parquet")


def analyse(given, out):
    """Run all steps of the room, with the flags that its rules give."""

    def step(name, inputs, *options):
        flags = [part for key, files in inputs.items() for part in (f"--{key}", *map(str, files))]
        run_step(f"analyse.{name}", [*flags, *map(str, options)])

    people, verdicts, asked = ({name: [given / f"{name}.parquet"]} for name in ("people", "verdicts", "asked"))
    attributes, segments = ({name: [given / f"{name}.parquet"]} for name in ("attributes", "segments"))
    of = {task: {"predictions": [given / f"{task}.parquet"]} for task in TASKS}
    scores = [out / f"{task}.parquet" for task in TASKS[:4]]
    names = json.dumps(["pronoun", "age_group", "ancestry", "natural_skin_color"])
    step("localisation", of[TASKS[0]] | asked | people | verdicts, "--task", TASKS[0], "--out", scores[0])
    keypoints = {"keypoints": [given / "keypoints.parquet"]}
    step("pose", of[TASKS[1]] | asked | people | keypoints | segments | verdicts, "--out", scores[1])
    step("parsing", of[TASKS[2]] | asked | segments | verdicts, "--out", scores[2])
    step("members", people | attributes | verdicts, "--names", names, "--most", 2, "--out", out / "members.parquet")
    members = {"members": [out / "members.parquet"]}
    rates = ["--out-scores", scores[3], "--out-rates", out / "rates.parquet"]
    rates += ["--out-curves", out / "curves.parquet", "--out-pair-errors", out / "pair_errors.parquet"]
    step("verification", of[TASKS[3]] | asked | members | attributes | verdicts, *rates)
    told = {"scores": scores} | members
    step("groups", told | {"rates": [out / "rates.parquet"]}, "--out", out / "groups.parquet")
    step("disparities", told, "--bootstraps", 200, "--out", out / "disparities.parquet")
    found = ["--out-extremes", out / "extremes.parquet", "--out-intersections", out / "intersections.parquet"]
    step("extremes", told, "--most", 2, "--bootstraps", 200, *found)
    step("diversity", of[TASKS[4]] | verdicts, "--out", out / "diversity.parquet")
    known = {name: [] for name in ("public", "derivatives", "fingerprints")}
    step("features", people | attributes | keypoints | segments | verdicts | known, "--out", out / "features.parquet")
    features = {"features": [out / "features.parquet"]}
    found = ["--out-patterns", out / "patterns.parquet", "--out-disparities", out / "pattern_disparities.parquet"]
    step("patterns", told | features, "--most", 2, "--bootstraps", 200, *found)
    found = ["--out-causes", out / "causes.parquet", "--out-tree", out / "cause_tree.parquet"]
    step("causes", {"scores": scores} | features, "--trees", 10, "--resamples", 200, *found)
    of_them = {"disparities": [out / "disparities.parquet"], "causes": [out / "causes.parquet"]}
    step("conditioning", told | features | of_them, "--resamples", 200, "--out", out / "conditioned.parquet")
    found = [f"--out-{name}={out / name}.parquet" for name in ("multiverse", "power", "reversals")]
    step("robustness", told | features | {"disparities": of_them["disparities"]}, "--resamples", 200, *found)
    step("composition", people | members | verdicts, "--out", out / "composition.parquet")
    step("compared", {"before": scores[:2], "after": scores}, "--bootstraps", 200, "--out", out / "compared.parquet")
    given_too = {"derivatives": [], "diversity": [out / "diversity.parquet"], "references": []}
    names = ("layout", "spreads", "heat", "group-sizes", "attribute-sizes", "references")
    outs = [part for name in names for part in (f"--out-{name}", out / f"{name}.parquet")]
    step("layout", people | keypoints | segments | members | verdicts | given_too, *outs)


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Two folders that ran all steps on the same inputs, each from within: paths are recorded from the working one."""
    outs = []
    for name in ("first", "second"):
        folder = tmp_path_factory.mktemp(name)
        (folder / "given").mkdir()
        write(folder / "given", np.random.default_rng(5))
        with chdir(folder):
            analyse(Path("given"), Path("out"))
        outs.append(folder / "out")
    return outs


def test_the_same_inputs_give_the_same_bytes(runs):
    first, second = ({file.name: file.read_bytes() for file in folder.iterdir()} for folder in runs)
    assert len(first) == 30 and first == second


def test_the_planted_bias_is_claimed_and_nothing_else(runs):
    told = table.read(runs[0] / "disparities.parquet", Disparities)
    claimed = told[told["claimed"]]
    assert claimed[["task", "attribute", "worst", "best"]].to_numpy().tolist() == [
        ["face_localization", "ancestry", ANCESTRIES[0], ANCESTRIES[17]]
    ]
    assert set(told["task"]) == set(TASKS[:4])


def test_the_planted_group_is_the_worst_of_its_attribute(runs):
    told = table.read(runs[0] / "extremes.parquet", Extremes).set_index(["task", "attribute"])
    assert told.loc[("face_localization", "ancestry"), ["worst", "significant"]].tolist() == [ANCESTRIES[0], True]
    crossed = table.read(runs[0] / "intersections.parquet", Intersections)
    assert set(crossed["group"]) == {""} and (crossed["looked_at"] > 0).all()


def test_what_faces_of_the_planted_group_share_is_named(runs):
    patterns = table.read(runs[0] / "patterns.parquet", Patterns)
    found = patterns[patterns["task"] == "face_localization"]
    assert found["pattern"].tolist() == [f"ancestry = {ANCESTRIES[0]}"]
    causes = table.read(runs[0] / "causes.parquet", Causes)
    claimed = causes[causes["claimed"]]
    assert claimed[["task", "feature"]].to_numpy().tolist() == [["face_localization", "ancestry"]]
    gaps = table.read(runs[0] / "conditioned.parquet", Conditioned)
    assert set(gaps["how"]) == {"as it is"}


def test_the_planted_bias_survives_other_choices_and_no_pair_turns_round(runs):
    ways = table.read(runs[0] / "multiverse.parquet", Multiverse)
    assert set(ways["task"]) == {"face_localization"} and ways.loc[ways["changed"] == 0, "holds"].all()
    power = table.read(runs[0] / "power.parquet", Power)
    planted = power[(power["task"] == "face_localization") & (power["attribute"] == "ancestry")].iloc[0]
    assert planted["difference"] > planted["detectable_in_report"] > planted["detectable"] > 0
    assert len(table.read(runs[0] / "reversals.parquet", Reversals)) == 0


def test_scores_compared_with_themselves_are_the_same(runs):
    found = table.read(runs[0] / "compared.parquet", Compared)
    assert set(zip(found["task"], found["metric"], found["verdict"], strict=True)) == {
        ("face_localization", "ar_iou", "same"),
        ("keypoint_estimation", "pck@0.5", "same"),
        ("keypoint_estimation", "ar_oks", "same"),
    }


def test_every_group_of_every_test_is_told(runs):
    told, members = table.read(runs[0] / "groups.parquet", Groups), table.read(runs[0] / "members.parquet", Members)
    named = set(zip(members["attribute"], members["group"], strict=True)) | {("all", "all")}
    for _, some in told.groupby(["task", "model", "metric"]):
        assert set(zip(some["attribute"], some["group"], strict=True)) == named
    assert (told["mean"].notna() | (told["note"] != "")).all()
    assert set(told["metric"]) == {"ar_iou", "pck@0.5", "ar_oks", "ar_mask", "genuine_similarity", "tar@far=0.001"}


def test_rates_are_told_for_the_whole_set_and_each_group(runs):
    rates = table.read(runs[0] / "rates.parquet", Verification).set_index(["attribute", "group"])
    assert rates.loc[("ancestry", ANCESTRIES[0])][["subjects", "images", "positives", "negatives"]].tolist() == [
        24, 48, 24, 48 * 47 // 2 - 24,
    ]  # fmt: skip
    assert rates.loc[("all", "all"), "positives"] == 48
