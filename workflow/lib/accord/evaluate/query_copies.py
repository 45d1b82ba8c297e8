"""One picture twice in a query: it is left out before any service is asked, for it tells nothing new."""

from pathlib import Path
from typing import NamedTuple

from pandera.typing import DataFrame

from accord.engine.table import rows
from accord.evaluate.asking import pictures
from accord.evaluate.serving import copies
from accord.evaluate.tables.services import Queries, QueryCopies
from accord.release.tables import Derivatives, People


class Distinct(NamedTuple):
    """The queries without copies, and the copies."""

    queries: DataFrame[Queries]
    copies: DataFrame[QueryCopies]


def run(
    mixed: DataFrame[Queries],
    people: DataFrame[People],
    derivatives: DataFrame[Derivatives],
    files: Path,
    *,
    max_distance: int,
) -> Distinct:
    """Queries in which no two pictures, nor the annotated faces in them, differ in `max_distance` bits of their PDQ
    hashes or fewer. files: the bundle of `derivatives`; the faces are those of the people whom the pictures are of.
    """
    primary = people[people["is_primary"]]
    boxed = pictures.face_boxes(primary)
    faces = dict(zip(boxed["image"], boxed[["x0", "y0", "x1", "y1"]].to_numpy(float), strict=True))
    whole = pictures.of_kind(derivatives, "downsampled")
    told = {}
    for some, images in pictures.stream(files, whole[whole["image"].isin(mixed["image"])], 16):
        for row, picture in zip(some, images, strict=True):
            told[row.image] = copies.seen(row.image, picture, faces.get(row.image))
    found = [
        (query, *copy)
        for query, some in mixed.groupby("query")["image"]
        for copy in copies.copies([told[image] for image in some if image in told], max_distance)
    ]
    table = rows(sorted(found), QueryCopies)
    return Distinct(mixed[~mixed["image"].isin(table["image"])].reset_index(drop=True), table)
