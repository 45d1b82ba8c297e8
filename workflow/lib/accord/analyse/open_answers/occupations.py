"""Occupations: a list of them, and the one that a text says a person has."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from accord.checks.deciding.lists import rows
from accord.errors import all_problems

UNLISTED = "unlisted"
"""An occupation that is said, but not in the list."""
MOST_WORDS, LONGEST = 4, 8
"""Words of a term, and of a bare phrase; words of a phrase that are searched for a term."""
COLUMNS = ("term", "canonical", "harmful")

_WORD = re.compile(r"[^\W_](?:[\w'-]*[^\W_])?")
_MAYBE = "(?:also|actually|apparently|clearly|currently|either|likely|maybe|most|now|perhaps|possibly|probably|still)"
_VERB = r"(?:\b(?:is|was|are|were|am|be|being|as)|(?<=\w)'(?:s|m|re))"
_SAID = re.compile(
    rf"{_VERB}(?: {_MAYBE})* (?:an?|the) (?=\w)"
    r"|\b(?:occupation|profession|job) (?:is|was)(?: (?:that of|to be))? (?:(?:an?|the) )?(?=\w)"
)
"""What stands before the phrase: is a, 's an, was the, works as a, probably is a, his occupation is."""
_PLAINLY = re.compile(rf"{_VERB} (?=\w)")
"""What also stands before a listed term, without an article: works as waiter, they are teachers."""
_END = frozenset((
    "who", "that", "which", "in", "at", "for", "with", "and", "or", "from", "on", "by", "because", "but", "of", "to",
    "as", "is", "was", "are", "were", "has", "have", "had", "nor", "not", "no", "never", "so", "than", "then", "when",
    "where", "while", "whose", "a", "an", "the",
))  # fmt: skip
"""Words that end a phrase."""
_ARTICLE = re.compile(r"(?:an?|the) ")
_DENIED = re.compile(r"\b(?:not|no|never|nothing|none|neither|cannot|unknown|unclear)\b|n't\b")
"""Of a bare phrase: what says that nothing is known, or that something isn't so."""


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

    Said is what follows `is a`, `was the`, `works as an` and their like, or a bare phrase; the first that is in the
    list counts. nobody: words that tell who is meant and no occupation (`woman`, `her`). What is denied (`is not a
    doctor`, `no thief`) isn't said.
    """
    phrases = list(_phrases(text))
    plain = (_words(text[found.end() :]) for found in _PLAINLY.finditer(text))
    listed = next(filter(None, (_listed(words, known) for words in (*phrases, *plain))), None)
    unlisted = any(words and not set(words) & nobody for words in phrases)
    return listed or (Occupation(UNLISTED, False) if unlisted else None)


def _phrases(text: str) -> Iterator[list[str]]:
    """What a text says that somebody is, without articles; of a text without a verb all that it says, if that is a
    phrase: of few words, or after an article."""
    found = list(_SAID.finditer(text))
    yield from (_words(text[match.end() :]) for match in found)
    if not found and not _DENIED.search(text):
        plain = text.strip(" .!\"'")
        bare = _ARTICLE.match(plain)
        words = _words(plain[bare.end() :] if bare else plain)
        yield words if bare or len(words) <= MOST_WORDS else []


def _words(text: str) -> list[str]:
    """The first words of a text, up to a sign or a word that ends a phrase."""
    words: list[str] = []
    place = 0
    while len(words) < LONGEST and (found := _WORD.match(text, place)) and found[0] not in _END:
        words.append(found[0])
        place = found.end() + 1
        if text[found.end() : place] != " ":
            break
    return words


def _listed(words: list[str], known: Mapping[str, Occupation]) -> Occupation | None:
    """The longest listed term of up to MOST_WORDS neighbouring words, the last of equally long ones; plurals count as
    their term. At the end of the words, where English has the noun that counts, before all others."""
    ends = [(start, len(words)) for start in range(max(0, len(words) - MOST_WORDS), len(words))]
    within = [(start, start + length) for length in range(MOST_WORDS, 0, -1)
              for start in range(len(words) - length, -1, -1)]  # fmt: skip
    for start, end in (*ends, *within):
        for form in _singular(" ".join(words[start:end])):
            if form in known:
                return known[form]
    return None


def _singular(term: str) -> list[str]:
    forms = [term]
    if term.endswith("men"):
        forms.append(f"{term[:-3]}man")
    forms += [term.removesuffix(ending) for ending in ("s", "es") if term.endswith(ending)]
    return forms
