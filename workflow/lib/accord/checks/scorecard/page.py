"""The scorecards as a page in Markdown: a vendor after the other, without anything of a subject."""

from collections.abc import Iterable
from typing import Any

import pandas as pd

from accord.check_names import label
from accord.checks.suspicion.rules import RULES
from accord.checks.tables.summary import VENDOR

ALL, UNKNOWN = "all", "vendor unknown"
SIGNIFICANT = 0.05
NOTES = """\
Each image counts under the first check that stopped it. Intervals are Wilson's, with as many trials as have the
variance over subjects. p: chance of as many failures if the vendor were like the others (one-sided, corrected by Holm
over all vendors and checks). Images awaiting review count as stopped."""


def page(scores: pd.DataFrame, suspicious: pd.Series, patterns: pd.DataFrame, agreement: pd.DataFrame) -> str:
    """scores: table Scorecards; suspicious: (vendor, rule) -> subjects; patterns, agreement: tables of those names."""
    everyone = scores[scores["delivery"] == ALL]
    parts = ["# Vendor scorecards", NOTES, _overview(everyone)]
    for vendor, own in everyone.groupby("vendor", sort=True):
        deliveries = scores[(scores["vendor"] == vendor) & (scores["delivery"] != ALL) & (scores["check"] == ALL)]
        parts += [f"## {_plain(vendor or UNKNOWN)}", _summary(own), _checks(own)]
        parts += ["### Deliveries", _deliveries(deliveries)] if len(deliveries) else []
        parts += _suspicions(vendor, suspicious, patterns) + _agreed(vendor, agreement)
    return "\n\n".join(parts) + "\n"


def _overview(everyone: pd.DataFrame) -> str:
    rows = everyone[everyone["check"] == ALL]
    head = ("Vendor", "Images", "People", "Stopped", "Share [95%]", "Others", "p", "Cost of stopped images")
    return _table(head, [
        (_plain(r.vendor or UNKNOWN), f"{r.images:,}", f"{r.subjects:,}", f"{r.stopped:,}", _share(r),
         _percent(r.others), _p(r.p_value), _cost(r.cost)) for r in rows.itertuples()
    ])  # fmt: skip


def _summary(own: pd.DataFrame) -> str:
    total = own[own["check"] == ALL].iloc[0]
    more = own[(own["check"] != ALL) & (own["p_value"] < SIGNIFICANT)]
    text = f"{total['stopped']:,} of {total['images']:,} images were stopped: {_share(total)}."
    if pd.notna(total["cost"]):
        text += f" They cost {total['cost']:,.2f}."
    if pd.isna(total["others"]):
        return f"{text} No other vendor to compare with."
    if more.empty:
        return f"{text} No check stops significantly more of them than of other vendors' images."
    checks = ", ".join(label(check).lower() for check in more["check"])
    return f"{text} Significantly more often than other vendors: {checks}."


def _checks(own: pd.DataFrame) -> str:
    rows = own[(own["check"] != ALL) & (own["stopped"] > 0)]
    head = ("Check", "Images", "People", "Share [95%]", "Others", "p", "Cost")
    return _table(head, [
        (label(r.check), f"{r.stopped:,}", f"{r.subjects_stopped:,}", _share(r), _percent(r.others), _p(r.p_value),
         _cost(r.cost)) for r in rows.itertuples()
    ])  # fmt: skip


def _deliveries(rows: pd.DataFrame) -> str:
    head = ("Delivery", "Images", "People", "Stopped", "Share [95%]", "Cost of stopped images")
    return _table(head, [
        (_plain(r.delivery), f"{r.images:,}", f"{r.subjects:,}", f"{r.stopped:,}", _share(r), _cost(r.cost))
        for r in rows.itertuples()
    ])  # fmt: skip


def _suspicions(vendor: str, suspicious: pd.Series, patterns: pd.DataFrame) -> list[str]:
    rules = [rule for rule in RULES if (vendor, rule) in suspicious.index and RULES[rule].level != VENDOR]
    rows = [(RULES[rule].says, RULES[rule].threshold, int(suspicious[vendor, rule])) for rule in rules]
    own = patterns[(patterns["level"] == VENDOR) & patterns["unit"].str.startswith(f"{vendor}: ")]
    lines = [f"- {_plain(reason)}" for reason in own["reason"]]
    table = [_table(("What looks suspicious", "From", "People"), rows)] if rows else []
    return ["### Suspicious patterns", *table, *(["\n".join(lines)] if lines else [])] if table or lines else []


def _agreed(vendor: str, agreement: pd.DataFrame) -> list[str]:
    own = agreement[(agreement["vendor"] == vendor) & (agreement["attribute"] == ALL)]
    if own.empty:
        return []
    rows = [
        (r.kind, r.metric, r.comparison.replace("_", " "), r.images,
         r.note or f"{r.value:.3f} [{r.low:.3f}, {r.high:.3f}]") for r in own.itertuples()
    ]  # fmt: skip
    return ["### Agreement of annotators", _table(("Annotation", "Metric", "Compared", "Images", "Mean [95%]"), rows)]


def _share(row: Any) -> str:
    return "" if pd.isna(row.share) else f"{row.share:.1%} [{row.low:.1%}, {row.high:.1%}]"


def _percent(value: float) -> str:
    return "" if pd.isna(value) else f"{value:.1%}"


def _p(value: float) -> str:
    return "" if pd.isna(value) else ("< 0.001" if value < 1e-3 else f"{value:.3f}")


def _cost(value: float) -> str:
    return "" if pd.isna(value) else f"{value:,.2f}"


def _table(head: tuple[str, ...], rows: Iterable[tuple]) -> str:
    lines = [f"| {' | '.join(str(value) for value in row)} |" for row in rows]
    return "\n".join([f"| {' | '.join(head)} |", f"|{'---|' * len(head)}", *lines]) if lines else "None."


def _plain(name: str) -> str:
    """A name that was delivered, which Markdown is to show as it is."""
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>#|!&" else letter for letter in " ".join(name.split()))
