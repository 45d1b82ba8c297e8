"""Whom a path names: `{target}_{source}/*` says that the first two parts of `033_097/0012.png` are people."""

import re
import unicodedata
from functools import cache

HINT = "a path with {name} where a person is named, and * for what is not: '{target}_{source}/*'"
PLACE = re.compile(r"\{[a-z][a-z0-9_]*\}|\*")
ANYTHING = r"[^/]*"
MOST = 4
"""People in a pattern."""


def is_pattern(text: str) -> bool:
    """Whether a text is a pattern: it names 1 to 4 people, each with something else between them."""
    places = PLACE.findall(text)
    people = [place for place in places if place != "*"]
    fixed = PLACE.split(text)
    apart = all(fixed[1:-1]) and not any("{" in part or "}" in part for part in fixed)
    return (
        text.isprintable() and len(text) <= 200 and apart and 1 <= len(people) <= MOST and len({*people}) == len(people)
    )


def people(pattern: str, path: str) -> list[str]:
    """The people whom a path in a source's folder names, in the pattern's order, each once; none where it is of
    another form. An ending such as .png counts with what follows the last place."""
    found = _compiled(pattern).fullmatch(path)
    names = list(dict.fromkeys(map(spelt, found.groups()))) if found else []
    return names if all(names) else []


def spelt(name: str) -> str:
    """A name as it is compared: an accented letter is one letter, whichever system wrote the path."""
    return unicodedata.normalize("NFC", name).strip()


def shape(path: str) -> str:
    """The form of a path, for messages that name nobody: letters are a, digits are 0, the ending as it is."""
    named, dot, ending = path.rpartition(".")
    return "".join("a" if sign.isalpha() else "0" if sign.isdigit() else sign for sign in named) + dot + ending


@cache
def _compiled(pattern: str) -> re.Pattern:
    parts = PLACE.split(pattern)
    between = ["", *parts[1:-1], ""]
    places = [
        ANYTHING if place == "*" else _person(between[number], between[number + 1])
        for number, place in enumerate(PLACE.findall(pattern))
    ]
    text = "".join(f"{re.escape(part)}{place}" for part, place in zip(parts, [*places, ""], strict=True))
    return re.compile(text)


def _person(before: str, after: str) -> str:
    """A name: all but what stands between it and the places beside it, so that one path is read in one way."""
    apart = "|".join(re.escape(text) for text in (before, after) if text)
    return rf"((?:(?!{apart})[^/])+)" if apart else r"([^/]+)"
