"""The names of the tables that a report exports: known before any is read."""

EXPORTED = (
    "groups", "disparities", "verification", "causes", "cause_tree", "conditioned", "patterns", "pattern_disparities",
    "composition", "diversity", "waterfall", "exclusions", "numbers", "edits",
)  # fmt: skip
