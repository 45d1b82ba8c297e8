"""The names of the tables that a report exports: known before any is read."""

EXPORTED = (
    "groups", "disparities", "verification", "causes", "cause_tree", "conditioned", "patterns", "pattern_disparities",
    "extremes", "intersections", "multiverse", "power", "reversals", "curves", "pair_errors", "compared",
    "composition", "group_sizes", "attribute_sizes", "layout", "spreads", "heat", "references", "diversity",
    "recalls", "recall_disparities", "false_yes", "readings", "probe_rates", "probe_effects",
    "response_rates", "answer_rates", "misgendering_ratios", "occupation_shares",
    "waterfall", "video_waterfall", "exclusions", "crop_recall", "numbers", "edits",
)  # fmt: skip
