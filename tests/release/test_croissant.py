"""The Croissant description: what the reference implementation validates and reads."""

import mlcroissant
import pandas as pd
import pytest

from accord.release.format import fhibe

pytestmark = pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning")


@pytest.fixture(scope="module")
def release(tmp_path_factory, shards, tiny):
    house = tiny.House(tmp_path_factory.mktemp("croissant"), shards)
    house.publish()
    return house.releases / "1.0.0"


def test_it_is_valid_but_for_when_it_was_published(release, monkeypatch):
    def offline(*args, **kwargs):
        raise AssertionError("the network was asked for")

    monkeypatch.setattr("socket.socket.connect", offline)
    metadata = mlcroissant.Dataset(release / "croissant.json").metadata
    assert metadata.ctx.is_v1_1()
    assert not metadata.ctx.issues.errors
    assert [issue for issue in metadata.ctx.issues.warnings if "datePublished" not in issue] == []
    assert (metadata.name, metadata.version) == ("tiny", "1.0.0")
    assert metadata.data_social_impact and metadata.data_biases and metadata.personal_sensitive_information


@pytest.mark.parametrize(("name", "table"), [("images", fhibe.WHOLE_TABLE), ("faces", fhibe.FACE_TABLE)])
def test_its_records_are_the_tables(release, name, table):
    records = list(mlcroissant.Dataset(release / "croissant.json").records(name))
    rows = pd.read_csv(release / table)
    assert len(records) == len(rows) == 4
    assert [r[f"{name}/image_id"].decode() for r in records] == rows["image_id"].tolist()
    assert [r[f"{name}/image_width"] for r in records] == rows["image_width"].tolist()
    assert {key.removeprefix(f"{name}/") for key in records[0]} == set(rows.columns)
