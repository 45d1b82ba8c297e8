"""Logos by their names: lines of text that read like a brand of a list, where such a name would be a sign."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from accord.checks.brands.names import WORD, Brand, Names, plain, words
from accord.checks.personal.panels import ink
from accord.checks.personal.proposals import Seen, box

DETECTOR = "brand_names"
SHORT = 4
"""Letters up to which a name is too often another word to be taken for a brand anywhere."""
CERTAIN = 0.9
"""How surely a line must be read for a short name, or an ordinary word, in it to count."""
FEW = 3
"""Words on a line that is a sign."""
ORDINARY = 0.75
"""Factor of the score of names that are ordinary words: they count from a threshold of 0.75 down."""
PROSE = 5
"""Words, most of them in lower case, that make a line one of running text."""
CLOSE, ALIKE = 1.0, 1.6
"""Lines of one text: at most so many heights apart, and one at most so many times as high as the other."""
MARGIN = 0.25
"""Share of a line's height by which its region is larger than the letters."""


class Line(NamedTuple):
    """A line: its words as they are written, how surely it was read, and whether it is one of running text."""

    words: list[str]
    sure: float
    prose: bool = False


class Part(NamedTuple):
    """Neighbouring words of a line, as one plain text."""

    words: list[str]
    plain: str
    whole: bool


def find(lines: Iterable[tuple[str, Sequence[float], float]], brands: Names, threshold: float) -> list[Seen]:
    """What reads like a brand. `lines`: text, polygon (px) and score of OCR; the score is OCR's times the likeness."""
    lines = list(lines)
    found = []
    for (text, polygon, sure), prose in zip(lines, running(lines), strict=True):
        score = sure * likeness(Line(words(text), sure, prose), brands)
        if score >= threshold:
            reason = "its text reads like a listed brand"
            letters = tuple(ink(np.reshape(polygon, (4, 2))).ravel().tolist())
            found.append(Seen("logo", _grown(polygon), DETECTOR, round(score, 4), threshold, reason, (letters,)))
    return found


def likeness(line: Line, brands: Names) -> float:
    """The greatest likeness, 0 to 1, of a brand and of neighbouring words that could be its sign; 0 of none.

    Names of five letters or more count wherever they are spelled; short names, ordinary words and misread ones only
    where a sign would be (docs/checks-content.md has the table).
    """
    return max((_likeness(part, line, brands) for part in _parts(line, brands.most_words)), default=0.0)


def running(lines: Sequence[tuple[str, Sequence[float], float]]) -> list[bool]:
    """Which lines (text, polygon, score) are of running text: sentences, and what is set right above or below them."""
    sentences = [_is_sentence(words(text)) for text, _, _ in lines]
    return [
        own or any(there and _is_beside(polygon, lines[at][1]) for at, there in enumerate(sentences))
        for own, (_, polygon, _) in zip(sentences, lines, strict=True)
    ]


def _parts(line: Line, most_words: int) -> Iterator[Part]:
    """All runs of as many words as brands have; and the whole of a line of single letters, as signs are spaced."""
    count = len(line.words)
    for start in range(count):
        for end in range(start + 1, min(start + most_words, count) + 1):
            own = line.words[start:end]
            yield Part(own, plain("".join(own)), end - start == count)
    if count > max(most_words, 1) and all(len(word) == 1 for word in line.words):
        yield Part(["".join(line.words)], plain("".join(line.words)), True)


def _likeness(part: Part, line: Line, brands: Names) -> float:
    spelled = brands.spelled(part.plain)
    if spelled is not None and len(part.words) <= max(spelled.words, _spaced(part)):
        return _certain(spelled, part, line)
    if line.prose or len(line.words) > brands.most_words + FEW:
        return 0.0
    return max(
        (
            alike
            for brand, alike in brands.misread(part.plain)
            if len(part.words) <= brand.words and _is_sign(brand, part, line)
        ),
        default=0.0,
    )


def _certain(brand: Brand, part: Part, line: Line) -> float:
    """The likeness of a brand that is spelled letter by letter."""
    if len(brand.plain) > SHORT and brand.kind != WORD:
        return 1.0
    if line.prose or line.sure < CERTAIN or not _is_sign(brand, part, line):
        return 0.0
    return ORDINARY if brand.kind == WORD else 1.0


def _is_sign(brand: Brand, part: Part, line: Line) -> bool:
    """Whether a name stands as on a sign: alone on its line, or in capitals among few words.

    An ordinary word must be both alone and in capitals (the first of each word at least); several ordinary words, as
    Burger King, may have few others beside them. Of a short name that was misread nothing else may be on the line.
    """
    capitals = not any(word[0].islower() for word in part.words)
    few = len(line.words) <= len(part.words) - 1 + FEW
    if brand.kind == WORD:
        return capitals and (part.whole or (few and brand.words > 1))
    if len(brand.plain) <= SHORT and part.plain != brand.plain:
        return capitals and part.whole
    return part.whole or (capitals and few)


def _spaced(part: Part) -> int:
    """How many words a spaced name may have been taken apart into: as many as it has letters."""
    return len(part.words) if part.whole and all(len(word) == 1 for word in part.words) else 0


def _is_sentence(written: list[str]) -> bool:
    return len(written) >= PROSE and 2 * sum(word[0].islower() for word in written) > len(written)


def _is_beside(polygon: Sequence[float], other: Sequence[float]) -> bool:
    """Whether a line is right above or below another one, and as high."""
    (left, top, right, bottom), (x0, y0, x1, y1) = _edges(polygon), _edges(other)
    low, high = sorted((bottom - top, y1 - y0))
    gap = max(y0 - bottom, top - y1)
    return min(right, x1) > max(left, x0) and gap <= CLOSE * high and high <= ALIKE * low


def _edges(polygon: Sequence[float]) -> tuple[float, float, float, float]:
    xs, ys = polygon[::2], polygon[1::2]
    return min(xs), min(ys), max(xs), max(ys)


def _grown(polygon: Sequence[float]) -> tuple[float, ...]:
    """The upright box around a line, with its margin."""
    left, top, right, bottom = _edges(polygon)
    margin = MARGIN * (bottom - top)
    return box(*(round(v, 1) for v in (left - margin, top - margin, right + margin, bottom + margin)))
