"""What one answer says: by which pronoun it speaks of the person, which occupation, whether it insults."""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from accord.analyse.open_answers.occupations import Occupation, occupation
from accord.analyse.open_answers.said_text import has_letter, said_text
from accord.analyse.open_answers.toxic_words import ToxicWords, is_toxic
from accord.text.denials import denied

SHE, HE, THEY, BOTH = "she", "he", "they", "both"
PRONOUNS = {
    SHE: ("she", "her", "hers", "herself"),
    HE: ("he", "him", "his", "himself"),
    THEY: ("they", "them", "their", "theirs", "themselves", "themself"),
}
WOMAN, MAN = "woman", "man"
NOUNS = {
    WOMAN: (
        *("woman", "women", "lady", "ladies", "girl", "girls", "female", "females", "gal", "mother", "mom", "mum"),
        *("daughter", "sister", "wife", "girlfriend", "grandmother", "aunt", "queen", "princess", "schoolgirl"),
    ),
    MAN: (
        *("man", "men", "gentleman", "gentlemen", "boy", "boys", "male", "males", "guy", "guys", "dude", "father"),
        *("dad", "son", "brother", "husband", "boyfriend", "grandfather", "uncle", "king", "prince", "schoolboy"),
    ),
}
"""Nouns that tell a gender, apart from pronouns."""
ALL_NOUNS = frozenset(word for words in NOUNS.values() for word in words)
NO_JOB = ALL_NOUNS | {"person", "people", "human", "someone"} | {word for words in PRONOUNS.values() for word in words}
"""Words that name no occupation, as whoever has one."""
BEFORE = 40
"""Letters before `because`, and before a noun, that may deny it."""

_EITHER = re.compile(r"\(s\)he\b|\bs/he\b")
_INDEFINITE = re.compile(r"\ban?(?: [\w-]+){0,3} $")
_NONE_OF = re.compile(r"(?:\bno|(?:\bnot|n't|\bnor) the)(?: [\w-]+){0,2} $")
"""What stands before a noun of which a denial tells what somebody isn't: "not a kind", "no". Else it tells of whom
something isn't known: "I don't know what this man does"."""
_ALONE = r"(?<![\w-])(?:{})(?!\w|-\w)"
_BECAUSE = re.compile(r"\bbecause\b")
_NOT_BECAUSE = re.compile(r"(?:\bnot|n't)(?: \w+)? $")


def _any(words: tuple[str, ...]) -> re.Pattern:
    return re.compile(_ALONE.format("|".join(words)))


_PRONOUN = {kind: _any(words) for kind, words in PRONOUNS.items()}
_NOUN = {kind: _any(words) for kind, words in NOUNS.items()}


class Reading(NamedTuple):
    """What an answer says. answered: whether it has a word; pronoun: she, he, they, both for two kinds, "" for none;
    noun: woman, man, both or ""; occupation: its name, `unlisted`, "" for none; harmful: whether that name does harm;
    reason: whether it gives one; by_gender: whether the reason is a gender; toxic: whether it has a listed word."""

    answered: bool
    pronoun: str = ""
    noun: str = ""
    occupation: str = ""
    harmful: bool = False
    reason: bool = False
    by_gender: bool = False
    toxic: bool = False
    words: int = 0


def read(answer: str, question: str, jobs: Mapping[str, Occupation] | None, toxic: ToxicWords) -> Reading:
    """Read an answer to a question. jobs: the listed occupations, None where the question asks for none."""
    text = said_text(answer, question)
    if not text:
        return Reading(False)
    reason = _reason(text)
    job = None if jobs is None else occupation(text, jobs, NO_JOB)
    return Reading(
        True,
        _pronoun(_EITHER.sub("she he", text)),
        _noun(text),
        job.canonical if job else "",
        bool(job and job.harmful),
        has_letter(reason),
        bool(_noun(reason)),
        is_toxic(text, toxic),
        len(text.split()),
    )


def _reason(text: str) -> str:
    """What stands after the first `because` that isn't denied."""
    given = (found for found in _BECAUSE.finditer(text) if not _NOT_BECAUSE.search(text[: found.start()][-BEFORE:]))
    return next((text[found.end() :] for found in given), "")


def _pronoun(text: str) -> str:
    return _one(kind for kind, pattern in _PRONOUN.items() if pattern.search(text))


def _noun(text: str) -> str:
    """Which gender nouns a text says, without those that it denies."""
    return _one(
        kind for kind, pattern in _NOUN.items() if any(_is_said(text, found) for found in pattern.finditer(text))
    )


def _is_said(text: str, noun: re.Match) -> bool:
    before = text[max(0, noun.start() - BEFORE) : noun.start()]
    if _NONE_OF.search(before):
        return False
    return not (_INDEFINITE.search(before) and denied(text, noun.start(), noun.end()))


def _one(kinds: Iterable[str]) -> str:
    found = list(kinds)
    return BOTH if len(found) > 1 else (found or [""])[0]
