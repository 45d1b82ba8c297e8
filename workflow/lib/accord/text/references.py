"""References: how vendors name people, images and forms; in one spelling everywhere, and which of them look alike."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable

from accord.shards import opaque_id
from accord.text import unicode

UPPER: dict[str, str] = {
    **dict(zip("АВЕЅІЈКМНОРСТУХ", "ABESIJKMHOPCTYX", strict=True)),
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX", strict=True)),
}
LOWER: dict[str, str] = {
    **dict(zip("авеѕіјкмнорстухһԁԛԝӏ", "abesljkmhopctyxhdqwl", strict=True)),
    **dict(zip("αβεζηικμνορτυχ", "abezhlkmnoptyx", strict=True)),
    **dict(zip("օսոհ", "ounh", strict=True)),
    **dict(zip("ıɑɡ", "lag", strict=True)),
    **dict(zip("01i|", "olll", strict=True)),
    **dict(zip("‐‑‒–—−", "------", strict=True)),
}
"""Letters of other scripts (Cyrillic, Greek, Armenian), digits and dashes that look like Latin ones in most fonts,
after Unicode's confusables (UTS #39); of upper-case letters before case is folded."""

_UPPER, _LOWER = str.maketrans(UPPER), str.maketrans(LOWER)


def normal(reference: str) -> str:
    """A reference as it is compared and digested: in NFKC, without space around it. Case counts.

    One that no reader takes (`texts.fault`) stays as it is: to normalise it could take for ever.
    """
    if reference.isascii():
        return reference.strip()
    return (reference if unicode.fault(reference) else unicodedata.normalize("NFKC", reference)).strip()


def person(vendor: str, reference: str) -> str:
    """The id of a person whom somebody names, however the reference is spelled."""
    return opaque_id(normal(vendor), normal(reference))


def spellings(reference: str) -> set[str]:
    """The ways in which files may spell a reference: as it was given, and in Unicode's composed and split letters."""
    plain = normal(reference)
    return {reference, plain, *([] if unicode.fault(plain) else [unicodedata.normalize("NFD", plain)])}


def skeleton(reference: str) -> str:
    """What a reference looks like: without case, invisible letters and doubled space, lookalikes made one letter."""
    plain = normal(reference)
    if unicode.fault(plain):
        return plain
    if plain.isascii() and plain.isprintable():
        return " ".join(plain.lower().translate(_LOWER).split())
    plain = plain.translate(_UPPER).casefold()
    seen = "".join(_digit(letter) for letter in plain if unicodedata.category(letter) not in ("Cf", "Cc"))
    return " ".join(unicodedata.normalize("NFKC", seen.translate(_LOWER)).split())


def lookalikes(given: Iterable[str]) -> dict[str, list[str]]:
    """Reference -> all others, in their normal spelling, that look like it; of those that have any."""
    alike: dict[str, set[str]] = defaultdict(set)
    for reference in given:
        alike[skeleton(reference)].add(normal(reference))
    return {one: sorted(group - {one}) for group in alike.values() if len(group) > 1 for one in sorted(group)}


def _digit(letter: str) -> str:
    value = unicodedata.decimal(letter, None)
    return letter if value is None else str(value)
