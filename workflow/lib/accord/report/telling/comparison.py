"""How the group with the worse figures of a metric is spoken of; by a metric that has no better, the one with less."""

from collections.abc import Iterable

from accord.analyse.scoring.metrics import is_neutral
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
    """A sentence for a table that calls groups worst and best: by which of its metrics they aren't; "" by none."""
    neutral = sorted({names.metric(one) for one in metrics if is_neutral(one)})
    if not neutral:
        return ""
    return f" By {listed(neutral)} neither group is better: the “worst” is the one with less of it."
