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
