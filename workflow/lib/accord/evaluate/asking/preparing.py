"""Pictures made ready for a model's network in the threads that decode them: `prepare` of accord.models.protocols."""

from collections.abc import Callable
from typing import Any

import numpy as np

from accord.errors import AccordError, Problem
from accord.evaluate.asking import failing
from accord.models.protocols import Prepared

Prepare = Callable[[Any, Any, np.ndarray], Any]
"""Adapter, row of Derivatives, its picture -> what the adapter is given in its place."""


def whole(adapter: Any, row: Any, picture: np.ndarray) -> Prepared:
    """The picture as the adapter prepares it."""
    return prepared(adapter, picture)


def prepared(adapter: Any, picture: np.ndarray, *box: np.ndarray) -> Prepared:
    """A picture, or one person's box in it, as the adapter prepares it. Raises AccordError where that is something
    else: a class may have a method of that name for itself."""
    made = adapter.prepare(picture, *box)
    if not isinstance(made, Prepared):
        what = f"prepare() returned {type(made).__name__}, not Prepared"
        hint = "see accord.models.protocols; a method for another purpose needs another name"
        raise AccordError(Problem(f"adapter {type(adapter).__name__}", what, hint))
    return made


def ahead(model: dict, adapter: Any, prepare: Prepare | None = whole) -> Callable[[Any, np.ndarray], Any] | None:
    """What `pictures.stream` makes of each picture; None where the adapter prepares none, or its task wants them whole.

    Raises AccordError, as `failing.asked` does, with the picture on which the adapter fails.
    """
    if prepare is None or not hasattr(adapter, "prepare"):
        return None
    return lambda row, picture: failing.asked(
        model, lambda rows, shown: prepare(adapter, rows[0], shown[0]), [[row], [picture]], failing.names([row])
    )
