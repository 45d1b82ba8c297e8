"""Labels as FHIBE's tables spell them, and as our vocabularies do.

FHIBE numbers nationalities (`93. Indian`; GOV.UK's list of 2022 in its order, `nationalities.csv`), where ours are the
names of countries in UN M49. Its rows say `12. Free-text` where its vocabulary says `12. Report string`, and have the
region of each subregion of an ancestry (`11. Asia`, `15. Southern Asia`), by which its tools compare.
"""

import csv
from functools import cache

from accord.engine import resources
from accord.intake.reading.countries import countries
from accord.vocabularies import ANCESTRY_REGIONS, ATTRIBUTES, numbered, text

NATIONALITIES = resources.beside(__name__) / "nationalities.csv"
REPORTED, FREE_TEXT = "Report string", "Free-text"
_REGIONS = {part: region for region, parts in ANCESTRY_REGIONS.items() for part in parts}


def published(column: str, values: list[str]) -> list[str]:
    """Values of an attribute as FHIBE's rows have them: each once, sorted as text. What people wrote in their own words
    is not told."""
    if column == "ancestry":
        return sorted({*values, *(_REGIONS[value] for value in values if value in _REGIONS)})
    spell = _nationality if column == "nationality" else _free_text
    return sorted(set(map(spell, values)))


def taken(column: str, value: str) -> str:
    """A value of FHIBE's rows as our vocabularies have it; one that they don't know stays as it is."""
    if column == "nationality":
        return _countries().get(value, value)
    reported = f"{value.removesuffix(FREE_TEXT)}{REPORTED}"
    return reported if reported in (ATTRIBUTES[column].labels if column in ATTRIBUTES else ()) else value


def _free_text(value: str) -> str:
    return f"{value.removesuffix(REPORTED)}{FREE_TEXT}" if text(value) == REPORTED else value


def _nationality(value: str) -> str:
    if value in _labels():
        return _free_text(value)
    *_, not_listed, reported = _labels()
    return _of_country().get(value) or (not_listed if value in _names() else _free_text(reported))


@cache
def _rows() -> tuple[dict[str, str], ...]:
    with NATIONALITIES.open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


@cache
def _labels() -> tuple[str, ...]:
    return numbered(*(row["nationality"] for row in _rows()))


@cache
def _of_country() -> dict[str, str]:
    """Country of UN M49 -> label."""
    rows = zip(_rows(), _labels(), strict=True)
    return {countries()[row["iso3"]].name: label for row, label in rows if row["iso3"]}


@cache
def _countries() -> dict[str, str]:
    """Label -> country of UN M49."""
    return {label: name for name, label in _of_country().items()}


@cache
def _names() -> frozenset[str]:
    return frozenset(country.name for country in countries().values())
