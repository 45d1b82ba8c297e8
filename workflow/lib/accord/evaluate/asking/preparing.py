"""Pictures made ready for a model's network in the threads that decode them: `prepare` of accord.models.protocols."""

from collections.abc import Callable
from typing import Any

import numpy as np

from accord.evaluate.asking import failing

Prepare = Callable[[Any, Any, np.ndarray], Any]
"""Adapter, row of Derivatives, its picture -> what the adapter is given in its place."""


def whole(adapter: Any, row: Any, picture: np.ndarray) -> Any:
    """The picture as the adapter prepares it."""
    return adapter.prepare(picture)


def ahead(model: dict, adapter: Any, prepare: Prepare | None = whole) -> Callable[[Any, np.ndarray], Any] | None:
    """What `pictures.stream` makes of each picture; None where the adapter prepares none, or its task wants them whole.

    Raises AccordError, as `failing.asked` does, with the picture on which the adapter fails.
    """
    if prepare is None or not hasattr(adapter, "prepare"):
        return None
    return lambda row, picture: failing.asked(
        model, lambda rows, shown: prepare(adapter, rows[0], shown[0]), [[row], [picture]], failing.names([row])
    )
