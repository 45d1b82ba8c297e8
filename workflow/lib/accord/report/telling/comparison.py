"""How the group with the worse figures of a metric is spoken of; by a metric that has no better, the one with less."""

from collections.abc import Iterable

import pandas as pd

from accord.analyse.scoring.metrics import is_neutral
from accord.report.drawing.blocks import Grid, grid
from accord.report.telling import names
from accord.text.nouns import listed


def comparative(metric: str) -> str:
    """`worse`, or `less often` where neither more nor less of a metric is better."""
    return "less often" if is_neutral(metric) else "worse"


def less(metric: str, worst: str, best: str) -> str:
    """That one group fares worse than another, as a clause."""
    if is_neutral(metric):
        return f"it is less often so for {worst} than for {best}"
    return f"{worst} fares worse than {best}"


def low(metric: str) -> str:
    """What scores at the lower end of a metric are called: `worse`, or `lower` where that is no worse."""
    return "lower" if is_neutral(metric) else "worse"


def colours(metric: str) -> str:
    """What the colours of a figure say, where they don't say what is worse: an addition to its caption."""
    return "; neither is better: the stronger the colour, the higher" if is_neutral(metric) else ""


def remark(metrics: Iterable[str]) -> str:
    """A sentence for a figure that shows the worse group: by which of its metrics it isn't; "" by none."""
    neutral = sorted({names.metric(one) for one in metrics if is_neutral(one)})
    if not neutral:
        return ""
    return f" By {listed(neutral)} neither group is better: the one shown has it less often."


def either(metrics: Iterable[str], clause: str) -> str:
    """A clause that is said where some of the metrics have no better; "" where none."""
    return clause if any(map(is_neutral, metrics)) else ""


LESS_OFTEN = {
    "worst": "less often",
    "best": "more often",
    "mean of worst": "mean of less often",
    "mean of best": "mean of more often",
    "worst from": "less often from",
    "worst to": "less often to",
    "best from": "more often from",
    "best to": "more often to",
    "people in worst": "people in less often",
    "people in best": "people in more often",
    "worse": "less often",
    "better": "more often",
    "score of worse": "score of less often",
    "score of better": "score of more often",
    "people in worse": "people in less often",
    "people in better": "people in more often",
    "worse as it is": "less often as it is",
    "better as it is": "more often as it is",
    "worse for": "less often for",
    "worst of its parts": "least often of its parts",
}
"""Columns of tables that say who is worse -> what they are called where neither is better."""
OR_HIGHER = " Where neither more nor less is better, the stronger the colour, the higher the figure."
NEITHER = "Neither more nor less of these is better. "


def by_kind(id: str, captions: tuple[str, str], rows: pd.DataFrame, *, folded: bool = False) -> list[Grid]:
    """Rows as a table, and those by metrics that have no better as another, which calls nobody worse.

    rows: a column `metric`; captions: of the one and of the other.
    """
    neutral = rows["metric"].map(is_neutral).astype(bool)
    made = [grid(id, captions[0], rows[~neutral], folded=folded)] if not neutral.all() else []
    if neutral.any():
        other = rows[neutral].rename(columns=LESS_OFTEN)
        made.append(grid(f"{id}-neutral", NEITHER + captions[1], other, folded=folded))
    return made
