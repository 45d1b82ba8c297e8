"""Detectors that a run trains: trained once, evaluated on others, trained again without whoever withdrew."""

import hashlib
import shutil

import pandas as pd
import pytest
import torch
import yaml
from safetensors.torch import save_file

import colour_faces as colours
import grid_faces as faces
from accord.audit.evidence import learnt
from accord.audit.evidence.lineage import trace
from accord.audit.targets.places import Places
from accord.engine import table
from accord.erase.cases import places as erasing
from accord.erase.planning import closure
from accord.evaluate.tables.annotations import Annotations
from accord.evaluate.tables.predictions import Fakes
from accord.release.tables import People
from accord.train.tables import Learnt
from house import House
from published_xception import PublishedXception

RULES = ("--allowed-rules", "train_split", "train_detector", "evaluate_fakes", "train_features",
         "train_annotator", "evaluate_annotations", "--nolock")  # fmt: skip
"""What release would have made is written by this test."""
SMALL = {
    "detector": "Xception", "options": {"width": 0.0625, "middle": 1}, "side": 32, "batch": 8, "epochs": 2,
    "rate": 0.05, "weights": "narrow_xception",
}  # fmt: skip
TARGETS = [
    f"results/evaluate/{shard}/fakes/{model}.parquet" for shard in ("00", "01") for model in ("grid", "small_share50")
]
ANNOTATIONS = [f"results/evaluate/{shard}/annotations.parquet" for shard in ("00", "01")]
ALL = (*TARGETS, *ANNOTATIONS)
CARD = "results/train/small/card.md"


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A run with a detector, an experiment, a degradation and an annotator; it was made when a test gets it."""
    house = House(tmp_path_factory.mktemp("trained"))
    house.shards = colours.tinted(faces.make(house.folder))
    colours.write_models(house.folder / "config")
    faces.write_tables(house.folder, house.shards)
    mine = {
        "grid": {"task": "fake_detection", "trained": "small", "licence": "none", "source": "this run"},
        "narrow_xception": backbone(house.folder / "weights"),
    }
    (house.folder / "config/mine.yaml").write_text(yaml.safe_dump(mine))
    house.configure(
        shards=2,
        release={"archive": {"format": "ai_face", "path": "faces"}},
        train={
            "models": {"small": SMALL},
            "annotators": {"tint": colours.FAST},
            "experiments": [{"models": ["small"], "shares": [0.5]}],
        },
        evaluate={
            "models": ["config/models.yaml", "config/mine.yaml", "config/colours.yaml"],
            "run": ["grid"],
            "fakes": {"degradations": {"jpeg": [60]}},
        },
    )
    house.run(*RULES, *ALL, CARD)
    return house


def backbone(folder) -> dict:
    """The entry of a narrow Xception under its published names, which is written to a folder."""
    torch.manual_seed(0)
    net, path = PublishedXception(SMALL["options"]["width"], SMALL["options"]["middle"]), folder / "x.safetensors"
    folder.mkdir(exist_ok=True)
    save_file({name: tensor.contiguous() for name, tensor in net.state_dict().items()}, path)
    file = {"path": path.name, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
    return {"task": "backbone", "weights": {"model": file}, "licence": "none", "source": "this test"}


def weights(house) -> dict[str, bytes]:
    return {path.parent.name: path.read_bytes() for path in house.folder.glob("results/train/*/model.safetensors")}


def person_of(house, split: str) -> str:
    """Somebody of a split."""
    images = house.shards.sources.query("split == @split")["image"]
    return house.shards.people.set_index("image")["subject"][images.iloc[0]]


def test_a_detector_begins_with_the_weights_that_its_entry_names(house):
    card = (house.folder / CARD).read_text()
    listed = yaml.safe_load((house.folder / "config/mine.yaml").read_text())
    assert f"narrow_xception (sha256 {listed['narrow_xception']['weights']['model']['sha256']}; licence: none" in card


def test_every_picture_of_the_test_is_scored_by_each_model_at_each_degree(house):
    told = table.read([house.folder / target for target in TARGETS], Fakes)
    test = house.shards.sources.query("split == 'test'")["image"]
    counts = told.groupby(["model", "degradation"])["image"].nunique().to_dict()
    assert counts == {("grid", "none"): len(test), ("grid", "jpeg60"): len(test), ("small_share50", "none"): len(test)}
    assert set(told["image"]) == set(test) and told["score"].notna().all()


def test_every_picture_is_annotated_and_those_that_were_learnt_from_are_marked(house):
    told = table.read([house.folder / target for target in ANNOTATIONS], Annotations)
    sources = house.shards.sources
    assert sorted(told["image"]) == sorted(sources["image"]) and set(told["value"]) == {"red", "blue"}
    real = sources.query("split == 'train' and label == 0")["image"]
    assert set(told.loc[told["learnt"], "image"]) == set(real)


def test_the_trained_file_and_its_pictures_are_in_the_lineage_of_a_score(house, monkeypatch):
    monkeypatch.chdir(house.folder)
    node = trace(house.folder / TARGETS[0])
    found = {one.path: one.status for one in node.walk()}
    for name in ("model.safetensors", "pictures.parquet"):
        assert found[f"results/train/small/{name}"] == "ok"


def test_an_erasure_takes_models_their_checkpoints_and_all_scores_by_them(house, monkeypatch):
    monkeypatch.chdir(house.folder)
    checkpoint = house.folder / "results/train/small/checkpoint.safetensors.partial"
    checkpoint.write_bytes(b"weights")
    found = closure.find(erasing.Places(), [person_of(house, "train")]).results
    checkpoint.unlink()
    made = [f"results/train/{model}/{name}" for model in ("small", "small_share50", "tint") for name in (
        "model.safetensors", "history.parquet", "pictures.parquet", "card.json")]  # fmt: skip
    features = [f"results/train/features/colours/{shard}.parquet" for shard in ("00", "01")]
    assert [found[path] for path in features if path in found] == [4]
    assert {*ALL, *made, CARD, "results/train/small/checkpoint.safetensors.partial"} <= found.keys()
    assert found["results/train/small/pictures.parquet"] == 4


def test_an_audit_finds_a_model_that_saw_somebody_who_withdrew(house, tmp_path, monkeypatch):
    monkeypatch.chdir(house.folder)
    [fine] = learnt.checks(Places(vault=tmp_path))
    assert fine.verdict == "pass" and "3 models" in fine.what
    monkeypatch.chdir(tmp_path)
    (tmp_path / "results").mkdir()
    for room in ("train", "release"):
        shutil.copytree(house.folder / "results" / room, tmp_path / "results" / room)
    copied = house.shards._replace(
        derivatives=[tmp_path / path.relative_to(house.folder) for path in house.shards.derivatives]
    )
    faces.write_tables(tmp_path, copied, person_of(house, "train"))
    found = learnt.checks(Places(vault=tmp_path))
    assert [one.verdict for one in found] == ["fail"] * len(found)
    assert "4 of its pictures may not be learnt from" in found[0].what


def test_an_audit_is_not_told_by_a_new_list_beside_a_model_that_learnt_from_another(house, tmp_path, monkeypatch):
    """A training that is refused leaves the old model and its history beside a new list, of allowed pictures."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "results").mkdir()
    for room in ("train", "release"):
        shutil.copytree(house.folder / "results" / room, tmp_path / "results" / room)
    listed = tmp_path / "results/train/small/pictures.parquet"
    shutil.copyfile(tmp_path / "results/train/small_share50/pictures.parquet", listed)
    [found] = learnt.checks(Places(vault=tmp_path))
    assert (found.verdict, found.where) == ("fail", "results/train/small/model.safetensors")
    assert found.what == "was not trained on the list in its pictures.parquet"
    shutil.copyfile(house.folder / "results/train/small/pictures.parquet", listed)
    assert [one.verdict for one in learnt.checks(Places(vault=tmp_path))] == ["pass"]
    shutil.copyfile(tmp_path / "results/train/small_share50/model.safetensors", listed.with_name("model.safetensors"))
    assert [one.verdict for one in learnt.checks(Places(vault=tmp_path))] == ["fail"]
    shutil.rmtree(tmp_path / "results/train/small_share50")
    listed.with_name("model.safetensors").unlink()
    assert "1 model " in learnt.checks(Places(vault=tmp_path))[0].what


