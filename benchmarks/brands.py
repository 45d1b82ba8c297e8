"""Make config/brands.csv again: our own names, those of two free lists, and which of them are ordinary words.

    npm pack name-suggestion-index@8.0.20260918 simple-icons@16.37.0      # unpack each into a folder of its own
    apt-get download scowl                                                # dpkg -x scowl_*.deb scowl
    python benchmarks/brands.py --index FOLDER --icons FOLDER --words scowl/usr/share/dict/scowl

Rows whose source is `accord` are kept as they are written, and are the place for a name that is missing; all others
are made anew. config/LICENSE-brands.md says under which licences the lists are.
"""

import argparse
import csv
import json
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from accord.checks.brands.names import NAME, NEAR, WORD, Names, brand, plain, words

LIST = Path(__file__).parents[1] / "config/brands.csv"
COLUMNS = ("brand", "word", "source")
OURS, INDEX, ICONS = "accord", "name-suggestion-index", "simple-icons"
COMMON, KNOWN, NAMES = 35, 60, 50
"""Sizes of SCOWL: of a small dictionary, of a large one, and of names of people and places that all have heard of."""
ABBREVIATIONS = 70
FEWEST, MOST_WORDS = 4, 5
SHORT = 4
WRITTEN = ("LATIN", "CJK", "HIRAGANA", "KATAKANA")
"""Scripts that the OCR of checks.texts reads."""


class Words(NamedTuple):
    """Ordinary words, plain: those of a small dictionary, of a large one, and these with people's and places' names."""

    common: set[str]
    known: set[str]
    named: set[str]


def main() -> None:
    """Read the lists, write ours."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("index", "icons", "words"):
        parser.add_argument(f"--{name}", type=Path, required=True, help="folder")
    asked = parser.parse_args()
    with LIST.open(newline="", encoding="utf-8") as file:
        ours = [row["brand"] for row in csv.DictReader(file) if row["source"] == OURS]
    sources = {OURS: ours, INDEX: index_names(asked.index), ICONS: icon_names(asked.icons)}
    rows = listed(sources, dictionary(asked.words))
    with LIST.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([COLUMNS, *rows])
    for source in sources:
        own = [row for row in rows if row[2] == source]
        print(source, len(own), {kind: sum(row[1] == kind for row in own) for kind in (NAME, NEAR, WORD)})


def index_names(folder: Path) -> list[str]:
    """Brands, in Latin letters too where they are told, of those that Wikidata knows."""
    categories = json.loads((folder / "dist/json/nsi.min.json").read_text())["nsi"]
    tags = [one["tags"] for path, kind in categories.items() if path.startswith("brands/") for one in kind["items"]]
    known = [one for one in tags if "brand:wikidata" in one]
    return [one[key] for one in known for key in ("brand", "brand:en") if key in one]


def icon_names(folder: Path) -> list[str]:
    """Titles of icons."""
    return [one["title"] for one in json.loads((folder / "data/simple-icons.json").read_text())]


def dictionary(folder: Path) -> Words:
    """SCOWL's English words."""
    common, known = (set(_scowl(folder, "words", size)) for size in (COMMON, KNOWN))
    names = {*_scowl(folder, "proper-names", NAMES), *_scowl(folder, "upper", NAMES)}
    known |= set(_scowl(folder, "abbreviations", ABBREVIATIONS))
    return Words(common, known, known | names)


def listed(sources: dict[str, Iterable[str]], known: Words) -> list[tuple[str, str, str]]:
    """brand, word and source of each name that is fit for a list, by name; the first source counts."""
    found: dict[str, tuple[str, str]] = {}
    for source, names in sources.items():
        for name in names:
            if source == OURS or is_fit(name, known):
                found.setdefault(plain(name), (name, source))
    every = Names(brand(name) for name, _ in found.values())
    near = {one.plain for word in known.named for one, _ in every.misread(word) if one.plain != word}
    rows = [(name, kind(name, source, known, near), source) for name, source in found.values()]
    return sorted(rows, key=lambda row: (row[0].casefold(), row[0]))


def is_fit(name: str, known: Words) -> bool:
    """Whether a name of another's list is one that can be looked for: in letters that are read, and no plain word."""
    text, count = plain(name), len(words(name))
    letters = [c for c in text if c.isalpha()]
    if len(letters) < FEWEST or not 0 < count <= MOST_WORDS:
        return False
    if not all(unicodedata.name(c, "").startswith(WRITTEN) for c in letters):
        return False
    return count > 1 or not (text in known.common or (len(text) <= SHORT and text in known.named))


def kind(name: str, source: str, known: Words, near: set[str]) -> str:
    """How ordinary a name is. Rare words, abbreviations and names of people are ordinary, too, but not among ours."""
    ordinary = known.common if source == OURS else known.named
    parts = [plain(word) for word in words(name)]
    if plain(name) in ordinary or (len(parts) > 1 and all(part in ordinary or part.isdigit() for part in parts)):
        return WORD
    return NEAR if plain(name) in near else NAME


def _scowl(folder: Path, what: str, size: int) -> Iterator[str]:
    for path in sorted(folder.glob(f"*-{what}.*")):
        if "variant" not in path.name and int(path.suffix[1:]) <= size:
            yield from (plain(line) for line in path.read_text(encoding="latin-1").splitlines() if "'" not in line)


if __name__ == "__main__":
    main()
