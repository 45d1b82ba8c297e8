"""Suspicious patterns within one subject: places, devices, ages, cameras, programs."""

import re
from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from accord.checks.files.devices import plain_model
from accord.checks.files.places import kilometres, slowest
from accord.checks.files.programs import EDITED
from accord.checks.suspicion.rules import Hit

PROFESSIONAL = re.compile(
    r"\b(?:eos[- ]?1d|eos 5ds?\b|eos r[135]\b|nikon d[3-6]s?\b|nikon d8[0-9]{2}|nikon z ?[89]\b|ilce-(?:1|7r|9)"
    r"|hasselblad|phase one|iq[1-4]\b|gfx ?[0-9]+|leica (?:s|sl)\b|pentax 645)",
    re.I,
)
"""Bodies that manufacturers sell to professionals, as EXIF names them."""
DAYS_OF_YEAR = 365.2425
NAN = float("nan")


def find(images: pd.DataFrame, people: pd.DataFrame, born: pd.DataFrame, least: Mapping[str, float]) -> list[Hit]:
    """Hits of all rules about single subjects. images, people: tables of intake; born: subject, birth_date, signed_on;
    least: rule -> threshold."""
    timed = images.assign(time=pd.to_datetime(images["captured_at"], format="ISO8601", errors="coerce"))
    return [
        *_travel(timed, least["travel"]),
        *_countries(timed, least["countries"]),
        *_many_devices(images, least["many_devices"]),
        *_ages(timed, people, born, least["age"]),
        *_named(images, "professional_camera", _cameras(images), PROFESSIONAL, least, "a professional camera"),
        *_named(images, "edited", images["software"], EDITED, least, "an editing program or an agency in the EXIF"),
    ]


def _travel(images: pd.DataFrame, least: float) -> Iterator[Hit]:
    placed = images.dropna(subset=["time", "gps_latitude", "gps_longitude"]).sort_values(["subject", "time", "image"])
    then = placed.groupby("subject")[["time", "gps_latitude", "gps_longitude"]].shift()
    hours = (placed["time"] - then["time"]).dt.total_seconds() / 3600
    places = (then["gps_latitude"], then["gps_longitude"], placed["gps_latitude"], placed["gps_longitude"])
    far = kilometres(*(place.to_numpy(float) for place in places))
    speed = slowest(far, hours.to_numpy(float), (places[3] - places[1]).to_numpy(float))
    fastest = pd.Series(speed, placed["subject"].to_numpy()).dropna().groupby(level=0).max()
    for subject, kmh in fastest[fastest >= least].items():
        reason = f"two images of the person imply at least {kmh:,.0f} km/h"
        yield Hit("travel", subject, float(kmh), NAN, frozenset([subject]), reason)


def _countries(images: pd.DataFrame, least: float) -> Iterator[Hit]:
    """Countries declared within an hour of each other, of images without GPS: with it `_travel` knows better."""
    known = images[images["gps_latitude"].isna()].dropna(subset=["time", "location_country_m49"])
    for subject, own in known.groupby("subject"):
        times, countries = own["time"].to_numpy(), own["location_country_m49"].to_numpy(int)
        near = np.abs(times[:, None] - times) <= np.timedelta64(1, "h")
        most = max(len(set(countries[row])) for row in near)
        if most >= least:
            reason = f"images of the person were taken in {most} countries within an hour, as declared"
            yield Hit("countries", subject, float(most), NAN, frozenset([subject]), reason)


def _many_devices(images: pd.DataFrame, least: float) -> Iterator[Hit]:
    names = [plain_model(*pair) for pair in zip(images["manufacturer"], images["model"], strict=True)]
    known = images.assign(device=names)[lambda rows: rows["device"] != ""]
    counts = known.groupby("subject")["device"].nunique()
    for subject, count in counts[counts >= least].items():
        reason = f"the images of the person were taken with {count} device models"
        yield Hit("many_devices", subject, float(count), NAN, frozenset([subject]), reason)


def _ages(images: pd.DataFrame, people: pd.DataFrame, born: pd.DataFrame, least: float) -> Iterator[Hit]:
    """Years by which a declared age lies outside those from the first of capture and signature to the last."""
    told = people[["image", "subject", "age"]].dropna().merge(images[["image", "time"]], on="image")
    known = born[born["birth_date"] != ""].groupby("subject")
    dates = known.agg(birth=("birth_date", "min"), early=("signed_on", "min"), late=("signed_on", "max"))
    told = told.merge(dates.reset_index(), on="subject")
    birth, *signed = (pd.to_datetime(told[name], errors="coerce") for name in ("birth", "early", "late"))
    spans = [(day - birth).dt.days / DAYS_OF_YEAR for day in (told["time"], *signed)]
    age = told["age"].astype(float)
    first, last = np.fmin.reduce(spans), np.fmax.reduce(spans)
    off = np.fmax(np.floor(first) - age, age - np.floor(last)).clip(lower=0)
    worst = off.groupby(told["subject"]).max().dropna()
    for subject, apart in worst[worst >= least].items():
        reason = f"a declared age is {apart:.0f} years from the date of birth"
        yield Hit("age", subject, float(apart), NAN, frozenset([subject]), reason)


def _cameras(images: pd.DataFrame) -> pd.Series:
    return images["manufacturer"] + " " + images["model"]


def _named(images: pd.DataFrame, rule: str, texts: pd.Series, names: re.Pattern, least: Mapping[str, float], what: str):
    counts = texts.str.contains(names).groupby(images["subject"].to_numpy()).sum()
    for subject, count in counts[counts >= max(1, least[rule])].items():
        yield Hit(rule, subject, float(count), NAN, frozenset([subject]), f"{count} image(s) of the person: {what}")
