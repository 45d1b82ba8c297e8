"""Published networks of age and gender as ONNX graphs: Levi and Hassner (2015), LMTCNN (Lee et al. 2018), LightFace
(Serengil 2020)."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from accord.errors import AccordError, Problem
from accord.models.adapters.onnx import Session
from accord.models.protocols import Look

GENDERS = ("female", "male")


class AgeGenderNets:
    """weights: `age`, `gender`, or one of them; or `net`, one graph with an output for each. An output has scores of
    classes, one row per picture; it is told apart by their number.

    size: side of the input, px. mean, scale: (value - mean) * scale, of channels in `order`, rgb or bgr; standardised:
    then less the picture's mean and divided by its standard deviation, at least 1 / sqrt(number of values), as
    TensorFlow's per_image_standardization has it. layout: nchw or nhwc. ages: of each class a number of years, or its
    first and last year. expected: whether the age is the mean over classes, by their probabilities, as LightFace has
    it; else the middle of the likeliest class. genders: of each class, female or male. softmax: whether the graphs end
    before it. margin: side of the square around a face that the network is shown, in longer sides of the box.
    """

    GPU = "onnxruntime-gpu"

    def __init__(
        self,
        weights: dict[str, Path],
        size: int,
        ages: Sequence[float | Sequence[float]] = (),
        genders: Sequence[str] = ("male", "female"),
        mean: Sequence[float] = (0.0, 0.0, 0.0),
        scale: float = 1.0,
        order: str = "bgr",
        layout: str = "nchw",
        expected: bool = False,
        softmax: bool = False,
        margin: float = 1.0,
        standardised: bool = False,
    ):
        files = dict.fromkeys(("age", "gender"), weights["net"]) if "net" in weights else weights
        self._nets = {name: Session({"net": files[name]}) for name in ("age", "gender") if name in files}
        self._size, self._mean, self._scale = size, np.array(mean, np.float32), np.float32(scale)
        self._years = np.array([float(np.mean(one)) for one in ages])
        self._genders, self._expected, self._softmax, self._margin = tuple(genders), expected, softmax, margin
        _check(self._nets, self._years, self._genders, order, layout)
        self._backwards, self._first, self._standardised = order == "bgr", layout == "nchw", standardised

    def look(self, pictures: Sequence[np.ndarray], boxes: Sequence[np.ndarray]) -> list[Look]:
        batch = np.stack([self._input(picture, box) for picture, box in zip(pictures, boxes, strict=True)])
        ages: list[float | None] = [None] * len(batch)
        genders = [("", 1.0)] * len(batch)
        if "age" in self._nets:
            found = self._probabilities("age", batch, len(self._years))
            ages = [float(age) for age in (found @ self._years if self._expected else self._years[found.argmax(1)])]
        if "gender" in self._nets:
            found = self._probabilities("gender", batch, len(self._genders))
            genders = [(self._genders[which], float(row[which])) for row in found for which in [row.argmax()]]
        return [Look(age, *gender) for age, gender in zip(ages, genders, strict=True)]

    def _input(self, picture: np.ndarray, box: np.ndarray) -> np.ndarray:
        """The square around the face, as the networks want it."""
        import cv2

        x0, y0, x1, y1 = (float(value) for value in box)
        side = self._margin * max(x1 - x0, y1 - y0)
        left, top = (x0 + x1 - side) / 2, (y0 + y1 - side) / 2
        factor = self._size / side
        shift = np.array([[factor, 0, -left * factor], [0, factor, -top * factor]])
        shift[:, 2] += factor / 2 - 0.5
        square = cv2.warpAffine(
            picture, shift, (self._size, self._size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        ordered = square[..., ::-1] if self._backwards else square
        values = (ordered.astype(np.float32) - self._mean) * self._scale
        if self._standardised:
            values = (values - values.mean()) / max(values.std(), values.size**-0.5)
        return values.transpose(2, 0, 1) if self._first else values

    def _probabilities(self, name: str, batch: np.ndarray, classes: int) -> np.ndarray:
        """(n, classes) float64."""
        outputs = list(self._nets[name](batch).values())
        fitting = [one for one in outputs if one.shape == (len(batch), classes)]
        if len(fitting) != 1:
            shapes = ", ".join(str(one.shape) for one in outputs)
            what = f"the graph answers with {shapes} for {len(batch)} faces and {classes} classes"
            raise AccordError(Problem(f"weights {name}", what, "ages and genders name every class of one output"))
        found = fitting[0].astype(np.float64)
        if not self._softmax:
            return found
        powers = np.exp(found - found.max(1, keepdims=True))
        return powers / powers.sum(1, keepdims=True)


def _check(nets: dict, years: np.ndarray, genders: tuple[str, ...], order: str, layout: str) -> None:
    wrong = {
        "weights: needs `age`, `gender`, or both; or `net`": not nets,
        "ages: names no class, of graph `age`": "age" in nets and not len(years),
        "genders: are not all female or male": not set(genders) <= set(GENDERS),
        "order: is neither rgb nor bgr": order not in ("rgb", "bgr"),
        "layout: is neither nchw nor nhwc": layout not in ("nchw", "nhwc"),
    }
    told = [what.split(": ") for what, bad in wrong.items() if bad]
    if told:
        hint = "see docs/casual-conversations.md"
        raise AccordError(Problem(f"option {where}", what, hint) for where, what in told)
