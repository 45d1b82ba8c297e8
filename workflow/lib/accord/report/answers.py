"""The four questions of a first screen, of one measure of a model: how well, for whom worst, how sure, why probably."""

import pandas as pd

from accord.report import measures, names
from accord.report.blocks import Answers
from accord.report.doubts import hidden, nearest, ways
from accord.report.quantities import apart, counted, listed, sure, upper, value
from accord.report.told import WHOLE, Told, single
from accord.report.untested import not_compared
from accord.report.why import errors, why
from accord.report.words import leading, strongest

HOW_WELL, WORST, SURE, WHY = "How well?", "For whom worst?", "How sure is that?", "Why, probably?"
CANT, NO_ONE, NOT_COMPARED, NOT_KNOWN = (
    "Can't be said", "No one, as far as can be shown", "Groups were not compared", "Not known"
)  # fmt: skip
OTHERS = 3
"""Most further groups that are named."""


def all_answers(told: Told) -> list[Answers]:
    """The answers for a model by each of its measures, the first first. `told`: of the model alone."""
    return [answers(told.by(metric), metric, number) for number, metric in enumerate(measures.measures(told), 1)]


def answers(told: Told, metric: str, number: int) -> Answers:
    """The answers for a model by a measure. `told`: of both alone; `number`: which of the model's measures it is."""
    claims = strongest(told.disparities)
    texts = [how_well(told), worst(told, claims), certainty(told, claims), _why(told, claims)]
    questions = (HOW_WELL, WORST, SURE, WHY)
    made = [{"question": q, "short": short, "long": long} for q, (short, long) in zip(questions, texts, strict=True)]
    return Answers(f"table-answers-{number}", f"Measured by {names.measure(metric)}", made)


def how_well(told: Told) -> tuple[str, str]:
    """The average of everyone, what it says, how it was averaged, how sure it is; or why there is none."""
    row = _everyone(told)
    if row is None:
        return NOT_KNOWN, "It has no score."
    if pd.isna(row.mean):
        return NOT_KNOWN, f"{upper(row.note)}." if row.note else "It has no score."
    return value(row.metric, row.mean), f"{upper(names.plain(row.metric))}. {upper(row.average)}; {sure(row)}."


def worst(told: Told, claims: list) -> tuple[str, str]:
    """The group that is worst off, if any is shown to be; and which groups were not compared."""
    if not len(told.disparities):
        return NOT_COMPARED, f"By this measure no test compares them.{_ends(told)}"
    if not (told.disparities["pairs"] > 0).any():
        return CANT, "No two groups have enough people with a score to be compared."
    left = f" {text}" if (text := not_compared(told)) else ""
    if not claims:
        return NO_ONE, f"That is no proof that there is none.{_ends(told)}{left}"
    first = leading(claims)
    short = listed([names.group(row.worst) for row in first])
    return short, f"{' '.join(_claimed(row, told) for row in first)}{_also(claims[len(first) :])}{left}"


def certainty(told: Told, claims: list) -> tuple[str, str]:
    """How sure the worst group is: how often chance would show such a thing; else what may be hidden."""
    if not len(told.disparities):
        return CANT, "The interval of each group, on the model's page, says how sure its figure is."
    if not (told.disparities["pairs"] > 0).any():
        return CANT, "There are too few people with a score in each group."
    if not claims:
        return "Not sure", " ".join(part for part in (_between(told), nearest(told.disparities), hidden(told)) if part)
    first = claims[0]
    times = int(1 / max(first.p_between_subjects, 1e-6) + 1e-6)
    return "Very sure" if times >= 100 else "Sure", (
        f"Chance alone would show such a difference in at most 1 of {times:,} reports like this. "
        f"{counted(first.worst_subjects, 'person')} are compared with {first.best_subjects:,}.{ways(told, first)}"
    )


def _everyone(told: Told):
    """The row of groups that tells of everyone; None where there is none."""
    return next(told.groups[told.groups["attribute"] == WHOLE].itertuples(), None)


def _claimed(row, told: Told) -> str:
    """A difference that holds: both averages, each with its interval and how many they are of."""
    figures = apart(row.metric, row.worst_mean, row.best_mean)
    sides = [
        f"{figure} on average{_known(told, row.attribute, group)} for {names.group(group)}"
        for figure, group in zip(figures, (row.worst, row.best), strict=True)
    ]
    note = f" Note: {row.note}." if row.note else ""
    return f"By {names.attribute(row.attribute).lower()}: {sides[0]}, against {sides[1]}.{note}"


def _known(told: Told, attribute: str, group: str) -> str:
    """Interval and size of a group, in brackets; "" where the table of groups hasn't got it."""
    mine = told.groups[(told.groups["attribute"] == attribute) & (told.groups["group"] == group)]
    return "".join(f" ({sure(row)})" for row in mine.itertuples())


def _also(claims: list) -> str:
    """Which other groups do worse, the first few by name."""
    found = list(dict.fromkeys((row.worst, row.attribute) for row in claims))
    told = [f"{names.group(group)} ({names.attribute(attribute).lower()})" for group, attribute in found[:OTHERS]]
    told += [counted(len(found) - OTHERS, "more group")] if len(found) > OTHERS else []
    return f" Also worse than others: {listed(told)}." if told else ""


def _ends(told: Told) -> str:
    """The lowest and the highest average of a group of a single attribute, with what they are sure of."""
    known = single(told.groups[told.groups["mean"].notna()])
    if known.empty:
        return " No group has a figure."
    ordered = list(known.sort_values(["mean", "attribute", "group"]).itertuples())
    low, high = ordered[0], ordered[-1]
    if low.mean == high.mean:
        return f" Each group has {value(low.metric, low.mean)} on average."
    figures = apart(low.metric, low.mean, high.mean)
    ends = [
        f"{figure} for {names.group(row.group)} ({names.attribute(row.attribute).lower()}; {sure(row)})"
        for figure, row in zip(figures, (low, high), strict=True)
    ]
    return f" Groups' averages go from {ends[0]} to {ends[1]}, which chance may explain."


def _between(told: Told) -> str:
    """That groups differ between images alone, if any do."""
    count = int(told.disparities["significant"].sum())
    if not count:
        return "No difference is beyond chance."
    return (
        f"In {counted(count, 'comparison')} groups differ beyond chance from image to image, in none from person to "
        "person: a few people alone may make the difference."
    )


def _why(told: Told, claims: list) -> tuple[str, str]:
    if claims:
        short, long = why(claims[0], told.conditioned, told.causes)
        return short, f"Of {names.group(claims[0].worst)}: {long}" if len(leading(claims)) > 1 else long
    row = _everyone(told)
    scored = row is not None and pd.notna(row.mean)
    return ("No difference to explain", errors(told.causes)) if scored else (NOT_KNOWN, "It has no score.")
