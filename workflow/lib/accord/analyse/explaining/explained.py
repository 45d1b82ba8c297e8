"""How much of a gap goes away when something is held fixed, as pages tell it."""

import pandas as pd

MOST, SOME = 0.5, 0.2
"""Shares of a gap that must go away for `probably` and for `in part`."""


def explaining(tried: pd.DataFrame, gap: float) -> tuple[str, float]:
    """The feature that takes the largest share of the gap away beyond chance, and that share; ("", 0) for none.

    tried: rows of Conditioned of one pair of groups; gap: theirs as it is.
    """
    whole = tried["gap"] + tried["change"]  # of the pictures for which the feature is known
    beyond = tried.assign(share=tried["change"] / whole)[(tried["change_low"] > 0) & (whole > 0) & (gap > 0)]
    share, feature = max(zip(beyond["share"], beyond["feature"], strict=True), default=(0.0, ""))
    return feature, float(share)
