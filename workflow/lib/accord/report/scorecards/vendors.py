"""Sections of the vendors' page: all of them side by side, then each by itself; nothing of a subject."""

from typing import Any, NamedTuple

import pandas as pd

from accord.check_names import label
from accord.checks.suspicion.rules import RULES
from accord.checks.tables.summary import VENDOR
from accord.report.drawing.blocks import Section, Words, grid
from accord.text.nouns import counted, images_of, listed

ALL, UNKNOWN = "all", "Vendor unknown"
SIGNIFICANT = 0.05
SHARES = {"share", "low", "high", "others"}
OVERVIEW = {
    "vendor": "vendor", "images": "images", "subjects": "people", "stopped": "stopped", "share": "share", "low": "from",
    "high": "to", "others": "share of others", "p_value": "p", "cost": "cost of stopped images",
}  # fmt: skip
BY_CHECK = {
    "name": "check", "stopped": "images", "subjects_stopped": "people", "share": "share", "low": "from", "high": "to",
    "others": "share of others", "p_value": "p", "cost": "cost",
}  # fmt: skip
BY_DELIVERY = {
    "delivery": "delivery", "images": "images", "subjects": "people", "stopped": "stopped", "share": "share",
    "low": "from", "high": "to", "cost": "cost of stopped images",
}  # fmt: skip
AGREED = {
    "kind": "annotation", "metric": "metric", "comparison": "compared", "images": "images", "value": "mean",
    "low": "from", "high": "to", "note": "note",
}  # fmt: skip


class Vendors(NamedTuple):
    """Tables Scorecards, Suspicions, Patterns and Agreement."""

    scorecards: pd.DataFrame
    suspicions: pd.DataFrame
    patterns: pd.DataFrame
    agreement: pd.DataFrame


def sections(found: Vendors) -> list[Section]:
    """One of all vendors, and one of each, in the order of their names."""
    everyone = found.scorecards[found.scorecards["delivery"] == ALL]
    names = sorted(everyone["vendor"].unique())
    return [_overview(everyone), *(_vendor(number, name, found) for number, name in enumerate(names, 1))]


def _overview(everyone: pd.DataFrame) -> Section:
    rows = everyone[everyone["check"] == ALL].assign(vendor=lambda some: some["vendor"].replace("", UNKNOWN))
    blocks = [grid("table-vendors", "Images of each vendor that were stopped", _named(rows, OVERVIEW))]
    return Section("vendors", "All vendors", "", blocks if len(rows) else [], "Nothing was delivered.")


def _vendor(number: int, name: str, found: Vendors) -> Section:
    own = found.scorecards[found.scorecards["vendor"] == name]
    whole, start = own[own["delivery"] == ALL], f"table-vendor-{number}"
    checks = whole[(whole["check"] != ALL) & (whole["stopped"] > 0)]
    checks = checks.assign(name=checks["check"].map(label))
    deliveries = own[(own["delivery"] != ALL) & (own["check"] == ALL)]
    agreed = found.agreement[(found.agreement["vendor"] == name) & (found.agreement["attribute"] == ALL)]
    agreed = agreed.assign(comparison=agreed["comparison"].str.replace("_", " "))
    blocks: list[Any] = [Words([_summary(whole)])]
    of = f"of {name or UNKNOWN.lower()}"
    for part, caption, rows, columns in (
        ("checks", f"What stopped images {of}", checks, BY_CHECK),
        ("deliveries", f"Deliveries {of}", deliveries, BY_DELIVERY),
        ("suspicions", f"What looks suspicious in deliveries {of}", _suspicions(name, found.suspicions), None),
        ("agreement", f"Agreement of annotators {of}", agreed, AGREED),
    ):
        blocks += [grid(f"{start}-{part}", caption, _named(rows, columns) if columns else rows)] if len(rows) else []
    units = found.patterns[found.patterns["level"] == VENDOR]
    reasons = units.loc[units["unit"].str.startswith(f"{name}: "), "reason"].tolist()
    return Section(f"vendor-{number}", name or UNKNOWN, "", [*blocks, *([Words(reasons)] if reasons else [])])


def _summary(whole: pd.DataFrame) -> str:
    total = whole[whole["check"] == ALL].iloc[0]
    more = whole[(whole["check"] != ALL) & (whole["p_value"] < SIGNIFICANT)]
    delivered = images_of(int(total["images"]), int(total["subjects"]))
    interval = f"{total['share']:.1%}, 95% interval {total['low']:.1%} to {total['high']:.1%}"
    text = f"Of {delivered}, {counted(int(total['stopped']), 'image')} stopped: {interval}."
    if pd.isna(total["others"]):
        return f"{text} No other vendor to compare with."
    if more.empty:
        return f"{text} No check stops significantly more of them than of other vendors' images."
    checks = listed([label(check).lower() for check in more["check"]])
    return f"{text} Significantly more often than other vendors: {checks}."


def _suspicions(name: str, suspicions: pd.DataFrame) -> pd.DataFrame:
    """Rules in their order, those of vendors left out: they are told in sentences."""
    own = suspicions[suspicions["vendor"] == name].set_index("rule")["people"]
    rules = [rule for rule in RULES if rule in own.index and RULES[rule].level != VENDOR]
    rows = [(RULES[rule].says, RULES[rule].threshold, int(own[rule])) for rule in rules]
    return pd.DataFrame(rows, columns=["sign", "from", "people"])


def _named(rows: pd.DataFrame, columns: dict[str, str]) -> pd.DataFrame:
    """The columns that are shown, under their names for people, shares in percent; none that is empty."""
    shown = rows[list(columns)].dropna(axis="columns", how="all")
    for name in SHARES & set(shown) if "share" in columns else ():
        shown[name] = shown[name].map("{:.1%}".format, na_action="ignore").fillna("")
    if "cost" in shown:
        shown["cost"] = shown["cost"].map("{:,.2f}".format, na_action="ignore").fillna("")
    return shown.rename(columns=columns)
