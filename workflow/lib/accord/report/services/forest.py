"""Drawings of FNMR with its interval: of each service, and of each group."""

from typing import Any

import pandas as pd

from accord.report.drawing import charts
from accord.report.drawing.blocks import Chart, picked
from accord.report.services.gaps import Gap, figure

AXIS = "share of pairs of one person that are refused (FNMR)"
BEHIND = {"name": "name", "mean": "FNMR", "low": "interval from", "high": "interval to"}


def services(rows: pd.DataFrame) -> Chart:
    """FNMR of each service, at each FMR. rows: of ServiceCurves, of everyone, in the order in which they are shown."""
    parts = [(f"At an FMR of {fmr:g}", list(some.itertuples())) for fmr, some in rows.groupby("fmr", sort=False)]
    drawn = _drawn([(heading, [(row.service, row, False) for row in some]) for heading, some in parts])
    return _chart("figure-rapid-services", "FNMR of each service with its 95% interval, all queries", drawn)


def groups(attribute: str, rows: pd.DataFrame, gaps: list[Gap]) -> Chart:
    """FNMR of each group, service by service. rows: of ServiceCurves, of the groups of an attribute at one FMR; gaps:
    marked is who is refused most, where that is more than chance makes."""
    worst = {(gap.service, gap.most.group) for gap in gaps if gap.is_certain and gap.attribute == attribute}
    parts = [
        (str(service), [(row.group, row, (service, row.group) in worst) for row in some.itertuples()])
        for service, some in rows.sort_values("group").groupby("service", sort=True)
    ]
    marked = "; orange diamonds: worse than chance makes" if any(mark for _, some in parts for *_, mark in some) else ""
    caption = (
        f"FNMR by {attribute.replace('_', ' ')} at an FMR of {rows['fmr'].iloc[0]:g}, with its 95% interval{marked}"
    )
    return _chart(f"figure-rapid-groups-{attribute}", caption, _drawn(parts))


def _drawn(parts: list[tuple[str, list[tuple[str, Any, bool]]]]) -> pd.DataFrame:
    """Headings with their rows under them; names are unique."""
    made, seen = [], set()
    for heading, some in parts:
        made.append((charts.unique(heading, seen), None, None, None, False, ""))
        for name, row, marked in some:
            told = f"{heading}, {name}: {figure(row)}"
            made.append((charts.unique(name, seen), row.fnmr, row.low, row.high, marked, told))
    return pd.DataFrame(made, columns=["name", "mean", "low", "high", "marked", "tip"])


def _chart(id: str, caption: str, drawn: pd.DataFrame) -> Chart:
    return charts.intervals(id, caption, drawn, AXIS, picked(drawn.dropna(subset="mean"), BEHIND), (0.0, 1.0))
