"""Rows of a small release's tables."""

MODELS = {
    "yunet": {"task": "face_localization", "licence": "MIT", "source": "OpenCV zoo"},
    "sface": {"task": "face_verification", "licence": "Apache-2.0"},
}
WORST, BEST = "9. South America", "13. Eastern Asia"


def group(name, mean, note="", attribute="ancestry"):
    return {
        "task": "face_localization",
        "model": "yunet",
        "metric": "ar_iou",
        "attribute": attribute,
        "group": name,
        "images": 60,
        "subjects": 20,
        "clusters": 20,
        "mean": mean,
        "median": mean,
        "low": mean - 0.05,
        "high": mean + 0.05,
        "average": "mean over images",
        "note": note,
    }


def disparity(attribute, claimed, worst=WORST, best=BEST):
    return {
        "task": "face_localization",
        "model": "yunet",
        "metric": "ar_iou",
        "attribute": attribute,
        "worst": worst,
        "best": best,
        "worst_median": 0.4,
        "best_median": 0.8,
        "worst_mean": 0.42,
        "best_mean": 0.79,
        "worst_subjects": 20,
        "best_subjects": 21,
        "difference": 0.37,
        "difference_low": 0.3,
        "difference_high": 0.44,
        "disparity": 0.5,
        "low": 0.4,
        "high": 0.6,
        "p_value": 1e-9,
        "effect": -0.2,
        "pairs": 15,
        "significant": True,
        "p_between_subjects": 0.0001,
        "subjects_compared": 41,
        "claimed": claimed,
        "note": "",
    }


KEYS = {"task": "face_localization", "model": "yunet", "metric": "ar_iou"}
SHARPNESS = {
    **KEYS, "feature": "sharpness", "kind": "number", "images": 60, "subjects": 20, "importance": 0.2,
    "standard_error": 0.01, "low": 0.1, "high": 0.3, "explained": 0.4, "selected": True, "p_value": 0.01,
    "claimed": True, "side": "<=", "number": 41.68, "label": "", "worse_images": 30, "worse_subjects": 10,
    "worse_mean": 0.4, "worse_low": 0.3, "worse_high": 0.5, "other_mean": 0.8, "note": "",
}  # fmt: skip


def fixed(how, gap, change, feature="sharpness", note=""):
    """A row of the gap between the two groups with a feature held fixed; change with a narrow interval."""
    ends = {"change": change, "change_low": change and change - 0.05, "change_high": change and change + 0.05}
    counts = {f"{side}_{what}": 20 for side in ("worst", "best") for what in ("images", "subjects")}
    return {
        **KEYS, "attribute": "ancestry", "worst": WORST, "best": BEST, "feature": feature, "how": how, "condition": "",
        **counts, "gap": gap, "standard_error": 0.05, "low": gap and gap - 0.1, "high": gap and gap + 0.1,
        **ends, "note": note,
    }  # fmt: skip


def leaf(node, parent, condition, mean):
    """A node of the tree of errors."""
    return {
        **KEYS, "node": node, "parent": parent, "condition": condition, "leaf": parent >= 0, "images": 30,
        "subjects": 10, "mean": mean, "low": mean - 0.1, "high": mean + 0.1, "note": "",
    }  # fmt: skip


def way(outcome, holds):
    """A way of looking at the finding."""
    return {
        **KEYS, "attribute": "ancestry", "worst": WORST, "best": BEST, "models": "this one", "outcome": outcome,
        "grouping": "as told", "min_subjects": 10, "test": "subject ranks", "correction": "holm", "changed": 1,
        "worst_subjects": 20, "best_subjects": 21, "pairs": 15, "difference": 0.3, "p_value": 0.01, "holds": holds,
        "note": "",
    }  # fmt: skip


def point(group, far, tar):
    """A point of a curve of sface."""
    return {
        "model": "sface", "attribute": "pronoun", "group": group, "protocol": "within the group", "far": far,
        "subjects": 15, "positives": 40, "negatives": 2000, "threshold": 0.4, "reached": far, "reached_low": None,
        "reached_high": None, "tar": tar, "low": tar - 0.1, "high": tar + 0.1, "wilson_low": tar - 0.05,
        "wilson_high": tar + 0.05, "note": "",
    }  # fmt: skip


def change(images, before, after, verdict, low=None, high=None):
    """A row of a comparison of versions of yunet."""
    moved = after - before
    return {
        "kind": "versions", "task": "face_localization", "metric": "ar_iou", "model_before": "yunet",
        "model_after": "yunet", "images": images, "images_before": 80, "images_after": 80, "subjects": 30,
        "before": before, "after": after, "change": moved, "low": moved - 0.02 if low is None else low,
        "high": moved + 0.02 if high is None else high, "margin": 0.05, "p_changed": 0.01, "p_ranks": None,
        "p_same": 0.5, "verdict": verdict, "better": "", "note": "",
    }  # fmt: skip


END = {
    **KEYS, "attribute": "ancestry", "parts": 1, "groups": 2, "too_small": 1, "worst": WORST, "best": BEST,
    "worst_images": 60, "best_images": 60, "worst_subjects": 20, "best_subjects": 21, "worst_median": 0.4,
    "best_median": 0.8, "worst_mean": 0.42, "worst_low": 0.37, "worst_high": 0.47, "best_mean": 0.79, "best_low": 0.74,
    "best_high": 0.84, "difference": 0.37, "difference_low": 0.3,
    "difference_high": 0.44, "ratio": 0.53, "disparity": 0.5, "low": 0.4, "high": 0.6, "p_value": 1e-9,
    "effect": -0.2, "significant": True, "note": "",
}  # fmt: skip
CROSSED = {
    **KEYS, "attribute": "pronoun x ancestry", "group": f"1. He/him/his x {WORST}", "parts": 2, "images": 60,
    "subjects": 20, "mean": 0.3, "part_attribute": "ancestry", "worst_part": WORST, "part_mean": 0.42, "gap": 0.12,
    "low": 0.05, "high": 0.2, "p_value": 0.01, "looked_at": 30, "untested": 2, "note": "",
}  # fmt: skip
SEEN = {
    **KEYS, "attribute": "ancestry", "worst": WORST, "best": BEST, "worst_subjects": 20, "best_subjects": 21,
    "difference": 0.37, "deviation": 0.1, "level": 0.003, "detectable": 0.12, "detectable_in_report": 0.15,
    "detectable_share": 0.15, "note": "",
}  # fmt: skip
TURNED = {
    **KEYS, "attribute": "pronoun", "worst": "0. She/her/hers", "best": "1. He/him/his", "feature": "sharpness",
    "worst_subjects": 20, "best_subjects": 21, "gap": 0.1, "low": 0.05, "high": 0.15, "within": -0.1,
    "within_low": -0.15, "within_high": -0.05, "strata": 5, "reversed_strata": 4, "looked_at": 9, "p_value": 0.01,
    "claimed": True,
}  # fmt: skip
MISTAKEN = {
    "model": "sface", "pronoun": "1. He/him/his", "hairstyle": "1. Buzz cut", "other": "2. Short",
    "error": "false acceptance", "far": 0.001, "threshold": 0.4, "subjects": 15, "pairs": 2000, "errors": 10,
    "share": 0.005, "low": 0.002, "high": 0.01, "wilson_low": 0.003, "wilson_high": 0.009, "note": "",
}  # fmt: skip
