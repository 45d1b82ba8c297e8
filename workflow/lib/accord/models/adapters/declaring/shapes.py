"""Which inputs can be asked about together."""

from collections import defaultdict
from collections.abc import Sequence


def alike(shapes: Sequence[tuple]) -> list[list[int]]:
    """The numbers of equal shapes together, in the order in which they come first."""
    groups = defaultdict(list)
    for number, shape in enumerate(shapes):
        groups[tuple(shape)].append(number)
    return list(groups.values())
