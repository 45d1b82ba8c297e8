"""What changed since the version before, and whether because of the data or the model; models compared in pairs."""

import pandas as pd

from accord.report.drawing.blocks import Grid, Section, Words, grid
from accord.report.reading import changes
from accord.report.reading.report_data import ReportData
from accord.report.telling import names

INTRO = (
    "Scores before and after, on the pictures of both versions, and on all: a change on the same pictures is due to "
    "the model, or to the processing of the pictures; the rest is due to the choice of pictures. Means are over "
    "people in images. The change on the same, or on replaced, pictures weights each person equally, whatever their "
    "number of pictures: it need not be the difference of the two means."
)
CAPTION = (
    "Every comparison, with the 90% interval of the change; p is corrected for all of them (Holm). Verdicts: “same” "
    "if a change of the margin or more can be ruled out, “open” if neither that nor a change is shown."
)
VERSIONS = "versions"


def section(data: ReportData) -> Section:
    """A sentence for each change, and the table of comparisons, of versions and of models."""
    of_versions = data.compared[data.compared["kind"] == VERSIONS]
    cases = [rows for _, rows in of_versions.groupby(["task", "model_after", "metric"], sort=True)]
    blocks: list = [Words(changes.sentences(cases) or ["No version before was given to compare with."])]
    blocks += [table(data.compared)] if len(data.compared) else []
    return Section("changes", "What changed, and which model is better", INTRO, blocks)


def table(compared: pd.DataFrame) -> Grid:
    """All comparisons."""
    told = compared.sort_values(["kind", "task", "metric", "model_before", "model_after", "images"], ascending=False)
    rows = pd.DataFrame(
        {
            "task": told["task"].map(names.task).to_list(),
            "metric": told["metric"].to_list(),
            "before, or one model": told["model_before"].to_list(),
            "after, or the other": told["model_after"].to_list(),
            "on which pictures": told["images"].to_list(),
            "verdict": told["verdict"].to_list(),
            "better": [
                {"before": row.model_before, "after": row.model_after}.get(row.better, "")
                if row.kind != VERSIONS
                else row.better
                for row in told.itertuples()
            ],
            "change": told["change"].to_list(),
            "interval from": told["low"].to_list(),
            "interval to": told["high"].to_list(),
            "p": told["p_changed"].to_list(),
            "note": told["note"].to_list(),
            "mean before": told["before"].to_list(),
            "mean after": told["after"].to_list(),
            "margin": told["margin"].to_list(),
            "images before": told["images_before"].to_list(),
            "images after": told["images_after"].to_list(),
            "people": told["subjects"].to_list(),
        }
    )
    return grid("table-compared", CAPTION, rows)
