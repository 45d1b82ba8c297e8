"""What models of pictures and texts were held against, and what others were asked; about how many pictures of whom."""

import pandas as pd

from accord.analyse.scoring.metrics import SAID
from accord.grouping import WHOLE
from accord.report.drawing.blocks import Grid, Section, Words, grid
from accord.report.foundation.rates import PLAIN
from accord.report.reading.report_data import ReportData
from accord.text.nouns import images_of

TITLE = "What was asked"
INTRO = (
    "Models that were trained on pictures and texts from the web were asked about the people and places in the "
    "pictures of this release. What they say is counted here, for groups of people; no answer about a single person "
    "is shown."
)
PROBES = (
    "A model of pictures and texts says nothing by itself. Each picture is held against the prompts below; the label "
    "whose prompt fits best counts as what the model calls the picture. It has to choose: there is no answer like "
    "“I can't tell”, and it may fit the other labels nearly as well."
)
NOTHING = "Nothing was asked about the pictures of this release."


def section(data: ReportData) -> Section:
    """Counts of each model in words, then the prompts of each label, then those of questions about classes."""
    asked = data.probe_rates[data.probe_rates["probe"] != ""]
    blocks: list = [Words([PROBES, *_counts(asked)]), _prompts(data.texts)] if len(asked) else []
    blocks += [_classes(data.class_questions)] if len(data.recalls) and len(data.class_questions) else []
    return Section("asked", TITLE, INTRO, blocks, NOTHING)


def _counts(rates: pd.DataFrame) -> list[str]:
    """A sentence per model: how many pictures, of how many people, each probe counts."""
    whole = rates[(rates["attribute"] == WHOLE) & (rates["part"] == PLAIN) & rates["outcome"].str.startswith(SAID)]
    told = []
    for model, mine in whole.drop_duplicates(["model", "probe"]).groupby("model", sort=True):
        counts = [f"{images_of(row.images, row.subjects)} (“{row.probe}”)" for row in mine.itertuples()]
        told.append(f"{model} was asked about {'; '.join(counts)}.")
    return told


def _prompts(texts: pd.DataFrame) -> Grid:
    """The prompts of each label, in the order in which they were asked."""
    once = texts.drop_duplicates(["probe", "label", "prompt", "text"])
    labels = once.groupby(["probe", "label"], sort=False)["text"].agg(" · ".join).reset_index()
    return grid("table-prompts", "The prompts of each label.", labels.rename(columns={"text": "prompts"}))


def _classes(prompts: pd.DataFrame) -> Grid:
    return grid("table-class-questions", "What was asked for the class of the person, word for word.", prompts)
