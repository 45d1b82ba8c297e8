"""What is said of a picture and of the people in it, in FHIBE's vocabularies, so that it fits what was rendered."""

import numpy as np

from accord.vocabularies import (
    BODY_POSES,
    CAMERA_POSITIONS,
    EYE_COLORS,
    FACIAL_HAIRSTYLES,
    FACIAL_MARKS,
    HAIR_COLORS,
    HAIR_TYPES,
    HAIRSTYLES,
    HEAD_POSES,
    LIGHTINGS,
    OBJECT_INTERACTIONS,
    SCENES,
    SKIN_COLORS,
    SUBJECT_INTERACTIONS,
    WEATHERS,
)  # fmt: skip
from accord_demo.cohort import Subject
from accord_demo.picture import Picture

# Rendered hair style -> FHIBE's style and type.
HAIR = {
    "long": ("Down (Long)", "Straight"), "bob": ("Down (Medium)", "Straight"), "ponytail": ("Up (Long)", "Straight"),
    "bun": ("Up (Medium)", "Straight"), "wavy": ("Down (Long)", "Wavy"), "short": ("Short", "Straight"),
    "curly": ("Down (Short)", "Curly"), "afro": ("Down (Short)", "Kinky-coily"), "side": ("Short", "Straight"),
    "buzz": ("Buzz cut", "Straight"), "crop": ("Short", "Straight"), "bald": ("None", "None"),
    "slick": ("Medium", "Straight"), "hijab": ("Not listed", "Not listed"), "cap": ("Short", "Straight"),
}  # fmt: skip
HIDDEN = ("hijab", "bald")
HAIR_COLOURS = {
    "black": "Dark brown/black", "darkbrown": "Dark brown/black", "brown": "Light brown to medium brown",
    "lightbrown": "Light brown to medium brown", "blond": "Blond", "red": "Red", "grey": "Gray", "white": "White",
    "dyed": "Not listed",
}  # fmt: skip
EYES = {"darkbrown": "Brown", "brown": "Brown", "hazel": "Hazel", "green": "Green", "blue": "Blue", "grey": "Gray"}
BEARDS = {"none": ("None",), "stubble": ("None",), "short": ("Beard", "Mustache"), "full": ("Beard", "Mustache")}
INDOOR = tuple(SCENES[i] for i in (11, 12, 12, 15))
OUTDOOR = tuple(SCENES[i] for i in (3, 6, 8, 9))
TYPICAL_DEGREES = 30
SIDEWAYS, FRONTAL = 0.35, 0.3
"""Share of the light's direction that lies along an axis, from which annotators name the side."""
APPARENT_ERROR = 0.06
"""How often an annotator takes the neighbouring skin colour."""


def of_image(picture: Picture, record: dict, rng: np.random.Generator) -> dict[str, list[str]]:
    """Attribute -> labels of the picture as a whole."""
    outdoor = picture.frame.setting == "outdoor"
    right, up, front = record["towards_light"]
    seen = [up > FRONTAL, False, front > FRONTAL, front < -FRONTAL, right < -SIDEWAYS, right > SIDEWAYS]
    scenes = OUTDOOR if outdoor else INDOOR
    return {
        "scene": [scenes[int(rng.integers(len(scenes)))]],
        "lighting": [label for label, there in zip(LIGHTINGS, seen, strict=True) if there] or [LIGHTINGS[0]],
        "weather": [WEATHERS[5 if record["light"] == "overcast" else 6]] if outdoor else [],
        "camera_position": [CAMERA_POSITIONS[0]],
    }


def of_person(subject: Subject, record: dict, number: int, rng: np.random.Generator) -> dict[str, list[str]]:
    """Attribute -> labels of the person with that number in a record; the first is the primary subject."""
    looks = record["people"][number]["looks"]
    two = len(record["people"]) > 1
    typical = number > 0 or max(abs(record["yaw"]), abs(record["pitch"])) < TYPICAL_DEGREES
    said = {
        "age": [str(subject.age)],
        "pronoun": [subject.pronoun],
        "ancestry": list(subject.ancestry),
        "nationality": list(subject.nationality),
        "natural_skin_color": [subject.skin_color],
        "apparent_skin_color": [_apparent(subject.skin_color, rng)],
        "facial_marks": [label(FACIAL_MARKS, "Make-up" if looks["makeup"] else "None")],
        "action_body_pose": [label(BODY_POSES, _pose(record, number))],
        "action_subject_object_interaction": [OBJECT_INTERACTIONS[0]],
        "action_subject_subject_interaction": [SUBJECT_INTERACTIONS[2 if two and rng.random() < 0.3 else 0]],
        "head_pose": [HEAD_POSES[0 if typical else 1]],
        "height": [str(subject.height)],
        "weight": [str(subject.weight)],
        "relationships": [subject.relationships],
        "pregnancy": [subject.pregnancy],
        "disability": [subject.disability],
    }
    return said | _hair(looks) | _eyes(looks)


def label(labels: tuple[str, ...], text: str) -> str:
    """The label of a text: `5. Brown` for `Brown`. Raises StopIteration where there is none."""
    return next(found for found in labels if found.partition(". ")[2] == text)


def _apparent(natural: str, rng: np.random.Generator) -> str:
    """The skin colour that an annotator sees: now and then a neighbour of the natural one."""
    at = SKIN_COLORS.index(natural)
    if rng.random() < APPARENT_ERROR:
        at += 1 if at == 0 or (at < len(SKIN_COLORS) - 1 and rng.random() < 0.5) else -1
    return SKIN_COLORS[at]


def _pose(record: dict, number: int) -> str:
    return "Walking" if number == 0 and record["pose"] == "walk" else "Standing"


def _hair(looks: dict) -> dict[str, list[str]]:
    """Hair and facial hair; what a scarf hides has no apparent colour or type."""
    style, kind = HAIR[looks["hair"]]
    colour = label(HAIR_COLORS, HAIR_COLOURS[looks["hair_colour"]])
    seen, none = looks["hair"] not in HIDDEN, HAIR_COLORS[0]
    bearded = looks["beard"] in ("short", "full")
    return {
        "hairstyle": [label(HAIRSTYLES, style)],
        "natural_hair_type": [label(HAIR_TYPES, kind)],
        "apparent_hair_type": [label(HAIR_TYPES, kind) if seen else HAIR_TYPES[0]],
        "natural_hair_color": [colour],
        "apparent_hair_color": [colour if seen else none],
        "facial_hairstyle": [label(FACIAL_HAIRSTYLES, text) for text in BEARDS[looks["beard"]]],
        "natural_facial_haircolor": [colour if bearded else none],
        "apparent_facial_haircolor": [colour if bearded else none],
    }


def _eyes(looks: dict) -> dict[str, list[str]]:
    colour = label(EYE_COLORS, EYES[looks["eye_colour"]])
    sides = ("left", "right")
    return {f"{how}_{side}_eye_color": [colour] for side in sides for how in ("natural", "apparent")}
