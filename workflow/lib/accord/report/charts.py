"""Charts of the report: each a Vega-Lite specification with a caption, a description and the table behind it."""

import altair as alt
import pandas as pd

from accord.report import names

INK, SOFT, KEPT, STOPPED, STRONG = "#1f2933", "#9aa5b1", "#2a7f9e", "#d1603d", "#b3361e"
ROW_HEIGHT = 26


def waterfall(table: pd.DataFrame) -> dict:
    """What each step stopped, between what was delivered and what was left."""
    told = table.sort_values("order")
    stopping = told[told["stopped"] > 0]
    axis = alt.Scale(zero=False, nice=False, padding=30)
    base = alt.Chart(stopping[["label", "images_in", "images_out", "stopped", "room"]]).encode(
        y=alt.Y("label:N", sort=list(stopping["label"]), title=None, axis=alt.Axis(labelLimit=230)),
        tooltip=["room", "label", "images_in", "stopped", "images_out"],
    )
    ends = {"x": alt.X("images_out:Q", title="images left", scale=axis), "x2": "images_in:Q"}
    bars = base.mark_bar(color=STOPPED).encode(**ends)
    counts = base.mark_text(align="left", dx=5, color=INK).encode(x=alt.X("images_in:Q", scale=axis), text="stopped:Q")
    columns = {"images_in": "in", "images_out": "left", "subjects_left": "people left"}
    first, last = _first(told, "images_in"), _last(told, "images_out")
    return _figure(
        bars + counts,
        len(stopping),
        f"From {first:,} images delivered (right) to {last:,} released (left), and what stopped the others. "
        "The axis doesn't begin at zero.",
        told.rename(columns=columns)[["label", "in", "stopped", "left", "people left"]],
    )


def _first(table: pd.DataFrame, column: str) -> int:
    return int(table[column].iloc[0]) if len(table) else 0


def _last(table: pd.DataFrame, column: str) -> int:
    return int(table[column].iloc[-1]) if len(table) else 0


def composition(table: pd.DataFrame) -> dict:
    """How many people each group of an attribute has."""
    rows = table.assign(name=table["group"].map(names.group))
    bars = (
        alt.Chart(rows[["name", "subjects", "images"]])
        .mark_bar(color=KEPT)
        .encode(
            y=alt.Y("name:N", sort=list(rows["name"]), title=None, axis=alt.Axis(labelLimit=200)),
            x=alt.X("subjects:Q", title="people", axis=alt.Axis(tickMinStep=1, format="d")),
            tooltip=["name", "subjects", "images"],
        )
    )
    title = names.attribute(table["attribute"].iloc[0])
    return _figure(
        bars,
        len(rows),
        title,
        rows[["name", "subjects", "images"]].rename(columns={"name": title, "subjects": "people"}),
    )


def heat(disparities: pd.DataFrame) -> dict | None:
    """The disparity of each model for each attribute; those that hold are marked."""
    single = disparities[~disparities["attribute"].str.contains(" x ", regex=False)]
    if single.empty:
        return None
    rows = single.assign(
        what=single["model"] + " · " + single["metric"],
        attribute=single["attribute"].map(names.attribute),
        shown=single["disparity"].where(single["significant"]),
        worst=single["worst"].map(names.group),
        best=single["best"].map(names.group),
    )
    columns = ["what", "attribute", "shown", "worst", "best", "p_value", "claimed"]
    base = alt.Chart(rows[columns]).encode(
        x=alt.X("attribute:N", title=None, axis=alt.Axis(orient="top", labelAngle=-25)),
        y=alt.Y("what:N", title=None, axis=alt.Axis(labelLimit=220)),
        tooltip=columns,
    )
    untold = base.mark_rect(stroke="white", color="#eef1f4")
    cells = (
        base.transform_filter("isValid(datum.shown)")
        .mark_rect(stroke="white")
        .encode(
            color=alt.Color(
                "shown:Q",
                title="D",
                scale=alt.Scale(scheme="orangered", domain=[0, 1]),
                legend=alt.Legend(orient="bottom"),
            )
        )
    )
    marks = base.transform_filter("datum.claimed").mark_text(text="●", color="white", fontSize=13)
    table = rows.rename(columns={"what": "model and metric", "shown": "D", "p_value": "p"})
    return _figure(
        untold + cells + marks,
        rows["what"].nunique() + 3,
        "Disparity between the groups of an attribute (D, of the significant pair with the largest D). "
        "A dot marks those that hold between people after correction for all tests; grey cells: no significant pair.",
        table[["model and metric", "attribute", "D", "worst", "best", "p", "claimed"]],
    )


