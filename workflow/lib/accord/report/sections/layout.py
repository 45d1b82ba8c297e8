"""Where people are in the pictures, and how large."""

import pandas as pd

from accord.report.drawing import charts
from accord.report.drawing.blocks import Map, Section, grid, level
from accord.report.reading.report_data import ReportData
from accord.report.telling import features
from accord.text.nouns import upper

INTRO = (
    "Size and position of people in the pictures: a dataset in which everyone is large and centred says little about a "
    "model's performance on distant people."
)
MAPS = {
    "person": "Where people are: share of each cell that their boxes cover",
    "face": "Where faces are: share of each cell that their boxes cover",
    "person_centre": "Where the middle of people is: share of all of them in each cell",
    "face_centre": "Where the middle of faces is: share of all of them in each cell",
    "keypoints": "Where visible body points are: share of all of them in each cell",
}


OWN = {
    "person_share": "share of the picture that the person's box covers",
    "face_share": "share of the picture that the face's box covers",
    "mask_share": "share of the picture that the person's outline fills",
    "person_aspect": "height of the person's box / its width",
    "face_aspect": "height of the face's box / its width",
    "person_centring": "distance of the person from the middle of the picture (1: in a corner)",
    "face_centring": "distance of the face from the middle of the picture (1: in a corner)",
    "visible_keypoints": "visible body points, of 33",
    "visible_face_keypoints": "visible points of the face, of 11",
}
"""Feature -> what is measured of it, with its unit."""


def section(data: ReportData) -> Section:
    """Maps, distributions with their quantiles, sizes of attributes."""
    blocks: list = [
        _map(kind, data.heat[data.heat["kind"] == kind]) for kind in MAPS if (data.heat["kind"] == kind).any()
    ]
    finite = data.layout[data.layout["low"].abs().lt(float("inf")) & data.layout["high"].abs().lt(float("inf"))]
    parts = [part for _, part in finite.groupby("feature", sort=True)]
    blocks += [_histogram(number, part) for number, part in enumerate(parts, 1)]
    if len(data.spreads):
        rows = data.spreads.assign(feature=[_called(one) for one in data.spreads["feature"]])
        rows = rows.rename(columns={"people": "people in images", "subjects": "people"})
        blocks.append(grid("table-spreads", "How these are spread: mean over people in images, and quantiles.", rows))
    return Section("layout", "Where people are in the pictures", INTRO, blocks, "Nothing is known of where people are.")


def _map(kind: str, part: pd.DataFrame) -> Map:
    cells = part.pivot(index="row", columns="column", values="share").sort_index()
    most = float(cells.to_numpy().max())
    levels = [[level(value, 0, most) for value in row] for row in cells.to_numpy()]
    shares = [[f"{value:.2g}" for value in row] for row in cells.to_numpy()]
    return Map(f"figure-map-{kind.replace('_', '-')}", f"{MAPS[kind]} (strongest colour: {most:.2g})", shares, levels)


def _histogram(number: int, part: pd.DataFrame) -> charts.Chart:
    called = _called(part["feature"].iloc[0])
    told = part.sort_values("bin")
    tips = [f"{row.low:.3g} to {row.high:.3g}: {row.share:.1%} of people in images" for row in told.itertuples()]
    behind = told[["low", "high", "count", "share"]].rename(
        columns={"low": "from", "high": "to", "count": "people in images"}
    )
    return charts.histogram(f"figure-layout-{number}", upper(called), told.assign(tip=tips), called, behind)


def _called(feature: str) -> str:
    return OWN.get(feature) or features.called(feature)
