"""What a frozen encoder makes of pictures: a vector each, of faces cut out or whole pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from accord.errors import AccordError, Problem
from accord.imaging import bundle, decode
from accord.models import loading, tasks

THREADS = 16
Shown = tuple[str, Any]
"""An image, and the row of Derivatives of the picture of it that is shown."""


def vectors(
    encoder: dict[str, Any], weights: Path, files: Path, shown: Sequence[Shown]
) -> Iterator[tuple[str, np.ndarray]]:
    """(image, vector (d,) float32) of each picture of which the encoder makes something.

    encoder: an entry of models.yaml, as a step is told it; files: the bundle of the rows. Pictures are decoded side by
    side, but each is shown alone: the last digits of a network's answer depend on what else it is shown, and vectors
    are kept when others leave. Raises AccordError where the encoder can't be had, or its vector isn't finite.
    """
    if not shown:
        return
    asked = loading.loaded(encoder, weights, tasks.method_of(encoder["task"]))
    size = encoder["batch"]
    with ThreadPoolExecutor(min(THREADS, size), thread_name_prefix="decode") as pool:
        for start in range(0, len(shown), size):
            some = shown[start : start + size]
            pictures = list(pool.map(lambda one: decode.decode(bundle.read(files, one[1])), some))
            for (image, _), picture in zip(some, pictures, strict=True):
                found = list(asked.embed([picture]))
                _check(encoder["name"], found)
                for vector in (one for one in found if one is not None):
                    yield image, np.asarray(vector, dtype=np.float32).ravel()


def _check(name: str, found: Sequence[np.ndarray | None]) -> None:
    if len(found) != 1:
        what = f"gave {len(found)} answers for 1 picture"
        raise AccordError(Problem(f"model {name}", what, "an adapter must return one item for each"))
    if not all(np.isfinite(vector).all() for vector in found if vector is not None):
        hint = "an adapter must leave out unknown values"
        raise AccordError(Problem(f"model {name}", "returned numbers that are not finite", hint))
