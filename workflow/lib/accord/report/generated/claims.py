"""For whom detectors of made faces are worse: which differences of error rates between groups hold."""

import pandas as pd

from accord.report.drawing.blocks import Grid, grid
from accord.report.foundation.rates import percent
from accord.report.generated.summary import words
from accord.text.nouns import counted, listed

CALLED = {"false_positive_rate": "real faces called fake", "false_negative_rate": "fakes missed"}
COLUMNS = {
    "model": "model", "error": "error", "attribute": "attribute", "worst": "worst", "worst_mean": "rate of these",
    "worst_subjects": "people", "best": "best", "best_mean": "rate of those", "best_subjects": "people of those",
    "p_between_subjects": "p, corrected", "said": "claimed", "note": "note",
}  # fmt: skip


def first(disparities: pd.DataFrame) -> list[str]:
    """What is claimed, in sentences: of each error, attribute and pair of groups, with which detectors; or that nothing
    is."""
    if disparities.empty:
        return []
    held = disparities[disparities["claimed"]]
    if held.empty:
        return ["No difference of error rates between groups is larger than chance may make it: see “For whom worse”."]
    pairs = held.groupby(["metric", "attribute", "worst", "best"], sort=False)
    ordered = sorted(pairs, key=lambda one: (-len(one[1]), one[0]))
    return [_sentence(some) for _, some in ordered]


def _sentence(some: pd.DataFrame) -> str:
    one = some.iloc[0]
    error = CALLED[one.metric]
    rates = [
        f"{row.model} ({percent(row.worst_mean)} against {percent(row.best_mean)})"
        for row in some.sort_values("model").itertuples()
    ]
    return (
        f"By {words(one.attribute)}, more {error} of {one.worst} than of {one.best}: {listed(rates)}. "
        "This is more than chance makes."
    )


def table(disparities: pd.DataFrame) -> Grid | None:
    """What was compared, claimed or not; None where nothing was."""
    if disparities.empty:
        return None
    shown = disparities.assign(
        error=disparities["metric"].map(CALLED),
        attribute=disparities["attribute"].map(words),
        said=disparities["claimed"].map({True: "yes", False: "no"}),
        **{name: (disparities[name] * 100).round(9) for name in ("worst_mean", "best_mean")},
    ).sort_values(["claimed", "model", "metric", "attribute"], ascending=[False, True, True, True])
    asked = counted(int(disparities.groupby("model").size().max()), "comparison")
    caption = (
        "Error rates of groups, in percent; each person's rate counts once. Of each attribute the pair that differs "
        f"most, and whether it is more than chance makes among {asked} of a model"
    )
    return grid("table-fakes-claims", caption, shown[list(COLUMNS)].rename(columns=COLUMNS))
