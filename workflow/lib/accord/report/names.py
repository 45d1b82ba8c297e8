"""Names for people: what tasks, metrics and attributes are called on a page."""

TASKS = {
    "face_localization": "Finding faces",
    "person_localization": "Finding people",
    "keypoint_estimation": "Body keypoints",
    "person_parsing": "Person masks",
    "face_verification": "Recognising the same face",
}
METRICS = {
    "ar_iou": "average recall over IoU 0.50-0.95",
    "ar_oks": "average recall over OKS 0.50-0.95",
    "ar_mask": "average recall over mask IoU 0.50-0.95",
    "pck@0.5": "share of keypoints within half a head length",
    "pck@0.1-0.9": "share of keypoints within 0.1 to 0.9 of the face's diagonal",
    "genuine_similarity": "mean similarity to the same person's other faces",
    "tar@far=0.001": "share of genuine pairs accepted at a false acceptance rate of 0.001",
}
ATTRIBUTES = {
    "all": "Everyone",
    "ancestry_subregion": "Ancestry (subregion)",
    "pronoun": "Pronoun",
    "age_group": "Age",
    "ancestry": "Ancestry",
    "natural_skin_color": "Natural skin colour",
    "apparent_skin_color": "Apparent skin colour",
}


def task(name: str) -> str:
    """What a task is called."""
    return TASKS.get(name, name.replace("_", " ").capitalize())


def metric(name: str) -> str:
    """What a metric is called."""
    return METRICS.get(name.lower(), name.replace("_", " "))


def attribute(name: str) -> str:
    """What an attribute, or an intersection of several (`a x b`), is called."""
    return " × ".join(ATTRIBUTES.get(part, part.replace("_", " ").capitalize()) for part in name.split(" x "))


def group(label: str) -> str:
    """A group's label without FHIBE's numbers: `1. He/him/his x [18, 30)` is `He/him/his × 18-29`."""
    return " × ".join(_value(part) for part in label.split(" x "))


def _value(label: str) -> str:
    number, dot, rest = label.partition(". ")
    text = rest if dot and number.isdigit() else label
    return AGES.get(text, SKIN.get(text, text))


AGES = {"[18, 30)": "18-29", "[30, 40)": "30-39", "[40, 50)": "40-49", "[50, 60)": "50-59", "[60, +]": "60 and over"}
SKIN = {
    "[102, 78, 65]": "Type VI (darkest)",
    "[136, 105, 81]": "Type V",
    "[164, 131, 103]": "Type IV",
    "[175, 148, 120]": "Type III",
    "[189, 163, 137]": "Type II",
    "[198, 180, 157]": "Type I (lightest)",
}
