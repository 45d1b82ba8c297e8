"""Who is called by the wrong pronoun: by pronoun, length of hair and variant of the picture, by both definitions."""

from typing import Any

import pandas as pd

from accord.analyse.comparing.probe_rates import HAIR
from accord.evaluate.tables.parts import VARIANTS
from accord.grouping import BETWEEN, HAIR_LENGTHS
from accord.report.drawing.blocks import Cell, Grid, Heat, Section, Words, grid
from accord.report.foundation import rates
from accord.report.foundation.pronouns import ATTRIBUTE, of_people
from accord.report.foundation.shown import CONDITIONAL
from accord.report.reading.report_data import ReportData
from accord.report.telling import names
from accord.text.nouns import upper

TITLE = "Who is called by the wrong pronoun"
INTRO = (
    "Two definitions, which can rank groups differently. The first looks only at those whom the model calls she or "
    "he, and counts who is neither by their own words: a model that calls all men “a person” misgenders none of them. "
    "The second counts everyone who isn't called by their pronoun, and “unspecified” as wrong. Empty cells have too "
    "few people."
)
THEIRS = (
    "FHIBE's article, without figures: fewest errors where hair is as stereotypes have it, such as short or none for "
    "him."
)
ANY = "any hair"
CROSSED = BETWEEN.join((ATTRIBUTE, HAIR))
LENGTHS = [name for name, _ in HAIR_LENGTHS]


def section(data: ReportData) -> Section:
    """A sentence per model, a table of hair by variant for each model and definition, and all figures."""
    told = of_people(data.probe_rates)
    told = told[told["outcome"].isin(rates.DEFINITIONS) & told["attribute"].isin([ATTRIBUTE, CROSSED])]
    if told.empty:
        return Section("misgendered", TITLE, INTRO, [])
    told = rates.crossed(told).assign(second=lambda some: some["second"].where(some["attribute"] == CROSSED, ANY))
    sentences = [_sentence(mine) for _, mine in told.groupby("model", sort=True)]
    # A model that calls too few people she or he has no rows of the first definition.
    kinds = [(model, name) for model in sorted(set(told["model"])) for name in rates.DEFINITIONS]
    parts = [told[(told["model"] == model) & (told["outcome"] == name)] for model, name in kinds]
    heats = [_heat(number, mine) for number, mine in enumerate(parts, 1) if len(mine)]
    return Section("misgendered", TITLE, INTRO, [Words([*sentences, THEIRS]), *heats, _table(told)])


def _sentence(mine: pd.DataFrame) -> str:
    """Both definitions, of pictures as they are, of each pronoun that has a figure."""
    plain = mine[(mine["part"] == rates.PLAIN) & (mine["second"] == ANY)]
    parts = []
    for name, called in rates.DEFINITIONS.items():
        some = plain[(plain["outcome"] == name) & plain["rate"].notna()].sort_values("group")
        figures = [f"{rates.percent(r.rate)} of {names.group(r.group)} ({rates.sure(r)})" for r in some.itertuples()]
        parts.append(f"{upper(called)}: {', '.join(figures) or 'no group has enough people for a figure'}.")
    return f"{mine['model'].iloc[0]}. {' '.join(parts)}"


def _heat(number: int, mine: pd.DataFrame) -> Heat:
    told, most = rates.by(mine, "first", "second", "part"), mine["rate"].max()
    most = most if most > 0 else 1.0
    rows: list[tuple[str, list[Cell]]] = []
    for pronoun in rates.ordered(mine["first"]):
        lengths = [one for one in [ANY, *LENGTHS] if any((pronoun, one, part) in told for part in VARIANTS)]
        rows.append((names.group(pronoun), []))
        for one in lengths:
            rows.append((_hair(one), [rates.cell(told.get((pronoun, one, part)), most) for part in VARIANTS]))
    outcome = rates.outcome(mine["outcome"].iloc[0])
    only = " who are called she or he" if mine["outcome"].iloc[0] in CONDITIONAL else ""
    caption = f"{mine['model'].iloc[0]}: {outcome}; n: people{only}. The stronger the colour, the more often."
    shown = [rates.CALLED[part] for part in VARIANTS]
    return Heat(f"figure-misgendered-{number}", caption, "hair / picture", shown, rows, "0%", rates.percent(most))


def _hair(length: str) -> str:
    return {"none": "no hair", ANY: ANY}.get(length, f"{length} hair")


def _table(told: pd.DataFrame) -> Grid:
    place = {name: number for number, name in enumerate([ANY, *LENGTHS])}
    order = told.assign(place=told["second"].map(place), variant=told["part"].map(VARIANTS.index))
    order = order.sort_values(["model", "outcome", "variant", "first", "place"])
    made = [_row(row) for row in order.itertuples()]
    columns = ["model", "definition", "picture", "pronoun", "hair", *rates.FIGURES]
    caption = "Who is called by the wrong pronoun: every figure, with its 95% interval by people."
    return grid("table-misgendered", caption, pd.DataFrame(made, columns=columns), folded=True)


def _row(row: Any) -> tuple:
    return (row.model, rates.outcome(row.outcome), rates.CALLED[row.part], names.group(row.first), _hair(row.second),
            *rates.figures(row))  # fmt: skip
