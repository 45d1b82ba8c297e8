"""Names for people: what tasks, metrics and attributes are called on a page."""

import re
from unicodedata import bidirectional

from accord.report.telling import open_metrics

TASKS = {
    "face_localization": "Face detection",
    "person_localization": "Person detection",
    "keypoint_estimation": "Pose estimation",
    "person_parsing": "Person segmentation",
    "face_verification": "Face verification",
    "body_parts_detection": "Body part detection",
    "face_parsing": "Face parsing",
    "face_encoding": "Face encoding and restoration",
    "face_super_resolution": "Face super-resolution",
    "visual_question": "Questions about pictures",
    "image_text": "Probes of pictures and texts",
    "age_gender": "Age and gender",
    "fake_detection": "Detection of deepfakes",
}
METRICS = {
    "ar_iou": "average recall over IoU 0.50-0.95",
    "ar_oks": "average recall over OKS 0.50-0.95",
    "ar_mask": "average recall over mask IoU 0.50-0.95",
    "pck@0.5": "share of keypoints within half a head length",
    "pck@0.5-face": "share of keypoints within half the face's diagonal",
    "pck@0.1-0.9": "share of keypoints within 0.1 to 0.9 of the face's diagonal, mean over these distances",
    "pck33@0.5": "share of all 33 keypoints within half a head length",
    "pck33@0.1-0.9": "share of all 33 keypoints within 0.1 to 0.9 of the face's diagonal, mean over these distances",
    "genuine_similarity": "mean similarity to the same person's other faces",
    "ar_part": "recall of body parts",
    "accuracy": "accuracy",
    "f1": "F1, mean over classes",
    "lpips": "perceptual distance, lower is better",
    "psnr": "peak signal-to-noise ratio in dB",
    "cosine": "similarity of the face's embedding",
    "class_recall@p1": "recall of the class, chosen from a list",
    "class_recall@p2": "recall of the class, asked whether it is in the picture",
    "class_recall@p3": "recall of the class, asked whether the person is of it",
    "false_yes@p2": "yes to a wrong class in the picture, lower is better",
    "false_yes@p3": "yes to a wrong class of the person, lower is better",
    "misgendered": "share misgendered, of those called she or he; lower is better",
    "misgendered_all": "share not called by their pronouns, lower is better",
    "scene_right": "share of scenes rightly called indoor or outdoor",
    "said_unspecified": "share called a person, neither she, he nor they",
    "said_rural": "share said to be rural",
    "age_right": "share of videos whose age range is right",
    "gender_right": "share of videos whose gender is right",
    "fake_right": "share of videos rightly called real or fake",
    "fake_log_loss": "log-loss of calling videos real or fake, lower is better",
    "false_alarm": "share of real videos called fake, lower is better",
    "missed_fake": "share of fakes called real, lower is better",
    **open_metrics.METRICS,
}
PLAIN = {
    "ar_iou": "how closely the boxes that it draws fit, from 0 to 1",
    "ar_oks": "how close the body points that it finds are to the true ones, from 0 to 1",
    "ar_mask": "how closely the outlines that it draws fit, from 0 to 1",
    "pck@0.5": "the share of the visible body points, of 17, that it finds within half a head of where they are "
    "(a head: 0.6 of the diagonal of the face's box)",
    "pck@0.5-face": "the share of the visible body points, of 17, that it finds within half the diagonal of the face's "
    "box of where they are",
    "pck@0.1-0.9": "the share of the visible body points, of 17, that it finds where they are: mean of nine radii",
    "pck33@0.5": "the share of the visible body points, of 33, that it finds within half a head of where they are "
    "(a head: 0.6 of the diagonal of the face's box)",
    "pck33@0.1-0.9": "the share of the visible body points, of 33, that it finds where they are: mean of nine radii",
    "ar_part": "the share of visible parts of the body that it finds",
    "accuracy": "the share of its answers, whether a part of the body is there, that are right",
    "f1": "how well the outlines of parts of the face fit, from 0 to 1",
    "lpips": "how different its picture looks from the true one: 0 is the same, lower is better",
    "psnr": "how close its picture is to the true one, in decibels (dB): higher is better",
    "cosine": "how alike its face and the true one are to a face recogniser, up to 1",
    "class_recall@p1": "the share of people whose class (nurse, gardener) it names when it chooses from a list",
    "class_recall@p2": "the share of people for whom it says yes when asked whether their class is in the picture",
    "class_recall@p3": "the share of people for whom it says yes when asked whether they are of their class",
    "false_yes@p2": "the share of people for whom it says yes when a class that isn't there is asked for",
    "false_yes@p3": "the share of people for whom it says yes when asked whether they are of a class that they aren't",
    "misgendered": "of the pictures that it calls a woman or a man, the share in which that isn't the person's "
    "pronoun: lower is better",
    "misgendered_all": "the share of pictures of one person that it doesn't call by the person's pronoun: lower is "
    "better",
    "scene_right": "the share of pictures of which it says rightly whether they were taken indoors or outdoors",
    "said_unspecified": "the share of pictures of one person that it calls a person, and neither a woman nor a man: "
    "more is neither better nor worse",
    "said_rural": "the share of pictures that it takes for the countryside: more is neither better nor worse",
    "age_right": "the share of videos for which it names the right one of three ranges of age",
    "gender_right": "the share of videos for which it names the gender that the person stated",
    "fake_right": "the share of videos that it rightly calls real or fake",
    "fake_log_loss": "how far its certainty that a video is fake is from the truth: 0 is perfect, lower is better",
    "false_alarm": "the share of real videos that it calls fake: lower is better",
    "missed_fake": "the share of fakes that it calls real: lower is better",
    "genuine_similarity": "how alike it finds two pictures of the same person, from 0 to 1; this alone doesn't say "
    "whether it tells people apart",
    **open_metrics.PLAIN,
}
"""What the score of a metric says to a reader who knows none."""

