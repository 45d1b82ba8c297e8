"""Names of brands, and which of them something that was read spells: letter by letter, or with letters misread."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from accord.checks.deciding import lists
from accord.errors import all_problems

NAME, NEAR, WORD = KINDS = ("", "near", "yes")
"""Column `word` of a list: no ordinary word; a letter away from one; one, or several of them."""
FREE, MOST = 5, 2
"""A name of so many letters may have one wrong, of twice as many two, and never more."""
HALF = 0.5
"""What a letter counts that was taken for one of its look-alikes, of a wrong letter."""
LOOK_ALIKES = {"0": "o", "q": "o", "1": "l", "i": "l", "j": "l", "5": "s", "8": "b", "2": "z", "6": "g", "9": "g"}
PAIRS = (("rn", "m"), ("vv", "w"), ("cl", "d"))
"""Letters that OCR takes for each other, each for one that stands for all of its kind."""
_ALIKE = str.maketrans(LOOK_ALIKES)


class Brand(NamedTuple):
    """A name, plain; how many words it has as it is written; and its kind."""

    plain: str
    words: int
    kind: str = NAME


class Names:
    """Brands by how they are spelled and by how they can be misread; a look-up doesn't go through all of them."""

    def __init__(self, brands: Iterable[Brand]) -> None:
        self._spelled = {brand.plain: brand for brand in brands}
        self._shapes, self._pieces = defaultdict(list), defaultdict(list)
        for brand in self._spelled.values():
            if brand.kind == NAME:
                self._shapes[shape(brand.plain)].append(brand)
                for start, end in pieces(len(brand.plain)):
                    self._pieces[len(brand.plain), start, brand.plain[start:end]].append(brand)
        self.most_words = max((brand.words for brand in self._spelled.values()), default=0)

    def __len__(self) -> int:
        return len(self._spelled)

    def spelled(self, part: str) -> Brand | None:
        """The brand that has this plain name."""
        return self._spelled.get(part)

    def misread(self, part: str) -> Iterator[tuple[Brand, float]]:
        """The brands that a plain text is like, and its likeness to each, under 1.

        Look-alikes may stand for each other in any name, other letters as `errors` allows. Never of names that are
        ordinary words or a letter away from one.
        """
        if 2 * sum(c.isalpha() for c in part) <= len(part):
            return  # a number is no misread name
        alike = self._shapes.get(shape(part), [])
        yield from ((one, 1 - HALF * max(1, _distance(part, one.plain)) / len(one.plain)) for one in alike)
        for one in self._near(part):
            wrong = _distance(part, one.plain)
            if 0 < wrong <= errors(len(one.plain)):
                yield one, 1 - wrong / len(one.plain)

    def _near(self, part: str) -> set[Brand]:
        """All that share a piece with it, about where it is there: one of k + 1 pieces survives k errors (PassJoin,
        Li et al. 2011)."""
        most = errors(len(part) + MOST)
        return {
            one
            for length in range(len(part) - most, len(part) + most + 1)
            for start, end in pieces(length)
            for by in range(-errors(length), errors(length) + 1)
            if start + by >= 0
            for one in self._pieces.get((length, start, part[start + by : end + by]), ())
        }


def read(path: Path) -> Names:
    """Brands of a CSV with a column `brand`, and, if it has one, `word`. AccordError where it is no such list."""
    with all_problems() as problems:
        rows = lists.rows(path, "brand", "brands", problems)
        for number, row in enumerate(rows, 2):
            if (row.get("word") or NAME) not in KINDS:
                hint = f"{WORD!r} marks an ordinary word, {NEAR!r} a name one letter away from one; or leave it empty"
                problems.add(f"{path}: row {number}", f"has an unknown word {row['word']!r}", hint)
    named = [(row["brand"] or "", row.get("word") or NAME) for row in rows]
    return Names(brand(name, kind) for name, kind in named if plain(name))


def brand(name: str, kind: str = NAME) -> Brand:
    """A brand by its name as it is written."""
    return Brand(plain(name), len(words(name)), kind)


def plain(text: str) -> str:
    """Letters and digits alone, lower case, without accents."""
    return "".join(words(text)).casefold()


def words(text: str) -> list[str]:
    """Runs of letters and digits, without accents, in the case in which they are written."""
    text = text.replace("|", "l").replace("’", "'").replace("'s", "s").replace("'S", "S")
    kept = "".join(c for c in unicodedata.normalize("NFKD", text) if unicodedata.category(c) != "Mn")
    return re.findall(r"[^\W_]+", kept)


def shape(text: str) -> str:
    """A plain text with one letter for all that look alike: what has the same shape can be misread for each other."""
    for pair, one in PAIRS:
        text = text.replace(pair, one)
    return text.translate(_ALIKE)


def errors(length: int) -> int:
    """How many letters may be wrong, missing or too many in a name of so many."""
    return min(length // FREE, MOST)


def pieces(length: int) -> list[tuple[int, int]]:
    """Where a name of so many letters is cut: one piece more than may be wrong; none where none may be."""
    count = errors(length) + 1
    cuts = [length * at // count for at in range(count + 1)]
    return list(pairwise(cuts)) if count > 1 else []


def _distance(one: str, other: str) -> int:
    from rapidfuzz.distance import Levenshtein

    return Levenshtein.distance(one, other)
