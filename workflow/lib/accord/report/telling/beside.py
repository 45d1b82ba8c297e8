"""Our figures beside published ones, where both are of the same quantity."""

import pandas as pd

from accord.analyse.describing.own_figures import combined
from accord.analyse.layout import OURS
from accord.report.reading.report_data import ReportData
from accord.report.telling import class_figures, names

OURS_IS, THEIRS_IS = "this release", "published in"
METRICS = {"face_localization": "ar_iou", "face_parsing": "f1", "person_parsing": "ar_mask"}
"""Task -> the metric whose disparities FHIBE's Extended Data Table 2 has."""
SUSPICIOUS = ("web_match", "pattern_", "sampled")
CALLED = {
    "images": "images",
    "subjects": "people",
    "subjects.primary": "primary subjects",
    "subjects.secondary": "secondary subjects",
    "images_per_primary": "images per primary subject",
    "images.two_people": "images of two people",
    "faces.cropped": "faces, cropped",
    "faces.cropped.subjects": "people of cropped faces",
    "faces.aligned": "faces, aligned",
    "faces.aligned.subjects": "people of aligned faces",
    "vendi.image": "Vendi score of images",
    "vendi.people_masked": "Vendi score, people masked",
    "vendi.background_masked": "Vendi score, all but people masked",
    "waterfall.collected": "images collected",
    "waterfall.excluded.quality": "images stopped for quality",
    "waterfall.excluded.forms": "images stopped for consent or copyright",
    "waterfall.suspicious": "images stopped as suspicious",
    "groups.number": "groups",
    "groups.median": "images of the median group",
    "groups.largest": "images of the largest group",
    "groups.smallest": "images of the smallest group",
}


def beside(data: ReportData) -> pd.DataFrame:
    """One row per own figure that somebody published too: figure, ours and how we came by it, a column per dataset."""
    ours = data.references[data.references["dataset"] == OURS]
    parts = [ours[["figure", "value", "source"]], _waterfall(data.waterfall), _gaps(data.disparities)]
    parts += [_rows(class_figures.own(data.recalls, data.recall_disparities))]
    own = pd.concat(parts, ignore_index=True)
    theirs = data.references[data.references["dataset"] != OURS]
    theirs = theirs[theirs["figure"].isin(own["figure"])]
    if theirs.empty:
        return pd.DataFrame()
    wide = theirs.pivot_table("value", "figure", "dataset", aggfunc="first", sort=False).map(_written)
    where = theirs.groupby("figure")["source"].agg(lambda sources: "; ".join(sorted(set(sources))))
    shown = own[own["figure"].isin(wide.index)]
    first = {
        "figure": shown["figure"].map(_called),
        OURS_IS: shown["value"].map(_written),
        "which is": shown["source"].map(names.note),
    }
    there = wide.reindex(shown["figure"]).set_axis(shown.index)
    return pd.DataFrame(first).join(there).assign(**{THEIRS_IS: shown["figure"].map(where)})


def _waterfall(waterfall: pd.DataFrame) -> pd.DataFrame:
    """What stopped images, as FHIBE tells it. Ours asks for forms first: each image counts at what stopped it first."""
    if waterfall.empty:
        return _rows([])
    suspicious = waterfall["check"].str.startswith(SUSPICIOUS)
    rooms = waterfall["room"]
    stopped = {
        "excluded.quality": rooms.isin(["intake", "checks", "privacy"]) & ~suspicious,
        "excluded.forms": rooms == "consent",
        "suspicious": suspicious,
    }
    counts = {name: waterfall.loc[which, "stopped"].sum() for name, which in stopped.items()}
    collected = waterfall.sort_values("order")["images_in"].iloc[:1].sum()
    told = {"collected": collected, **counts}
    return _rows([(f"waterfall.{name}", float(count), "counted by what stopped first") for name, count in told.items()])


def _gaps(disparities: pd.DataFrame) -> pd.DataFrame:
    """The largest disparity of each model and intersection; without a value where no two groups differ."""
    which = disparities["metric"] == disparities["task"].map(METRICS)
    found = []
    for row in disparities[which].itertuples():
        if name := combined(row.attribute):
            groups = f"{names.group(row.worst)} against {names.group(row.best)}" if row.significant else row.note
            how = f"{row.metric}: {groups or 'no two groups differ'}"
            found.append((f"disparity.{row.model}.{name}", row.disparity if row.significant else float("nan"), how))
    return _rows(found)


def _rows(rows: list[tuple[str, float, str]]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["figure", "value", "source"]).astype({"value": float})


def _written(value: float) -> str:
    if pd.isna(value):
        return ""
    return f"{value:,.0f}" if value == int(value) else f"{value:,.2f}"


def _called(figure: str) -> str:
    if figure in CALLED:
        return CALLED[figure]
    if name := class_figures.called(figure):
        return name
    start, _, by = figure.rpartition(".")
    crossed = by.replace("_", " × ")
    if start.startswith("disparity."):
        return f"largest disparity of {start.removeprefix('disparity.')}, {crossed}"
    return f"{CALLED.get(start, start)}, {crossed}"
