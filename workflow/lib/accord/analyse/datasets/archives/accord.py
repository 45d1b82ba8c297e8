"""A release of Accord's, or a downloaded FHIBE that it imported: the tables in its folder of results."""

from pathlib import Path

import pandas as pd

from accord.analyse.datasets.gathered import Dataset
from accord.analyse.scoring.instances import released
from accord.analyse.tables.composition import Areas, Pictures
from accord.engine import table
from accord.errors import AccordError
from accord.grouping import groups_of
from accord.imaging.person_masks import areas
from accord.release.archives import reading, shared
from accord.release.archives.reading import Bounded
from accord.release.tables import Attributes, Derivatives, Keypoints, People, Segments, Verdicts
from accord.vocabularies import FITZPATRICK, PRONOUNS

TABLES = {
    "people": People,
    "attributes": Attributes,
    "keypoints": Keypoints,
    "segments": Segments,
    "derivatives": Derivatives,
}
GENDERS = dict(zip(PRONOUNS, (shared.FEMALE, shared.MALE, *[shared.OTHER] * 3, shared.UNKNOWN), strict=True))


def read(folder: Path, problems: Bounded) -> Dataset:
    """The released images of a folder of results. Pronouns stand for gender, which they are not (docs/datasets.md)."""
    verdicts = [table.read(file, Verdicts) for file in reading.several(folder, ("release/verdicts.parquet",), problems)]
    files = {name: reading.several(folder, (f"release/*/{name}.parquet",), problems) for name in TABLES}
    if problems:
        raise AccordError(problems)
    found = {name: released(table.read(files[name], model), verdicts[0]) for name, model in TABLES.items()}
    whole = found["derivatives"]
    pictures = whole.loc[whole["kind"] == "downsampled", ["image", "width", "height"]].assign(in_pixels=True)
    covered = areas(found["segments"]).reset_index()[["image", "subject", "area"]]
    return Dataset(
        found["people"],
        table.check(pictures, Pictures, "pictures"),
        _said(found["people"], found["attributes"]),
        found["keypoints"],
        table.check(covered, Areas, "areas"),
        {},
    )


def _said(people: pd.DataFrame, attributes: pd.DataFrame) -> pd.DataFrame:
    ages = groups_of(people, attributes, "age_group").rename(columns={"group": "value"}).assign(annotator="")
    gender = _shared(attributes, "pronoun", shared.GENDER, GENDERS)
    types = {label: shared.fitzpatrick(shared.ROMAN.index(roman) + 1) for label, roman in FITZPATRICK.items()}
    skins = [
        _shared(attributes, "natural_skin_color", name, {label: both[name] for label, both in types.items()})
        for name in (shared.SKIN, shared.SKIN_HALVES)
    ]
    parts = [part for part in (attributes, ages, gender, *skins) if len(part)]
    whole = pd.concat(parts).drop_duplicates(["image", "subject", "attribute", "value"]) if parts else attributes
    return table.check(whole, Attributes, "attributes")


def _shared(attributes: pd.DataFrame, source: str, name: str, values: dict[str, str]) -> pd.DataFrame:
    of = attributes[attributes["attribute"] == source]
    return of.assign(attribute=name, value=of["value"].map(values)).dropna(subset="value")
