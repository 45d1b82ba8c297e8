"""Coarsens what is said of an image: months and quarters of the day, country and region, device; nothing else."""

from __future__ import annotations

import re

import pandas as pd
from pandera.typing import DataFrame

from accord.checks.personal import free_text
from accord.engine.table import check
from accord.errors import AccordError, Problem
from accord.intake.tables import Images
from accord.privacy.tables import PublicImages

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
QUARTERS = ("00:00-05:59", "06:00-11:59", "12:00-17:59", "18:00-23:59")
DATE = re.compile(r"(\d{4})-(\d{2})(?:-\d{2})?(?:T.*)?")
HOUR = re.compile(r"(\d{2}):\d{2}(?::\d{2})?")
KEYS = ("image", "subject")


def coarsened(images: DataFrame[Images], *, columns: list[str]) -> DataFrame[PublicImages]:
    """What may be published of each image, as FHIBE does it; `columns` is the allow-list.

    A column that is not on it is emptied (missing, or ""). Coordinates, serial numbers, owners, software, vendors and
    exact times have no column to go to. Free text that doesn't read like a device or a region is emptied, too
    (`free_text`; the finding safety_text tells it).

    Raises AccordError where the list names a column that can't be published.
    """
    known = [name for name in PublicImages.to_schema().columns if name not in KEYS]
    refused = [name for name in columns if name not in known]
    if refused:
        hint = f"use one of: {', '.join(known)}"
        raise AccordError([Problem("privacy.columns", f"{name!r} can't be published", hint) for name in refused])
    public = images[[*KEYS, *known]].sort_values("image", ignore_index=True)
    public["user_date_captured"] = public["user_date_captured"].map(month_of)
    public["user_hour_captured"] = public["user_hour_captured"].map(quarter_of)
    for at, row in enumerate(public[list(free_text.FREE)].to_dict("records")):
        public.loc[at, list(free_text.unfit(row))] = ""
    for name in set(known) - set(columns):
        nothing = "" if pd.api.types.is_string_dtype(public[name]) else None
        public[name] = public[name].mask(pd.Series(True, public.index), nothing)
    return check(public, PublicImages, PublicImages.__name__)


def month_of(day: str) -> str:
    """`2023-05-17` -> `May-2023`; "" for what is no date."""
    found = DATE.fullmatch(day)
    return f"{MONTHS[int(found[2]) - 1]}-{found[1]}" if found and 1 <= int(found[2]) <= 12 else ""


def quarter_of(hour: str) -> str:
    """`18:30` -> `18:00-23:59`, likewise a quarter itself; "" for what is no hour."""
    if hour in QUARTERS:
        return hour
    found = HOUR.fullmatch(hour)
    return QUARTERS[int(found[1]) // 6] if found and int(found[1]) < 24 else ""
