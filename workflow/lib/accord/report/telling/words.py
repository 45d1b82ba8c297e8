"""Sentences and figures of the report, from tables."""

from typing import Any

import pandas as pd

from accord.analyse.scoring.extreme_groups import extreme_groups
from accord.analyse.scoring.metrics import direction, is_neutral
from accord.report.telling import names
from accord.report.telling.comparison import comparative
from accord.report.telling.quantities import apart, interval, value
from accord.text.nouns import counted, listed, lower

UNTESTED = "No two groups are large enough to be compared, so nothing can be said about bias."
NO_PROOF = "This does not prove that there is none."


def tiles(waterfall: pd.DataFrame, release: dict, disparities: pd.DataFrame) -> list[dict]:
    """The key figures at the top: label, value."""
    collected = int(waterfall["images_in"].iloc[0]) if len(waterfall) else 0
    return [
        {"label": "images delivered", "value": f"{collected:,}"},
        {"label": "images released", "value": f"{release['images']:,}"},
        {"label": "people in them", "value": f"{release['subjects']:,}"},
        {"label": "models evaluated", "value": f"{disparities['model'].nunique()}"},
        {"label": "pairs of groups compared", "value": f"{int(disparities['pairs'].sum()):,}"},
        {"label": "differences that hold", "value": f"{int(disparities['claimed'].sum()):,}"},
    ]


def summary(waterfall: pd.DataFrame, disparities: pd.DataFrame, left_out: str) -> list[str]:
    """What a reader should take away, in a few sentences. left_out: which groups no model was compared for."""
    passed = [collected(waterfall)] if len(waterfall) else []
    neutral = disparities["metric"].map(is_neutral).astype(bool)
    other, disparities = disparities[neutral], disparities[~neutral]
    differs = [_neither(int(other["claimed"].sum()))] if (other["pairs"] > 0).any() else []
    held = disparities[disparities["claimed"]]
    tested = disparities.loc[disparities["pairs"] > 0, "model"].nunique()
    if not tested:
        return [*([] if differs else [UNTESTED]), *differs, *passed]
    rest = [_rest(disparities["model"].nunique() - tested)] if disparities["model"].nunique() > tested else []
    left = [left_out] if left_out else []
    if held.empty:
        return [
            f"{_none(tested)} for any group, by more than chance explains. {NO_PROOF}",
            *differs,
            *rest,
            *left,
            *passed,
        ]
    return [*_commonest(held, tested), *differs, *rest, *left, *passed]


def _neither(held: int) -> str:
    """How many differences there are by measures that have no better."""
    if not held:
        return f"By measures that are neither better nor worse, no difference between groups holds. {NO_PROOF}"
    hold = "holds" if held == 1 else "hold"
    return f"By measures that are neither better nor worse, {counted(held, 'difference')} between groups {hold}."


def _none(tested: int) -> str:
    return (
        "The one model whose groups could be compared does no worse"
        if tested == 1
        else f"None of the {tested} models whose groups could be compared does worse"
    )


def _commonest(held: pd.DataFrame, tested: int) -> list[str]:
    """The group for which most models do worse, and how many other differences hold."""
    models = by_strength(held).groupby(["attribute", "worst"], sort=False)["model"].nunique()
    (attribute, worst), worse = models.idxmax(), int(models.max())
    mine = (held["attribute"] == attribute) & (held["worst"] == worst)
    group = f"{names.group(worst)} ({names.attribute(attribute).lower()})"
    of = f"{worse} of the {tested} models" if tested > 1 else "The one model"
    does = "does worse" if worse == 1 else "do worse"
    first = (
        f"{of} whose groups could be compared {does} for {group} than for another group, by more than chance explains."
    )
    others = int((~mine).sum())
    more = f"{counted(others, 'other difference')} between groups {'holds' if others == 1 else 'hold'} too."
    return [first, more] if others else [first]


def _rest(models: int) -> str:
    """How many models could not be compared."""
    return f"Of {counted(models, 'more model')} no groups could be compared: too few people in each have a score."


def open_wishes(count: int) -> str:
    """That people asked for something and nobody knows who they are; "" where there are none."""
    if not count:
        return ""
    name, them = ("names", "it") if count == 1 else ("name", "them")
    return (
        f"{counted(count, 'request')} (withdrawals, grants) {name} nobody in any delivery, and "
        f"somebody must look into {them}: accord consent show."
    )


def refused_wishes(count: int) -> str:
    """That something in the watched folder could not be read."""
    return f"{count} row(s) or file(s) of requests in the inbox are invalid and not applied (accord consent show)."


def delivered_again(count: int) -> str:
    """That people are there who were erased."""
    who, them = ("person who was", "their withdrawal") if count == 1 else ("people who were", "their withdrawals")
    return (
        f"{count} {who} erased came again with a delivery: they are not released, but their pictures lie in it and in "
        f"the results. Record {them} anew (accord consent withdraw) and run accord erase, which takes them out."
    )


