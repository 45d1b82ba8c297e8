"""Why a score changed between two versions: the data, the model, or both."""

from typing import Any

import pandas as pd

from accord.report.telling import names
from accord.report.telling.quantities import apart, value

SAME, ALL = "same images", "all images"
CHANGED, ALIKE = "changed", "same"
MODEL, PICTURES, EITHER, DATA, BOTH = "model", "pictures", "model or pictures", "data", "both"
OPEN, UNSURE, NOTHING = "open", "unsure", "nothing"
WHY = {
    MODEL: "On the pictures in both versions it changed as much, and the model differs: the model is the reason.",
    PICTURES: "On the pictures in both versions it changed as much, and the model is the same: the processing of these "
    "pictures is the reason.",
    EITHER: "On the pictures in both versions it changed as much: the model or the processing of the pictures is the "
    "reason.",
    DATA: "On the pictures in both versions it did not change: the choice of pictures is the reason.",
    BOTH: "On the pictures in both versions it changed by a different amount: part is due to the model or the "
    "processing of the pictures, and part to the choice of pictures.",
    OPEN: "Whether the data or the model is the reason is unknown: too few pictures are in both versions.",
    UNSURE: "Whether it changed on the pictures in both versions is unknown, and so is the reason.",
}


def reason(rows: pd.DataFrame, other_model: bool | None = None) -> str:
    """Why the scores of one model changed. rows: of table Compared, `same images` and, where there are others, all.

    other_model: whether its code or weights are others; None where that isn't known.
    """
    told = {row.images: row for row in rows.itertuples()}
    same, whole = told.get(SAME), told.get(ALL) or told.get(SAME)
    if same is None or whole is None or pd.isna(same.change):
        return OPEN
    on_same, on_all = same.verdict.startswith(CHANGED), whole.verdict.startswith(CHANGED)
    if not on_same:
        return NOTHING if not on_all else DATA if same.verdict == ALIKE else UNSURE
    by_model = {True: MODEL, False: PICTURES, None: EITHER}[other_model]
    return BOTH if _apart(same, whole) else by_model


def sentences(cases: list[pd.DataFrame], other: dict[str, bool] | None = None) -> list[str]:
    """A sentence for each case that changed or is open; one for those that did not. other: model -> is it another?"""
    known = other or {}
    pairs = [(rows, known.get(rows["model_after"].iloc[0])) for rows in cases]
    stayed = [rows.iloc[0] for rows, model in pairs if reason(rows, model) == NOTHING]
    told = [sentence(rows, model) for rows, model in pairs if reason(rows, model) != NOTHING]
    named = ", ".join(f"{row['model_after']} ({row['metric']})" for row in stayed)
    return [*told, f"Nothing changed beyond chance for {named}."] if named else told


def _apart(same: Any, whole: Any) -> bool:
    """Whether the change of all images and that of the same ones are each outside the other's interval."""
    return not (same.low <= whole.change <= same.high or whole.low <= same.change <= whole.high)


def sentence(rows: pd.DataFrame, other_model: bool | None = None) -> str:
    """What changed, by how much, and why."""
    told = {row.images: row for row in rows.itertuples()}
    whole = told.get(ALL) or next(iter(told.values()))
    why = "" if pd.isna(whole.before) and pd.isna(whole.after) else f" {WHY[reason(rows, other_model)]}"
    figures = _figures(whole.metric, whole.before, whole.after)
    on_same = told.get(SAME)
    split = (
        ""
        if on_same is None or on_same is whole
        else f" ({on_same.change:+.2f} a person on the pictures in both versions)"
    )
    return f"{whole.model_after} ({names.task(whole.task).lower()}, {whole.metric}): {figures}{split}.{why}"


def _figures(metric: str, before: float, after: float) -> str:
    """Both scores, told apart, or that there is none."""
    if pd.isna(before) and pd.isna(after):
        return "no score, neither before nor now"
    if pd.notna(before) and pd.notna(after):
        return "{} before, {} now".format(*apart(metric, before, after))
    sides = ("no score" if pd.isna(one) else value(metric, one) for one in (before, after))
    return "{} before, {} now".format(*sides)
