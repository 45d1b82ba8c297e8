"""What a network wants to be given, as `input:` of its options declares it: size, fit, colours, numbers, layout."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.errors import AccordError, Problem
from accord.evaluate.adapters import placing
from accord.evaluate.adapters.placing import Placing

HINT = "docs/models.md lists what can be declared"
FITS: dict[str, Callable] = {
    "squeeze": placing.squeezed,
    "letterbox": placing.letterboxed,
    "corner": lambda picture, size: placing.letterboxed(picture, size, corner=True),
    "crop": placing.cropped,
}
LARGEST = 8192


@dataclass(frozen=True)
class Input:
    """A network's input.

    size: height, width. fit: squeeze, letterbox, corner (letterbox at the left and top), crop (the middle).
    window: the part of the picture that is shown, x0, y0, x1, y1 as shares of its sides. order: rgb or bgr. range: what
    0 and 255 become; then mean is taken off and the rest divided by std. pad: 0-255, where the picture doesn't reach.
    layout: nchw or nhwc. margin: how much larger than a person's box the crop is that a pose network is given.
    """

    size: Sequence[int]
    fit: str = "squeeze"
    window: Sequence[float] = (0.0, 0.0, 1.0, 1.0)
    order: str = "rgb"
    range: Sequence[float] = (0.0, 1.0)
    mean: Sequence[float] = (0.0, 0.0, 0.0)
    std: Sequence[float] = (1.0, 1.0, 1.0)
    pad: int = 0
    layout: str = "nchw"
    margin: float = 1.25

    def __post_init__(self) -> None:
        one_of("fit", self.fit, FITS)
        one_of("order", self.order, ("rgb", "bgr"))
        one_of("layout", self.layout, ("nchw", "nhwc"))
        numbers("size", self.size, 2)
        numbers("window", self.window, 4)
        numbers("range", self.range, 2)
        numbers("mean", self.mean, 3)
        numbers("std", self.std, 3)
        if not all(isinstance(side, int) and 0 < side <= LARGEST for side in self.size):
            raise ValueError(f"size is {list(self.size)}: height and width are whole numbers from 1 to {LARGEST}")
        if 0 in self.std or not (self.window[0] < self.window[2] and self.window[1] < self.window[3]):
            raise ValueError("std holds no 0, and a window is x0, y0, x1, y1 with x0 < x1 and y0 < y1")

    def whole(self, picture: np.ndarray) -> Placing:
        """Where the picture, or the window in it, goes."""
        height, width = picture.shape[:2]
        x0, y0, x1, y1 = np.array(self.window) * (width, height, width, height)
        shown = (max(round(y1 - y0), 1), max(round(x1 - x0), 1))
        made = FITS[self.fit](shown, tuple(self.size))
        return made._replace(shift=made.shift - made.scale * (x0, y0), picture=(height, width))

    def around(self, picture: np.ndarray, box: np.ndarray) -> Placing:
        """Where the crop around a person's box goes."""
        return placing.boxed(picture.shape[:2], tuple(self.size), box, self.margin)

    def values(self, picture: np.ndarray, placed: Placing) -> np.ndarray:
        """(3, height, width) or (height, width, 3) float32: what the network is given of a picture."""
        pixels = placing.sampled(picture, placed, self.pad)
        low, high = self.range
        found = pixels[:, :, :: 1 if self.order == "rgb" else -1].astype(np.float32) * ((high - low) / 255) + low
        found = (found - np.float32(self.mean)) / np.float32(self.std)
        return np.ascontiguousarray(found if self.layout == "nhwc" else found.transpose(2, 0, 1), dtype=np.float32)


def declared(kind: type, told: Any, where: str) -> Any:
    """What is declared under a key of the options, checked. Raises AccordError where it doesn't fit."""
    try:
        return kind(**told)
    except (TypeError, ValueError) as error:
        what = str(error).replace(f"{kind.__name__}.__init__() ", "")
        raise AccordError(Problem(f"option {where}", what, HINT)) from None


def one_of(name: str, value: Any, known: Sequence[str] | dict) -> None:
    """Raises ValueError unless a value is one of those that there are."""
    if value not in known:
        raise ValueError(f"{name} is {value!r}: it is one of {', '.join(known)}")


def numbers(name: str, value: Any, count: int) -> None:
    """Raises ValueError unless a value is a list of so many numbers."""
    if isinstance(value, str) or len(value) != count or not all(isinstance(one, int | float) for one in value):
        raise ValueError(f"{name} is {value!r}: it is a list of {count} numbers")
