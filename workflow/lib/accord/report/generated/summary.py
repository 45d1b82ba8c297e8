"""What the page of detectors of made faces says first."""

import pandas as pd

from accord.analyse.scoring.detectors.benchmark import FEWER
from accord.grouping import WHOLE
from accord.text.nouns import counted, listed


def short(plain: pd.DataFrame, unlike: pd.DataFrame) -> list[str]:
    """The best detector, the largest difference between groups of enough faces, and detectors that tell nothing."""
    whole = whole_test(plain)
    known, idle = whole.dropna(subset="auc"), _idle(whole)
    if not len(known):
        real = whole[(whole["faces"] > 0) & (whole["fakes"] == 0)]
        said = "accuracy, FPR, F_OAE and F_DP alone are defined" if len(real) else "no picture of the test has a score"
        return [f"No detector could be judged by fakes and real faces: {said}.", *idle]
    best = known.sort_values(["auc", "model"], ascending=[False, True]).iloc[0]
    said = [
        f"{counted(len(known), 'detector')} judged on {counted(int(best.faces), 'face')}. {best.model} tells made from "
        f"real faces best: AUC {100 * best.auc:.1f}%."
    ]
    apart = unlike[(unlike["subset"] == WHOLE) & (unlike["metric"] == "f_meo")].dropna(subset="value")
    apart = apart[~apart["note"].str.contains(FEWER)]
    if len(apart):
        worst = apart.sort_values(["value", "model"], ascending=[False, True]).iloc[0]
        said.append(_worst(worst) if worst.value else "Error rates of the groups compared don't differ.")
    return said + idle


def _worst(row: pd.Series) -> str:
    return (
        f"Error rates differ most between groups of {words(row.attribute)} with {row.model}: by "
        f"{100 * row.value:.1f} points. A largest difference is above 0 by chance alone, and its interval says "
        "nothing about whether there is one."
    )


def _idle(whole: pd.DataFrame) -> list[str]:
    """Detectors that call all faces alike, which are fair because they do nothing."""
    found = []
    for verdict, rate in (("real", 0), ("fake", 1)):
        # A rate that takes a label which no face has is missing.
        alike = whole[["fpr", "tpr"]].fillna(rate).eq(rate).all(axis=1) & (whole["faces"] > 0)
        if names := sorted(whole.loc[alike & whole["auc"].notna(), "model"]):
            found.append(f"Every face is {verdict} to {listed(names)}: equal rates of groups mean nothing there.")
    return found


def whole_test(utility: pd.DataFrame) -> pd.DataFrame:
    """Of each model and degradation the row of all faces of the test."""
    return utility[(utility["subset"] == WHOLE) & (utility["attribute"] == WHOLE)]


def words(attribute: str) -> str:
    """An attribute, or an intersection, in words."""
    return listed([part.replace("_", " ") for part in attribute.split(" x ")])
