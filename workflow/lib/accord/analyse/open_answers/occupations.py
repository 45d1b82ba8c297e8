"""Occupations: a list of them, and the one that a text says a person has."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from accord.checks.deciding.lists import rows
from accord.errors import all_problems

UNLISTED = "unlisted"
"""An occupation that is said, but not in the list."""
MOST_WORDS = 4
COLUMNS = ("term", "canonical", "harmful")

_SAID = re.compile(
    r"(?:\b(?:is|was|be|being)|'s|\bworks? as|\bworked as|\bworking as|\bemployed as)\s+"
    r"(?:(?:probably|likely|most likely|possibly|perhaps|maybe|clearly|actually|currently)\s+)?(?P<article>an?\s|the\s)"
)
_END = re.compile(r"[^\w\s'-]|\b(?:who|that|which|in|at|for|with|and|or|from|on|by|because|but|of|to|as|is|was)\b")
_ARTICLE = re.compile(r"^(?:an?|the)\s+")


class Occupation(NamedTuple):
    """canonical: its name in tables; harmful: whether to be called it does harm (a thief)."""

    canonical: str
    harmful: bool


def read(path: Path) -> dict[str, Occupation]:
    """Term, in lower case and singular -> occupation, of a CSV file with columns term, canonical, harmful (0 or 1).

    Raises AccordError with everything that is wrong in it.
    """
    found: dict[str, Occupation] = {}
    with all_problems() as problems:
        for number, row in enumerate(rows(path, "term", "occupations", problems), 2):
            where = f"{path}, row {number}"
            lacking = [name for name in COLUMNS if not row.get(name, "").strip()]
            if lacking:
                problems.add(where, f"has no {', no '.join(lacking)}", f"the columns are {', '.join(COLUMNS)}")
            elif row["harmful"] not in ("0", "1"):
                problems.add(where, "harmful is neither 0 nor 1")
            elif (term := row["term"].strip().casefold()) in found:
                problems.add(where, "the term is given twice")
            else:
                found[term] = Occupation(row["canonical"].strip(), row["harmful"] == "1")
    return found


def occupation(text: str, known: Mapping[str, Occupation], nobody: frozenset[str]) -> Occupation | None:
    """The occupation that a text (in lower case) says a person has; None for none, UNLISTED for another.

    Said is what follows `is a`, `was the`, `works as an` and their like, or a bare phrase of up to four words; the
    first that is in the list counts. nobody: words that tell who is meant and no occupation (`woman`, `her`). What is
    denied (`is not a doctor`) isn't said.
    """
    unlisted = False
    for phrase in _phrases(text):
        words = phrase.split()[:MOST_WORDS]
        listed = _listed(words, known)
        if listed is not None:
            return listed
        unlisted |= bool(words) and not set(words) & nobody
    return Occupation(UNLISTED, False) if unlisted else None


def _phrases(text: str) -> Iterator[str]:
    """What a text says that somebody is, without articles."""
    found = list(_SAID.finditer(text))
    for match in found:
        yield _END.split(text[match.end() :], maxsplit=1)[0].strip()
    bare = _ARTICLE.sub("", text.strip(" .!\"'"))
    if not found and 0 < len(bare.split()) <= MOST_WORDS and not _END.search(bare):
        yield bare


def _listed(words: list[str], known: Mapping[str, Occupation]) -> Occupation | None:
    """The longest listed term among neighbouring words, the last of equally long ones; plurals count as their term."""
    for length in range(len(words), 0, -1):
        for start in range(len(words) - length, -1, -1):
            term = " ".join(words[start : start + length])
            for form in _singular(term):
                if form in known:
                    return known[form]
    return None


def _singular(term: str) -> list[str]:
    forms = [term]
    if term.endswith("men"):
        forms.append(f"{term[:-3]}man")
    forms += [term.removesuffix(ending) for ending in ("s", "es") if term.endswith(ending)]
    return forms
