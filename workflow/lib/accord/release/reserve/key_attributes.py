"""The attributes by which images replace each other: of each image that passes, kept in the vault for every version."""

import io
from pathlib import Path

import pandas as pd

from accord.engine import table
from accord.files import keep_private
from accord.release.seal import versions
from accord.release.tables import Keys
from accord.vocabularies import age_group

NAME = "keys.parquet"
AND = " + "
OF_THE_SUBJECT = {
    "pronoun": "pronoun",
    "ancestry": "ancestry",
    "pose": "action_body_pose",
    "camera_distance": "camera_distance",
}
"""Column -> the attribute of the primary subject that it tells."""
SCENE = "scene"
SOURCES = (*OF_THE_SUBJECT.values(), SCENE)
"""The attributes that keys are made of."""


def keys(people: pd.DataFrame, attributes: pd.DataFrame, states: dict[str, str]) -> pd.DataFrame:
    """The table Keys of images: image -> state. What isn't published of their primary subjects is ""."""
    primary = people[people["is_primary"] & table.is_in(people["image"], states)].sort_values(
        "image", ignore_index=True
    )
    found = primary[["image", "subject"]].assign(state=primary["image"].map(states))
    for column, name in OF_THE_SUBJECT.items():
        found[column] = _said(found[["image", "subject"]], attributes, name)
    found["age_group"] = ["" if pd.isna(age) else age_group(int(age)) or "" for age in primary["age"]]
    found["scene"] = _said(found[["image"]].assign(subject=""), attributes, SCENE)
    return table.check(found, Keys, "keys")


def _said(whose: pd.DataFrame, attributes: pd.DataFrame, name: str) -> pd.Series:
    """What is said of an attribute for each row of `whose` (image, subject): several values joined, "" for none."""
    own = attributes.loc[attributes["attribute"] == name, ["image", "subject", "value"]].sort_values("value")
    several = own.duplicated(["image", "subject"], keep=False)
    joined = own[several].groupby(["image", "subject"])["value"].agg(AND.join).reset_index()
    one_each = pd.concat([own[~several], joined]) if several.any() else own
    return whose.merge(one_each, on=["image", "subject"], how="left")["value"].fillna("")


def read(vault: Path, version: str) -> pd.DataFrame:
    """The table Keys of a version; empty where the vault has none."""
    path = versions.private(vault, version) / NAME
    return table.read(path, Keys) if version and path.exists() else table.empty(Keys)


def keep(vault: Path, version: str, rows: pd.DataFrame) -> None:
    """Keep the table Keys of a version, where it differs from what is there."""
    path, data = versions.private(vault, version) / NAME, io.BytesIO()
    table.write(rows, Keys, data)
    if not path.exists() or path.read_bytes() != data.getvalue():
        keep_private(path, data.getvalue())
