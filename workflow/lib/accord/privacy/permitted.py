"""Whether the model that paints may paint, and can: told of all deliveries at once, before the first picture is."""

from pathlib import Path

import pandas as pd
from pandera.typing import DataFrame

from accord.engine.parameter_types import Folder
from accord.engine.table import rows
from accord.errors import AccordError, Collector
from accord.intake.tables import Images, Regions
from accord.privacy.painting import chosen
from accord.privacy.tables import Paintable

MARK = (
    "or mark the delivery with `rendered: true` in its delivery.yaml, if it contains no photographs of people or scenes"
)

NOT_RENDERED = "it is not marked as rendered: the embedded model was made from renders, for renders alone"


def run(
    images: DataFrame[Images],
    regions: DataFrame[Regions],
    *,
    model: str,
    entry: dict | None = None,
    weights: Folder | None = None,
) -> DataFrame[Paintable]:
    """How many images of each delivery have regions to paint. model, entry, weights: as `privacy.paint` has them.

    Regions that people add later are not known yet: `privacy.paint` looks again. Raises AccordError as `check` does.
    """
    check(images, regions["image"], model, entry, weights)
    wanted = images[images["image"].isin(regions["image"])]
    counts = wanted.groupby(["vendor", "delivery", "rendered"])["image"].nunique()
    return rows([(*delivery, count) for delivery, count in counts.items()], Paintable)


def check(
    images: pd.DataFrame, painted: pd.Series, model: str, entry: dict | None = None, weights: Path | None = None
) -> None:
    """Raises AccordError with each delivery whose images the model may not paint, and with what of it is not here.

    images: table Images; painted: the ids of those that have something to paint. Where none has, no model is needed.
    """
    problems, wanted = Collector(), images[images["image"].isin(painted)]
    if wanted.empty:
        return
    if model == chosen.EMBEDDED:
        for (vendor, delivery), some in wanted[~wanted["rendered"].astype(bool)].groupby(["vendor", "delivery"]):
            what = f"{len(some)} of its images have regions to paint, and {NOT_RENDERED}"
            problems.add(f"delivery {vendor} {delivery}", what, f"{chosen.FETCH}; {MARK}")
    problems += chosen.missing(model, entry, Path(weights or ""))
    if problems:
        raise AccordError(problems)