def forests(groups: pd.DataFrame) -> list[dict]:
    """For each metric and single attribute: every group's mean with its interval."""
    single = groups[~groups["attribute"].str.contains(" x ", regex=False) & (groups["attribute"] != "all")]
    return [_forest(part) for _, part in single.groupby(["task", "metric", "attribute"], sort=True)]


def verification(table: pd.DataFrame) -> dict:
    """TAR of everyone and of each group of a single attribute that has one, with its interval."""
    single = table[~table["attribute"].str.contains(" x ", regex=False)]
    everyone = single["attribute"] == "all"
    labels = single["attribute"].map(names.attribute) + ": " + single["group"].map(names.group)
    rows = single.assign(
        name=labels.mask(everyone, "Everyone"),
        mean=single["tar"],
        pairs=single["positives"].astype(str) + " / " + single["negatives"].astype(str),
        first=~everyone,
    ).sort_values(["first", "attribute", "group"])
    caption = f"{table['model'].iloc[0]}: true acceptance rate at a false acceptance rate of 0.001, 95% interval"
    return _intervals(rows, caption, "TAR", ["pairs", "note"])


def _forest(part: pd.DataFrame) -> dict:
    first = part.iloc[0]
    rows = part.assign(name=part["group"].map(names.group))
    caption = (
        f"{names.attribute(first['attribute'])}: {names.metric(first['metric'])}; {first['average']}; 95% interval"
    )
    return _intervals(rows, caption, "score", ["note"])


def _intervals(rows: pd.DataFrame, caption: str, title: str, extra: list[str]) -> dict:
    columns = ["name", "mean", "low", "high", "images", "subjects"]
    data = rows.loc[rows["mean"].notna(), columns]
    base = alt.Chart(data).encode(
        y=alt.Y("name:N", sort=list(data["name"]), title=None, axis=alt.Axis(labelLimit=240)), tooltip=columns
    )
    scale = alt.Scale(domain=[0, 1], clamp=True)
    lines = base.mark_rule(color=SOFT, strokeWidth=3).encode(x=alt.X("low:Q", title=title, scale=scale), x2="high:Q")
    points = base.mark_point(filled=True, size=70, color=KEPT).encode(x=alt.X("mean:Q", scale=scale))
    table = rows[[*columns, *extra]].rename(columns={"name": "group", "subjects": "people"})
    return _figure(lines + points, len(data), caption, table)


def _figure(chart: alt.Chart | alt.LayerChart, rows: int, caption: str, table: pd.DataFrame) -> dict:
    spec = chart.properties(width="container", height=ROW_HEIGHT * max(rows, 2), background="transparent")
    spec = spec.configure(font="inherit").configure_axis(labelColor=INK, titleColor=INK, gridColor="#e4e7eb")
    return {
        "caption": caption,
        "spec": spec.configure_view(stroke=None).to_dict(),
        "columns": list(table.columns),
        "rows": [[_cell(value) for value in row] for row in table.itertuples(index=False)],
    }


def _cell(value) -> str:
    if pd.isna(value):
        return ""
    return f"{value:.3f}" if isinstance(value, float) else f"{value}"