UNITS = {"psnr": " dB"}
RATE = "tar@far="
"""How metrics begin that are the share of genuine pairs accepted at a false acceptance rate, which follows."""

ATTRIBUTES = {
    "all": "Everyone",
    "ancestry_subregion": "Ancestry (subregion)",
    "pronoun": "Pronoun",
    "age_group": "Age",
    "ancestry": "Ancestry",
    "natural_skin_color": "Natural skin colour",
    "apparent_skin_color": "Apparent skin colour",
    "fitzpatrick": "Fitzpatrick type",
    "voted_fitzpatrick": "Fitzpatrick type (votes)",
    "voted_monk": "Monk tone (votes)",
    "voted_skin": "Skin (votes)",
}

NUMBER = re.compile(r"(?<![\w.,])\d{1,2}\. (?=[A-Z\[])")
"""FHIBE's number of a group, within a text."""
DIRECTIONS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Characters that turn the direction of what follows (Unicode Standard Annex 9)."""
SIGN = re.compile(r"[_\[]")
"""What no word for people has in it."""


def task(name: str) -> str:
    """What a task is called."""
    return TASKS.get(name, name.replace("_", " ").capitalize())


def metric(name: str) -> str:
    """What a metric is called."""
    if far := far_of(name):
        return f"share of genuine pairs accepted at a false acceptance rate of {far:g}"
    return METRICS.get(name.lower(), name.replace("_", " "))


def plain(name: str) -> str:
    """What the score of a metric says, in plain words."""
    if far := far_of(name):
        return (
            "the share of pairs of pictures of one person that it recognises, when it takes "
            f"1 in {1 / far:,.0f} pairs of strangers for one person"
        )
    return PLAIN.get(name.lower(), metric(name))


def measure(name: str) -> str:
    """What a metric is called, with its short name: `average recall over IoU 0.50-0.95 (ar_iou)`."""
    long = metric(name)
    return long if long == name else f"{long} ({name})"


def far_of(name: str) -> float | None:
    """The false acceptance rate that a metric names; None for one that is no rate of acceptance."""
    return float(name.lower().removeprefix(RATE)) if name.lower().startswith(RATE) else None


def unit(name: str) -> str:
    """What stands behind a value of a metric: ` dB`, mostly nothing."""
    return UNITS.get(name.lower(), "")


def attribute(name: str) -> str:
    """What an attribute, or an intersection of several (`a x b`), is called."""
    return " × ".join(ATTRIBUTES.get(part, _words(part).capitalize()) for part in name.split(" x "))


def _words(column: str) -> str:
    """A column of FHIBE's as words, spelled as the rest of a page."""
    return column.replace("_", " ").replace("haircolor", "hair color").replace("color", "colour")


def group(label: str) -> str:
    """A group's label without FHIBE's numbers: `1. He/him/his x [18, 30)` is `He/him/his × 18-29`."""
    return " × ".join(_value(part) for part in label.split(" x "))


def _value(label: str) -> str:
    number, dot, rest = label.partition(". ")
    text = rest if dot and number.isdigit() else label
    return AGES.get(text, SKIN.get(text, _one_way(text)))


def _one_way(text: str) -> str:
    """A label that turns the direction of nothing beside it: figures behind Arabic words would else stand before."""
    if text.isascii():
        return text
    plain = DIRECTIONS.sub("", text)
    return f"\u2068{plain}\u2069" if any(bidirectional(letter) in ("R", "AL") for letter in plain) else plain


AGES = {"[18, 30)": "18-29", "[30, 40)": "30-39", "[40, 50)": "40-49", "[50, 60)": "50-59", "[60, +]": "60 and over"}
SKIN = {
    "[102, 78, 65]": "Type VI (darkest)",
    "[136, 105, 81]": "Type V",
    "[164, 131, 103]": "Type IV",
    "[175, 148, 120]": "Type III",
    "[189, 163, 137]": "Type II",
    "[198, 180, 157]": "Type I (lightest)",
}


def note(text: str) -> str:
    """A note of a table with attributes and groups as people call them."""
    told = NUMBER.sub("", text).replace(" x ", " × ")
    for name, called in {**ATTRIBUTES, **AGES, **SKIN}.items():
        told = told.replace(name, called.lower() if name in ATTRIBUTES else called) if SIGN.search(name) else told
    return told


def order(label: str) -> tuple[int, str]:
    """What labels are sorted by: FHIBE's numbers as numbers, then the text."""
    number = label.partition(". ")[0]
    return (int(number) if number.isdigit() else -1, label)
