"""Boxes of faces that a recognition service finds in the pictures of a shard's queries."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord.engine.parameter_types import Folder, Private
from accord.engine.table import rows
from accord.evaluate.asking import answers, failing, pictures
from accord.evaluate.services import by_vault
from accord.evaluate.services.album import Album
from accord.evaluate.services.paid_faces import calls_of
from accord.evaluate.tables.predictions import Detections
from accord.evaluate.tables.services import Queries, Unseen
from accord.imaging.face_squares import inside
from accord.models import face_services
from accord.models.face_calls import FACE, boxes_of
from accord.models.protocols import Boxes
from accord.release.tables import Derivatives, Terms

ORDER = ["image", "score", "x0", "y0"]
Said = tuple[str, Boxes | None, str]
"""Of an image: what the service finds, None where it says nothing, and why."""


class Found(NamedTuple):
    """What a service finds, and the pictures of which it says nothing."""

    boxes: DataFrame[Detections]
    unseen: DataFrame[Unseen]


def run(
    queries: DataFrame[Queries],
    derivatives: DataFrame[Derivatives],
    terms: DataFrame[Terms],
    files: Path,
    *,
    service: dict,
    weights: Folder,
    vault: Private | None = None,
    external: dict | None = None,
) -> Found:
    """The boxes of a service, cut off where the picture ends; those of no area are left out.

    files: the bundle of `derivatives`; service: what `accord.models.face_services` tells of it, as JSON. One on
    somebody else's server is shown those pictures alone whose `terms` allow it; one that compares whole pictures is
    asked for no boxes. Paid answers are kept in `vault` and replayed; external: `max_calls`, `max_cost` and `parallel`.
    Raises AccordError where the service can't be had, answers with a box that isn't finite, or more would be spent.
    """
    asked = face_services.load(service, weights)
    whole = pictures.of_kind(derivatives, "downsampled")
    wanted = whole[whole["image"].isin(queries["image"])]
    refused = by_vault.refused(asked, wanted[["image"]], terms)
    shown = wanted[~wanted["image"].isin(refused["image"])]
    if face_services.compares(service) == face_services.PICTURES:
        found: list[Said] = []
    elif vault is not None and by_vault.is_paid(asked):
        by_vault.tell_of_pairs(service, queries[queries["image"].isin(shown["image"])], asked.cost_per_call)
        found = list(_paid(asked, service, vault, external or {}, Album([(shown, files)]), shown["image"]))
    else:
        found = list(_here(asked, service, files, shown))
    sizes = {row.image: (row.height, row.width) for row in shown.itertuples()}
    made = [(service["name"], i, *box, FACE) for i, said, _ in found for box in _inside(said, *sizes[i])]
    boxes = rows(made, Detections).sort_values(ORDER, ascending=[True, False, True, True])
    silent = [(i, reason) for i, said, reason in found if said is None]
    unseen = [(service["name"], *one) for one in (*refused[["image", "reason"]].to_numpy().tolist(), *silent)]
    return Found(boxes, rows(sorted(unseen), Unseen))


def _here(asked: Any, service: dict, files: Path, shown: pd.DataFrame) -> Iterator[Said]:
    for some, images in pictures.stream(files, shown, service["batch"]):
        said = failing.asked(service, asked.detect, [images], failing.names(some))
        for row, answer in zip(some, answers.one_each(service, said, len(images)), strict=True):
            answers.finite(service, answer.boxes, answer.scores)
            yield row.image, answer, ""


def _paid(
    asked: Any, service: dict, vault: Path, external: dict, album: Album, images: Iterable[str]
) -> Iterator[Said]:
    shown = [album.whole(image) for image in images]
    with by_vault.asking(asked, service, vault, external, calls_of(shown, [])) as paid:
        for picture, answer in zip(shown, paid.detected(shown), strict=True):
            said = boxes_of(answer, service["name"]) if answer.status == "said" else None
            yield picture.image, said, answer.reason


def _inside(said: Boxes | None, height: int, width: int) -> Iterator[tuple[float, ...]]:
    for box, score in zip(said.boxes, said.scores, strict=True) if said else ():
        x0, y0, x1, y1 = map(float, inside(box, height, width))
        if x1 > x0 and y1 > y0:
            yield x0, y0, x1, y1, float(score)
