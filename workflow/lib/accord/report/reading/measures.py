"""The measures by which a model is told, each with answers of its own: first the one that says how well it does."""

from accord.report.reading.report_data import WHOLE, ReportData
from accord.report.telling import names

FIRST = {
    "face_verification": (names.RATE,),
    "keypoint_estimation": ("pck",),
    "body_parts_detection": ("ar_part",),
    "face_encoding": ("lpips", "psnr"),
    "face_super_resolution": ("lpips", "psnr"),
}
"""Task -> how its measures begin, the first first: those that FHIBE (Nature, 2025) tells of. Others follow by name.

A recogniser's cosines between pictures of one person don't say whether it recognises anybody: they never come first.
"""


def measures(data: ReportData) -> list[str]:
    """The metrics of a model, the first first. `told`: of the model alone."""
    whole = data.groups[data.groups["attribute"] == WHOLE]
    found = {(row.task, row.metric) for row in whole[["task", "metric"]].itertuples()}
    return [metric for _, metric in sorted(found, key=lambda one: _place(*one))]


def _place(task: str, metric: str) -> tuple[int, str]:
    starts = FIRST.get(task, ())
    return next((place for place, start in enumerate(starts) if metric.startswith(start)), len(starts)), metric
