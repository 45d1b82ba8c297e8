"""What a model's scores go with: the features that matter, the tree of its errors, gaps with features held fixed."""

from typing import Any

import pandas as pd

from accord.report.drawing.blocks import Grid, Node, Section, Tree
from accord.report.reading.report_data import ReportData
from accord.report.telling import features, names
from accord.report.telling.comparison import by_kind
from accord.report.telling.quantities import size

INTRO = (
    "Which properties of people and pictures the scores are associated with. A random forest is trained on the scores "
    "of some people and tested on others; permutation importance is how much worse its predictions get when a property "
    "is shuffled. None of this proves a cause."
)

INTRO_IMPURITY = (
    "Which properties of people and pictures the scores are associated with. A random forest is trained on the scores "
    "of everyone; impurity importance is a property's share in its splits. None of this proves a cause."
)
FIXED = (
    "What is left of a gap between two groups when a property is held fixed, and how much is gone. Restricted: in "
    "pictures on the {side} side of the property alone; matched: both groups with the values of the {one}; "
    "standardised: with those of both together."
)


def section(data: ReportData) -> Section:
    """The trees, the table of features, the gaps with a feature held fixed."""
    parts = [part for _, part in data.cause_tree.groupby("metric") if len(part) > 1]
    blocks: list = [_tree(number, part) for number, part in enumerate(parts, 1)]
    blocks += _features(data.causes) if (data.causes["feature"] != "").any() else []
    blocks += _conditioned(data.conditioned) if len(data.conditioned) else []
    intro = (
        INTRO_IMPURITY if data.causes["importance"].notna().any() and data.causes["explained"].isna().all() else INTRO
    )
    return Section("causes", "Features associated with the scores", intro, blocks, "Unknown: there are too few people.")


def _tree(number: int, part: pd.DataFrame) -> Tree:
    rows = list(part.sort_values("node").itertuples())
    metric = names.metric(part["metric"].iloc[0])
    caption = f"Where scores are low and where high: {metric}. Each branch splits the pictures in two. Means are over "
    caption += (
        "people in images. Each split was chosen for the large difference that it makes, so differences lean upwards. "
        "Where a property is unknown, a number counts as the median, and a label as not given."
    )
    return Tree(f"figure-tree-{number}", caption, _node(rows[0], rows))


def _node(row: Any, rows: list) -> Node:
    children = sorted((one for one in rows if one.parent == row.node), key=lambda one: one.mean)
    label = features.condition(row.condition) if row.condition else "Everyone"
    text = f"{row.mean:.2f}, 95% interval {row.low:.2f} to {row.high:.2f}; {size(row)}"
    return Node(label, text, round(10 * min(max(row.mean, 0), 1)), [_node(one, rows) for one in children])


def _features(table: pd.DataFrame) -> list[Grid]:
    told = table[table["feature"] != ""].sort_values(
        ["metric", "claimed", "importance", "feature"], ascending=[True, False, False, True]
    )
    rows = pd.DataFrame(
        {
            "property": told["feature"].map(features.called).to_list(),
            "metric": told["metric"].to_list(),
            "stands out": told["claimed"].to_list(),
            "importance": told["importance"].to_list(),
            "interval from": told["low"].to_list(),
            "interval to": told["high"].to_list(),
            "p": told["p_value"].to_list(),
            "worse for": [_side(one) for one in told.itertuples()],
            "mean there": told["worse_mean"].to_list(),
            "mean elsewhere": told["other_mean"].to_list(),
            "images there": told["worse_images"].to_list(),
            "people there": told["worse_subjects"].to_list(),
            "note": told["note"].to_list(),
        }
    )
    caption = (
        f"Properties by importance: {_weighed(told)}. Those that stand out are among the most important and are "
        "associated with the scores beyond chance."
    )
    return by_kind("table-causes", (caption, caption), rows)


def _weighed(told: pd.DataFrame) -> str:
    """What importance is a share of: impurity importance comes without the forest's R^2."""
    if told["explained"].isna().all():
        return "the share of what the forest's splits explain"
    return "the share of the scores' variance that a forest loses without one"


def _side(row: Any) -> str:
    if not row.side:
        return ""
    number = "" if pd.isna(row.number) else f"{row.number:.6g}"
    return features.condition(f"{row.feature} {row.side} {row.label or number}")


def _conditioned(table: pd.DataFrame) -> list[Grid]:
    rows = pd.DataFrame(
        {
            "attribute": table["attribute"].map(names.attribute).to_list(),
            "worst": table["worst"].map(names.group).to_list(),
            "best": table["best"].map(names.group).to_list(),
            "metric": table["metric"].to_list(),
            "held fixed": [features.called(one) if one else "nothing" for one in table["feature"]],
            "how": table["how"].to_list(),
            "gap": table["gap"].to_list(),
            "interval from": table["low"].to_list(),
            "interval to": table["high"].to_list(),
            "gone": table["change"].to_list(),
            "people in worst": table["worst_subjects"].to_list(),
            "people in best": table["best_subjects"].to_list(),
            "note": table["note"].to_list(),
        }
    )
    captions = [FIXED.format(side=side, one=one) for side, one in (("better", "worse one"), ("higher", "lower one"))]
    return by_kind("table-conditioned", (captions[0], captions[1]), rows)
