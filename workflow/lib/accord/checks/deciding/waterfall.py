"""The waterfall: how many images came, what stopped how many, and how many are left."""

from collections.abc import Mapping

import pandas as pd

from accord.check_names import LABELS, label, position, room_of
from accord.checks.tables.findings import Waterfall
from accord.engine import table
from accord.findings import PASS, REVIEW

RELEASED = ("release", "released", "Released")
"""Room, check and label of the last row."""


def waterfall(
    verdicts: pd.DataFrame, labels: Mapping[str, str] = LABELS, last: tuple[str, str, str] = RELEASED
) -> pd.DataFrame:
    """The table Waterfall of a table of Verdicts: first all delivered images, then one row per check in its order
    (also those of `labels` that stopped none), last those released. Every image is counted in exactly one row.

    Images that wait for a review are stopped by their check: they are not released. `subjects_left` counts subjects
    with at least one image that is left.
    """
    stopped = verdicts[verdicts["verdict"] != PASS]
    steps = sorted(set(labels) | set(stopped["check"]), key=position)
    left = verdicts
    rows = [_row("intake", "delivered", "Delivered", left, left)]
    for check in steps:
        after = left[(left["check"] != check) | (left["verdict"] == PASS)]
        rows.append(_row(room_of(check), check, _label(check, labels, stopped), left, after))
        left = after
    rows.append(_row(*last, left, left))
    made = table.rows([(order, *row) for order, row in enumerate(rows)], Waterfall)
    _assert_adds_up(made, verdicts)
    return made


def _row(room: str, check: str, words: str, before: pd.DataFrame, after: pd.DataFrame) -> tuple:
    stopped = len(before) - len(after)
    return room, check, words, len(before), len(after), stopped, after.loc[after["subject"] != "", "subject"].nunique()


def _label(check: str, labels: Mapping[str, str], stopped: pd.DataFrame) -> str:
    words = labels.get(check, label(check))
    waiting = int(((stopped["check"] == check) & (stopped["verdict"] == REVIEW)).sum())
    told = f"{waiting} awaiting review"
    return f"{words} ({told})" if waiting else words


def _assert_adds_up(made: pd.DataFrame, verdicts: pd.DataFrame) -> None:
    assert (made["images_in"] - made["stopped"] == made["images_out"]).all()
    assert (made["images_in"].iloc[1:].to_numpy() == made["images_out"].iloc[:-1].to_numpy()).all()
    assert made["images_in"].iloc[0] == len(verdicts)
    assert made["images_out"].iloc[-1] == (verdicts["verdict"] == PASS).sum()
