"""Which services are asked by way of the vault of answers, and what that may cost, told before anything is sent."""

import math
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd

from accord.consent.deciding.grants import EXTERNAL
from accord.evaluate.asking import answer_vault, paid
from accord.evaluate.asking.answer_vault import Call, Limits
from accord.evaluate.services.paid_faces import PaidFaces, ReplayedFaces
from accord.models import face_services
from accord.release.making import terms


def is_paid(service: Any) -> bool:
    """Whether a service's answers are kept in the vault: it is a `PaidFaceService`."""
    return hasattr(service, "ask")


@contextmanager
def asking(
    service: Any, model: dict, vault: Path, external: dict, calls: Sequence[Call], at_most: bool = False
) -> Iterator[PaidFaces | ReplayedFaces]:
    """The service with its vault, after it was told what the calls may cost; its answers alone where it is an earlier
    version of one that is tested.

    external: `evaluate.external` of the config; at_most: whether fewer calls may do, so that they are no reason to stop
    before the first. Raises AccordError where they go beyond the limits.
    """
    if model.get(face_services.REPLAYED):
        with answer_vault.opened(vault, model) as kept:
            yield ReplayedFaces(kept)
        return
    limits = Limits(external.get("max_calls"), external.get("max_cost"))
    with answer_vault.opened(vault, model) as kept:
        paid.announce(kept, calls, service, Limits() if at_most else limits, lambda line: tell(model, line))
        yield PaidFaces(kept, service, limits, external.get("parallel", 1))


def tell(model: dict, line: str) -> None:
    """A line of the job's log."""
    print(f"{model['name']}: {line}", file=sys.stderr)


def tell_of_pairs(model: dict, queries: pd.DataFrame, cost_per_call: float) -> None:
    """What comparing may cost once the faces are found: told while nothing is paid yet."""
    count = sum(math.comb(len(some), 2) for _, some in queries.groupby("query"))
    cost = f"{count * cost_per_call:.2f}"
    again = "and up to as many again, across queries, for everyone, for each attribute and for each two queries"
    tell(model, f"comparing the faces of these queries takes up to {count} calls more, for {cost}, {again}")


def refused(service: Any, images: pd.DataFrame, allowed: pd.DataFrame) -> pd.DataFrame:
    """The rows (image, ...) that may not be shown to a service, with their `reason`: none where it runs here."""
    if not getattr(service, "external", False):
        return images[:0].assign(reason="")
    return terms.permitted(images, allowed, EXTERNAL).refused
