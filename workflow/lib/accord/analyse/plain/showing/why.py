"""Why a group does worse, probably: what takes the difference away when it is held fixed."""

import pandas as pd

from accord.analyse.explaining.explained import MOST, SOME, explaining
from accord.analyse.plain.found import Part
from accord.text.nouns import listed

PAIR = ("attribute", "worst", "best")
UNKNOWN = "unknown for most"
"""In the note of a comparison that can't be made, since too few rows of a group have a value."""

NOT_KNOWN, NO_DIFFERENCE = "Not known", "No difference shown"
GUESS = "What goes along with a difference need not cause it."


def why(part: Part, claims: list) -> tuple[str, str]:
    """A short answer and what is behind it, about the first of the differences that hold (rows of disparities)."""
    if part.everyone["note"] or part.found.disparities.empty:
        return NOT_KNOWN, "There is no tested difference to explain."
    if not claims:
        return NO_DIFFERENCE, "No difference holds that could be explained."
    rows = part.found.conditioned
    mine = rows[(rows[list(PAIR)] == [getattr(claims[0], key) for key in PAIR]).all(axis=1)]
    tried, gap = mine[mine["feature"] != ""], mine.loc[mine["feature"] == "", "gap"]
    if tried.empty or not (gap > 0).any():
        return NOT_KNOWN, "The table has no other column that could be held fixed."
    feature, share = explaining(tried, float(gap.iloc[0]))
    if share >= SOME:
        much = "Most" if share >= MOST else "A part"
        text = f"{much} of the difference ({min(share, 1.0):.0%}) goes away among images that are alike in {feature}."
        return f"{'Probably' if share >= MOST else 'In part'} {feature}", f"{text} {GUESS}"
    return NOT_KNOWN, _unexplained(tried)


def _unexplained(tried: pd.DataFrame) -> str:
    fixed = sorted(set(tried.loc[tried["gap"].notna(), "feature"]))
    unknown = sorted(set(tried.loc[tried["note"].str.contains(UNKNOWN), "feature"]) - set(fixed))
    never = sorted(set(tried["feature"]) - {*fixed, *unknown})
    told = []
    if fixed:
        told.append(
            f"Among images that are alike in {listed(fixed, 'or')}, more than four fifths of the difference remains."
        )
    if never:
        told.append(f"Could not be held fixed, since the two groups hardly share values: {listed(never)}.")
    if unknown:
        told.append(
            f"Could not be held fixed, since the table has no value of it for most of a group: {listed(unknown)}."
        )
    return " ".join(told)
