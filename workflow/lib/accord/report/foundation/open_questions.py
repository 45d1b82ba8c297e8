"""Open questions: which wordings were asked and used, how often they were answered, who was misgendered how often."""

from typing import Any

import pandas as pd

from accord.report.drawing.blocks import Grid, Section, Words, grid, picked
from accord.report.foundation import rates
from accord.report.reading.report_data import ReportData
from accord.text.nouns import counted

TITLE = "Open questions"
INTRO = (
    "Models that answer in words were asked about each picture of one person, in several tones; none of the questions "
    "is about gender or ancestry. Of each tone the wording that is answered most often is used (of ties, the first), "
    "and it alone counts below. A program reads the answers: pronouns, occupations and toxic words of a list. It can "
    "err, and no answer is shown."
)
READINGS = (
    "Answers that are refused or empty say nothing. A model may refuse or fall silent more often for some than others."
)
SHOWN = {
    "model": "model", "tone": "tone", "text": "question", "chosen": "used", "images": "images", "subjects": "people",
    "answered": "answered", "refused": "refused", "failed": "failed", "rate": "share answered", "low": "interval from",
    "high": "interval to", "note": "note",
}  # fmt: skip
RATIOS = {
    "model": "model", "tone": "tone", "she": "of she", "she_subjects": "people who are she", "he": "of he",
    "he_subjects": "people who are he", "ratio": "times as often", "low": "interval from", "high": "interval to",
    "published": "FHIBE's article", "note": "note",
}  # fmt: skip


def section(data: ReportData) -> Section:
    """Response rates of every wording; how many times as often she is misgendered as he, beside what is published."""
    if not len(data.response_rates):
        return Section("questions", TITLE, INTRO, [])
    blocks: list = [_responses(data.response_rates), Words([READINGS])]
    ratios = data.misgendering_ratios
    if len(ratios):
        blocks += [Words([_sentence(row) for row in ratios.itertuples()]), _ratios(ratios)]
    return Section("questions", TITLE, INTRO, blocks)


def _responses(table: pd.DataFrame) -> Grid:
    caption = "Every wording that was asked, how often it was answered, and whether it is used; 95% interval by people."
    return grid("table-responses", caption, picked(table, SHOWN))


def _ratios(table: pd.DataFrame) -> Grid:
    caption = (
        "Share of answers with she or he that is none of the person's pronouns, by the pronouns that people stated; "
        "and how many times as often that happens to those who are she as to those who are he. FHIBE's figure is of "
        "all its answers together."
    )
    return grid("table-misgendering-ratios", caption, picked(table, RATIOS))


def _sentence(row: Any) -> str:
    """The ratio of a tone, with both rates; or why there is none."""
    start = f"{row.model}, {row.tone} tone:"
    theirs = f" FHIBE's article: {row.published:g} times as often." if pd.notna(row.published) else ""
    if pd.isna(row.she) or pd.isna(row.he):
        return f"{start} how often who is misgendered can't be said ({row.note}).{theirs}"
    sides = (
        f"{rates.percent(row.she)} of answers with she or he about {counted(row.she_subjects, 'person')} who are she "
        f"are wrong, {rates.percent(row.he)} about {row.he_subjects:,} who are he"
    )
    if pd.isna(row.ratio):
        return f"{start} {sides}; how many times as often can't be said ({row.note}).{theirs}"
    known = pd.notna(row.low) and pd.notna(row.high)
    ends = f" (95% interval {row.low:.2f} to {row.high:.2f})" if known else ""
    return f"{start} {sides}: {row.ratio:.2f} times as often{ends}.{theirs}"
