"""Trainings that begin with weights of others: what is learnt, what their cards say, when they are done again."""

import hashlib
import json

import pandas as pd
import pytest
import torch
import transformers
import yaml
from safetensors.torch import load_file

import grid_faces as faces
from accord.engine import resources, table
from accord.engine.parameter_types import Former
from accord.errors import AccordError
from accord.models import registry
from accord.train import detector, split
from accord.train.learning import launching, loop, training
from accord.train.planning import models, pretrained
from accord.train.tables import Curve

SCHEMA = resources.schema("models.schema.yaml")
CLIP = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2,
        "image_size": 32, "patch_size": 16, "projection_dim": 8}  # fmt: skip
ENTRY = {"detector": "UnivFD", "weights": "tiny", "options": CLIP, "side": 32, "batch": 8, "epochs": 2, "every": 2}


@pytest.fixture(scope="module")
def shards(tmp_path_factory):
    return faces.make(tmp_path_factory.mktemp("faces"))


@pytest.fixture(scope="module")
def pictures(shards):
    tables = (shards.sources, shards.people, shards.attributes, shards.terms)
    return split.run(*tables, model="small", data={}, groups=[]).pictures


def weigh(folder, seed: int = 0) -> str:
    """Write weights of a small CLIP into folder/weights, and return their sum."""
    torch.manual_seed(seed)
    net = transformers.CLIPVisionModelWithProjection(transformers.CLIPVisionConfig(**CLIP))
    net.save_pretrained(folder / "weights")
    return hashlib.sha256((folder / "weights/model.safetensors").read_bytes()).hexdigest()


def listed(folder, sha256: str | None, **changes) -> dict:
    """A configuration whose one detector begins with these weights."""
    entry = {
        "task": "backbone", "licence": "MIT", "source": "a test",
        "weights": {"model": {"path": "model.safetensors", "sha256": sha256}}, **changes,
    }  # fmt: skip
    (folder / "models.yaml").write_text(yaml.safe_dump({"tiny": entry}))
    evaluate = {"models": str(folder / "models.yaml"), "weights": str(folder / "weights"), "run": []}
    return {"train": {"models": {"small": ENTRY}, "experiments": []}, "evaluate": evaluate}


def spec(config: dict) -> dict:
    return models.specs(config["train"], pretrained.read(config, SCHEMA))["small"]


def train(shards, pictures, folder, told, name="m", former=None):
    (folder / name).mkdir(exist_ok=True)
    return detector.run(
        pictures, shards.terms, shards.derivatives, shards.files, detector=told, on_withdrawal="retrain",
        vault=folder / "vault", weights=folder / "weights", model=folder / name / "model.safetensors",
        former=Former(former or {}),
    )  # fmt: skip


def test_the_encoder_stays_that_of_the_weights_and_the_head_is_learnt(shards, pictures, tmp_path):
    sha256 = weigh(tmp_path)
    found = train(shards, pictures, tmp_path, spec(listed(tmp_path, sha256)))
    begun, learnt = load_file(tmp_path / "weights/model.safetensors"), load_file(tmp_path / "m/model.safetensors")
    assert all(torch.equal(learnt[f"body.{name}"], tensor) for name, tensor in begun.items())
    assert learnt.keys() - {f"body.{name}" for name in begun} == {"top.0.weight", "top.0.bias"}
    assert learnt["top.0.bias"].abs().sum() > 0 and found.history["loss"].nunique() > 1
    assert sha256 in found.card["begins"] and "licence: MIT" in found.card["begins"]
    assert f"tiny (sha256 {sha256}; licence: MIT; it is not known whether people in the release" in found.described


def test_a_detector_without_weights_is_said_to_have_begun_at_random(shards, pictures, tmp_path):
    found = train(shards, pictures, tmp_path, faces.spec(epochs=1))
    assert found.card["begins"] == "random" and "Its first weights: random." in found.described


def test_other_weights_train_again_and_a_better_description_of_them_does_not(shards, pictures, tmp_path, monkeypatch):
    sha256 = weigh(tmp_path)
    history = train(shards, pictures, tmp_path, spec(listed(tmp_path, sha256))).history
    path = tmp_path / "m/history.parquet"
    table.write(history, Curve, path)
    former = {"model": tmp_path / "m/model.safetensors", "history": path}
    trainings, real = [], detector._first
    monkeypatch.setattr(detector, "_first", lambda *told: trainings.append(1) or real(*told))
    train(shards, pictures, tmp_path, spec(listed(tmp_path, sha256, licence="MIT, for research")), "again", former)
    assert trainings == []
    train(shards, pictures, tmp_path, spec(listed(tmp_path, weigh(tmp_path, seed=1))), "other", former)
    assert trainings == [1]


