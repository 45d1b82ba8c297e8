"""An archive of sources: its list is read once, its pictures in each shard, detectors' scores judged together."""

import os

import numpy as np
import pytest
from small import make_small

from accord.imaging.decode import encode_png

ARCHIVE = "'format': 'ai_face', 'path': 'a'"
SOURCES = """sources:
- {subset: Faces, category: real, method: none, folder: real, terms: {train: true, external: false}}
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    made = make_small(tmp_path_factory.mktemp("sources"), subjects=1)
    (made.folder / "scores.parquet").write_bytes(b"read by no dry run")
    evaluate = {"run": ["yunet"], "skin_tones": "facemesh"}
    made.configure(
        shards=2, report={"caution": ""}, evaluate=evaluate, analyse={"fakes": {"scores": ["scores.parquet"]}}
    )
    return made


def test_faces_are_taken_as_they_are_or_cut_out(house):
    planned = house.planned("--config", f"release={{'archive': {{{ARCHIVE}}}}}")
    assert planned["release_list_sources"] == planned["release_source_duplicates"] == {""}
    assert planned["release_import_ai_face"] == planned["evaluate_skin_tones"] == {"00", "01"}
    assert planned["analyse_fakes"] == planned["report_fakes"] == {""}
    assert "release_collect_faces" not in planned and "checks_look" not in planned
    cut = house.planned("--config", f"release={{'archive': {{{ARCHIVE}, 'collect': {{'detector': 'yunet'}}}}}}")
    assert cut["release_collect_faces"] == {"00", "01"} and "release_import_ai_face" not in cut


def test_scores_of_others_need_no_model_of_one_s_own(house):
    flags = ("--config", f"release={{'archive': {{{ARCHIVE}}}}}", "evaluate={'run': []}")
    planned = house.planned(*flags)
    assert planned["analyse_fakes"] == planned["report_fakes"] == planned["report_index"] == {""}
    assert not {rule for rule in planned if rule.startswith("evaluate_")} - {"evaluate_skin_tones"}


def test_a_file_of_scores_that_is_missing_stops_the_run(house):
    """Else a page that was made of another file stays as it is, and nobody knows."""
    flags = ("--config", f"release={{'archive': {{{ARCHIVE}}}}}", "analyse={'fakes': {'scores': ['scorse.parquet']}}")
    told = house.run("--dry-run", *flags, check=False)
    assert "analyse.fakes.scores: names scorse.parquet, which is missing" in told


def test_an_older_file_put_back_is_read_again(tmp_path):
    """Its time is earlier than that of the list, so its content has to tell."""
    made = make_small(tmp_path, subjects=1)
    archive = made.folder / "a"
    (archive / "real").mkdir(parents=True)
    table = archive / "annotations.csv"
    (archive / "sources.yaml").write_text(SOURCES)
    (archive / "real/1.png").write_bytes(encode_png(np.zeros((64, 64, 3), np.uint8)))
    table.write_text("Image Path,Gender,Target\nreal/1.png,1,0\n")
    made.configure(
        shards=2, report={"caution": ""}, evaluate={"run": []}, release={"archive": {"format": "ai_face", "path": "a"}}
    )
    goal = "results/release/sources.json"
    made.run(goal)
    assert "release_list_sources" not in made.planned(goal)
    table.write_text("Image Path,Gender,Target\nreal/1.png,0,0\n")
    os.utime(table, (1, 1))
    assert made.planned(goal)["release_list_sources"] == {""}


def test_pictures_are_read_again_when_the_sources_are_touched(tmp_path):
    """As docs/ai-face.md says. Snakemake takes a small file of the same content for the same file."""
    made = make_small(tmp_path, subjects=1)
    archive = made.folder / "a"
    (archive / "real").mkdir(parents=True)
    (archive / "sources.yaml").write_text(SOURCES)
    (archive / "annotations.csv").write_text("Image Path,Gender,Target\nreal/1.png,1,0\n")
    (archive / "real/1.png").write_bytes(encode_png(np.zeros((64, 64, 3), np.uint8)))
    made.configure(
        shards=1, report={"caution": ""}, evaluate={"run": []}, release={"archive": {"format": "ai_face", "path": "a"}}
    )
    goal = "results/release/00/files.tar"
    made.run(goal)
    before = (made.folder / goal).read_bytes()
    (archive / "real/1.png").write_bytes(encode_png(np.full((64, 64, 3), 200, np.uint8)))
    (archive / "sources.yaml").touch()
    made.run(goal)
    assert (made.folder / goal).read_bytes() != before and made.planned(goal) == {}
