"""Features: of pictures that may be learnt from alone, computed once, gone with whoever withdrew."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import colour_faces as colours
import grid_faces as faces
from accord.engine import table
from accord.engine.file_outputs import write_typed
from accord.engine.parameter_types import Former, Kept, Typed
from accord.errors import AccordError
from accord.imaging import bundle, decode
from accord.release.tables import Derivatives
from accord.train import features
from accord.train.planning import annotators
from accord.train.tables import Features

RECORD = {"step": "train.features", "code": "c", "params": {}, "inputs": {}}


@pytest.fixture(scope="module")
def shards(tmp_path_factory):
    return faces.make(tmp_path_factory.mktemp("faces"))


@pytest.fixture
def encoder(tmp_path):
    return colours.annotators_of(colours.write_models(tmp_path / "models")).encoders["colours"]


def encoded(shards, encoder, terms=None, former=None) -> Kept:
    derivatives = table.read(shards.derivatives[0], Derivatives)
    sources = shards.sources[shards.sources["image"].isin(derivatives["image"])]
    return features.run(
        derivatives, sources, shards.people, shards.terms if terms is None else terms, shards.files[0],
        Former(former or {}), encoder=encoder, weights=Path("weights"),
    ).features.rows  # fmt: skip


def test_each_picture_that_may_be_learnt_from_has_its_vector_and_no_other(shards, encoder):
    rows = table.read(shards.derivatives[0], Derivatives).set_index("image", drop=False)
    split = shards.sources.set_index("image")["split"]
    forbidden = next(image for image in rows.index if split[image] == "train")
    found = encoded(shards, encoder, shards.terms.assign(train=shards.terms["image"] != forbidden)).rows
    wanted = {image for image in rows.index if split[image] != "test" and image != forbidden}
    assert set(found["image"]) == wanted and "test" in set(split[rows.index])
    image, who = found["image"][0], shards.people.set_index("image")["subject"]
    assert found["subject"].tolist() == [who[image] for image in found["image"]]
    row = next(row for row in rows.itertuples(index=False) if row.image == image)
    pixels = decode.decode(bundle.read(shards.files[0], row))
    assert found["vector"][0][:3] == pytest.approx(pixels[:16, :16].mean((0, 1)) / 255 - 0.5, abs=1e-6)


def test_vectors_are_taken_over_but_for_those_who_withdrew(shards, encoder, tmp_path, monkeypatch):
    first = encoded(shards, encoder)
    write_typed(Typed(first, Features), tmp_path / "features.parquet", RECORD)
    monkeypatch.setattr("accord.models.loading.loaded", None)
    gone = first.rows["image"][0]
    again = encoded(
        shards, encoder, shards.terms[shards.terms["image"] != gone], {"features": tmp_path / "features.parquet"}
    )
    assert gone not in set(again.rows["image"]) and gone not in again.digests
    assert len(again.rows) == len(first.rows) - 1
    with pytest.raises(TypeError):
        encoded(shards, {**encoder, "code": "other"}, former={"features": tmp_path / "features.parquet"})


@pytest.fixture(scope="module")
def wavering(tmp_path_factory):
    """An encoder in batches of four whose last digits depend on how many pictures it is shown at once, as networks'."""
    models = colours.write_models(tmp_path_factory.mktemp("wavering"))
    text = colours.ENCODER.replace("self.seen(one) for", "[v + 1e-6 * len(pictures) for v in self.seen(one)] for")
    (models.parent / "colours.py").write_text(text)
    return colours.annotators_of(models).encoders["colours"]


DAYS = st.lists(
    st.tuples(st.sets(st.integers(0, 30)), st.randoms(use_true_random=False), st.sampled_from(["a", "b"]),
              st.sampled_from([1, 1, 0.9, 0])),
    min_size=2, max_size=4,
)  # fmt: skip


@settings(max_examples=10, deadline=None)
@given(DAYS)
def test_after_any_days_the_bytes_are_those_of_a_run_from_nothing(tmp_path_factory, shards, wavering, days):
    """Withdrawals, deliveries, another order, another encoder; what is left of the last run may be cut."""
    folder = tmp_path_factory.mktemp("days")
    past, new = folder / "past.parquet", folder / "new.parquet"
    for gone, order, code, left in days:
        left_in = shards.terms[[number not in gone for number in range(len(shards.terms))]]
        some = shards._replace(derivatives=[folder / "derivatives.parquet"])
        rows = table.read(shards.derivatives[0], Derivatives)
        shuffled = rows.iloc[order.sample(range(len(rows)), len(rows))]
        table.write(shuffled, Derivatives, some.derivatives[0])
        former = {"features": past} if past.exists() else {}
        for path, known in ((new, {}), (past, former)):
            made = encoded(some, {**wavering, "code": code}, left_in, known)
            write_typed(Typed(made, Features), path, RECORD)
        assert past.read_bytes() == new.read_bytes()
        past.write_bytes(past.read_bytes()[: int(left * past.stat().st_size)])


@pytest.mark.parametrize("answer, match", [
    ("[[float('nan')]] * len(pictures)", "numbers that are not finite"), ("[]", "gave 0 answers for 1"),
])  # fmt: skip
def test_an_encoder_that_answers_what_can_not_be_is_refused(shards, tmp_path, answer, match):
    models = colours.write_models(tmp_path / "models")
    text = colours.ENCODER.replace("[None if one.mean() > 250 else self.seen(one) for one in pictures]", answer)
    (tmp_path / "models/colours.py").write_text(text)
    with pytest.raises(AccordError, match=match):
        encoded(shards, colours.annotators_of(models).encoders["colours"])


def test_an_encoder_of_another_task_an_unknown_one_and_a_name_that_is_taken_are_refused(tmp_path):
    models = Path(annotators.__file__).parents[5] / "config/models.yaml"
    for entries, match in [
        ({"x": {"attribute": "age", "encoder": "yunet"}}, "yunet is a model of face_localization"),
        ({"x": {"attribute": "age", "encoder": "clip"}}, "clip"),
    ]:
        with pytest.raises(AccordError, match=match):
            colours.annotators_of(models, **entries)
    config = {"train": {"annotators": {"x": {"attribute": "a", "encoder": "colours"}}}}
    config["evaluate"] = {"models": str(colours.write_models(tmp_path)), "weights": "weights"}
    schema = models.parents[1] / "workflow/schemas/models.schema.yaml"
    with pytest.raises(AccordError, match=r"is a model of train\.models"):
        annotators.read(config, schema, {"x"})
    found = colours.annotators_of(models, large={"attribute": "age", "encoder": "clip_large"})
    assert found.specs == {} and "clip_large" in str(found.missing[0])
    assert np.isclose(annotators.PUBLISHED["sam"], 0.05)
