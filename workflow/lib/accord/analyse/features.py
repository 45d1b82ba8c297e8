"""What may go with how well a model does: all that is said of a person, of the capture, and what annotations and
pixels measure."""

from typing import Any

import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.describing.measured import numbers, seen
from accord.analyse.scoring.gathering import encoded, in_pieces
from accord.analyse.scoring.instances import passing, released
from accord.analyse.tables.causes import Features
from accord.analyse.tables.views import Captured, Downsampled, Drawn, Light, Visible
from accord.checks.tables.views import Answers
from accord.engine.by_shard import by_shard
from accord.engine.parameter_types import Pieces
from accord.engine.table import check, empty
from accord.grouping import KEY, groups_of
from accord.release.making.views import Passing
from accord.release.tables import People

CAPTURE_LABELS = {"manufacturer": "camera_maker", "location_country": "country", "user_hour_captured": "hour"}
CAPTURE_NUMBERS = ("aperture_value", "focal_length", "iso_speed_ratings", "shutter_speed_value")


def part(verdicts: Any, **tables: pd.DataFrame) -> pd.DataFrame:
    """The features of a shard, each text kept once. tables: those of `run`."""
    return encoded(run(verdicts=verdicts, **tables))


def joined(parts: list[pd.DataFrame]) -> Pieces:
    """The features of all shards, sorted."""
    return in_pieces(parts, KEY)


@by_shard(
    "people", "attributes", "public", "keypoints", "segments", "derivatives", "fingerprints",
    each=part, join=joined, verdicts=passing,
)  # fmt: skip
def run(
    people: DataFrame[People],
    attributes: DataFrame[Answers],
    public: DataFrame[Captured],
    keypoints: DataFrame[Visible],
    segments: DataFrame[Drawn],
    derivatives: DataFrame[Downsampled],
    fingerprints: DataFrame[Light],
    verdicts: DataFrame[Passing],
) -> DataFrame[Features]:
    """Everyone in a released image with their features: attributes (ancestry in regions), what the camera said, and
    what is measured. fingerprints: of the delivered images; none where there are none. No image is read."""
    everyone = released(people, verdicts)
    named = sorted(set(attributes["attribute"]) - {"age"})
    said = [groups_of(everyone, attributes, name) for name in named]
    labels = [part.rename(columns={"attribute": "feature", "group": "label"}) for part in said]
    labels += [_capture(everyone, public, column, name) for column, name in CAPTURE_LABELS.items()]
    labels.append(seen(everyone, segments))
    measured = numbers(everyone, keypoints, derivatives, fingerprints)
    measured = measured.merge(public[["image", *CAPTURE_NUMBERS]], on="image", how="left")
    told = measured.melt(KEY, var_name="feature", value_name="number").dropna(subset="number")
    parts = [pd.concat(labels).assign(kind="category", number=float("nan")), told.assign(kind="number", label="")]
    filled = [part for part in parts if len(part)]
    whole = pd.concat(filled) if filled else empty(Features)
    return check(whole.sort_values([*KEY, "feature", "label"]), Features, "features")


def _capture(everyone: pd.DataFrame, public: pd.DataFrame, column: str, name: str) -> pd.DataFrame:
    told = everyone[KEY].merge(public[["image", column]], on="image")
    told = told.rename(columns={column: "label"}).assign(feature=name)
    return told[told["label"] != ""]
