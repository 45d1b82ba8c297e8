"""The formats of archives, and the terms that no setting overrides."""

from pathlib import Path

import pytest
import yaml

from accord.errors import AccordError
from accord.release.archives import formats

ROOT = Path(__file__).parents[2]


def test_the_schema_and_the_importers_are_those_of_the_formats():
    schema = yaml.safe_load((ROOT / "workflow/schemas/config.schema.yaml").read_text())
    archive = schema["properties"]["release"]["properties"]["archive"]
    assert archive["properties"]["format"]["enum"] == list(formats.FORMATS)
    assert set(archive["properties"]["terms"]["properties"]) == {*formats.Terms._fields, "basis", "until"}
    importers = (ROOT / "workflow/lib/accord/release").glob("import_*.py")
    assert {file.stem.removeprefix("import_") for file in importers} == set(formats.FORMATS)


def test_without_an_archive_there_is_none():
    assert formats.chosen(None) is None


def test_terms_are_false_unless_stated():
    assert formats.terms("fhibe", {}) == formats.Terms(train=False, external=False)
    assert formats.terms("fhibe", {"external": True}) == formats.Terms(train=False, external=True)
    archive = {"format": "fhibe", "path": "a", "terms": {"external": True}}
    assert formats.chosen(archive) == formats.Archive("fhibe", "a", {"external": True})


def test_no_setting_allows_training_where_a_licence_forbids_it():
    with pytest.raises(AccordError) as told:
        formats.chosen({"format": "fhibe", "path": "a", "terms": {"train": True, "external": True}})
    assert str(told.value).splitlines() == [
        "1 problem found",
        "  - release.archive.terms.train: is true, but the licence of FHIBE forbids it",
        "    hint: release.archive.terms can't allow it: leave it out",
    ]
