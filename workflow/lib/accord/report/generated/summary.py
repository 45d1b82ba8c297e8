"""What the page of detectors of made faces says first."""

import pandas as pd

from accord.analyse.scoring.detectors.benchmark import FEWER
from accord.grouping import WHOLE
from accord.text.nouns import counted, listed

RATES = {"real": 0, "fake": 1}
"""What a detector calls all faces -> its rates of false and true positives."""


def short(plain: pd.DataFrame, unlike: pd.DataFrame) -> list[str]:
    """The best detector, the largest difference between groups of enough faces, and detectors that tell nothing."""
    whole = whole_test(plain)
    known, idle = whole.dropna(subset="auc"), _idle(whole)
    if not len(known):
        real = whole[(whole["faces"] > 0) & (whole["fakes"] == 0)]
        said = "accuracy, FPR, F_OAE and F_DP alone are defined" if len(real) else "no picture of the test has a score"
        return [f"No detector could be judged by fakes and real faces: {said}.", *idle]
    said, ranked = _best(known)
    apart = unlike[(unlike["subset"] == WHOLE) & (unlike["metric"] == "f_meo")].dropna(subset="value")
    apart = apart[~apart["note"].str.contains(FEWER) & apart["model"].isin(set(ranked) - _alike(whole))]
    if len(apart):
        worst = apart.sort_values(["value", "model"], ascending=[False, True]).iloc[0]
        said.append(_worst(worst) if worst.value else "Error rates of the groups compared don't differ.")
    return said + idle


def _best(known: pd.DataFrame) -> tuple[list[str], list[str]]:
    """What is said of the best detector; and which are compared: those that were judged on the same faces, which only
    those are that scored all, or one alone."""
    every = known[known["unscored"] == 0].sort_values(["auc", "model"], ascending=[False, True])
    if len(known) == 1:
        [one] = known.itertuples()
        faces = counted(int(one.faces), "face") + (f", {one.unscored} without a score" if one.unscored else "")
        return [f"1 detector judged on {faces}. {one.model}: AUC {100 * one.auc:.1f}%."], [one.model]
    some = sorted(known.loc[known["unscored"] > 0, "model"])
    apart = f"Not compared, since they gave some faces no score: {listed(some)}." if some else ""
    if len(every) < 2:
        return [f"{counted(len(known), 'detector')} judged on different faces. {apart}"], list(every["model"])
    best = every.iloc[0]
    head = (
        f"{len(every)} detectors judged on {counted(int(best.faces), 'face')}. {best.model} tells made from real faces"
    )
    return [f"{head} best: AUC {100 * best.auc:.1f}%.", *([apart] if apart else [])], list(every["model"])


def _worst(row: pd.Series) -> str:
    return (
        f"Error rates differ most between groups of {words(row.attribute)} with {row.model}: by "
        f"{100 * row.value:.1f} points. A largest difference is above 0 by chance alone, and its interval says "
        "nothing about whether there is one."
    )


def _idle(whole: pd.DataFrame) -> list[str]:
    """Detectors that call all faces alike, which are fair because they do nothing."""
    return [
        f"Every face is {verdict} to {listed(names)}: equal rates of groups mean nothing there."
        for verdict, rate in RATES.items()
        if (names := _calling(whole, rate))
    ]


def _alike(whole: pd.DataFrame) -> set[str]:
    return {name for rate in RATES.values() for name in _calling(whole, rate)}


def _calling(whole: pd.DataFrame, rate: int) -> list[str]:
    """Detectors to which all faces are fake (rate 1), or real. A rate that takes a label which no face has is
    missing."""
    alike = whole[["fpr", "tpr"]].fillna(rate).eq(rate).all(axis=1) & (whole["faces"] > 0)
    return sorted(whole.loc[alike & whole["auc"].notna(), "model"])


def faceless(cut: pd.DataFrame) -> str:
    """Pictures and frames from which no face came, and why; "" where each has one."""
    why = cut.loc[~cut["found"], "note"].value_counts().sort_index().sort_values(ascending=False, kind="stable")
    if why.empty:
        return ""
    reasons = "; ".join(f"{note} ({count:,})" for note, count in why.items())
    return f"{int(why.sum()):,} of {counted(len(cut), 'picture or frame')} gave no face and count nowhere: {reasons}."


def relearnt(copies: pd.DataFrame) -> str:
    """How many pairs of alike pictures are learnt from by one of them alone; "" for none."""
    if not (count := int(copies["relearnt"].sum())):
        return ""
    said = "looks alike, and a detector of this run may have learnt from one picture of it"
    if count > 1:
        said = "look alike, and a detector of this run may have learnt from one picture of each"
    pairs = f"{counted(count, 'pair')} of pictures of two sources"
    return f"{pairs} {said} and be judged by the other (source_copies.parquet): it may seem better than it is."


def whole_test(utility: pd.DataFrame) -> pd.DataFrame:
    """Of each model and degradation the row of all faces of the test."""
    return utility[(utility["subset"] == WHOLE) & (utility["attribute"] == WHOLE)]


def words(attribute: str) -> str:
    """An attribute, or an intersection, in words."""
    return listed([part.replace("_", " ") for part in attribute.split(" x ")])
