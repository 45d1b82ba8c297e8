"""An archive of videos: its faces are cut out and shown to models of age and gender, where one is named."""

import pytest
from small import make_small

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


def test_raters_are_asked_about_faces_though_no_model_looks_at_them(house):
    asked = {"casual": {"ask_raters": True}}
    house.configure(shards=2, report={"caution": ""}, evaluate={"run": ["yunet"]}, analyse=asked)
    planned = house.planned(*ARCHIVE)
    for rule in ("evaluate_video_faces", "evaluate_skin_items"):
        assert planned[rule] == {"00", "01"}
    assert planned["analyse_videos"] == {""} and "evaluate_looks" not in planned
