"""Which occupations models say of which groups: those said of enough people, with ratio and corrected p."""

import pandas as pd

from accord.analyse.open_answers.occupation_shares import LEAST
from accord.analyse.open_answers.occupations import UNLISTED
from accord.report.drawing.blocks import Grid, Section, Words, grid
from accord.report.reading.report_data import ReportData
from accord.report.telling import names
from accord.statistics.testing.correction import ALPHA
from accord.text.nouns import counted

TITLE = "Occupations"
INTRO = (
    f"Occupations of the list that were said of at least {LEAST} people, and groups of at least {LEAST} people: "
    "nothing here is about a person. A person counts once, however many pictures there are. None of it says what "
    "anybody does for a living."
)
CAPTION = (
    "Of how many people of a group an occupation was said. Ratio: the group's share / everyone's. p: Fisher's exact "
    "test of the group against all others; corrected: after Holm, over all occupations and groups of the attribute."
)


def section(data: ReportData) -> Section:
    """How many differences hold, and every share; harmful terms are marked."""
    told = data.occupation_shares
    blocks = (
        [Words([_sentence(mine) for _, mine in told.groupby("model", sort=True)]), _table(told)] if len(told) else []
    )
    return Section("occupations", TITLE, INTRO, blocks)


def _sentence(mine: pd.DataFrame) -> str:
    model, terms = mine["model"].iloc[0], mine.loc[mine["occupation"] != UNLISTED, "occupation"].nunique()
    start = f"{model}: {counted(terms, 'occupation')} of the list said of at least {LEAST} people."
    held = mine[(mine["corrected"] < ALPHA) & (mine["occupation"] != UNLISTED)]
    if held.empty:
        return f"{start} No group hears one more or less often beyond chance. This does not prove that there is none."
    first = held.sort_values(["corrected", "p_value", "occupation", "attribute", "group"]).iloc[0]
    often = "more" if first["ratio"] > 1 else "less"
    return (
        f"{start} In {counted(len(held), 'comparison')} a group hears one more or less often beyond chance, after "
        f"correction. The clearest: “{first['occupation']}” {often} often for {names.group(first['group'])} "
        f"({names.attribute(first['attribute']).lower()}): said of {first['said']:,} of "
        f"{counted(first['subjects'], 'person')}, {first['ratio']:.2f} times everyone's share."
    )


def _table(told: pd.DataFrame) -> Grid:
    order = told.sort_values(["model", "corrected", "p_value", "occupation", "attribute", "group"])
    made = [
        (row.model, "none of the list" if row.occupation == UNLISTED else row.occupation, row.harmful,
         names.attribute(row.attribute), names.group(row.group), row.said, row.subjects, row.share, row.overall,
         row.ratio, row.p_value, row.corrected)
        for row in order.itertuples()
    ]  # fmt: skip
    columns = ["model", "occupation", "harmful", "attribute", "group", "said of", "people", "share", "everyone's share",
               "ratio", "p", "p corrected"]  # fmt: skip
    return grid("table-occupations", CAPTION, pd.DataFrame(made, columns=columns))
