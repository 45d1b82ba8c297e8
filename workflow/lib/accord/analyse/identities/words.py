"""What a Rapid Test found, in lines of text: coverage first, since it limits what everything after it means."""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from accord.analyse.identities.coverage import KEPT
from accord.analyse.identities.rapid_test import RapidTest
from accord.analyse.identities.tables import COMMON, OPEN, SOURCES
from accord.grouping import WHOLE
from accord.text.nouns import counted

ESTIMATED, ANNOTATED = SOURCES[:2]
MEASURED = {"labelled": "of faces labelled", "right": "of these rightly", "kept": "of the people's own kept"}


def lines(found: RapidTest) -> Iterator[str]:
    """What was kept, what was left out and why, and FNMR of each service for each group at its common threshold."""
    yield from _left_out(found)
    yield ""
    yield "FNMR at the threshold that all users of a service meet, with 95% intervals by queries:"
    curves = found.curves
    shown = curves[(curves["labels"] == "estimated") & (curves["threshold_of"] == COMMON)]
    for row in shown.sort_values(
        ["service", "fmr", "attribute", "group"], ascending=[True, False, True, True]
    ).itertuples():
        group = "everyone" if row.group == WHOLE else f"{row.attribute} {row.group}"
        yield f"  {row.service}, FMR {row.fmr:g}, {group}: {_figure(row)}"
    yield from _changes(found.changes)
    yield from _agreement(found.agreement)
    yield from _accuracy(found.accuracy)


def _left_out(found: RapidTest) -> Iterator[str]:
    for row in found.services[found.services["note"] != ""].itertuples():
        yield f"service {row.service} is left out: {row.note}"
    whole = found.coverage[found.coverage["attribute"] == WHOLE]
    kept = whole[whole["reason"] == KEPT]
    queries = found.identities["query"].nunique()
    labelled = counted(int(kept["faces"].sum()), "face")
    yield f"{int(kept['queries'].sum())} of {counted(queries, 'query')} kept, {labelled} labelled"
    for row in whole[whole["reason"] != KEPT].itertuples():
        yield f"  left out: {counted(row.queries, 'query')}, {counted(row.faces, 'face')}: {row.reason}"
    for row in found.doubles.itertuples():
        others = "services take" if row.services > 1 else "service takes"
        yield (
            f"{row.services} {others} queries {row.query} and {row.other} for one person: {row.left_out} is left out; "
            "if they are two people, lookalikes are confused"
        )
    for row in found.coverage[(found.coverage["attribute"] != WHOLE) & (found.coverage["reason"] == KEPT)].itertuples():
        yield f"  kept of {row.attribute} {row.group}: {counted(row.queries, 'query')}"


def _figure(row: Any) -> str:
    if row.note:
        return f"not defined ({row.note})"
    bounds = f"; {row.bound_low:.4f} to {row.bound_high:.4f} whatever the faces without a label are"
    unlabelled = bounds if row.bound_high > row.bound_low else ""
    pairs = f"{counted(row.genuine, 'genuine pair')} of {counted(row.queries, 'query')}"
    return f"{row.fnmr:.4f} [{row.low:.4f}, {row.high:.4f}], {pairs}{unlabelled}"


def _changes(table: pd.DataFrame) -> Iterator[str]:
    """What changed over time, by hand labels where there are any; all intervals hold together."""
    if table.empty:
        return
    by = ANNOTATED if (table["labels"] == ANNOTATED).any() else ESTIMATED
    yield ""
    yield f"over time, by {'hand' if by == ANNOTATED else 'estimated'} labels, intervals that hold together in 95%:"
    for row in table[table["labels"] == by].itertuples():
        group = "everyone" if row.group == WHOLE else f"{row.attribute} {row.group}"
        held = f", {row.held}" if row.held else ""
        key = f"  {row.service}{held}, {row.before} to {row.after}, FMR {row.fmr:g}, {group}: "
        if row.note:
            yield f"{key}not defined ({row.note})"
            continue
        told = f"{row.fnmr_before:.4f} to {row.fnmr_after:.4f}, by {row.change:+.4f} [{row.low:+.4f}, {row.high:+.4f}]"
        yield f"{key}{told}, {'no change is certain' if row.verdict == OPEN else row.verdict}"


def _accuracy(table: pd.DataFrame) -> Iterator[str]:
    """Of both rules, where people labelled faces."""
    known = table[table["note"] == ""]
    for rule, some in known.groupby("rule", sort=True):
        told = some.set_index("measure")
        shares = (f"{told['share'][of]:.3f} [{told['low'][of]:.3f}, {told['high'][of]:.3f}] {what}"
                  for of, what in MEASURED.items() if of in told.index)  # fmt: skip
        yield f"  rule {rule}: {'; '.join(shares)}"


def _agreement(table: pd.DataFrame) -> Iterator[str]:
    if table.empty:
        return
    cells = table.set_index(["hand", "estimated"])["faces"]
    of_person = int(cells[1].sum())
    labelled = cells[cells.index.isin([(y, z) for y in (1, 0) for z in (1, 0)])]
    right = int(cells[1, 1] + cells[0, 0])
    yield ""
    both = f"{int(labelled.sum()):,} were labelled by hand and by services"
    yield f"of {int(cells.sum()):,} faces {both}, {right:,} alike"
    yield f"of {of_person:,} faces that show who was searched for, {int(cells[1, 1]):,} were kept as such"
