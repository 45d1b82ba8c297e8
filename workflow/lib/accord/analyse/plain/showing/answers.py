"""The four answers about a metric: how well, for whom worst, how sure, why probably."""

from typing import Any, NamedTuple

import pandas as pd

from accord.analyse.plain.found import UNDEFINED, Part, by_strength
from accord.analyse.plain.showing import figures
from accord.analyse.plain.showing.why import why
from accord.analyse.scoring.extreme_groups import extreme_groups
from accord.analyse.scoring.metrics import direction
from accord.grouping import BETWEEN, WHOLE
from accord.text.nouns import counted, listed, upper

HOW_WELL, WORST, SURE, WHY = "How well?", "For whom worst?", "How sure is that?", "Why, probably?"
CANT, NO_ONE, NOT_TESTED = "Can't be said", "No one, as far as can be shown", "Groups were not tested"
NO_PROOF = "This does not prove that there is none."
FEW = "With few people in a group, real differences stay hidden."
RATE = "It is a figure of a whole group, not a mean over images, so no test compares groups: compare the intervals."
NAMED = 3
"""Most further groups that are named."""


class Answer(NamedTuple):
    """A question, the answer in a few words, and what is behind it."""

    question: str
    short: str
    long: str


def answers(part: Part) -> list[Answer]:
    """The four answers."""
    claims = claimed(part)
    return [how_well(part), worst(part, claims), certainty(part, claims), Answer(WHY, *why(part, claims))]


def claimed(part: Part) -> list[Any]:
    """The differences that hold, as rows of disparities, the strongest first."""
    return list(by_strength(part.found.disparities).itertuples())


def how_well(part: Part) -> Answer:
    """The average of everyone, or why there is none."""
    row = part.everyone
    if pd.isna(row["mean"]):
        return Answer(HOW_WELL, CANT, f"{upper(figures.people(row['note']) or 'no score')}.")
    lower = part.metric in part.found.lower_is_better or direction(part.metric) < 0
    way = "lower" if lower else "higher"
    return Answer(
        HOW_WELL,
        figures.value(row["mean"]),
        f"{upper(row['average'])}; {figures.sure(row, part.found.counted)}. {upper(way)} is better.",
    )


def worst(part: Part, claims: list) -> Answer:
    """The group that does worst, if any is shown to, and who was not compared."""
    table, left = part.found.disparities, not_compared(part)
    if table.empty:
        return Answer(WORST, NOT_TESTED, RATE)
    if not (table["pairs"] > 0).any():
        return Answer(WORST, CANT, " ".join(filter(None, ["No two groups have enough people with a score.", left])))
    if not claims:
        text = " ".join(filter(None, [NO_PROOF, _largest(part), left]))
        return Answer(WORST, NO_ONE, text)
    worst_, best = extremes_of(part, claims[0].attribute)
    also = _also(claims[1:])
    text = " ".join(filter(None, [_ends(part, worst_, best), surest(part, claims[0]), also, left]))
    return Answer(WORST, figures.label(worst_.group), text)


def certainty(part: Part, claims: list) -> Answer:
    """How often chance would show such a difference; else what may be hidden."""
    table = part.found.disparities
    if not (table["pairs"] > 0).any():
        return Answer(SURE, CANT, RATE if table.empty else "There are too few people in each group.")
    if not claims:
        known = table["p_between_subjects"].dropna()
        least = f"The smallest p between people, corrected for all that was compared, is {figures.p(known.min())}."
        return Answer(SURE, "Not sure", f"{least} {FEW}" if len(known) else FEW)
    times = int(1 / max(claims[0].p_between_subjects, 1e-6) + 1e-6)
    chance = f"Chance alone would show such a difference in at most 1 of {times:,} tables like this."
    people = f"{counted(claims[0].worst_subjects, 'person')} are compared with {claims[0].best_subjects:,}."
    note = f" Note: {figures.label(claims[0].note)}." if claims[0].note else ""
    told = f"{surest(part, claims[0])} {chance} {people}{note}".strip()
    return Answer(SURE, "Very sure" if times >= 100 else "Sure", told)


def not_compared(part: Part) -> str:
    """The groups of single attributes that have no figure, as a sentence; "" where each has one."""
    told = few(part)
    told = [*told[:NAMED], *([counted(len(told) - NAMED, "more group")] if len(told) > NAMED else [])]
    undefined = part.found.groups["note"].str.startswith(UNDEFINED).any()
    why = "with too few people or not defined" if undefined else "with too few people"
    return f"Not compared, {why}: {listed(told)}." if told else ""


def few(part: Part) -> list[str]:
    """The groups of single attributes that have no figure, with their size, or that it isn't defined."""
    groups = part.found.groups
    left = groups[groups["mean"].isna() & (groups["attribute"] != WHOLE)]
    left = left[~left["attribute"].str.contains(BETWEEN, regex=False)]
    return [f"{row.group} ({row.attribute}, {_why_left(row)})" for row in left.itertuples()]


def _why_left(row: Any) -> str:
    return "not defined" if row.note.startswith(UNDEFINED) else counted(row.subjects, "person")


def extremes_of(part: Part, attribute: str) -> list[Any]:
    """The rows of groups with the worst and the best mean of an attribute."""
    return extreme_groups(part.found.groups, attribute, part.found.lower_is_better)


def _ends(part: Part, *ends: Any) -> str:
    """The worst and the best group of an attribute: both averages, each with its interval and how many they are of."""
    sides = [
        f"{figure} on average ({figures.sure(row, part.found.counted)}) for {figures.label(row.group)}"
        for figure, row in zip(figures.apart(*(row.mean for row in ends)), ends, strict=True)
    ]
    return f"By {figures.label(ends[0].attribute)}: {sides[0]}, against {sides[1]}."


def surest(part: Part, row: Any) -> str:
    """The difference that holds, where it isn't that of the worst and the best group; "" where it is."""
    if [row.worst, row.best] == [end.group for end in extremes_of(part, row.attribute)]:
        return ""
    low, high = figures.apart(row.worst_mean, row.best_mean)
    return f"Surest difference: {figures.label(row.worst)} {low}, {figures.label(row.best)} {high}."


def _also(claims: list) -> str:
    found = list(dict.fromkeys((row.worst, row.attribute) for row in claims))
    told = [f"{figures.label(group)} ({figures.label(attribute)})" for group, attribute in found[:NAMED]]
    told += [counted(len(found) - NAMED, "more group")] if len(found) > NAMED else []
    return f"Also worse than others: {listed(told)}." if told else ""


def largest(part: Part) -> pd.Series | None:
    """The row of extremes with the largest difference of means, of single attributes; None where none is compared."""
    table = part.found.extremes
    told = table[(table["worst"] != "") & table["difference"].notna()]
    told = told[~told["attribute"].str.contains(BETWEEN, regex=False)]
    return told.loc[told["difference"].abs().idxmax()] if len(told) else None


def _largest(part: Part) -> str:
    """That chance may explain the largest difference; "" of none."""
    row = largest(part)
    if row is None:
        return ""
    if row["difference"] == 0:
        return "All means of groups that are compared are equal."
    low, high = figures.apart(row["worst_mean"], row["best_mean"])
    return (
        f"The largest difference is by {row['attribute']}: {low} on average for {row['worst']}, {high} for "
        f"{row['best']}; chance may explain it."
    )
