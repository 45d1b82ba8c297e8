"""The attributes by which images replace each other: of each image that passes, kept in the vault for every version."""

import io
from pathlib import Path
from typing import Any

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


def keys(people: pd.DataFrame, attributes: pd.DataFrame, states: dict[str, str]) -> pd.DataFrame:
    """The table Keys of images: image -> state. What isn't published of their primary subjects is ""."""
    primary = people[people["is_primary"] & people["image"].isin(list(states))].sort_values("image")
    said = attributes[attributes["image"].isin(list(states))].sort_values("value")
    values = said.groupby(["image", "subject", "attribute"])["value"].agg(AND.join).to_dict()
    return table.rows([_row(row, values, states[row.image]) for row in primary.itertuples()], Keys)


def _row(person: Any, values: dict, state: str) -> dict:
    of = {column: values.get((person.image, person.subject, name), "") for column, name in OF_THE_SUBJECT.items()}
    return {
        "image": person.image,
        "subject": person.subject,
        "state": state,
        **of,
        "age_group": "" if pd.isna(person.age) else age_group(int(person.age)) or "",
        "scene": values.get((person.image, "", "scene"), ""),
    }


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
