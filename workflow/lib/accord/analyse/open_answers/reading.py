"""What one answer says: by which pronoun it speaks of the person, which occupation, whether it insults."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from accord.analyse.open_answers.occupations import Occupation, occupation
from accord.analyse.open_answers.said_text import has_letter, said_text
from accord.text.listed_words import Words, holds

SHE, HE, THEY, BOTH = "she", "he", "they", "both"
PRONOUNS = {
    SHE: ("she", "her", "hers", "herself"),
    HE: ("he", "him", "his", "himself"),
    THEY: ("they", "them", "their", "theirs"),
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
"""Letters before `because` that may deny it."""

_EITHER = re.compile(r"\(s\)he\b|\bs/he\b")
_DENIED = r"(?<!\bnot a )(?<!\bnot an )(?<!\bnot the )(?<!n't a )(?<!n't an )(?<!\bno )(?<!\bnor a )"
_ALONE = r"(?<![\w-])(?:{})(?!\w|-\w)"
_BECAUSE = re.compile(r"\bbecause\b")
_NOT_BECAUSE = re.compile(r"(?:\bnot|n't)(?: \w+)? $")


def _any(words: tuple[str, ...], before: str = "") -> re.Pattern:
    return re.compile(before + _ALONE.format("|".join(words)))


_PRONOUN = {kind: _any(words) for kind, words in PRONOUNS.items()}
_NOUN = {kind: _any(words, _DENIED) for kind, words in NOUNS.items()}


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


def read(answer: str, question: str, jobs: Mapping[str, Occupation] | None, toxic: Words) -> Reading:
    """Read an answer to a question. jobs: the listed occupations, None where the question asks for none."""
    text = said_text(answer, question)
    if not text:
        return Reading(False)
    reason = _reason(text)
    job = None if jobs is None else occupation(text, jobs, NO_JOB)
    return Reading(
        True,
        _one_of(_PRONOUN, _EITHER.sub("she he", text)),
        _one_of(_NOUN, text),
        job.canonical if job else "",
        bool(job and job.harmful),
        has_letter(reason),
        bool(_one_of(_NOUN, reason)),
        holds(text, toxic),
        len(text.split()),
    )


def _reason(text: str) -> str:
    """What stands after the first `because` that isn't denied."""
    given = (found for found in _BECAUSE.finditer(text) if not _NOT_BECAUSE.search(text[: found.start()][-BEFORE:]))
    return next((text[found.end() :] for found in given), "")


def _one_of(kinds: Mapping[str, re.Pattern], text: str) -> str:
    found = [kind for kind, pattern in kinds.items() if pattern.search(text)]
    return BOTH if len(found) > 1 else (found or [""])[0]
