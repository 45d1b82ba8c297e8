"""The demo's archive of short videos: an archive that is read without a complaint, with what was planted in it."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from accord.errors import AccordError
from accord.imaging.video import frames
from accord.release import import_ccv1
from accord_demo import videos

DELIVERY = Path(__file__).parents[1] / "data/demo/delivery"
FEW = ["--delivery", str(DELIVERY), "--subjects", "6"]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    out = tmp_path_factory.mktemp("casual")
    assert videos.main([str(out), *FEW]) == 0
    return out


def test_it_is_an_archive_of_bright_and_dark_videos(made, tmp_path):
    read = import_ccv1.run(made, shard="00", shards=1, terms={}, files=tmp_path / "files.tar")
    assert len(read.videos) == 12 and read.videos["mini"].all()
    assert all(pair == ["bright", "dark"] for pair in read.videos.groupby("subject")["lighting"].agg(sorted))
    light = {}
    for one in read.videos[read.videos["subject"] == "0004"].itertuples():  # whose dark video lies on its side
        shown = list(frames(made / one.video, 4))
        assert all(frame.pixels.shape == (128, 128, 3) for frame in shown)
        assert not np.array_equal(shown[0].pixels, shown[2].pixels)
        light[one.lighting] = np.mean([frame.pixels.mean((1, 2)) for frame in shown], axis=0)  # of each row
    assert light["dark"].mean() < 0.6 * light["bright"].mean()
    assert np.corrcoef(light["dark"], light["bright"])[0, 1] > 0.9  # both are upright


def test_votes_and_submissions_are_of_its_people_and_videos(made):
    votes, truth = pd.read_csv(made / "votes.csv", dtype=str), pd.read_csv(made / "truth.csv", dtype=str)
    told = json.loads((made / "CasualConversations.json").read_text())
    assert set(votes["subject"]) == set(told) and len(votes) == 6 * 8
    assert set(truth["video"]) == {video for one in told.values() for video in one["files"]}
    for path in (made / "submissions").glob("*.csv"):
        found = pd.read_csv(path)
        assert found["filename"].tolist() == truth["filename"].tolist() and found["label"].between(0, 1).all()


def test_one_submission_alone_is_harder_on_real_videos_of_dark_skin(made, tmp_path, monkeypatch):
    monkeypatch.setattr(videos, "OFFSET", 0.0)
    videos.main([str(tmp_path), *FEW])
    truth = pd.read_csv(made / "truth.csv", dtype=str)
    people = json.loads((made / "CasualConversations.json").read_text())
    skin = truth["subject"].map({subject: told["label"]["skin-type"] for subject, told in people.items()})
    hit = skin.isin(("5", "6")) & (truth["label"] == "0")
    assert 0 < hit.sum() < (truth["label"] == "0").sum()
    for path in (made / "submissions").glob("*.csv"):
        with_gap, without = (pd.read_csv(folder / "submissions" / path.name)["label"] for folder in (made, tmp_path))
        apart = np.log(with_gap / (1 - with_gap)) - np.log(without / (1 - without))
        wanted = np.where(hit & (path.stem == "offset"), 2.0, 0.0)
        assert apart.to_numpy() == pytest.approx(wanted, abs=1e-3)


def test_the_same_seed_gives_the_same_tables(made, tmp_path):
    videos.main([str(tmp_path), *FEW])
    for name in ("CasualConversations.json", "votes.csv", "truth.csv", "submissions/offset.csv"):
        assert (made / name).read_bytes() == (tmp_path / name).read_bytes()


def test_more_people_than_there_are_is_told(tmp_path):
    with pytest.raises(AccordError, match=r"has \d+ people with a clear face"):
        videos.main([str(tmp_path), "--delivery", str(DELIVERY), "--subjects", "9999"])
