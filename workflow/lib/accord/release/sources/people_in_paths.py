"""Whom a path names: `{target}_{source}/*` says that the first two parts of `033_097/0012.png` are people."""

import re
from functools import cache

HINT = "a path with {name} where a person is named, and * for what is not: '{target}_{source}/*'"
PLACE = re.compile(r"\{[a-z][a-z0-9_]*\}|\*")
PERSON = r"([A-Za-z0-9.]+)"
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
    return list(dict.fromkeys(found.groups())) if found else []


@cache
def _compiled(pattern: str) -> re.Pattern:
    parts = PLACE.split(pattern)
    places = [ANYTHING if place == "*" else PERSON for place in PLACE.findall(pattern)]
    text = "".join(f"{re.escape(part)}{place}" for part, place in zip(parts, [*places, ""], strict=True))
    return re.compile(text)
