"""Listed words in free text, as words of their own, however they are disguised; and never inside innocent words."""

import re
import unicodedata
from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

LEET = str.maketrans("0134578@$!|€+", "oieastbasilet")
LOOKALIKES = str.maketrans("абвгеіјкмнорстухѕԁɡαβεικνορτυχωℓıøđł", "abbreijkmhopctyxsdgabeiknoptuxwliodl")
"""Cyrillic, Greek and other letters, and the Latin ones that they pass for (a part of Unicode's confusables)."""
FUZZY_FROM = 7
"""Letters from which a word with one wrong letter counts too."""
SPACED = re.compile(r"(?<!\w)_*(?:[^\W_][\s._*-]+){2,}[^\W_]_*(?!\w)")
"""Single letters with signs between them. Letters and signs share none, so that there is one way to read a text."""
SIGNS = re.compile(r"[0134578@$!|€+]{1,64}(?=\w)|(?<=\w)[0134578@$|€+]{1,64}")
"""Signs that stand for letters. Bounded: how long a match is sought must not grow with the square of a text."""


class Words(NamedTuple):
    """A list of words: squeezed word -> the lengths of its runs, of each way to write it; the ones in which a letter
    may be wrong."""

    runs: dict[str, list[tuple[int, ...]]]
    long: tuple[str, ...]


def listed(words: Iterable[str], *, misspelt: bool = True) -> Words:
    """A list of single words. misspelt: whether long ones also count with one wrong letter."""
    runs: dict[str, list[tuple[int, ...]]] = {}
    for word in words:
        squeezed, lengths = squeeze(normalised(word).strip())
        runs.setdefault(squeezed, []).append(lengths)
    runs.pop("", None)
    return Words(runs, tuple(sorted(word for word in runs if misspelt and len(word) >= FUZZY_FROM)))


def holds(text: str, words: Words) -> bool:
    """Whether a text holds one of the words as a word of its own: spaced, drawn out, or written with other signs."""
    plain = normalised(text)
    tokens = {*re.findall(r"[^\W\d_]+", plain), *(re.sub(r"[\W\d_]", "", part) for part in plain.split())}
    tokens |= {re.sub(r"[\W_]", "", run) for run in SPACED.findall(plain)}
    return any(_is_word(form, words) for token in tokens for form in (token, *_singular(token)))


def normalised(text: str) -> str:
    """Lower case, compatible forms made plain, marks and invisible signs gone, look-alikes and leet as letters.

    Signs are read as letters only beside letters, so that numbers stay numbers.
    """
    plain = unicodedata.normalize("NFKD", text).casefold()
    kept = "".join(sign for sign in plain if unicodedata.category(sign) not in ("Mn", "Cf", "Cc") or sign.isspace())
    return re.sub(r"\S+", _unleeted, kept.translate(LOOKALIKES))


def squeeze(word: str) -> tuple[str, tuple[int, ...]]:
    """A word with each run of one letter made single, and how long the runs were."""
    runs = [(letter, len(list(run))) for letter, run in groupby(word)]
    return "".join(letter for letter, _ in runs), tuple(length for _, length in runs)


def _unleeted(found: re.Match) -> str:
    if not re.search(r"[^\W\d_]", found[0]):
        return found[0]
    return SIGNS.sub(lambda signs: signs[0].translate(LEET), found[0])


def _singular(token: str) -> list[str]:
    return [token.removesuffix(ending) for ending in ("s", "es") if token.endswith(ending)]


def _is_word(token: str, words: Words) -> bool:
    """Letters may be drawn out, never left out: Niger is a country."""
    squeezed, lengths = squeeze(token)
    for runs in words.runs.get(squeezed, ()):
        if all(given >= wanted for given, wanted in zip(lengths, runs, strict=True)):
            return True
    return len(squeezed) >= FUZZY_FROM and bool(words.long) and _is_near(squeezed, words.long)


def _is_near(squeezed: str, words: tuple[str, ...]) -> bool:
    from rapidfuzz.distance import DamerauLevenshtein

    return any(
        squeezed[0] == word[0] and DamerauLevenshtein.distance(squeezed, word, score_cutoff=1) <= 1 for word in words
    )
