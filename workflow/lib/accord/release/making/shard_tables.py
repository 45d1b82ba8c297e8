"""What a shard gives to a release: its tables, whether made by us or read from FHIBE."""

from typing import NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord.engine import table
from accord.errors import AccordError, Problem
from accord.imaging.coordinates import mistake, points_by_image
from accord.release.tables import (
    Attributes,
    Checked,
    Derivatives,
    Faces,
    Keypoints,
    People,
    PublicImages,
    Segments,
    Terms,
)

MODELS = {
    "derivatives": Derivatives,
    "faces": Faces,
    "people": People,
    "attributes": Attributes,
    "keypoints": Keypoints,
    "segments": Segments,
    "public": PublicImages,
    "aggregate": Attributes,
    "checked": Checked,
}
"""Tables that a release is made from."""

ALL = MODELS | {"terms": Terms}
"""Tables of a shard; what may be done with its images is for later steps, and not published."""


class Derived(NamedTuple):
    """The tables of a shard. `aggregate`: attributes that are only ever counted; `checked`: who checked (QA) what;
    `terms`: what may be done with images besides evaluating models here."""

    derivatives: DataFrame[Derivatives]
    faces: DataFrame[Faces]
    people: DataFrame[People]
    attributes: DataFrame[Attributes]
    keypoints: DataFrame[Keypoints]
    segments: DataFrame[Segments]
    public: DataFrame[PublicImages]
    aggregate: DataFrame[Attributes]
    checked: DataFrame[Checked]
    terms: DataFrame[Terms]


def assemble(**tables: pd.DataFrame | list) -> Derived:
    """The shard's tables from data frames or lists of rows, checked and sorted by their keys.

    Raises AccordError where boxes or keypoints look like shares or percent of the pictures' sides.
    """
    made = Derived(**{name: _ordered(tables[name], model) for name, model in ALL.items()})
    whole = made.derivatives[made.derivatives["subject"] == ""]
    sizes = {row.image: (row.width, row.height) for row in whole.sort_values("width").itertuples()}
    for name, rows in (("people", made.people), ("keypoints", made.keypoints)):
        if wrong := mistake(points_by_image(rows[rows["image"].isin(sizes)]), sizes):
            raise AccordError(Problem(name, wrong, "convert the boxes and keypoints of the archive"))
    return made


def _ordered(given: pd.DataFrame | list, model: type[table.Table]) -> pd.DataFrame:
    is_frame = isinstance(given, pd.DataFrame)
    checked = table.check(given, model, model.__name__) if is_frame else table.rows(given, model)
    return checked.sort_values(model.to_schema().unique or ["image"], kind="stable").reset_index(drop=True)
