"""How alike a recognition service finds each pair of faces that it is shown together."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.engine import table
from accord.engine.parameter_types import Folder, Private
from accord.errors import AccordError, Problem
from accord.evaluate.asking import answer_vault, failing
from accord.evaluate.services import by_vault, without_detection
from accord.evaluate.services.album import Album
from accord.evaluate.services.paid_faces import Pair, calls_of
from accord.evaluate.tables.services import Confidences, FaceIds, FacePairs
from accord.models import face_services
from accord.models.face_calls import NONE, SEVERAL
from accord.models.protocols import Answer
from accord.release.tables import Derivatives

SIDES = ["x0", "y0", "x1", "y1"]
NOT_SINGLE = "not asked: one of the pictures shows this service no single face"
UNSETTLED = "not asked: it was not settled whether both pictures show this service a single face"
Named = tuple[str, str]
Compare = Callable[[Sequence[Pair]], Sequence[Answer]]


def run(
    pairs: DataFrame[FacePairs],
    faces: DataFrame[FaceIds],
    derivatives: list[Path],
    files: list[Path],
    *,
    service: dict,
    weights: Folder,
    seed: int,
    vault: Private | None = None,
    external: dict | None = None,
) -> DataFrame[Confidences]:
    """The service's own score of each pair, and why there is none. An earlier version of a service (`replayed`) is
    asked nothing: its kept answers are all.

    faces: of all shards; derivatives, files: tables Derivatives and their bundles, in the same order. A service is
    shown squares around its own boxes; one that finds no faces for itself whole pictures, in an order that `seed`
    decides: which of them show it a single face is found out on the way. Pictures that may not be shown to it have no
    face. Vault, external: as of evaluate.service_boxes. Raises AccordError as that does, and for a score that isn't
    finite.
    """
    told = face_services.load(service, weights)
    album = Album(zip((table.read([path], Derivatives) for path in derivatives), files, strict=True))
    blind = face_services.compares(service) == face_services.PICTURES
    mine = faces[(faces["face"] != "") & (faces["service"] == service["name"])].set_index("face")
    boxes = dict(zip(mine.index, mine[SIDES].to_numpy(float), strict=True))
    shown = {face: album.whole(face) if blind else album.face(face, box) for face, box in boxes.items()}
    wanted = list(zip(pairs["left"], pairs["right"], strict=True))
    every = [(shown[left], shown[right]) for left, right in wanted]
    with _comparing(told, service, vault, external or {}, every, blind) as compare:

        def ask(some: Sequence[Named]) -> Sequence[Answer]:
            return compare([(shown[left], shown[right]) for left, right in some])

        found = _blind(wanted, mine["query"], seed, ask) if blind else dict(zip(wanted, ask(wanted), strict=True))
    version = answer_vault.digest(service)[:12]
    said = ((pair, found[pair]) for pair in wanted)
    made = [(service["name"], version, *pair, _number(answer), answer.reason) for pair, answer in said]
    return table.rows(made, Confidences)


@contextmanager
def _comparing(
    told: Any, service: dict, vault: Path | None, external: dict, pairs: Sequence[Pair], at_most: bool
) -> Iterator[Compare]:
    if vault is None or not by_vault.is_paid(told):
        yield lambda some: [_compared(told, service, *pair) for pair in some]
        return
    with by_vault.asking(told, service, vault, external, calls_of([], pairs), at_most) as paid:
        yield paid.compared


def _compared(told: Any, service: dict, left: Any, right: Any) -> Answer:
    """What a service that runs here says of a pair."""
    names = [f"pictures {left.image} and {right.image}"]
    [score] = failing.asked(service, told.compare, [[left.look()], [right.look()]], names)
    if score is None:
        return NONE
    if not np.isfinite(score):
        hint = "an adapter must answer None where it has no score"
        raise AccordError(Problem(f"model {service['name']}", "returned a score that is not finite", hint))
    return Answer(repr(float(score)))


def _blind(
    wanted: Sequence[Named], query_of: pd.Series, seed: int, ask: Callable[[Sequence[Named]], Sequence[Answer]]
) -> dict[Named, Answer]:
    """Pair -> answer: within queries as `without_detection` says, then across them of pictures that show one face."""
    said: dict[Named, Answer] = {}

    def compare(some: Sequence[Named]) -> list[float | None]:
        said.update(zip(some, ask(some), strict=True))
        return [None if said[pair] in (NONE, SEVERAL) else _number(said[pair]) for pair in some]

    by_query = query_of.groupby(query_of).groups
    ordered = {str(query): without_detection.pairs_of(list(some), seed) for query, some in by_query.items()}
    settled = without_detection.settled_together(ordered, compare).values()
    valid = frozenset().union(*(one.valid for one in settled))
    invalid = frozenset().union(*(one.invalid for one in settled))
    compare([pair for pair in wanted if pair not in said and valid.issuperset(pair)])
    why = [NOT_SINGLE if invalid & set(pair) else UNSETTLED for pair in wanted]
    return {pair: said.get(pair, Answer("", "failed", reason)) for pair, reason in zip(wanted, why, strict=True)}


def _number(answer: Answer) -> float:
    """The score; NaN where there is none."""
    return float(answer.text) if answer.status == "said" else np.nan
