"""What the tables of Casual Conversations say, in lines of text: our figures, and the published ones in brackets."""

from collections.abc import Iterator, Mapping

import pandas as pd

from accord.grouping import WHOLE
from accord.text.nouns import counted

DETECTION = ("ln_wp", "log_loss", "auc", "false_alarm_rate", "false_alarm_share", "real_share", "missed_rate")


def lines(found: Mapping[str, pd.DataFrame]) -> Iterator[str]:
    """Agreement and types, the mini set, precision, and figures of submissions, as far as there are any."""
    yield from _votes(found["skin_types"], found["vote_agreement"])
    for row in found["mini_counts"].itertuples():
        yield f"{row.figure}: {row.value:g}{_beside(row.published)}"
    for (model, predicted), some in found["precision"].groupby(["model", "predicted"], sort=True):
        yield f"precision of {model}, {predicted} (published: the averaging isn't stated)"
        yield from _wide(some[some["average"] != "accuracy"], "average", "precision")
    if "detection_figures" in found:
        for name, some in found["detection_figures"].groupby("submission", sort=True):
            yield f"{name}: {_size(some)}"
            yield from _wide(some[some["metric"].isin(DETECTION)], "metric", "value")


def _votes(types: pd.DataFrame, agreement: pd.DataFrame) -> Iterator[str]:
    if types.empty:
        return
    ties = types["note"].str.startswith("tie").sum()
    grouped = ((types["type"] == "") & (types["skin"] != "")).sum()
    typed = counted(int((types["type"] != "").sum()), "subject")
    yield f"{typed} with a type, {ties:,} ties ({grouped:,} in one group)"
    for row in agreement.itertuples():
        said = row.note or f"{row.value:.3f} [{row.low:.3f}, {row.high:.3f}]"
        yield f"  {row.metric} of {row.compared}, {row.votes} votes: {said}"


def _size(some: pd.DataFrame) -> str:
    whole = some[some["attribute"] == WHOLE].iloc[0]
    alarms = some[(some["attribute"] == WHOLE) & (some["metric"] == "false_alarms")].iloc[0]
    said = f", {counted(int(alarms['value']), 'real video')} called fake" if pd.notna(alarms["value"]) else ""
    sizes = f"{whole['real']:,} real and {whole['fake']:,} fake videos of {counted(whole['subjects'], 'subject')}"
    return f"{sizes}{said}{_beside(alarms['published'])}"


def _wide(some: pd.DataFrame, columns: str, value: str) -> Iterator[str]:
    """A row for each group, a column for each figure."""
    shown = some.assign(
        group=some["attribute"].where(some["attribute"] == WHOLE, some["attribute"] + " " + some["group"])
    )
    cells = shown.assign(cell=[_cell(a, b) for a, b in zip(shown[value], shown["published"], strict=True)])
    order = list(dict.fromkeys(shown["group"]))
    wide = cells.pivot(index="group", columns=columns, values="cell").reindex(order)
    wide = wide[list(dict.fromkeys(shown[columns]))].fillna("-").rename_axis(index=None, columns=None)
    yield from (f"  {line}" for line in wide.to_string().splitlines())


def _cell(value: float, published: float) -> str:
    return f"{value:.3f}{_beside(published)}" if pd.notna(value) else f"-{_beside(published)}"


def _beside(published: float) -> str:
    return f" ({published:g})" if pd.notna(published) else ""