def collected(waterfall: pd.DataFrame) -> str:
    """How many images were released, and what kept most of the others back."""
    delivered, left = int(waterfall["images_in"].iloc[0]), int(waterfall["images_out"].iloc[-1])
    if delivered == left:
        return f"Of {counted(delivered, 'image')} delivered, all were released."
    stopping = waterfall[waterfall["stopped"] > 0].sort_values("order")
    most = int(stopping["stopped"].max())
    leading = [lower(label) for label in stopping.loc[stopping["stopped"] == most, "label"]]
    told = f"Of {counted(delivered, 'image')} delivered, {left:,} were released and {delivered - left:,} were not"
    if len(stopping) == 1:
        return f"{told}; the reason: {leading[0]}."
    each, are = ("", "is") if len(leading) == 1 else (" each", "are")
    frequent = f"the most frequent, with {counted(most, 'image')}{each}, {are}: {listed(leading)}"
    return f"{told}, for {len(stopping)} different reasons; {frequent}."


def nothing_claimed(disparities: pd.DataFrame, left_out: str) -> str:
    """What it means that no disparity holds. left_out: which groups were not compared."""
    if not (disparities["pairs"] > 0).any():
        return UNTESTED
    nothing = f"No difference holds between people after correction for all that was tested. {NO_PROOF}"
    return " ".join(part for part in (nothing, "See the intervals of each group.", left_out) if part)


def by_strength(disparities: pd.DataFrame) -> pd.DataFrame:
    """Disparities, the largest D first."""
    keys = ["disparity", "task", "model", "metric", "attribute"]
    return disparities.sort_values(keys, ascending=[False, True, True, True, True])


def strongest(disparities: pd.DataFrame) -> list:
    """The claimed disparities as rows: the largest D first, of equal ones the largest difference of means."""
    held = disparities[disparities["claimed"]]
    ordered = held.assign(gap=[gap(row) for row in held.itertuples()], size=held["disparity"].fillna(0.0))
    return list(ordered.sort_values(["size", "gap", "attribute"], ascending=[False, False, True]).itertuples())


def leading(claims: list) -> list:
    """Of claims, strongest first, those that none is stronger than: several where D and the means differ alike."""
    return [row for row in claims if all(_same(*both) for both in zip(_size(row), _size(claims[0]), strict=True))]


def gap(row: Any) -> float:
    """By how much the better group's mean is better."""
    return direction(row.metric) * (row.best_mean - row.worst_mean)


def surest(groups: pd.DataFrame, row: Any) -> str:
    """A difference that holds, where it isn't that of the worst and the best mean of the attribute; "" where it is.

    groups: of its model and metric.
    """
    ends = [end.group for end in extreme_groups(groups, row.attribute)]
    if not ends or ends == [row.worst, row.best]:
        return ""
    worst, best = apart(row.metric, row.worst_mean, row.best_mean)
    return f"Surest difference: {names.group(row.worst)} {worst}, {names.group(row.best)} {best}"


def medians(row: Any) -> str:
    """The medians of a difference whose means say the contrary, or nothing; "" of any other."""
    if gap(row) > 0:
        return ""
    if pd.isna(row.worst_median):
        return "; the means don't tell it"
    worst, best = apart(row.metric, row.worst_median, row.best_median)
    return (
        f"; {comparative(row.metric)} by the median, {worst} against {best}"
        if worst != best
        else "; the means and medians don't tell it"
    )


def _size(row: Any) -> tuple[float, float]:
    return row.disparity, gap(row)


def _same(one: float, other: float) -> bool:
    return one == other or (pd.isna(one) and pd.isna(other))


def claim(row: Any) -> str:
    """A disparity that holds, as a sentence."""
    worst, best = apart(row.metric, row.worst_mean, row.best_mean)
    people = [counted(number, "person") for number in (row.worst_subjects, row.best_subjects)]
    size = _difference(row) if gap(row) > 0 else ""
    if pd.notna(row.disparity) and row.worst_median != row.best_median:
        sure = "" if pd.isna(row.low) or pd.isna(row.high) else f" (95% interval {row.low:.2f} to {row.high:.2f})"
        size = f"; D = {row.disparity:.2f}{sure}"
    return (
        f"{row.model} ({names.task(row.task).lower()}){_differs(row)}: {worst} on average "
        f"({people[0]}) against {best} ({people[1]}){medians(row)}{size}."
    )


def _difference(row: Any) -> str:
    """By how much means differ, where D says nothing. Tables of earlier versions have no interval of it."""
    low, high = (getattr(row, f"difference_{side}", float("nan")) for side in ("low", "high"))
    known = interval(row.metric, low, high)
    return f"; difference {value(row.metric, gap(row))}{known and f' ({known})'}"


def _differs(row: Any) -> str:
    worst, best, metric = names.group(row.worst), names.group(row.best), names.metric(row.metric)
    if is_neutral(row.metric):
        return f", {metric}: less often for {worst} than for {best}"
    return f" does worse for {worst} than for {best} by {metric}"


def missing(models: dict[str, dict]) -> list[str]:
    """The models that were to run and did not, since their weights were not there: what was looked for."""
    found = [(name, entry) for name, entry in sorted(models.items()) if "missing" in entry]
    return [
        f"{name} ({names.task(entry['task']).lower()}) did not run: {'; '.join(entry['missing'])}."
        for name, entry in found
    ]
