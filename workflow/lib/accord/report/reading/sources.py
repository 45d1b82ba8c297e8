"""Which tables a figure of the report shows, by the beginning of its id."""

SOURCES = {
    "table-glance": ("groups", "disparities", "causes", "conditioned", "multiverse", "power"),
    "table-answers": ("groups", "disparities", "causes", "conditioned", "multiverse", "power"),
    "figure-waterfall": ("waterfall",),
    "table-edits": ("edits",),
    "table-exclusions": ("exclusions",),
    "figure-people": ("composition",),
    "table-diversity": ("diversity",),
    "table-claims": ("disparities",),
    "figure-disparities": ("disparities",),
    "figure-models": ("groups",),
    "table-untested": ("groups",),
    "figure-forest": ("groups",),
    "table-groups": ("groups",),
    "table-tests": ("disparities",),
    "figure-heat": ("groups",),
    "table-causes": ("causes",),
    "figure-tree": ("cause_tree",),
    "table-conditioned": ("conditioned",),
    "table-patterns": ("patterns",),
    "table-within-patterns": ("pattern_disparities",),
    "figure-verification": ("verification",),
    "table-numbers": ("numbers",),
    "table-extremes": ("extremes",),
    "table-worse-than-parts": ("intersections",),
    "table-multiverse": ("multiverse",),
    "table-power": ("power",),
    "table-reversals": ("reversals",),
    "figure-curves": ("curves",),
    "table-curves": ("curves",),
    "figure-pairs": ("pair_errors",),
    "table-compared": ("compared",),
    "figure-map": ("heat",),
    "figure-layout": ("layout",),
    "table-spreads": ("spreads",),
    "table-references": ("references", "waterfall", "disparities", "recalls", "recall_disparities"),
    "table-readings": ("readings",),
    "table-recalls": ("recalls",),
    "table-recall-disparities": ("recall_disparities",),
    "table-false-yes": ("false_yes",),
    "table-published": ("references", "recalls", "recall_disparities"),
}
"""Beginning of a figure's id -> the tables of report.index that it shows."""


def tables_of(figure: str) -> tuple[str, ...]:
    """The tables that a figure shows; none for an id that no section gives."""
    found = [start for start in SOURCES if figure == start or figure.startswith(f"{start}-")]
    return SOURCES[max(found, key=len)] if found else ()