def test_a_stopped_training_goes_on_from_its_checkpoint_and_not_from_the_weights(
    shards, pictures, tmp_path, monkeypatch
):
    told = spec(listed(tmp_path, weigh(tmp_path)))
    train(shards, pictures, tmp_path, told, "whole")
    updates, real = [], loop._update

    def stopped(*given):
        updates.append(1)
        if len(updates) == 4:
            raise KeyboardInterrupt
        return real(*given)

    monkeypatch.setattr(loop, "_update", stopped)
    with pytest.raises(KeyboardInterrupt):
        train(shards, pictures, tmp_path, told, "killed")
    train(shards, pictures, tmp_path, told, "killed")
    assert len(updates) == 4 + 6 - 2  # of six steps two were in the checkpoint
    whole, killed = (tmp_path / name / "model.safetensors" for name in ("whole", "killed"))
    assert killed.read_bytes() == whole.read_bytes()


def test_each_of_several_processes_is_told_the_weights(shards, pictures, tmp_path, monkeypatch):
    """What torchrun's processes read of their task is done here by one."""
    monkeypatch.setattr(launching, "_started", lambda count, given: training.in_process(**launching.read(given)))
    told = spec(listed(tmp_path, weigh(tmp_path)))
    alone = train(shards, pictures, tmp_path, told, "alone").history
    pd.testing.assert_frame_equal(train(shards, pictures, tmp_path, {**told, "processes": 2}, "two").history, alone)


def test_weights_that_are_missing_or_changed_stop_it(shards, pictures, tmp_path):
    with pytest.raises(AccordError, match="model tiny: its weights are missing"):
        spec(listed(tmp_path, "0" * 64))
    sha256 = weigh(tmp_path)
    with pytest.raises(AccordError, match="have no recorded sha256"):
        spec(listed(tmp_path, None))
    told = spec(listed(tmp_path, sha256))
    weigh(tmp_path, seed=1)
    with pytest.raises(AccordError, match=r"model tiny: its weights weights/model\.safetensors have"):
        train(shards, pictures, tmp_path, told)


def test_what_weights_can_not_be_is_said_when_a_run_is_planned(tmp_path):
    config = listed(tmp_path, weigh(tmp_path), weights={"net": {"path": "model.safetensors", "sha256": "0" * 64}})
    with pytest.raises(AccordError, match=r"train\.models: tiny: .* has no file called model for it"):
        pretrained.read(config, SCHEMA)
    config["train"]["models"]["small"] = {**ENTRY, "weights": "tinny"}
    with pytest.raises(AccordError, match="did you mean 'tiny'"):
        pretrained.read(config, SCHEMA)
    assert pretrained.read({**config, "train": {"models": {"small": {"detector": "SPSL"}}}}, SCHEMA) == {}


def test_experiments_begin_with_the_weights_of_their_model_and_the_page_names_them(tmp_path):
    sha256 = weigh(tmp_path)
    config = listed(tmp_path, sha256)
    config["train"]["experiments"] = [{"models": ["small"], "shares": [0.5]}]
    found = models.specs(config["train"], pretrained.read(config, SCHEMA))
    assert found["small_share50"]["weights"] == found["small"]["weights"]
    here, there = models.unlike_published(found["small"])["first weights"]
    assert sha256 in here and "MIT" in here and "not known" in here and there == "those of ImageNet or CLIP"
    assert json.loads(models.as_json(found["small"]))["weights"]["files"]["model"]["sha256"] == sha256


def test_the_page_names_the_weights_of_a_detector_of_one_s_own_too(tmp_path):
    (tmp_path / "mine.py").write_text("class Mine: pass\n")
    config = listed(tmp_path, weigh(tmp_path))
    config["train"]["models"]["small"] = {"detector": f"{tmp_path}/mine.py:Mine", "weights": "tiny"}
    found = models.unlike_published(spec(config))
    assert found.keys() == {"first weights"} and "licence: MIT" in found["first weights"][0]


def test_a_backbone_can_not_be_evaluated(tmp_path):
    config = listed(tmp_path, "0" * 64)
    with pytest.raises(AccordError, match=r"evaluate\.run: tiny: is a backbone"):
        registry.read({**config["evaluate"], "run": ["tiny"]}, SCHEMA)
