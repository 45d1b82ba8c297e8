"""Why a group probably fares worse: what is left of its gap when something else is held fixed, in a sentence."""

from typing import Any

import pandas as pd

from accord.analyse.explaining.explained import MOST, SOME, explaining
from accord.analyse.scoring.metrics import is_neutral
from accord.report.telling import comparison, features, names
from accord.statistics.testing.correction import ALPHA
from accord.text.nouns import listed, upper

RESTRICTED = "restricted"
APART = "hardly share"
"""In the note of a comparison that can't be made, since one group alone has such values."""

SCORES = ("task", "model", "metric")
PAIR = (*SCORES, "attribute", "worst", "best")
PART = "a fifth"
NOT_KNOWN = "Not known"
NAMED = 3
"""Most features that are named."""


def why(claim: Any, conditioned: pd.DataFrame, causes: pd.DataFrame) -> tuple[str, str]:
    """A short answer and a sentence for a claimed disparity (a row of `disparities`)."""
    mine = _of(conditioned, claim, PAIR)
    tried, gap = mine[mine["feature"] != ""], mine.loc[mine["feature"] == "", "gap"]
    if tried.empty or gap.empty or pd.isna(gap.iloc[0]):
        return NOT_KNOWN, f"{errors(_of(causes, claim))} Nothing else was found that could be held fixed."
    feature, share = explaining(tried[tried["how"] != RESTRICTED], gap.iloc[0])
    if share >= MOST:
        return f"Probably {features.called(feature)}", _explained(feature, share, "Most of the difference goes away")
    if mixed := _inseparable(tried, claim, causes):
        return f"Perhaps {listed([features.called(one) for one in mixed])}", _not_apart(mixed, claim, causes)
    if share >= SOME:
        return f"In part {features.called(feature)}", _explained(feature, share, "A part of the difference goes away")
    where, share = explaining(tried[tried["how"] == RESTRICTED], gap.iloc[0])
    if share >= MOST:
        return _where(where, share, claim, causes)
    return NOT_KNOWN, _unexplained(tried)


def errors(causes: pd.DataFrame) -> str:
    """What the worse scores of a model go with, in a sentence. causes: of a model and metric."""
    known = causes[causes["feature"] != ""]
    if known.empty:
        why = listed(sorted({note for note in causes["note"] if note})) or "it was not looked at"
        return f"What its {_low(causes)} scores go with can't be said: {why}."
    found = known[known["claimed"]].sort_values(["importance", "feature"], ascending=[False, True])
    if found.empty:
        return _weakly(known)
    return f"Its {_low(known)} scores go with {_first(found)}."


def _low(causes: pd.DataFrame) -> str:
    return comparison.low(str(causes["metric"].iloc[0])) if len(causes) else "worse"


def _weakly(known: pd.DataFrame) -> str:
    """That no feature stands out; and with which scores go beyond chance all the same. known: none is claimed."""
    beyond = known[known["p_value"] < ALPHA].sort_values(["p_value", "feature"])
    if beyond.empty:
        return f"Its {_low(known)} scores go with nothing that was measured, beyond chance."
    return f"Its {_low(known)} scores go with {_first(beyond)} beyond chance, but none of this foretells them well."


def _first(rows: pd.DataFrame) -> str:
    """The features of some rows, each once: the first few by name, and how many more there are."""
    told = list(dict.fromkeys(features.called(one) for one in rows["feature"]))
    return listed([*told[:NAMED], *([f"{len(told) - NAMED} more"] if len(told) > NAMED else [])])


def _unexplained(tried: pd.DataFrame) -> str:
    """That no feature explains the difference, and which could not be held fixed."""
    fixed = tried[(tried["how"] != RESTRICTED) & tried["gap"].notna()]
    known = sorted({features.called(one) for one in fixed["feature"]})
    never = sorted({features.called(one) for one in tried["feature"]} - set(known))
    told = []
    if known:
        told.append(f"Comparing pictures that are alike in {listed(known, 'or')} takes less than {PART} of it away.")
    if never:
        told.append(f"{upper(listed(never))} could not be held fixed: too few people share known values.")
    return " ".join(told)


def _of(table: pd.DataFrame, claim: Any, keys: tuple[str, ...] = SCORES) -> pd.DataFrame:
    """The rows of a table that agree with a claim."""
    return table[(table[list(keys)] == [getattr(claim, key) for key in keys]).all(axis=1)]


def _inseparable(tried: pd.DataFrame, claim: Any, causes: pd.DataFrame) -> list[str]:
    """Features that can't be held fixed since the two groups hardly share their values, the most important first."""
    apart = tried.groupby("feature").agg(known=("gap", "count"), note=("note", lambda notes: APART in " ".join(notes)))
    found = apart.index[(apart["known"] == 0) & apart["note"]]
    mine = _of(causes, claim)
    return list(mine[mine["feature"].isin(found)].sort_values(["importance", "feature"])["feature"][::-1])


def _explained(feature: str, share: float, start: str) -> str:
    return f"{start} ({min(share, 1):.0%}) when pictures are compared that are alike in {features.called(feature)}."


def _where(feature: str, share: float, claim: Any, causes: pd.DataFrame) -> tuple[str, str]:
    """Where the difference is: without these pictures most of it goes away, though groups have as many of them."""
    row = _of(causes, claim).set_index("feature").loc[feature]
    where = features.pictures(feature, row["side"], row["label"])
    return f"It is mostly among {where}", f"Without {where}, {min(share, 1):.0%} of the difference goes away."


def _not_apart(mixed: list[str], claim: Any, causes: pd.DataFrame) -> str:
    mine = _of(causes, claim).set_index("feature")
    sides = listed([features.pictures(one, mine.loc[one, "side"], mine.loc[one, "label"]) for one in mixed])
    does = "It is less often so on" if is_neutral(claim.metric) else "It does badly on"
    return (
        f"{does} {sides}, and the pictures of {names.group(claim.worst)} and {names.group(claim.best)} have "
        "hardly anything in common there: whether it is the pictures or the people can't be told from these data."
    )
