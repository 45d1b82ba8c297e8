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

    encoder: an entry of models.yaml, as a step is told it; files: the bundle of the rows. A picture is shown alone, so
    that its vector depends on no other. Raises AccordError where the encoder can't be had, or its vector isn't finite.
    """
    if not shown:
        return
    asked = loading.loaded(encoder, weights, tasks.method_of(encoder["task"]))
    size = encoder["batch"]
    with ThreadPoolExecutor(min(THREADS, size), thread_name_prefix="decode") as pool:
        for start in range(0, len(shown), size):
            some = shown[start : start + size]
            pictures = list(pool.map(lambda one: decode.decode(bundle.read(files, one[1])), some))
            found = list(asked.embed(pictures))
            _check(encoder["name"], found, len(some))
            for (image, _), vector in zip(some, found, strict=True):
                if vector is not None:
                    yield image, np.asarray(vector, dtype=np.float32).ravel()


def _check(name: str, found: Sequence[np.ndarray | None], count: int) -> None:
    if len(found) != count:
        what = f"gave {len(found)} answers for {count} pictures"
        raise AccordError(Problem(f"model {name}", what, "an adapter must return one item for each"))
    if not all(np.isfinite(vector).all() for vector in found if vector is not None):
        hint = "an adapter must leave out unknown values"
        raise AccordError(Problem(f"model {name}", "returned numbers that are not finite", hint))
