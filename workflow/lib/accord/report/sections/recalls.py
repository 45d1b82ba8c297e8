"""What a model answered when asked for the class of a person: how often right, for whom, beside published figures."""

import pandas as pd

from accord.grouping import WHOLE
from accord.report.drawing.blocks import Grid, Section, Words, grid, picked
from accord.report.reading.report_data import ReportData
from accord.report.telling import names
from accord.report.telling.class_figures import matched, side_by_side

INTRO = (
    "The model was asked about pictures of one person: to choose the person's class from a list (p1), whether there "
    "is one of that class in the picture (p2), or whether the person is one (p3): yes, no or unknown. Recall is the "
    "share of right answers; unknown, no and answers that could not be read are misses. Groups are what annotators "
    "saw, not what people say of themselves."
)
ALWAYS = (
    "A model that always says yes has a recall of 1 for p2 and p3. So each picture was asked about once more with "
    "another class: false yes is the share of yes there, and balanced accuracy the mean of recall and of the share of "
    "no there (0.5 for a model that always says yes)."
)
COUNTS = {"images": "images", "subjects": "people"}
KEYS = {"question": "prompt", "read": "answers"}
POOLED = "over all reported classes, each image weighing alike"
PAPERS = (
    "beside those of the LVLM fairness paper (13 classes of FACET). The paper does not say which of p2 and p3 its yes, "
    "no or unknown is, so ours are apart. Votes of annotators, decoding and encoders may differ."
)


def section(data: ReportData) -> Section:
    """Recalls, differences and false yes by group, then by class; and those that the paper printed."""
    if not len(data.recalls):
        return Section("recalls", "Questions about classes", INTRO, [], "No question was asked about classes.")
    blocks: list = [_readings(data.readings), *tables(data, pooled=True), Words([ALWAYS])]
    blocks += [*tables(data, pooled=False), *published(data)]
    return Section("recalls", "Questions about classes", INTRO, blocks)


def _readings(table: pd.DataFrame) -> Grid:
    shown = {"exact": "a label as they are", "nearest": "the nearest label", "refused": "refused", "unread": "unread"}
    columns = {**KEYS, "answers": "all", **shown, "cosine": "median cosine of the nearest"}
    about = "How answers became labels. A low cosine says that the nearest label is far from what was said."
    return grid("table-readings", about, picked(_named(table), columns))


def tables(data: ReportData, *, pooled: bool, keys: dict[str, str] = KEYS) -> list[Grid]:
    """Recalls, differences and false yes, pooled or by class. keys: columns that say which run a row is of."""
    of, where = ("", POOLED) if pooled else ("-class", "by class, of those with images")
    cells = {} if pooled else {"class": "class"}
    groups = {**keys, **cells, "attribute": "attribute", "group": "group", **COUNTS}
    ends = {"low": "interval from", "high": "interval to", "note": "note"}
    misses = {"unknown": "unknown", "no": "no", "failed": "unread"}
    gaps = {**keys, **cells, "attribute": "attribute", "pair": "groups", "difference": "difference", "first": "first",
            "first_images": "its images", "second": "second", "second_images": "images of second"}  # fmt: skip
    yes = {"false_yes_rate": "false yes", "low": "interval from",
        "high": "interval to", "balanced_accuracy": "balanced accuracy",
           "balanced_low": "its lower end", "balanced_high": "its upper end", "note": "note"}  # fmt: skip
    parts = (
        (f"table-recalls{of}", f"Recall {where}; 95% intervals.", data.recalls,
         {**groups, "right": "right", **misses, "recall": "recall", **ends}),
        (f"table-recall-disparities{of}", f"Differences of recall {where}; 95% intervals (Newcombe).",
         data.recall_disparities, {**gaps, **ends}),
        (f"table-false-yes{of}", f"Asked for another class, {where}; 95% intervals.", data.false_yes,
         {**groups, **yes}),
    )  # fmt: skip
    shown = {WHOLE} if pooled else set(data.recalls.loc[data.recalls["images"] > 0, "class"]) - {WHOLE}
    return [
        grid(id, about, picked(_named(rows), columns), folded=not pooled)
        for id, about, table, columns in parts
        if len(rows := table[table["class"].isin(shown)])
    ]


def published(data: ReportData) -> list[Grid]:
    """Differences and recalls beside those that the paper printed; nothing without them."""
    gaps, recalls = side_by_side(data.recalls, data.recall_disparities, data.references)
    found = [("table-published-disparities", f"Differences of recall {PAPERS}", gaps, False),
             ("table-published-recalls", f"Recalls {PAPERS}", recalls, True)]  # fmt: skip
    return [grid(id, text, table.rename(columns={"how": "answers"}), folded=folded)
            for id, text, table, folded in found if len(table)]  # fmt: skip


def _named(table: pd.DataFrame) -> pd.DataFrame:
    told = table.assign(read=[matched(name) for name in table["encoder"]])
    for column in ("attribute", "group"):
        if column in told:
            call = names.attribute if column == "attribute" else names.group
            told[column] = ["Everyone" if value == WHOLE else call(value) for value in told[column]]
    return told
