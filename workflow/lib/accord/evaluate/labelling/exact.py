"""Answers that are a label, but for quotation marks, punctuation, case, and the letter of a choice."""

import re
import unicodedata
from collections.abc import Sequence

from accord.text.denials import denies

YES, NO, UNKNOWN = "yes", "no", "unknown"
CHOICES = (YES, NO, UNKNOWN)
"""The labels of p2 and p3, in the order in which they are offered."""
LETTERS: dict[str, str] = dict(zip("abc", CHOICES, strict=True))

_QUOTED = re.compile(r"[\"“”„«»]([^\"“”„«»]*)[\"“”„«»]|(?<!\w)['‘’]([^'‘’]*)['‘’](?!\w)")
_WORDS = re.compile(r"\w+")
_LETTER = re.compile(r"\W*([abc])\W*(?:[.):\]]|$)\s*", re.IGNORECASE)
_INTRODUCED = re.compile(
    r"\W*(?:(?:my|the) )?(?:(?:best|correct|final|right) )?(?:answer|option|choice)\b(?: is)?\s*:?\s*(?=\W*\w)",
    re.IGNORECASE,
)
"""What may stand before a choice: Answer: A, the correct option is B."""
_OPENING = re.compile(r"\W*(?!no\.?\s*\d)([^\W_]+)(?!-\w)\s*(?:[^\w\s]|$)")
"""An opening word with a sign or nothing behind it. "No. 1" is a number."""
_LATER_LETTER = re.compile(r"(?<![\w'’-])[abc](?![\w'’-]|\s+\w)")
"""A letter of a choice that stands behind its word; followed by a word it is an article."""


def words(text: str) -> str:
    """The words of a text in small letters: `_`, punctuation and marks become spaces."""
    plain = unicodedata.normalize("NFKC", text).casefold().replace("_", " ")
    return " ".join(_WORDS.findall(plain))


def class_of(text: str, classes: Sequence[str]) -> str:
    """The class that an answer names: it is the whole answer, or all that stands in quotation marks; else "".

    Where words beside the quotation marks deny ("not a", "is wrong"), nothing is named.
    """
    known = {words(name): name for name in reversed(classes)}
    quoted = [words(one or other) for one, other in _QUOTED.findall(text)]
    beside = _QUOTED.sub(" ", text).casefold().replace("’", "'")
    named = set() if denies(beside) else {part for part in quoted if part}
    for found in ({words(text)}, named):
        if len(found) == 1 and (label := known.get(next(iter(found)))):
            return label
    return ""


def choice_of(text: str) -> str:
    """Yes, no or unknown, where an answer is that word or its letter, or opens with it; else "".

    An answer that names two of them ("A. Yes, B. No, C. Unknown"), or whose letter, before or after it, is not that of
    its word, is none.
    """
    plain = unicodedata.normalize("NFKC", text)
    introduced = _INTRODUCED.match(plain)
    plain = plain[introduced.end() :] if introduced else plain
    letter = _LETTER.match(plain)
    rest = plain[letter.end() :] if letter else plain
    named = {word for word in words(rest).split() if word in CHOICES}
    named |= {LETTERS[found] for found in _LATER_LETTER.findall(rest.casefold())}
    opening = _OPENING.match(rest.casefold())
    word = opening[1] if opening and opening[1] in CHOICES else ""
    if letter:
        chosen = LETTERS[letter[1].casefold()]
        return chosen if named <= {chosen} and (word or not words(rest)) else ""
    return word if named == {word} else ""
