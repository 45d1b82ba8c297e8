"""Forged faces from pictures to page: detectors are trained, judged degraded too, audited, and forget who withdrew."""

import json
import re

import numpy as np
import pandas as pd
import pytest
import yaml

from accord.audit.evidence.lineage import trace
from accord.engine import table
from accord.erase.cases import places
from accord.erase.planning import closure
from accord.evaluate.tables.predictions import Fakes
from accord.train.tables import Learnt
from accord_demo import forgeries
from house import ROOT, House

RESULTS = "results/ai-face"
PAGE = f"{RESULTS}/report/fakes.html"
DETECTORS = ("xception", "f3net", "daw_fdd")
CONFIG = ("--config", "config/config.yaml", "config/test.yaml")


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """The run of config/ai-face.yaml, of 24 people, in one shard, trained for seconds, without its experiments."""
    house = House(tmp_path_factory.mktemp("forged"))
    delivery = str(ROOT / "tests/data/demo/delivery")
    forgeries.main([str(house.folder / "faces"), "--delivery", delivery, "--subjects", "24", "--each", "2"])
    given = yaml.safe_load((ROOT / "config/ai-face.yaml").read_text())
    given["release"]["archive"]["path"] = "faces"
    for model in given["train"]["models"].values():
        model.update(epochs=8, batch=16)
    given["train"]["experiments"] = []
    given["evaluate"]["fakes"]["degradations"] = {"jpeg": [60]}
    house.configure(**{**given, "shards": 1})
    (house.folder / "config/demo.yaml").write_text("{}\n")
    house.run("--nolock", PAGE)
    return house


def scores(house, model: str, degradation: str) -> pd.Series:
    found = table.read(house.folder / f"{RESULTS}/evaluate/00/fakes/{model}.parquet", Fakes)
    return found[found["degradation"] == degradation].set_index("image")["score"]


def test_figures_of_the_page_are_those_of_the_scores(house):
    """F_DP by gender, counted here: the difference of the shares that are called fake, and its value for the truth."""
    told = pd.read_csv(house.folder / "faces/annotations.csv").set_index("Image Path")
    page = (house.folder / PAGE).read_text()
    plain = [re.sub(r"<[^>]+>", " ", row).split() for row in page.split("<tr")]
    for model in DETECTORS:
        found = scores(house, model, "none")
        of = told.loc[found.index]
        shares = (found >= 0.5).groupby(of["Gender"].to_numpy()).mean()
        floor = of.groupby("Gender")["Target"].mean()
        expected = [f"{100 * abs(rate[0] - rate[1]):.3f}" for rate in (shares, floor)]
        assert [row for row in plain if model in row and "F_DP" in row and expected[0] in row and expected[1] in row], (
            model, expected)  # fmt: skip
        assert set(scores(house, model, "jpeg60").index) == set(found.index)
    assert "published" in page and "98.583" in page  # AUC of Xception in AI-Face's Table 4


def test_a_score_is_traced_to_the_model_and_the_pictures_that_it_learnt_from(house, monkeypatch):
    monkeypatch.chdir(house.folder)
    found = {one.path: one.status for one in trace(house.folder / PAGE).walk()}
    for model in DETECTORS:
        for name in ("model.safetensors", "pictures.parquet"):
            assert found[f"{RESULTS}/train/{model}/{name}"] == "ok"
    assert set(found.values()) == {"ok", "source"}


def test_an_audit_of_all_results_does_them_again(house):
    done = house.accord("audit", *CONFIG, "--results", RESULTS, "--again", "--json")
    assert done.stdout, done.stderr[-2000:]
    checks = json.loads(done.stdout)["checks"]
    of_results = [one for one in checks if one["theme"] in ("lineage", "code", "parameters", "models", "figure")]
    assert [one for one in of_results if one["verdict"] == "fail"] == []
    assert [one["verdict"] for one in checks if one["theme"] == "models"] == ["pass"]


def test_whoever_withdraws_is_in_no_model_no_score_and_no_table(house, monkeypatch):
    """Somebody from whom all three learnt."""
    folder = house.folder
    learnt = table.read(folder / f"{RESULTS}/train/xception/pictures.parquet", Learnt)
    who = learnt.loc[learnt["split"] == "train", "subject"].iloc[0]
    shown = set(learnt.loc[learnt["subject"] == who, "image"])
    before = {model: (folder / f"{RESULTS}/train/{model}/model.safetensors").read_bytes() for model in DETECTORS}
    (folder / "faces/withdrawn.csv").write_text(f"Image Path,People Of,Identity\n,Rendered,{who.split('/')[1]}\n")
    house.run("--nolock", PAGE)
    monkeypatch.chdir(folder)
    assert closure.find(places.Places(), {who, *shown}).results == {}
    left = [path for path in folder.glob("results/**/*") if path.is_file() and who.encode() in path.read_bytes()]
    assert left == []
    for model, weights in before.items():
        assert (folder / f"{RESULTS}/train/{model}/model.safetensors").read_bytes() != weights
        assert np.isfinite(scores(house, model, "none")).all()
    assert house.planned("--nolock", PAGE) == {}
