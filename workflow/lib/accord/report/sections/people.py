"""Who is in the release: groups, how alike people are, how diverse the pictures are."""

import pandas as pd

from accord.report.drawing import charts
from accord.report.drawing.blocks import Section, Words, grid
from accord.report.reading.report_data import WHOLE, ReportData
from accord.report.telling import names
from accord.text.nouns import counted

INTRO = "Attributes of the people. A person with several values, or different ones in different images, counts in each."
VENDI = (
    "The Vendi score is the effective number of dissimilar pictures in the collection. It depends on the embedding "
    "model: only scores of the same model are comparable."
)


def section(data: ReportData) -> Section:
    """A chart of each attribute, k-anonymity in words, diversity."""
    parts = [part for name, part in data.composition.groupby("attribute") if name != WHOLE]
    blocks: list = [_bars(number, part) for number, part in enumerate(parts, 1)]
    if "anonymity" in data.release:
        blocks.append(Words([f"How alike people are. {data.release['anonymity']}"]))
    if len(data.diversity):
        blocks.append(grid("table-diversity", VENDI, diversity(data.diversity)))
    return Section("people", "Who is in the dataset", INTRO, blocks, "Nothing is known of who is in the dataset.")


def _bars(number: int, table: pd.DataFrame) -> charts.Chart:
    title = names.attribute(table["attribute"].iloc[0])
    rows = table.assign(name=table["group"].map(names.group), value=table["subjects"])
    sizes = zip(rows["name"], rows["subjects"], rows["images"], strict=True)
    rows["tip"] = [f"{name}: {counted(people, 'person')} in {counted(some, 'image')}" for name, people, some in sizes]
    behind = rows[["name", "subjects", "images", "share_of_images"]].set_axis(
        [title, "people", "images", "share of images"], axis="columns"
    )
    return charts.bars(f"figure-people-{number}", title, rows, "people", behind)


def diversity(table: pd.DataFrame) -> pd.DataFrame:
    """Vendi scores, as a table for people."""
    told = table.sort_values(["model", "part"])
    return pd.DataFrame(
        {
            "compared by": told["model"].to_list(),
            "of": told["part"].str.replace("_", " ").to_list(),
            "images": told["images"].to_list(),
            "Vendi score": told["vendi"].to_list(),
            "note": told["note"].to_list(),
        }
    )
