"""The sections of the page: a short answer first, then figures, then what the method could not see."""

import pandas as pd

from accord.analyse.identities import coverage
from accord.analyse.identities.rapid_test import RapidTest
from accord.analyse.identities.tables import COMMON
from accord.grouping import WHOLE
from accord.report.drawing.blocks import Grid, Section, Words, grid
from accord.report.services import forest, gaps, over_time, published, small, together, unseen, wording

ESTIMATED, ANNOTATED, UNDISPUTED = "estimated", "annotated", "undisputed"
COLUMNS = {
    "service": "service", "fmr": "FMR", "group": "group", "fnmr": "FNMR", "low": "from", "high": "to",
    "wilson_low": "Wilson from", "wilson_high": "Wilson to", "bound_low": "least", "bound_high": "most",
    "reached": "FMR of group", "reached_low": "FMR from", "reached_high": "FMR to", "queries": "queries",
    "genuine": "genuine pairs", "impostor": "impostor pairs", "note": "note",
}  # fmt: skip
OF_GROUP = ("reached", "reached_low", "reached_high")
"""Columns that say nothing of all queries: their threshold is set to reach that FMR."""

KNOWN_BY_ARCHIVE = (
    "Nobody looked at the faces: what the services agree on is held against the archive's annotations, which may be "
    "wrong themselves."
)
UNKNOWN = (
    "Whom a picture shows isn't known here: nobody held these figures against the truth. `accord rapid --hand` does, "
    "where people labelled faces."
)
KNOWN_BY_HAND = (
    "People looked at all common faces of queries drawn by lot, told nothing of services or annotations. What the "
    "services agree on, held against what most of these people said, which stands for the truth below. FNMR by it is "
    "of those queries, FNMR by the services' labels of all."
)
NOT_YET = (
    "People are asked about all common faces of queries drawn by lot, and nobody has looked at one yet: these figures "
    "were held against nothing. The next run after their votes does."
)
MEASURED = {
    "labelled": "labelled faces that the services label, too", "right": "of these, labelled alike",
    "kept": "of the people's own faces, kept",
}  # fmt: skip
BY_HAND, BY_ARCHIVE = "people's labels", "the archive's annotations"
ACCURACY = {
    "rule": "rule", "measure": "share of", "share": "share", "low": "from", "high": "to", "wilson_low": "Wilson from",
    "wilson_high": "Wilson to", "faces": "faces", "queries": "queries", "note": "note",
}  # fmt: skip


def sections(
    found: RapidTest, references: pd.DataFrame, fewest: int, by_hand: bool = False, is_known: bool = True
) -> list[Section]:
    """All sections. references: published figures; fewest: queries of a group; smaller ones are in no table; by_hand:
    whether people labelled faces; is_known: whether it is known, or was found out, whom pictures show."""
    curves = _large(found.curves, fewest)
    silent = unseen.without_figure(found.coverage, curves[curves["labels"] == ESTIMATED], fewest)
    return [
        Section("short", "In short", "", [Words([*wording.short(curves, found.services), *wording.silent(silent)])]),
        _services(curves, found.services),
        _groups(curves, silent),
        *over_time.sections(found.changes, fewest, by_hand, disputed(found)),
        unseen.section(found, fewest),
        _truth(found, references, curves, by_hand, is_known),
        *together.sections(found.assisted, BY_HAND if by_hand else BY_ARCHIVE, by_hand, disputed(found)),
    ]


def _large(curves: pd.DataFrame, fewest: int) -> pd.DataFrame:
    """The rows of everyone, and of groups that may be shown and have a figure."""
    some = small.large(curves.reset_index(drop=True), fewest)
    return some[(some["attribute"] == WHOLE) | ((some["queries"] >= fewest) & some["fnmr"].notna())]


def _services(curves: pd.DataFrame, services: pd.DataFrame) -> Section:
    intro = (
        "FNMR: the share of pairs of pictures of one person that a service takes for two people, at the threshold "
        "at which it takes the share FMR of pairs of two people for one. Lower is better."
    )
    whole = curves[
        (curves["labels"] == ESTIMATED) & (curves["attribute"] == WHOLE) & (curves["threshold_of"] == COMMON)
    ]
    left = services[services["note"] != ""]
    blocks: list = (
        [Words([f"{row.service} is left out: {row.note}." for row in left.itertuples()])] if len(left) else []
    )
    if len(whole):
        shown = whole.sort_values(["fmr", "fnmr"], ascending=[False, True])
        blocks.append(forest.services(shown))
        blocks.append(_grid("table-rapid-services", "FNMR of each service, all queries", shown, ("group", *OF_GROUP)))
    return Section("services", "Which service", intro, blocks, "No service could be tested.")


