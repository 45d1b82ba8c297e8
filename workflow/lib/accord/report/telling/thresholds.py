"""Why a rate of acceptance of everyone can lie outside of those of all groups."""

from accord.report.reading.report_data import WHOLE, ReportData, single
from accord.report.telling import names

OWN = "everyone, like each group, has a threshold of its own, set by its own impostor pairs"


def outside(data: ReportData) -> str:
    """Why everyone's rate is below, or above, that of each group; "" where it is not, or is no rate of acceptance.

    data: of one model and metric.
    """
    table = data.groups[data.groups["mean"].notna()]
    everyone, groups = table.loc[table["attribute"] == WHOLE, "mean"], single(table)["mean"]
    if everyone.empty or groups.empty or names.far_of(table["metric"].iloc[0]) is None:
        return ""
    if groups.min() <= everyone.iloc[0] <= groups.max():
        return ""
    side = "below" if everyone.iloc[0] < groups.min() else "above"
    return f"Everyone is {side} each group with a figure: {OWN}"
