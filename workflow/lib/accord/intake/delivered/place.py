"""Places: where in a delivery something stands, and what: told to the vendor alone, never in logs or results."""

from typing import NamedTuple


class Place(NamedTuple):
    """A file of a delivery, a line and column of it (0 and "" where it has none), the value there, and what could stand
    there instead, as far as that can be listed."""

    file: str = ""
    line: int = 0
    column: str = ""
    value: str = ""
    labels: tuple[str, ...] = ()


NOWHERE = Place()
