"""Countries: what people typed, normalised to UN M49.

Tried in this order, on text without case, accents and punctuation: the whole text as a country's name, a nationality
or a city; its part behind the last comma; all its words as such names that agree (`Hanoi Vietnam`); then, of the whole
text and of its last part, the most similar country name or nationality (normalised indel similarity, 0-100), where it
reaches SIMILARITY and no other country comes within MARGIN of it.
Facts: `m49.csv` (UN Statistics Division; Taiwan by its ISO code), `country_aliases.csv`.
"""

import csv
import re
import unicodedata
from functools import cache
from typing import NamedTuple

from accord.engine import resources
from accord.text import unicode

SIMILARITY = 85.0
MARGIN = 5.0
SHORTEST = 4
"""Texts with fewer letters are never matched by similarity: they are one letter from too much."""
LONGEST = 100
M49 = resources.beside(__name__) / "m49.csv"
ALIASES = resources.beside(__name__) / "country_aliases.csv"


class Country(NamedTuple):
    """A country or area of UN M49. `region` and `subregion` are "" for Antarctica."""

    code: int
    iso3: str
    name: str
    region: str
    subregion: str


@cache
def countries() -> dict[str, Country]:
    """ISO 3166-1 alpha-3 -> country."""
    with M49.open(encoding="utf-8", newline="") as file:
        return {row["iso3"]: _country(row) for row in csv.DictReader(file)}


def _country(row: dict[str, str]) -> Country:
    return Country(int(row.pop("code")), **row)


def normalise(given: str) -> Country | None:
    """The country that a text names; None where it names none, or can't be told apart from another."""
    if len(given) > LONGEST or unicode.fault(given):
        return None
    text, last = key(given), key(given.rpartition(",")[2])
    if not text:
        return None
    known = {**_cities(), **_names()}
    iso3 = known.get(text) or known.get(last) or _agreed(text, known) or _most_similar(text) or _most_similar(last)
    return countries()[iso3] if iso3 else None


def key(text: str) -> str:
    """The text without case, accents and punctuation: words with one space between them."""
    plain = unicodedata.normalize("NFKD", text.casefold().replace("&", " and "))
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    plain = re.sub(r"['.’]", "", plain)
    return " ".join(re.findall(r"\w+", plain))


@cache
def _names() -> dict[str, str]:
    """Key of a country's name or nationality -> ISO3. Official names win over aliases."""
    aliases = {key(name): iso3 for column in ("nationalities", "names") for name, iso3 in _aliases(column)}
    return {**aliases, **{key(country.name): iso3 for iso3, country in countries().items()}}


@cache
def _cities() -> dict[str, str]:
    return {key(name): iso3 for name, iso3 in _aliases("cities")}


def _aliases(column: str) -> list[tuple[str, str]]:
    with ALIASES.open(encoding="utf-8", newline="") as file:
        return [(name, row["iso3"]) for row in csv.DictReader(file) for name in row[column].split("|") if name]


def _agreed(text: str, known: dict[str, str]) -> str | None:
    """The one country that all words of a text name, the longest names first: `hanoi vietnam`."""
    words, found, start = text.split(), set(), 0
    while start < len(words):
        ends = (end for end in range(len(words), start, -1) if " ".join(words[start:end]) in known)
        end = next(ends, None)
        if end is None:
            return None
        found.add(known[" ".join(words[start:end])])
        start = end
    return found.pop() if len(found) == 1 else None


def _most_similar(text: str) -> str | None:
    from rapidfuzz import fuzz, process

    if len(text) < SHORTEST:
        return None
    names = _names()
    best: dict[str, float] = {}
    cutoff = SIMILARITY - MARGIN
    for name, score, _ in process.extract(text, names.keys(), scorer=fuzz.ratio, score_cutoff=cutoff, limit=None):
        best[names[name]] = max(score, best.get(names[name], 0.0))
    ranked = sorted(((score, iso3) for iso3, score in best.items()), reverse=True)
    if not ranked or ranked[0][0] < SIMILARITY:
        return None
    return ranked[0][1] if len(ranked) == 1 or ranked[0][0] - ranked[1][0] >= MARGIN else None
