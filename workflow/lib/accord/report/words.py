"""Sentences and figures of the report, from tables."""

import pandas as pd

from accord.report import names

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
        {"label": "comparisons made", "value": f"{len(tested):,}"},
        {"label": "differences that hold", "value": f"{int(disparities['claimed'].sum()):,}"},
    ]


def summary(waterfall: pd.DataFrame, disparities: pd.DataFrame) -> list[str]:
    """What a reader should take away, in three sentences."""
    passed = [collected(waterfall)] if len(waterfall) else []
    held = by_strength(disparities[disparities["claimed"]])
    if not (disparities["pairs"] > 0).any():
        return [UNTESTED, *passed]
    if held.empty:
        return ["No model did worse for any group of people by more than chance explains.", *passed]
    counts = held.groupby(["attribute", "worst"], sort=False).size()
    (attribute, worst), times = counts.idxmax(), int(counts.max())
    worse = held[(held["attribute"] == attribute) & (held["worst"] == worst)]["model"].nunique()
    tested = disparities.loc[disparities["pairs"] > 0, "model"].nunique()
    group = f"{names.group(worst)} ({names.attribute(attribute).lower()})"
    sentences = [f"{worse} of {tested} models do worse for {group}, by more than chance explains."]
    others = len(held) - times
    if others:
        sentences.append(f"{others} other difference{'s hold' if others > 1 else ' holds'} too.")
    return [*sentences, *passed]


def open_wishes(count: int) -> str:
    """That people asked for something and nobody knows who they are; "" where there are none."""
    if not count:
        return ""
    return (
        f"{count:,} wish{'es' if count > 1 else ''} of people (withdrawals, grants) name nobody whom a delivery has "
        "brought, and somebody must look into them: accord consent show."
    )


def collected(waterfall: pd.DataFrame) -> str:
    """How many images passed, and what stopped most of the others."""
    delivered, left = int(waterfall["images_in"].iloc[0]), int(waterfall["images_out"].iloc[-1])
    stopped = waterfall.sort_values(["stopped", "order"], ascending=[False, True]).iloc[0]
    if delivered == left:
        return f"All {delivered:,} images passed."
    return (
        f"Of {delivered:,} images, {left:,} passed; the reason that stopped most of the others "
        f"({int(stopped['stopped']):,}): {stopped['label'].lower()}."
    )


def nothing_claimed(disparities: pd.DataFrame) -> str:
    """What it means that no disparity holds."""
    if not (disparities["pairs"] > 0).any():
        return UNTESTED
    return (
        "No difference holds between people after correction for all that was tested. That is no proof that there is "
        "none: see the intervals of each group."
    )


def by_strength(disparities: pd.DataFrame) -> pd.DataFrame:
    """Disparities, the largest D first."""
    keys = ["disparity", "task", "model", "metric", "attribute"]
    return disparities.sort_values(keys, ascending=[False, True, True, True, True])


def claim(row) -> str:
    """A disparity that holds, as a sentence."""
    return (
        f"{row.model} ({names.task(row.task).lower()}) does worse for {names.group(row.worst)} than for "
        f"{names.group(row.best)}: on average {row.worst_mean:.2f} against {row.best_mean:.2f}, "
        f"D = {interval(row.disparity, row.low, row.high)}."
    )


def interval(value: float, low: float, high: float) -> str:
    """A value with its interval."""
    sure = f" [{low:.2f}, {high:.2f}]" if pd.notna(low) and pd.notna(high) else ""
    return f"{value:.2f}{sure}"


def upper(text: str) -> str:
    """A text that begins with a capital, the rest as it is."""
    return text[:1].upper() + text[1:]


def missing(models: dict[str, dict]) -> list[str]:
    """The models that were to run and did not, since their weights were not there: what was looked for."""
    found = [(name, entry) for name, entry in sorted(models.items()) if "missing" in entry]
    return [
        f"{name} ({names.task(entry['task']).lower()}) did not run: {'; '.join(entry['missing'])}."
        for name, entry in found
    ]
