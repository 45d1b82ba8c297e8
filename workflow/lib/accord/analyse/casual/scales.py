"""Scales of skin that raters vote on: Fitzpatrick's six types, Monk's ten tones, and the groups they fall into."""

from typing import NamedTuple

from accord.release.archives import shared


class Scale(NamedTuple):
    """Values 1, 2, ... of a scale, lightest first: what each is called, and the group that it falls into."""

    name: str
    labels: tuple[str, ...]
    groups: tuple[str, ...]

    def value(self, text: str) -> int | None:
        """The value that a text names, as a number or by its label; None for any other text."""
        if text in self.labels:
            return self.labels.index(text) + 1
        return int(text) if text.isascii() and text.isdecimal() and 1 <= int(text[:9]) <= len(self.labels) else None


FITZPATRICK = Scale(
    "fitzpatrick", shared.ROMAN, tuple(shared.fitzpatrick(number)[shared.SKIN] for number in range(1, shared.TYPES + 1))
)
MONK = Scale(
    "monk",
    tuple(str(number) for number in range(1, shared.TONES + 1)),
    tuple(shared.monk(number) for number in range(1, shared.TONES + 1)),
)
SCALES = {scale.name: scale for scale in (FITZPATRICK, MONK)}
