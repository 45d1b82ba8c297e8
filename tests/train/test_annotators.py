"""Annotators: what they minimise, that they learn what pictures show and nothing else, kills, withdrawals, cards."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch

import colour_faces as colours
import grid_faces as faces
from accord.engine import table
from accord.engine.parameter_types import Former
from accord.errors import AccordError
from accord.release.tables import Derivatives
from accord.train import annotator, features, split
from accord.train.annotators import objective, stored
from accord.train.annotators.network import Annotator
from accord.train.learning import checkpoint
from accord.train.losses import margins, sinkhorn
from accord.train.planning import annotators
from accord.train.tables import Curve, Features


class Made:
    """Shards, the annotator `tint` of them, and the features of their pictures."""

    def __init__(self, folder: Path):
        self.shards = colours.tinted(faces.make(folder, people=20, each=6))
        told = colours.annotators_of(colours.write_models(folder / "models"))
        self.spec, self.features = told.specs["tint"], []
        for derivatives, files in zip(self.shards.derivatives, self.shards.files, strict=True):
            rows = table.read(derivatives, Derivatives)
            some = self.shards.sources[self.shards.sources["image"].isin(rows["image"])]
            given = (rows, some, self.shards.people, self.shards.terms, files, Former())
            found = features.run(*given, encoder=told.encoders["colours"], weights=Path("weights"))
            self.features.append(files.with_name("features.parquet"))
            table.write(found.features.rows.rows, Features, self.features[-1])

    def pictures(self, **changes) -> pd.DataFrame:
        shards = self.shards._replace(**changes)
        tables = (shards.sources, shards.people, shards.attributes, shards.terms)
        return split.run(*tables, model="tint", data=annotators.data_of(self.spec), groups=["gender"]).pictures

    def train(self, pictures, folder, former=None, on_withdrawal="retrain", **changes) -> annotator.Trained:
        folder.mkdir(exist_ok=True)
        return annotator.run(
            pictures, self.shards.terms, self.features, annotator=self.spec | changes, on_withdrawal=on_withdrawal,
            vault=folder.parent / "vault", model=folder / "model.safetensors", former=Former(former or {}),
        )  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return Made(tmp_path_factory.mktemp("faces"))


def test_the_objective_is_vector_scaling_and_the_divergence_of_each_class():
    torch.manual_seed(0)
    net, counts = Annotator(4, [6, 5], 3), torch.tensor([8, 3, 1])
    batch = {"seen": torch.randn(7, 4), "classes": torch.tensor([0, 0, 2, 1, 0, 2, 1])}
    spec = {**annotators.PUBLISHED, "fairness": 0.3, "rounds": 100}
    net.requires_grad_(False)
    found, classes = net.features(batch["seen"]), batch["classes"]
    scaled = margins.vector_scaling(net(batch["seen"]), classes, counts, 0.2, 1.0).mean()
    apart = sum(sinkhorn.divergence(found, found[classes == one], 1e-4, 100) for one in (0, 1, 2))
    assert float(objective.objective(spec, counts)(net, batch)) == pytest.approx(float(scaled + 0.3 * apart))
    assert float(objective.objective({**spec, "fairness": 0}, counts)(net, batch)) == pytest.approx(float(scaled))


def test_real_faces_with_a_label_are_learnt_from_and_all_others_left_out(made):
    unknown = made.shards.people["image"][0]
    attributes = made.shards.attributes
    found = split.run(
        made.shards.sources, made.shards.people, attributes[attributes["image"] != unknown], made.shards.terms,
        model="tint", data=annotators.data_of(made.spec), groups=["gender"],
    )  # fmt: skip
    assert set(found.pictures["label"]) == {0} and set(found.pictures["group"]) == {"red", "blue"}
    reasons = found.left_out.set_index("image")["reason"]
    assert reasons[unknown] == "has no value of the attribute"
    assert sorted([*found.pictures["image"], *reasons.index]) == sorted(made.shards.sources["image"])
    with pytest.raises(AccordError, match="no subset IMDB"):
        data = annotators.data_of({**made.spec, "subsets": ["IMDB"]})
        tables = (made.shards.sources, made.shards.people, attributes, made.shards.terms)
        split.run(*tables, model="tint", data=data, groups=["gender"])
    with pytest.raises(AccordError, match="fewer than two values"):
        made.pictures(attributes=attributes.assign(value="same"))


def test_an_annotator_learns_what_pictures_show_and_tells_whom_by_counts(made, tmp_path):
    found = made.train(made.pictures(), tmp_path / "m")
    assert found.history["metric"].iloc[-1] > 0.7
    net, about = stored.load(tmp_path / "m/model.safetensors")
    assert (about["classes"], about["width"], about["encoder"]["name"]) == (["blue", "red"], 12, "colours")
    seen = table.read(made.features, Features).merge(made.shards.attributes.query("attribute == 'tint'"), on="image")
    chances = stored.chances(net, np.stack(seen["vector"].to_numpy()).astype(np.float32))
    assert chances.shape == (96, 2) and chances.sum(1) == pytest.approx(np.ones(96), abs=1e-5)
    right = np.take(about["classes"], chances.argmax(1)) == seen["value"]
    learnt = made.pictures().query("split == 'train'")["image"]
    assert right[~seen["image"].isin(learnt)].mean() > 0.75
    assert found.card["kind"] == "annotator" and found.card["people"] == 12
    assert "person0000000000" not in found.described + json.dumps(found.card)
    assert found.described.startswith(
        "# tint\n\nAnnotator: tint, from the features of colours. It learnt from 36 images"
    )
    assert sorted(path.name for path in (tmp_path / "m").iterdir()) == ["model.safetensors"]


def test_of_shuffled_labels_nothing_is_learnt_that_holds_for_others(made, tmp_path):
    pictures = made.pictures()
    rng, found = np.random.default_rng(0), []
    for number in range(3):
        shuffled = pictures.assign(group=rng.permutation(pictures["group"]))
        history = made.train(shuffled, tmp_path / str(number), fairness=0.0, sam=0.0).history
        found.append(history["metric"].iloc[-1])
    assert 0.25 < np.mean(found) < 0.75


@pytest.mark.parametrize("sam", [0.0, 0.01])
def test_a_training_that_is_killed_goes_on_to_the_same_bytes(made, tmp_path, monkeypatch, sam):
    pictures, short = made.pictures(), {"epochs": 3, "sam": sam}
    expected = made.train(pictures, tmp_path / "whole", **short)
    written, write = [], checkpoint.write

    def killed(*given) -> None:
        write(*given)
        written.append(given)
        if len(written) == 1:
            raise KeyboardInterrupt

    monkeypatch.setattr(checkpoint, "write", killed)
    with pytest.raises(KeyboardInterrupt):
        made.train(pictures, tmp_path / "killed", **short)
    assert not (tmp_path / "killed/model.safetensors").exists()
    found = made.train(pictures, tmp_path / "killed", **short)
    assert len(written) < 2 * len(expected.history)
    pd.testing.assert_frame_equal(found.history, expected.history)
    whole, again = (tmp_path / name / "model.safetensors" for name in ("whole", "killed"))
    assert whole.read_bytes() == again.read_bytes()


def test_the_same_training_is_not_done_again_and_one_without_a_person_is(made, tmp_path, monkeypatch):
    pictures, short = made.pictures(), {"epochs": 1, "fairness": 0.0}
    first = made.train(pictures, tmp_path / "a", on_withdrawal="refuse", **short)
    table.write(first.history, Curve, tmp_path / "a/history.parquet")
    former = {"model": tmp_path / "a/model.safetensors", "history": tmp_path / "a/history.parquet"}
    fewer = pictures[pictures["subject"] != pictures["subject"][0]]
    with pytest.raises(AccordError, match="model tint: was trained on pictures that aren't the same"):
        made.train(fewer, tmp_path / "b", on_withdrawal="refuse", **short)
    monkeypatch.setattr("accord.train.annotators.learning.train", None)
    again = made.train(pictures, tmp_path / "b", former, on_withdrawal="refuse", **short)
    assert (tmp_path / "b/model.safetensors").read_bytes() == former["model"].read_bytes()
    pd.testing.assert_frame_equal(again.history, first.history)
    for changed, settings in ((fewer, short), (pictures, {**short, "rate": 0.1})):
        with pytest.raises(TypeError):
            made.train(changed, tmp_path / "c", former, **settings)


def test_a_picture_that_may_not_be_learnt_from_stops_the_training(made, tmp_path, monkeypatch):
    pictures = made.pictures()
    forbidden = made.shards.terms.assign(train=made.shards.terms["image"] != pictures["image"][0])
    monkeypatch.setattr(made, "shards", made.shards._replace(terms=forbidden))
    with pytest.raises(AccordError, match="1 picture may not be learnt from"):
        made.train(pictures, tmp_path / "m")


def test_pictures_without_features_are_not_learnt_from(made, tmp_path, monkeypatch):
    some = [tmp_path / "features.parquet"]
    table.write(table.read(made.features[0], Features), Features, some[0])
    monkeypatch.setattr(made, "features", some)
    assert made.train(made.pictures(), tmp_path / "m", epochs=1, fairness=0.0).card["images"] < 36
    table.write(table.empty(Features), Features, some[0])
    with pytest.raises(AccordError, match="none of them has features"):
        made.train(made.pictures(), tmp_path / "m")


def test_another_file_is_no_annotator(tmp_path):
    checkpoint.save_weights(tmp_path / "model.safetensors", torch.nn.Linear(1, 1), {"accord": "[]"})
    with pytest.raises(AccordError, match=r"/.+: not a trained annotator"):
        stored.about(tmp_path / "model.safetensors")