def test_half_of_the_pictures_train_the_model_of_the_experiment(house):
    counts = [
        len(table.read(house.folder / f"results/train/{name}/pictures.parquet", Learnt).query("split == 'train'"))
        for name in ("small", "small_share50")
    ]
    assert counts == [24, 12]


def test_a_withdrawal_trains_again_what_saw_the_person_and_nothing_else(house):
    """First somebody of the test withdraws, whom no model saw; then somebody whom both may have seen."""
    before = weights(house)
    of = {split: person_of(house, split) for split in ("train", "test")}
    faces.write_tables(house.folder, house.shards, of["test"])
    house.run(*RULES, *ALL, CARD)
    assert weights(house) == before
    assert of["test"] not in set(table.read(house.folder / "results/release/00/people.parquet", People)["subject"])
    faces.write_tables(house.folder, house.shards, of["train"])
    house.run(*RULES, *ALL, CARD)
    assert [name for name in ("small", "tint") if weights(house)[name] == before[name]] == []
    learnt = table.read(house.folder / "results/train/small/pictures.parquet", Learnt)
    assert of["train"] not in set(learnt["subject"])
    gone = set(house.shards.people.query("subject == @of['train']")["image"])
    for target in (*ANNOTATIONS, *(f"results/train/features/colours/{shard}.parquet" for shard in ("00", "01"))):
        assert gone.isdisjoint(pd.read_parquet(house.folder / target)["image"])
    assert house.planned(*RULES, *ALL, CARD) == {}
