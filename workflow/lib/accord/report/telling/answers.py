"""The four questions of a first screen, of one measure of a model: how well, for whom worst, how sure, why probably."""

from typing import Any, NamedTuple

import pandas as pd

from accord.analyse.scoring.extreme_groups import extreme_groups
from accord.analyse.scoring.metrics import is_neutral
from accord.report.drawing.blocks import Answers
from accord.report.reading import measures
from accord.report.reading.report_data import WHOLE, ReportData, single
from accord.report.telling import names
from accord.report.telling.comparison import comparative
from accord.report.telling.doubts import hidden, nearest, ways
from accord.report.telling.quantities import apart, sure, value
from accord.report.telling.thresholds import outside
from accord.report.telling.untested import not_compared
from accord.report.telling.why import errors, why
from accord.report.telling.words import NO_PROOF, leading, medians, strongest, surest
from accord.text.nouns import counted, listed, upper

HOW_WELL, WORST, SURE, WHY = "How well?", "For whom worst?", "How sure is that?", "Why, probably?"
HOW_OFTEN, LEAST = "How often?", "For whom less often?"
"""Of measures that have no better, in place of HOW_WELL and WORST."""
ORDER = (HOW_WELL, HOW_OFTEN, WORST, LEAST, SURE, WHY)
CANT, NO_ONE, NOT_COMPARED, NOT_KNOWN = (
    "Can't be said", "No one, as far as can be shown", "Groups were not compared", "Not known"
)  # fmt: skip
NO_DIFFERENCE = "No difference shown"
NO_SCORE, NO_FIGURE = "It has no score.", "No group has a figure."
OTHERS = 3
"""Most further groups that are named."""


class Answer(NamedTuple):
    """The answer in a word or two; all that is behind it; and the part of that which a first screen has room for."""

    short: str
    long: str
    brief: str


def all_answers(data: ReportData) -> list[Answers]:
    """The answers for a model by each of its measures, the first first. `data`: of the model alone."""
    return [answers(data.by(metric), metric, number) for number, metric in enumerate(measures.measures(data), 1)]


def answers(data: ReportData, metric: str, number: int) -> Answers:
    """The answers for a model by a measure. `data`: of both alone; `number`: which of the model's measures it is."""
    claims = strongest(data.disparities)
    well, whom = (HOW_OFTEN, LEAST) if is_neutral(metric) else (HOW_WELL, WORST)
    found = {well: how_well(data), whom: worst(data, claims), SURE: certainty(data, claims), WHY: _why(data, claims)}
    made = [{"question": question, **answer._asdict()} for question, answer in found.items()]
    return Answers(f"table-answers-{number}", names.measure(metric), made)


def how_well(data: ReportData) -> Answer:
    """The average of everyone, what it says, how it was averaged, how sure it is; or why there is none."""
    row = _everyone(data)
    if row is None or pd.isna(row.mean):
        return _plain(NOT_KNOWN, f"{upper(row.note)}." if row is not None and row.note else NO_SCORE)
    says = upper(names.plain(row.metric))
    apart_from_groups = f" {why_outside}." if (why_outside := outside(data)) else ""
    return _plain(value(row.metric, row.mean), f"{says}. {upper(row.average)}; {sure(row)}.{apart_from_groups}")


def worst(data: ReportData, claims: list) -> Answer:
    """The group that is worst off, if any is shown to be, or has less of what is neither better nor worse; and which
    groups were not compared."""
    if not len(data.disparities):
        text = "By this measure no test compares them."
        return Answer(NOT_COMPARED, f"{text}{_ends(data)}", text)
    if not (data.disparities["pairs"] > 0).any():
        return _plain(CANT, "No two groups have enough people with a score to be compared.")
    left = f" {text}" if (text := not_compared(data)) else ""
    if not claims:
        short = NO_DIFFERENCE if is_neutral(data.disparities["metric"].iloc[0]) else NO_ONE
        return Answer(short, f"{NO_PROOF}{_ends(data)}{left}", f"{NO_PROOF}{left}")
    first = leading(claims)
    short = listed([names.group(_worst(row, data)) for row in first])
    text = " ".join(_claimed(row, data) for row in first)
    return Answer(short, f"{text}{_also(claims[len(first) :])}{left}", f"{text}{left}")


def certainty(data: ReportData, claims: list) -> Answer:
    """How sure the worst group is: how often chance would show such a thing; else what may be hidden."""
    if not len(data.disparities):
        some = single(data.groups)["mean"].notna().any()
        return _plain(CANT, "The interval of each group's figure says how sure that is." if some else NO_FIGURE)
    if not (data.disparities["pairs"] > 0).any():
        return _plain(CANT, "There are too few people with a score in each group.")
    if not claims:
        parts = (_between(data), nearest(data.disparities), hidden(data))
        return Answer("Not sure", " ".join(part for part in parts if part), hidden(data))
    first = claims[0]
    times = int(1 / max(first.p_between_subjects, 1e-6) + 1e-6)
    chance = f"Chance alone would show such a difference in at most 1 of {times:,} reports like this."
    people = f"{counted(first.worst_subjects, 'person')} are compared with {first.best_subjects:,}."
    other = surest(data.groups, first)
    chance = f"{other}. {chance}" if other else chance
    return Answer("Very sure" if times >= 100 else "Sure", f"{chance} {people}{ways(data, first)}", chance)


