"""Sentences and figures of the report, from tables."""

import pandas as pd

from accord.report import names

STRONGEST = 12
UNTESTED = "No two groups are large enough to be compared, so nothing can be said of bias."


def tiles(waterfall: pd.DataFrame, release: dict, disparities: pd.DataFrame) -> list[dict]:
    """The key figures at the top: label, value."""
    collected = int(waterfall["images_in"].iloc[0]) if len(waterfall) else 0
    tested = disparities[disparities["pairs"] > 0]
    return [
        {"label": "images delivered", "value": f"{collected:,}"},
        {"label": "images released", "value": f"{release['images']:,}"},
        {"label": "people in them", "value": f"{release['subjects']:,}"},
        {"label": "models evaluated", "value": f"{disparities['model'].nunique()}"},
        {"label": "comparisons tested", "value": f"{len(tested):,}"},
        {"label": "disparities that hold", "value": f"{int(disparities['claimed'].sum()):,}"},
    ]


def summary(waterfall: pd.DataFrame, disparities: pd.DataFrame) -> list[str]:
    """What a reader should take away, in three sentences."""
    sentences = [_collected(waterfall)] if len(waterfall) else []
    held = _by_strength(disparities[disparities["claimed"]])
    if not (disparities["pairs"] > 0).any():
        return [*sentences, UNTESTED]
    if held.empty:
        return [*sentences, "No model did worse for any group of people by more than chance explains."]
    counts = held.groupby(["attribute", "worst"], sort=False).size()
    (attribute, worst), times = counts.idxmax(), int(counts.max())
    of_them = "all" if times == len(held) else times
    sentences.append(
        f"{len(held)} disparit{'ies hold' if len(held) > 1 else 'y holds'} after correction for all that was tested; "
        f"in {of_them} of them {names.group(worst)} ({names.attribute(attribute).lower()}) is worst off."
    )
    return [*sentences, f"The strongest: {_sentence(held.iloc[0])}"]


def _collected(waterfall: pd.DataFrame) -> str:
    collected, left = int(waterfall["images_in"].iloc[0]), int(waterfall["images_out"].iloc[-1])
    stopped = waterfall.sort_values(["stopped", "order"], ascending=[False, True]).iloc[0]
    if collected == left:
        return f"All {collected:,} images passed."
    return (
        f"Of {collected:,} images, {left:,} passed; the reason that stopped most of the others "
        f"({int(stopped['stopped']):,}): {stopped['label'].lower()}."
    )


def nothing_claimed(disparities: pd.DataFrame) -> str:
    """What it means that no disparity holds."""
    if not (disparities["pairs"] > 0).any():
        return UNTESTED
    return (
        "No disparity holds between people after correction for all that was tested. That is no proof that there is "
        "none: see the intervals of each group."
    )


def claims(disparities: pd.DataFrame) -> list[dict]:
    """The strongest disparities that hold, as rows for a table."""
    held = _by_strength(disparities[disparities["claimed"]]).head(STRONGEST)
    return [
        {
            "sentence": _sentence(row),
            "task": names.task(row.task),
            "model": row.model,
            "metric": names.metric(row.metric),
            "attribute": names.attribute(row.attribute),
            "worst": f"{names.group(row.worst)} (n = {row.worst_subjects} people)",
            "best": f"{names.group(row.best)} (n = {row.best_subjects} people)",
            "disparity": _interval(row.disparity, row.low, row.high),
            "p": _p(row.p_value),
            "note": row.note,
        }
        for row in held.itertuples()
    ]


def _by_strength(disparities: pd.DataFrame) -> pd.DataFrame:
    keys = ["disparity", "task", "model", "metric", "attribute"]
    return disparities.sort_values(keys, ascending=[False, True, True, True, True])


def _sentence(row) -> str:
    return (
        f"{row.model} ({names.task(row.task).lower()}) does worse for {names.group(row.worst)} than for "
        f"{names.group(row.best)}: on average {row.worst_mean:.2f} against {row.best_mean:.2f}, "
        f"D = {_interval(row.disparity, row.low, row.high)}."
    )


def _interval(value: float, low: float, high: float) -> str:
    sure = f" [{low:.2f}, {high:.2f}]" if pd.notna(low) and pd.notna(high) else ""
    return f"{value:.2f}{sure}"


def _p(value: float) -> str:
    return "" if pd.isna(value) else ("< 0.0001" if value < 1e-4 else f"{value:.4f}")


def edits(table: pd.DataFrame) -> list[dict]:
    """How many regions of each kind were painted out, and by which method."""
    counts = table.groupby(["kind", "method"]).agg(regions=("region", "size"), images=("image", "nunique"))
    return [
        {"kind": kind.replace("_", " "), "method": method, "regions": int(row.regions), "images": int(row.images)}
        for (kind, method), row in counts.iterrows()
    ]


def diversity(table: pd.DataFrame) -> list[dict]:
    """Vendi scores as rows for a table."""
    return [
        {
            "model": row.model,
            "part": row.part.replace("_", " "),
            "images": f"{row.images:,}",
            "vendi": "undefined" if pd.isna(row.vendi) else f"{row.vendi:.2f}",
            "note": row.note,
        }
        for row in table.sort_values(["model", "part"]).itertuples()
    ]


def untested(groups: pd.DataFrame) -> list[dict]:
    """Groups that enter no test, and why: each once."""
    held_back = groups[groups["note"] != ""].drop_duplicates(["attribute", "group", "note"])
    held_back = held_back[~held_back["attribute"].str.contains(" x ", regex=False)]
    return [
        {
            "attribute": names.attribute(row.attribute),
            "group": names.group(row.group),
            "subjects": row.subjects,
            "images": row.images,
            "note": row.note,
        }
        for row in held_back.sort_values(["attribute", "group"]).itertuples()
    ]


def model(name: str, entry: dict, groups: pd.DataFrame) -> dict:
    """What a model is, and how well it does for everyone: name, task, licence, where its weights are from, figures."""
    overall = groups[(groups["model"] == name) & (groups["attribute"] == "all")]
    return {
        "name": name,
        "figures": [
            f"{names.metric(row.metric)}: {_interval(row.mean, row.low, row.high)}, {row.images:,} images of "
            f"{row.subjects:,} people"
            for row in overall.itertuples()
            if pd.notna(row.mean)
        ],
        "task": names.task(entry["task"]),
        "licence": entry.get("licence", "not stated"),
        "source": entry.get("source", ""),
    }


def missing(models: dict[str, dict]) -> list[dict]:
    """The models that were to run and did not, since their weights were not there: name, task, what was looked for."""
    return [
        {"name": name, "task": names.task(entry["task"]), "why": "; ".join(entry["missing"])}
        for name, entry in sorted(models.items())
        if "missing" in entry
    ]
