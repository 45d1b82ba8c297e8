"""The steps of the room: who is learnt from, a killed job, a withdrawal, a training that is not done twice."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import grid_faces as faces
from accord.engine import provenance, table
from accord.engine.parameter_types import Former
from accord.errors import AccordError
from accord.release.tables import Terms
from accord.train import detector, split
from accord.train.models import remembered, stored
from accord.train.models.predicting import Trained
from accord.train.tables import Curve, Learnt

TRAINING = (Path(__file__).parents[2] / "docs/training.md").read_text()


@pytest.fixture(scope="module")
def shards(tmp_path_factory):
    return faces.make(tmp_path_factory.mktemp("faces"))


def chosen(shards, terms=None, **given) -> split.Split:
    tables = (shards.sources, shards.people, shards.attributes, shards.terms if terms is None else terms)
    return split.run(*tables, **{"model": "small", "data": {}, "groups": ["gender", "tone"], **given})


def train(shards, pictures, folder, spec=None, former=None, on_withdrawal="retrain"):
    folder.mkdir(exist_ok=True)
    return detector.run(
        pictures, shards.terms, shards.derivatives, shards.files, detector=spec or faces.spec(),
        on_withdrawal=on_withdrawal, vault=folder.parent / "vault", model=folder / "model.safetensors",
        weights=folder.parent / "weights",
        former=Former(former or {}),
    )  # fmt: skip


def test_all_pictures_are_shown_or_left_out_with_a_reason(shards):
    some = shards.terms.assign(train=shards.terms["image"] != shards.terms["image"][0])
    found = chosen(shards, some)
    assert sorted([*found.pictures["image"], *found.left_out["image"]]) == sorted(shards.sources["image"])
    reasons = found.left_out["reason"].value_counts().to_dict()
    assert reasons == {"is kept for the test": 8, "models may not be trained with this image": 1}
    assert set(found.pictures["group"]) == {"F x light", "F x dark", "M x light", "M x dark"}
    assert found.pictures["split"].value_counts().to_dict() == {"train": 23, "validation": 8}


def test_a_person_in_training_and_test_is_refused(shards):
    sources = shards.sources.copy()
    sources.loc[sources["split"].eq("train").idxmax(), "split"] = "test"
    with pytest.raises(AccordError, match="1 person in the test was"):
        chosen(shards._replace(sources=sources))


def test_a_picture_of_people_of_different_splits_is_not_shown(shards):
    sources = shards.sources.copy()
    sources.loc[sources["split"].eq("train").idxmax(), "split"] = "none"
    left = chosen(shards._replace(sources=sources)).left_out
    assert (left["reason"] == "shows people of different splits").sum() == 1


def test_nobody_is_learnt_from_without_terms(shards):
    with pytest.raises(AccordError, match="training pictures of small: there are none"):
        chosen(shards, table.empty(Terms))


@pytest.mark.parametrize(("label", "which"), [(0, "real"), (1, "fake")])
def test_a_detector_is_not_learnt_from_one_label(shards, label, which):
    """As where the terms of all fakes forbid it: what it said of anything would be the same."""
    forbidden = shards.sources.loc[shards.sources["label"] != label, "image"]
    terms = shards.terms.assign(train=~shards.terms["image"].isin(forbidden))
    with pytest.raises(AccordError, match=f"training pictures of small: are all {which}, so nothing can be told"):
        chosen(shards, terms)


def test_groups_that_nobody_has_are_told(shards):
    with pytest.raises(AccordError, match=r"train\.groups: no picture has a value of gender and tnoe"):
        chosen(shards, groups=["gender", "tnoe"])


def test_a_trained_detector_tells_new_people_and_says_from_whom_it_learnt(shards, tmp_path):
    found = train(shards, chosen(shards).pictures, tmp_path / "m")
    assert len(found.history) == 16 * (24 // 8)
    assert found.history["metric"].iloc[-1] > 0.9
    assert found.card["images"] == 24 and found.card["people"] == 6
    assert "person0000000000" not in found.described + json.dumps(found.card)
    net, about = stored.load(tmp_path / "m/model.safetensors")
    assert (about["detector"], about["side"], net.training) == ("xception.Xception", faces.SIDE, False)
    assert sorted(path.name for path in (tmp_path / "m").iterdir()) == ["model.safetensors"]


def test_of_shuffled_labels_nothing_is_learnt_that_holds_for_others(tmp_path):
    """Two shuffles, 64 pictures of others: of AUCs about 0.5, whose standard deviation is 0.07, the mean."""
    shards = faces.make(tmp_path, people=40, each=8)
    pictures, rng, found = chosen(shards).pictures, np.random.default_rng(0), []
    mine = pictures["split"] == "train"
    for number in range(2):
        shuffled = pictures.copy()
        shuffled.loc[mine, "label"] = rng.permutation(pictures.loc[mine, "label"])
        history = train(shards, shuffled, tmp_path / str(number), faces.spec(epochs=3, batch=16)).history
        found.append(history["metric"].iloc[-1])
    assert 0.3 < np.mean(found) < 0.7


@pytest.mark.parametrize("name", ["SRM", "UCF", "PG-FDD", "CORE", "DAW-FDD"])
def test_detectors_that_learn_more_than_labels_are_told_it(shards, tmp_path, name):
    found = train(shards, chosen(shards).pictures, tmp_path / "m", faces.spec(detector=name, epochs=1, batch=12))
    about = stored.load(tmp_path / "m/model.safetensors")[1]
    assert len(found.history) == 2 and found.history["loss"].gt(0).all()
    told = {"UCF": {"methods": 3}, "PG-FDD": {"methods": 3, "groups": [8, 4, 12]}}.get(name, {})
    assert {key: about["options"][key] for key in told} == told


def test_the_same_training_is_not_done_again(shards, tmp_path, monkeypatch):
    pictures = chosen(shards).pictures
    first = train(shards, pictures, tmp_path / "a")
    table.write(first.history, Curve, tmp_path / "a/history.parquet")
    former = {"model": tmp_path / "a/model.safetensors", "history": tmp_path / "a/history.parquet"}
    monkeypatch.setattr("accord.train.learning.training.train", None)
    again = train(shards, pictures, tmp_path / "b", former=former)
    assert (tmp_path / "b/model.safetensors").read_bytes() == former["model"].read_bytes()
    pd.testing.assert_frame_equal(again.history, first.history)
    with pytest.raises(TypeError):
        train(shards, pictures.iloc[1:], tmp_path / "c", former=former)


def test_a_picture_that_may_not_be_learnt_from_stops_the_training(shards, tmp_path):
    some = shards._replace(
        terms=shards.terms.assign(train=shards.terms["image"] != chosen(shards).pictures["image"][0])
    )
    with pytest.raises(AccordError, match="1 picture may not be learnt from"):
        train(some, chosen(shards).pictures, tmp_path / "m")


def test_a_withdrawal_is_refused_where_the_settings_say_so(shards, tmp_path):
    pictures, spec = chosen(shards).pictures, faces.spec(epochs=1)
    train(shards, pictures, tmp_path / "m", spec, on_withdrawal="refuse")
    train(shards, pictures, tmp_path / "m", spec, on_withdrawal="refuse")
    fewer = pictures[pictures["subject"] != pictures["subject"][0]]
    for _ in range(2):
        with pytest.raises(
            AccordError, match=r"model small: was trained on pictures that aren't the same(.|\n)*retrain"
        ):
            train(shards, fewer, tmp_path / "m", spec, on_withdrawal="refuse")
        assert json.loads((tmp_path / "vault/trained/small.json").read_text()) == {remembered.CHANGED: True}
    train(shards, fewer, tmp_path / "m", spec)
    train(shards, fewer, tmp_path / "m", spec, on_withdrawal="refuse")
    assert pictures["image"][0] not in (tmp_path / "vault/trained/small.json").read_text()


def test_a_refusal_ends_where_the_model_is_of_just_these_pictures_again(shards, tmp_path):
    pictures, spec = chosen(shards).pictures, faces.spec(epochs=1)
    fewer = pictures[pictures["subject"] != pictures["subject"][0]]
    first = train(shards, pictures, tmp_path / "m", spec, on_withdrawal="refuse")
    table.write(first.history, Curve, tmp_path / "m/history.parquet")
    former = {"model": tmp_path / "m/model.safetensors", "history": tmp_path / "m/history.parquet"}
    with pytest.raises(AccordError, match="aren't the same"):
        train(shards, fewer, tmp_path / "n", spec, former, on_withdrawal="refuse")
    with pytest.raises(AccordError, match="aren't the same"):
        train(shards, pictures, tmp_path / "n", spec, on_withdrawal="refuse")
    train(shards, pictures, tmp_path / "n", spec, former, on_withdrawal="refuse")
    assert (tmp_path / "n/model.safetensors").read_bytes() == former["model"].read_bytes()
    train(shards, pictures, tmp_path / "n", spec, on_withdrawal="refuse")


def test_a_researcher_adds_a_detector(tmp_path):
    found = re.search(r"<!-- example: add a detector -->\n```python\n(.*?)```", TRAINING, re.S)
    assert found and found[1].count("\n") < 60
    (tmp_path / "residual.py").write_text(found[1])
    shards = faces.make(tmp_path)
    spec = faces.spec(detector=f"{tmp_path}/residual.py:Residual", options={"width": 8})
    history = train(shards, chosen(shards).pictures, tmp_path / "m", spec).history
    assert history["metric"].iloc[-1] > 0.9
    rng = np.random.default_rng(9)
    scores = Trained(tmp_path / "m/model.safetensors").score([faces.picture(rng, label) for label in (0, 1) * 8])
    assert sum(scores[1::2]) > sum(scores[::2])


def command(shards, folder, spec) -> list[str]:
    flags = {
        "pictures": [folder / "pictures.parquet"], "terms": [folder / "terms.parquet"],
        "derivatives": shards.derivatives, "files": shards.files,
        "detector": [json.dumps(spec)], "on-withdrawal": ["retrain"], "vault": [folder / "vault"],
        "weights": [folder / "weights"],
        "model": [folder / "m/model.safetensors"], "out-history": [folder / "m/history.parquet"],
        "out-card": [folder / "m/card.json"], "out-described": [folder / "m/card.md"],
    }  # fmt: skip
    words = [str(word) for name, values in flags.items() for word in (f"--{name}", *values)]
    return [sys.executable, "-m", "accord", "train.detector", *words]


def test_a_killed_job_ends_in_the_same_bytes(shards, tmp_path):
    """SIGKILL to the step's own process, as soon as there is a checkpoint; then the job is started again."""
    spec, pictures = faces.spec(epochs=16, every=2), chosen(shards).pictures
    expected = train(shards, pictures, tmp_path / "whole", spec)
    folder = tmp_path / "killed"
    folder.mkdir()
    table.write(pictures, Learnt, folder / "pictures.parquet")
    table.write(shards.terms, Terms, folder / "terms.parquet")
    words, environment = command(shards, folder, spec), {**os.environ, "OMP_NUM_THREADS": "1"}
    checkpoint = folder / "m/checkpoint.safetensors.partial"
    with subprocess.Popen(words, env=environment) as job:
        while job.poll() is None and not checkpoint.is_file():
            time.sleep(0.02)
        job.send_signal(signal.SIGKILL)
    assert job.returncode == -signal.SIGKILL
    assert not (folder / "m/model.safetensors").exists() and checkpoint.is_file()
    subprocess.run(words, env=environment, check=True)
    assert (folder / "m/model.safetensors").read_bytes() == (tmp_path / "whole/model.safetensors").read_bytes()
    pd.testing.assert_frame_equal(table.read(folder / "m/history.parquet", Curve), expected.history)
    assert not checkpoint.exists()
    record = provenance.of(folder / "m/history.parquet")
    assert record is not None
    assert record["outputs"] == {"model": provenance.sha256(folder / "m/model.safetensors")}
