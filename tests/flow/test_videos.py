"""An archive of videos: its faces are cut out and shown to models of age and gender, where one is named."""

import hashlib
import re
from collections import defaultdict

import pytest
import yaml
import yte
from small import make_small

from accord.intake.delivered.sheets import SHEETS
from house import ROOT, rows_of, write_rows
from video_cases import entry, write_annotations

ARCHIVE = ("--config", "release={'archive': {'format': 'ccv1', 'path': 'a'}}")


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    return make_small(tmp_path_factory.mktemp("videos"), subjects=2)


def test_videos_are_looked_at_in_each_shard_and_judged_together(house):
    house.configure(shards=2, report={"caution": ""}, evaluate={"run": ["dlib_age_gender"]})
    planned = house.planned(*ARCHIVE)
    for rule in ("release_import_ccv1", "evaluate_video_faces", "evaluate_looks"):
        assert planned[rule] == {"00", "01"}
    assert planned["analyse_videos"] == {""} and "checks_look" not in planned
    assert "evaluate_skin_items" not in planned


def test_an_archive_that_says_something_else_is_read_again(house):
    """Somebody who was taken out of it by hand must not stay."""
    house.configure(shards=2, report={"caution": ""}, evaluate={"run": []})
    folder = house.folder / "a"
    for name in ("1.mp4", "2.mp4"):
        folder.mkdir(exist_ok=True)
        (folder / name).write_bytes(b"....ftyp")
    write_annotations(folder, {"0001": entry(["1.mp4"]), "0002": entry(["2.mp4"])})
    goals = [f"results/release/{shard}/videos.parquet" for shard in ("00", "01")]
    house.run(*goals, *ARCHIVE)
    assert "release_import_ccv1" not in house.planned(*goals, *ARCHIVE)
    write_annotations(folder, {"0001": entry(["1.mp4"])})
    assert house.planned(*goals, *ARCHIVE)["release_import_ccv1"] == {"00", "01"}


def test_raters_are_asked_about_faces_though_no_model_looks_at_them(house):
    asked = {"casual": {"ask_raters": True}}
    house.configure(shards=2, report={"caution": ""}, evaluate={"run": ["yunet"]}, analyse=asked)
    planned = house.planned(*ARCHIVE)
    for rule in ("evaluate_video_faces", "evaluate_skin_items"):
        assert planned[rule] == {"00", "01"}
    assert planned["analyse_videos"] == {""} and "evaluate_looks" not in planned


def test_videos_of_deliveries_are_taken_judged_painted_and_measured_in_each_shard(house):
    house.configure(intake={"deliveries": ["delivery"]}, shards=2, report={"caution": ""}, evaluate={"run": ["yunet"]})
    rules = {"intake_videos", "consent_videos", "checks_look_videos", "privacy_paint_videos", "privacy_settle_videos"}
    rules |= {"release_measure_videos"}
    gathers = {"privacy_video_waterfall", "release_select_videos", "release_video_gates"}
    assert not {*rules, *gathers} & house.planned().keys()
    folder = house.folder / "delivery"
    row = rows_of(folder / "people.csv")[0]
    files = {"videos/V.mp4": b"....ftyp", "annotations/V.json": b'{"image": "V", "people": []}'}
    (folder / "videos").mkdir()
    for path, data in files.items():
        (folder / path).write_bytes(data)
    video, boxes = (hashlib.sha256(data).hexdigest() for data in files.values())
    cells = ["V", "videos/V.mp4", video, "annotations/V.json", boxes, row["subject"], "2026-01-01"]
    names = SHEETS["videos.csv"].required
    write_rows(folder / "videos.csv", [dict(zip(names, cells, strict=True))], list(names))
    people = rows_of(folder / "people.csv")
    people.append(dict.fromkeys(row, "") | {"image": "V", "subject": row["subject"], "is_primary": "true"})
    write_rows(folder / "people.csv", people, list(row))
    described = yaml.safe_load((folder / "delivery.yaml").read_text())
    described["tables"] |= {
        name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in ("videos.csv", "people.csv")
    }
    (folder / "delivery.yaml").write_text(yaml.safe_dump(described))
    planned = house.planned()
    assert {rule: planned.get(rule) for rule in rules} == {rule: {"00", "01"} for rule in rules}
    assert {rule: planned.get(rule) for rule in gathers} == {rule: {""} for rule in gathers}


def test_no_step_of_a_group_on_slurm_waits_for_one_outside_that_waits_for_the_group(house):
    """A group is one job, which starts when all that its steps need from elsewhere is there."""
    drawn = house.run("--rulegraph")
    names = dict(re.findall(r'(\d+)\[label = "(\w+)', drawn))
    after = defaultdict(set)
    for before, then in re.findall(r"(\d+) -> (\d+)", drawn):
        after[names[before]].add(names[then])
    profile = (ROOT / "workflow/profiles/slurm/config.yaml").read_text()
    groups = yte.process_yaml(profile, require_use_yte=True)["groups"]
    together = {rule for rule, group in groups.items() if group == "publish"} & {*names.values()}
    assert {"release_select_videos", "release_plan"} <= together
    waiting = set().union(*(after[rule] for rule in together)) - together
    while more := set().union(*(after[rule] for rule in waiting)) - waiting:
        assert not more & together
        waiting |= more