def _plain(short: str, long: str) -> Answer:
    """An answer that is brief as it is."""
    return Answer(short, long, long)


def _everyone(data: ReportData):
    """The row of groups that tells of everyone; None where there is none."""
    return next(data.groups[data.groups["attribute"] == WHOLE].itertuples(), None)


def _worst(row: Any, data: ReportData) -> str:
    """The group with the worst mean of the attribute of a difference that holds."""
    return next((end.group for end in extreme_groups(data.groups, row.attribute)), row.worst)


def _claimed(row: Any, data: ReportData) -> str:
    """The worst and the best group of an attribute by which a difference holds, both with interval and size; and that
    difference, where it is another."""
    ends = extreme_groups(data.groups, row.attribute)
    sides = ((end.group, end.mean) for end in ends) if ends else (
        (row.worst, row.worst_mean), (row.best, row.best_mean)
    )  # fmt: skip
    groups, means = zip(*sides, strict=True)
    told = [
        f"{figure} on average{_known(data, row.attribute, group)} for {names.group(group)}"
        for figure, group in zip(apart(row.metric, *means), groups, strict=True)
    ]
    other = surest(data.groups, row)
    told[1] += medians(row) if not other else ""
    note = f" Note: {names.note(row.note)}." if row.note else ""
    return f"By {names.attribute(row.attribute).lower()}: {told[0]}, against {told[1]}.{other and f' {other}.'}{note}"


def _known(data: ReportData, attribute: str, group: str) -> str:
    """Interval and size of a group, in brackets; "" where the table of groups hasn't got it."""
    mine = data.groups[(data.groups["attribute"] == attribute) & (data.groups["group"] == group)]
    return "".join(f" ({sure(row)})" for row in mine.itertuples())


def _also(claims: list) -> str:
    """Which other groups do worse, the first few by name."""
    found = list(dict.fromkeys((row.worst, row.attribute) for row in claims))
    told = [f"{names.group(group)} ({names.attribute(attribute).lower()})" for group, attribute in found[:OTHERS]]
    told += [counted(len(found) - OTHERS, "more group")] if len(found) > OTHERS else []
    return f" Also {comparative(claims[0].metric)} than others: {listed(told)}." if told else ""


def _ends(data: ReportData) -> str:
    """The lowest and the highest figure of a group of a single attribute, with how sure each is."""
    every = single(data.groups)
    known = every[every["mean"].notna()]
    if known.empty:
        return f" {NO_FIGURE}"
    ordered = list(known.sort_values(["mean", "attribute", "group"]).itertuples())
    low, high = ordered[0], ordered[-1]
    if low.mean == high.mean:
        return f" Each group that has a figure has {value(low.metric, low.mean)}."
    figures = apart(low.metric, low.mean, high.mean)
    ends = [
        f"{figure} for {names.group(row.group)} ({names.attribute(row.attribute).lower()}; {sure(row)})"
        for figure, row in zip(figures, (low, high), strict=True)
    ]
    some = f" {len(known)} of {counted(len(every), 'group')} have a figure." if len(known) < len(every) else ""
    return f"{some} The lowest is {ends[0]}, the highest {ends[1]}: chance may explain that."


def _between(data: ReportData) -> str:
    """That groups differ between images alone, if any do."""
    count = int(data.disparities["significant"].sum())
    if not count:
        return "No difference is beyond chance."
    return (
        f"In {counted(count, 'comparison')} groups differ beyond chance from image to image. None of this holds "
        "between people: a few of them alone, or another attribute, may make the difference."
    )


def _why(data: ReportData, claims: list) -> Answer:
    if claims:
        short, long = why(claims[0], data.conditioned, data.causes)
        several = len(leading(claims)) > 1 or surest(data.groups, claims[0])
        return _plain(short, f"Of {names.group(claims[0].worst)}: {long}" if several else long)
    row = _everyone(data)
    scored = row is not None and pd.notna(row.mean)
    if scored and not len(data.disparities):
        return _plain(NOT_KNOWN, "By this measure it was not looked at.")
    if not scored:
        return _plain(NOT_KNOWN, "There is not a figure to explain.")
    compared = (data.disparities["pairs"] > 0).any()
    return _plain(NO_DIFFERENCE if compared else NOT_KNOWN, errors(data.causes))