def _groups(curves: pd.DataFrame, silent: list[str]) -> Section:
    """silent: what is said of groups without a figure."""
    intro = (
        "At the threshold that all users of a service meet. Wilson's interval, as published, takes pairs for "
        "independent and is too narrow; the other weighs people anew with all their pictures, and half a person more "
        "whom nobody met: of few people it is wide, and holds more often than in 95%. Whether a group is refused more "
        "often than all others is told by dealing people to groups by lot, so that intervals may overlap where it is. "
        "“FMR of group” is the "
        "share of pairs of two of its people that the service takes for one: "
        "where it is high, they are taken for each other."
    )
    mine = curves[(curves["labels"] == ESTIMATED) & (curves["attribute"] != WHOLE) & (curves["threshold_of"] == COMMON)]
    blocks: list = [Words(silent)] if silent else []
    looks = gaps.comparisons(mine)
    if every := gaps.of(mine, looks):
        blocks += [Words(list(wording.certain(every, looks))), gaps.table(every, looks)]
    for attribute, some in mine.groupby("attribute", sort=True):
        at = some["fmr"].max()
        blocks.append(forest.groups(str(attribute), some[some["fmr"] == at], [gap for gap in every if gap.fmr == at]))
        shown = some.sort_values(["service", "fmr", "group"])
        blocks.append(_grid(f"table-rapid-groups-{attribute}", f"FNMR by {attribute.replace('_', ' ')}", shown))
    return Section("groups", "For whom worse", intro, blocks, "No group has enough queries with a figure.")


def disputed(found: RapidTest) -> int:
    """Queries in which most services that were tested found nobody, or several people."""
    return coverage.disputed(found.coverage, found.services.loc[found.services["note"] == "", "service"].tolist())


def _truth(found: RapidTest, references: pd.DataFrame, curves: pd.DataFrame, by_hand: bool, is_known: bool) -> Section:
    intro = KNOWN_BY_HAND if by_hand else KNOWN_BY_ARCHIVE if is_known else UNKNOWN
    if by_hand and found.agreement.empty:
        intro = NOT_YET
    by = BY_HAND if by_hand else BY_ARCHIVE
    blocks: list = []
    if len(found.agreement):
        blocks.append(Words([*wording.agreement(found.agreement, by), *wording.disputed(disputed(found), by, by_hand)]))
    if len(found.accuracy):
        shown = found.accuracy.assign(measure=found.accuracy["measure"].map(MEASURED))[list(ACCURACY)]
        caption = f"Labels of both rules, held against {by}"
        blocks.append(grid("table-rapid-accuracy", caption, shown.rename(columns=ACCURACY)))
    if shares := published.beside(found.agreement, references):
        blocks.append(shares)
    if by_both := _beside(curves, by, disputed(found)):
        blocks.append(by_both)
    nothing = "" if intro in (UNKNOWN, NOT_YET) else "No face was labelled."
    return Section("truth", "How right the method was", intro, blocks, nothing)


def _beside(curves: pd.DataFrame, by: str, doubted: int) -> Grid | None:
    """FNMR by the services' labels, by those they are held against, and by these without the disputed queries."""
    both = curves[(curves["attribute"] == WHOLE) & (curves["threshold_of"] == COMMON)]
    shown = both.pivot_table(index=["service", "fmr"], columns="labels", values="fnmr").reset_index()
    if not {ESTIMATED, ANNOTATED} <= set(shown.columns):
        return None
    shown["difference"] = shown[ESTIMATED] - shown[ANNOTATED]
    named = {"service": "service", "fmr": "FMR", ESTIMATED: "FNMR by the services' labels", ANNOTATED: f"FNMR by {by}",
             "difference": "difference"}  # fmt: skip
    if doubted and UNDISPUTED in shown:
        shown["less"] = shown[ESTIMATED] - shown[UNDISPUTED]
        named |= {UNDISPUTED: "without disputed queries", "less": "difference without them"}
    return grid(
        "table-rapid-truth", f"FNMR by the services' labels and by {by}", shown[list(named)].rename(columns=named)
    )


def _grid(id: str, caption: str, rows: pd.DataFrame, without: tuple[str, ...] = ()):
    shown = rows[[name for name in COLUMNS if name not in without]]
    return grid(id, caption, shown.rename(columns=COLUMNS))
