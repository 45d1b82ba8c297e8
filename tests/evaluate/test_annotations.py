"""What annotators say: of each picture, as their networks say it, and marked where it was learnt from."""

from pathlib import Path

import numpy as np
import pytest
import torch

import colour_faces as colours
import grid_faces as faces
from accord.engine import table
from accord.evaluate import annotations
from accord.evaluate.tables.annotations import Annotations
from accord.imaging.bundle import BundleWriter
from accord.imaging.decode import encode_png
from accord.release.source_tables import Sources
from accord.release.tables import Derivatives, People
from accord.train.annotators import encoding, stored
from accord.train.annotators.network import Annotator
from accord.train.pictures.reading import of_each
from accord.train.tables import Features, Learnt


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """The annotations of a shard of which all but two pictures have features, by a network that has learnt nothing."""
    folder = tmp_path_factory.mktemp("faces")
    shards = faces.make(folder)
    told = colours.annotators_of(colours.write_models(folder / "models"))
    rows, encoder = table.read(shards.derivatives[0], Derivatives), told.encoders["colours"]
    sources = shards.sources[shards.sources["image"].isin(rows["image"])]
    shown = of_each(rows, set(rows["image"]))
    vectors = dict(encoding.vectors(encoder, Path("weights"), shards.files[0], shown))
    known = sorted(vectors)[2:]
    table.write(table.rows([(image, "", vectors[image]) for image in known], Features), Features, folder / "f.parquet")
    torch.manual_seed(0)
    net = Annotator(12, [16], 2)
    stored.write(
        folder / "model.safetensors", net, {**told.specs["tint"], "classes": ["blue", "red"], "width": 12}, "s"
    )
    learnt = sources[sources["split"] != "test"].assign(subject="", group="red")
    table.write(table.check(learnt, Learnt, ""), Learnt, folder / "pictures.parquet")
    found = annotations.run(
        rows, sources, shards.people, [folder / "f.parquet"], [folder / "pictures.parquet"],
        [folder / "model.safetensors"], shards.files[0], frozen=[encoder], weights=Path("weights"),
    )  # fmt: skip
    return table.check(found, Annotations, ""), vectors, net, sources.set_index("image")


def test_each_picture_is_annotated_as_the_network_says(said):
    found, vectors, net, _ = said
    assert sorted(found["image"]) == sorted(vectors)
    with torch.no_grad():
        for row in found.itertuples():
            chances = net(torch.tensor(vectors[row.image])[None]).softmax(1)[0]
            assert row.value == ["blue", "red"][int(chances.argmax())]
            assert row.score == pytest.approx(float(chances.max()), abs=1e-6)


def test_pictures_that_were_learnt_from_are_marked(said):
    found, *_, sources = said
    assert (found["learnt"].to_numpy() == (sources["split"][found["image"]] == "train").to_numpy()).all()
    assert set(sources["split"][found["image"]]) == {"train", "validation", "test"}


def test_a_picture_of_which_the_encoder_makes_nothing_has_no_value(tmp_path):
    encoder = colours.annotators_of(colours.write_models(tmp_path)).encoders["colours"]
    with BundleWriter(tmp_path / "files.tar") as writer:
        member = writer.add("a.png", encode_png(np.full((8, 8, 3), 255, np.uint8)))
    rows = table.rows([("a", "", "downsampled", "", *member, "0" * 64, 8, 8)], Derivatives)
    sources = table.rows([("a", "A", "real", "real", 0, "test")], Sources)
    people = table.rows([("a", "p", True, 30, *(None,) * 8, "")], People)
    table.write(table.empty(Features), Features, tmp_path / "f.parquet")
    table.write(table.empty(Learnt), Learnt, tmp_path / "p.parquet")
    about = {"name": "x", "attribute": "tint", "encoder": encoder, "classes": ["a", "b"], "hidden": [2], "width": 12}
    stored.write(tmp_path / "m.safetensors", Annotator(12, [2], 2), about, "s")
    given = (rows, sources, people, *([tmp_path / name] for name in ("f.parquet", "p.parquet", "m.safetensors")))
    found = annotations.run(*given, tmp_path / "files.tar", frozen=[encoder], weights=Path("weights"))
    assert found[["value", "note"]].to_numpy().tolist() == [["", annotations.BLIND]]
