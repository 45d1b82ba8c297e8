"""What a network wants to be given, as `input:` of its options declares it: size, fit, colours, numbers, layout."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from accord.errors import AccordError, Problem
from accord.models.adapters.declaring import placing
from accord.models.adapters.declaring.placing import Placing
from accord.models.adapters.declaring.sampling import SAMPLINGS, sampled

HINT = "see docs/models.md for what can be declared"
FITS: dict[str, Callable] = {
    "squeeze": placing.squeezed,
    "letterbox": placing.letterboxed,
    "corner": lambda picture, size: placing.letterboxed(picture, size, corner=True),
    "crop": placing.cropped,
}
ORIGINS = ("corner", "centre")
LARGEST = 8192
WHOLE = (0.0, 0.0, 1.0, 1.0)


@dataclass(frozen=True)
class Bounds:
    """A size that follows the picture: as large as its shorter side is at most `short` and its longer one at most
    `long` px, then filled up to a multiple on each axis. enlarge: whether smaller pictures grow to that."""

    short: int
    long: int
    multiple: int = 1
    enlarge: bool = True

    def __post_init__(self) -> None:
        for name in ("short", "long", "multiple"):
            if not _is_side(getattr(self, name)):
                raise ValueError(f"{name} must be a whole number from 1 to {LARGEST}, not {getattr(self, name)!r}")
        if self.short > self.long:
            raise ValueError(f"long must be at least short, not {self.long} with short {self.short}")
        if not isinstance(self.enlarge, bool):
            raise ValueError(f"enlarge must be true or false, not {self.enlarge!r}")

    def placing(self, picture: tuple[int, int]) -> Placing:
        return placing.bounded(picture, self.short, self.long, self.multiple, self.enlarge)


@dataclass(frozen=True)
class Input:
    """A network's input.

    size: height, width; or a map of `Bounds`. fit: squeeze, letterbox, corner (letterbox at the left and top), crop
    (the middle). window: the part of the picture that is shown, x0, y0, x1, y1 as shares of its sides. sampling: how
    pixels are resized (accord.models.adapters.declaring.sampling). origin: whether the network's code counts from the
    corner of the first pixel or from its centre. order: rgb or bgr. range: what 0 and 255 become; then mean is taken
    off and the rest divided by std. pad: 0-255, where the picture doesn't reach; or `mean`, which becomes 0 there.
    layout: nchw or nhwc. margin: how much larger than a person's box the crop is that a pose network is given.
    """

    size: Sequence[int] | Mapping[str, Any]
    fit: str = "squeeze"
    window: Sequence[float] = WHOLE
    sampling: str = "averaged"
    origin: str = "corner"
    order: str = "rgb"
    range: Sequence[float] = (0.0, 1.0)
    mean: Sequence[float] = (0.0, 0.0, 0.0)
    std: Sequence[float] = (1.0, 1.0, 1.0)
    pad: int | str = 0
    layout: str = "nchw"
    margin: float = 1.25

    def __post_init__(self) -> None:
        one_of("fit", self.fit, FITS)
        one_of("sampling", self.sampling, SAMPLINGS)
        one_of("origin", self.origin, ORIGINS)
        one_of("order", self.order, ("rgb", "bgr"))
        one_of("layout", self.layout, ("nchw", "nhwc"))
        numbers("window", self.window, 4)
        numbers("range", self.range, 2)
        numbers("mean", self.mean, 3)
        numbers("std", self.std, 3)
        if 0 in self.std:
            raise ValueError(f"std must not contain 0, but is {list(self.std)}")
        if not (self.window[0] < self.window[2] and self.window[1] < self.window[3]):
            raise ValueError(f"window must be x0, y0, x1, y1 with x0 < x1 and y0 < y1, not {list(self.window)}")
        if self.range[0] == self.range[1]:
            raise ValueError(f"range must have two different numbers, not {list(self.range)}")
        if not is_number(self.margin) or self.margin <= 0:
            raise ValueError(f"margin must be a number above 0, not {self.margin!r}")
        if self.pad != "mean" and not (isinstance(self.pad, int) and 0 <= self.pad <= 255):
            raise ValueError(f"pad must be a whole number from 0 to 255, or mean, not {self.pad!r}")
        if self.origin == "centre" and self.fit != "letterbox":
            raise ValueError(f"origin: centre requires fit: letterbox, not {self.fit}")
        self._check_size()

    def _check_size(self) -> None:
        if isinstance(self.size, Mapping):
            # Frozen: what is declared as a map becomes what it means.
            object.__setattr__(self, "size", bounds(self.size))
            if self.fit != "corner" or tuple(self.window) != WHOLE:
                raise ValueError("a size with short and long requires fit: corner, and no window")
            return
        numbers("size", self.size, 2)
        if not all(map(_is_side, self.size)):
            raise ValueError(
                f"size must be a height and width, whole numbers from 1 to {LARGEST}, not {list(self.size)}"
            )

    def whole(self, picture: np.ndarray) -> Placing:
        """Where the picture, or the window in it, goes."""
        height, width = picture.shape[:2]
        if isinstance(self.size, Bounds):
            return self.size.placing((height, width))
        if self.origin == "centre":
            # To such code, a picture reaches from the centre of its first pixel to that of its last.
            return self._boxed((height, width), np.array([0, 0, width - 1, height - 1]), 1.0)
        x0, y0, x1, y1 = np.array(self.window) * (width, height, width, height)
        shown = (max(round(y1 - y0), 1), max(round(x1 - x0), 1))
        made = FITS[self.fit](shown, tuple(self.size))
        return made._replace(shift=made.shift - made.scale * (x0, y0), picture=(height, width))

    def around(self, picture: np.ndarray, box: np.ndarray) -> Placing:
        """Where the crop around a person's box goes. Raises AccordError where no crop has one size."""
        if isinstance(self.size, Bounds):
            what = "has short and long, but crops of people need one height and width"
            raise AccordError(Problem("option input: size", what, HINT))
        return self._boxed(picture.shape[:2], box, self.margin)

    def _boxed(self, picture: tuple[int, int], box: np.ndarray, margin: float) -> Placing:
        assert isinstance(self.size, Sequence)  # of bounds, no crop of one size is asked for
        made = placing.boxed(picture, (self.size[0], self.size[1]), box, margin)
        return placing.from_centres(made) if self.origin == "centre" else made

    def values(self, picture: np.ndarray, placed: Placing) -> np.ndarray:
        """(3, height, width) or (height, width, 3) float32: what the network is given of a picture."""
        pixels = sampled(picture, placed, self.pad if isinstance(self.pad, int) else 0, self.sampling)
        low, high = self.range
        found = pixels[:, :, :: 1 if self.order == "rgb" else -1].astype(np.float32) * ((high - low) / 255) + low
        found = (found - np.array(self.mean, np.float32)) / np.array(self.std, np.float32)
        if self.pad == "mean":
            x0, y0, x1, y1 = placed.inside()
            found[:y0], found[y1:], found[:, :x0], found[:, x1:] = 0, 0, 0, 0
        return np.ascontiguousarray(found if self.layout == "nhwc" else found.transpose(2, 0, 1), dtype=np.float32)

    def mirrored(self, values: np.ndarray) -> np.ndarray:
        """The mirror image of what the network is given."""
        return np.ascontiguousarray(values[:, ::-1] if self.layout == "nhwc" else values[:, :, ::-1])


def bounds(told: Mapping[str, Any]) -> Bounds:
    """A size that follows the picture, as it is declared. Raises ValueError where it isn't one."""
    known = [field.name for field in fields(Bounds)]
    if not {"short", "long"} <= set(told) or set(told) - set(known):
        raise ValueError(
            f"size must have short and long, and may have multiple and enlarge, but has {', '.join(told) or 'none'}"
        )
    return Bounds(**told)


def _is_side(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= LARGEST


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
        raise ValueError(f"{name} must be one of {', '.join(known)}, not {value!r}")


def numbers(name: str, value: Any, count: int) -> None:
    """Raises ValueError unless a value is a list of so many numbers."""
    if isinstance(value, str) or len(value) != count or not all(map(is_number, value)):
        raise ValueError(f"{name} must be a list of {count} numbers, not {value!r}")


def is_number(value: Any) -> bool:
    """Whether a value is a finite number: with any other a network would see nothing, and nobody would be told."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
