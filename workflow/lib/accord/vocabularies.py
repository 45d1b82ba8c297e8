"""FHIBE's vocabularies: the attributes of images and people, their numbered labels, keypoints, segments, groups.

A label is its number, a dot and its text: `1. He/him/his`. Source: the public FHIBE release and its Evaluation API.
"""

from itertools import pairwise
from typing import NamedTuple

IMAGE, PERSON = "image", "person"


class Attribute(NamedTuple):
    """One attribute of a delivery: what it is said of, and what may be said.

    labels: all allowed values, () where any text is; multiple: whether several labels may hold at once;
    of: "image" or "person"; annotated: whether annotators say it (else the subject does); public: whether it may be
    published per person (with consent) or only ever in aggregate.
    """

    name: str
    labels: tuple[str, ...]
    multiple: bool = False
    of: str = PERSON
    annotated: bool = False
    public: bool = True


def numbered(*texts: str) -> tuple[str, ...]:
    """The labels of the texts: `0. <first>`, `1. <second>`, ..."""
    return tuple(f"{number}. {text}" for number, text in enumerate(texts))


def number(label: str) -> int:
    """The number of a label: 1 for `1. He/him/his`. Raises ValueError where it has none."""
    return int(label.partition(".")[0])


def text(label: str) -> str:
    """The text of a label: `He/him/his` for `1. He/him/his`."""
    return label.partition(". ")[2]


PRONOUNS = numbered(
    "She/her/hers", "He/him/his", "They/them/their", "Ze/zir/zirs", "None of the above", "Prefer not to say"
)
ANCESTRIES = numbered(
    *("Africa", "Northern Africa", "Eastern Africa", "Middle Africa", "Southern Africa", "Western Africa"),
    *("Americas", "Caribbean", "Central America", "South America", "Northern America"),
    *("Asia", "Central Asia", "Eastern Asia", "South-eastern Asia", "Southern Asia", "Western Asia"),
    *("Europe", "Eastern Europe", "Northern Europe", "Southern Europe", "Western Europe"),
    *("Oceania", "Australia and New Zealand", "Melanesia", "Micronesia", "Polynesia"),
)
_REGION_STARTS = (0, 6, 11, 17, 22, 27)
ANCESTRY_REGIONS: dict[str, tuple[str, ...]] = {
    ANCESTRIES[start]: ANCESTRIES[start + 1 : end] for start, end in pairwise(_REGION_STARTS)
}
"""Region label -> labels of its subregions (UN M49)."""

SKIN_COLORS = numbered(
    *("[102, 78, 65]", "[136, 105, 81]", "[164, 131, 103]", "[175, 148, 120]", "[189, 163, 137]", "[198, 180, 157]")
)
FITZPATRICK: dict[str, str] = dict(zip(SKIN_COLORS, ("VI", "V", "IV", "III", "II", "I"), strict=True))
"""Skin colour label -> Fitzpatrick skin type."""

HAIR_COLORS = numbered(
    *("None", "Very light blond", "Light blond", "Blond", "Dark blond", "Light brown to medium brown"),
    *("Dark brown/black", "Red", "Red blond", "Gray", "White", "Not listed", "Report string"),
)
EYE_COLORS = numbered(
    "None", "Blue", "Gray", "Green", "Hazel", "Brown", "Red and violet", "Not listed", "Report string"
)
HAIR_TYPES = numbered("None", "Straight", "Wavy", "Curly", "Kinky-coily", "Not listed", "Report string")
HAIRSTYLES = numbered(
    *("None", "Buzz cut", "Short", "Up (Short)", "Half-up (Short)", "Down (Short)", "Not listed(Short)"),
    *("Medium", "Up (Medium)", "Half-up (Medium)", "Down (Medium)", "Not listed(Medium)"),
    *("Long", "Up (Long)", "Half-up (Long)", "Down (Long)", "Not listed(Long)", "Not listed", "Report string"),
)
FACIAL_HAIRSTYLES = numbered("None", "Beard", "Mustache", "Goatee")
FACIAL_MARKS = numbered(
    *("None", "Tattoos", "Birthmarks", "Scars", "Burns", "Growths", "Make-up", "Face paint", "Acne"),
    *("Not listed", "Report string"),
)
HEAD_POSES = numbered("Typical", "Atypical")
BODY_POSES = numbered(
    *("Standing", "Sitting", "Walking", "Bending/bowing", "Lying down/sleeping", "Performing martial/fighting arts"),
    *("Dancing", "Running/jogging", "Crouching/kneeling", "Getting up", "Jumping/leaping", "Falling down", "Crawling"),
    *("Swimming", "Not listed", "Report string"),
)
OBJECT_INTERACTIONS = numbered(
    *("None", "Riding", "Driving", "Watching", "Smoking", "Eating", "Drinking", "Opening or closing"),
    *("Lifting/picking up or putting down", "Writing/drawing or painting", "Catching or throwing"),
    *("Pushing, pulling or extracting", "Putting on or taking off clothing", "Entering or exiting", "Climbing"),
    *("Pointing at", "Shooting at", "Digging/shoveling", "Playing with pets/animals", "Playing musical instrument"),
    *("Playing", "Using an electronic device", "Cutting or chopping", "Cooking", "Fishing", "Rowing", "Sailing"),
    *("Brushing teeth", "Hitting", "Kicking", "Turning", "Not listed", "Report string"),
)
SUBJECT_INTERACTIONS = numbered(
    *("Not applicable", "Talking/listening/singing", "Watching/looking", "Grabbing", "Hitting", "Kicking", "Pushing"),
    *("Hugging/embracing", "Giving/serving or taking/receiving", "Kissing", "Lifting", "Hand shaking"),
    *("Playing with", "Not listed", "Report string"),
)
SCENES = numbered(
    *("Outdoor: Water, ice, snow", "Outdoor: Mountains, hills, desert, sky", "Outdoor: Forest, field, jungle"),
    *("Outdoor: Man-made elements", "Outdoor: Transportation", "Outdoor: Cultural or historical building/place"),
    *("Outdoor: Sports fields, parks, leisure spaces", "Outdoor: Industrial and construction"),
    "Outdoor: Houses, cabins, gardens, and farms",
    "Outdoor: Commercial buildings, shops, markets, cities, and towns",
    *("Indoor: Shopping and dining", "Indoor: Workplace", "Indoor: Home or hotel", "Indoor: Transportation"),
    *("Indoor: Sports and leisure", "Indoor: Cultural"),
)
WEATHERS = numbered("Fog", "Haze", "Snow/hail", "Rain", "Humid", "Cloud", "Clear")
LIGHTINGS = numbered(
    *(
        f"Lighting from {side} the head/face"
        for side in ("above", "below", "in front of", "behind", "the left of", "the right of")
    )
)
CAMERA_POSITIONS = numbered("Typical", "Atypical High", "Atypical Low")
CAMERA_DISTANCES = numbered("CD I", "CD II", "CD III", "CD IV", "CD V")
CAMERA_DISTANCE_STARTS = (10, 50, 300, 900, 1500)
"""Height of the face box, px, at which each camera distance starts."""

HOURS = ("00:00-05:59", "06:00-11:59", "12:00-17:59", "18:00-23:59")
AGE_GROUPS = ("[18, 30)", "[30, 40)", "[40, 50)", "[50, 60)", "[60, +]")
AGE_GROUP_STARTS = (18, 30, 40, 50, 60)


def age_group(age: int) -> str | None:
    """The age group of an age in years; None under 18."""
    reached = sum(age >= start for start in AGE_GROUP_STARTS)
    return AGE_GROUPS[reached - 1] if reached else None


AGE_RANGES = {"18-30": (18, 30), "31-45": (31, 45), "46-85": (46, 85)}
"""The ages, in whole years, that Casual Conversations compares; both ends belong to a range."""


def age_range(age: float) -> str | None:
    """The range of AGE_RANGES that an age in years is in, which need not be whole; None of others."""
    return next((name for name, (first, last) in AGE_RANGES.items() if first <= age < last + 1), None)


KEYPOINTS = numbered(
    *("Nose", "Right eye inner", "Right eye", "Right eye outer", "Left eye inner", "Left eye", "Left eye outer"),
    *("Right ear", "Left ear", "Mouth right", "Mouth left", "Right shoulder", "Left shoulder", "Right elbow"),
    *("Left elbow", "Right wrist", "Left wrist", "Right pinky knuckle", "Left pinky knuckle", "Right index knuckle"),
    *("Left index knuckle", "Right thumb knuckle", "Left thumb knuckle", "Right hip", "Left hip", "Right knee"),
    *("Left knee", "Right ankle", "Left ankle", "Right heel", "Left heel", "Right foot index", "Left foot index"),
)
# fmt: off
COCO_KEYPOINTS = (
    "Nose", "Left eye", "Right eye", "Left ear", "Right ear", "Left shoulder", "Right shoulder", "Left elbow",
    "Right elbow", "Left wrist", "Right wrist", "Left hip", "Right hip", "Left knee", "Right knee", "Left ankle",
    "Right ankle",
)
# fmt: on
"""COCO's 17 keypoints, in its order, by FHIBE's names."""
SEGMENTS = numbered(
    *("Face skin", "Upper body skin", "Left arm skin", "Right arm skin", "Left leg skin", "Right leg skin"),
    *("Head hair", "Left eyebrow", "Right eyebrow", "Left eye", "Right eye", "Nose", "Upper lip", "Lower lip"),
    *("Inner mouth", "Left shoe", "Right shoe", "Headwear", "Mask", "Eyewear", "Upper body clothes"),
    *("Lower body clothes", "Full body clothes", "Sock or legwarmer", "Neckwear", "Bag", "Glove"),
    "Jewelry or timepiece",
)
BODY_PARTS = (*map(text, SEGMENTS), "Face", "Hand")
"""What FHIBE's body_parts_detection asks for: its 28 segments, and whether a face and a hand are there."""

FACE_PARTS = (
    *("background", "skin", "nose", "eye_g", "l_eye", "r_eye", "l_brow", "r_brow", "l_ear", "r_ear", "mouth"),
    *("u_lip", "l_lip", "hair", "hat", "ear_r", "neck_l", "neck", "cloth"),
)
"""CelebAMask-HQ's labels, 0-18."""

_ALL = (
    Attribute("scene", SCENES, of=IMAGE, annotated=True),
    Attribute("lighting", LIGHTINGS, multiple=True, of=IMAGE, annotated=True),
    Attribute("weather", WEATHERS, multiple=True, of=IMAGE, annotated=True),
    Attribute("camera_position", CAMERA_POSITIONS, of=IMAGE, annotated=True),
    Attribute("age", ()),
    Attribute("pronoun", PRONOUNS, multiple=True),
    Attribute("ancestry", ANCESTRIES, multiple=True),
    Attribute("nationality", (), multiple=True),
    Attribute("natural_skin_color", SKIN_COLORS),
    Attribute("apparent_skin_color", SKIN_COLORS, annotated=True),
    Attribute("hairstyle", HAIRSTYLES),
    Attribute("natural_hair_type", HAIR_TYPES),
    Attribute("apparent_hair_type", HAIR_TYPES, annotated=True),
    Attribute("natural_hair_color", HAIR_COLORS, multiple=True),
    Attribute("apparent_hair_color", HAIR_COLORS, multiple=True, annotated=True),
    Attribute("facial_hairstyle", FACIAL_HAIRSTYLES, multiple=True),
    Attribute("natural_facial_haircolor", HAIR_COLORS, multiple=True),
    Attribute("apparent_facial_haircolor", HAIR_COLORS, multiple=True, annotated=True),
    Attribute("natural_left_eye_color", EYE_COLORS, multiple=True),
    Attribute("apparent_left_eye_color", EYE_COLORS, multiple=True, annotated=True),
    Attribute("natural_right_eye_color", EYE_COLORS, multiple=True),
    Attribute("apparent_right_eye_color", EYE_COLORS, multiple=True, annotated=True),
    Attribute("facial_marks", FACIAL_MARKS, multiple=True),
    Attribute("action_body_pose", BODY_POSES),
    Attribute("action_subject_object_interaction", OBJECT_INTERACTIONS, multiple=True),
    Attribute("action_subject_subject_interaction", SUBJECT_INTERACTIONS, multiple=True),
    Attribute("head_pose", HEAD_POSES),
    Attribute("height", (), public=False),
    Attribute("weight", (), public=False),
    Attribute("relationships", (), public=False),
    Attribute("pregnancy", (), public=False),
    Attribute("disability", (), public=False),
    Attribute("country_of_residence", (), public=False),
)
ATTRIBUTES: dict[str, Attribute] = {attribute.name: attribute for attribute in _ALL}
"""Name -> attribute, in the order of FHIBE's columns."""

PUBLIC_ATTRIBUTES = tuple(a.name for a in _ALL if a.of == PERSON and a.public)
"""Attributes of people that may be published with their consent: what `publish_attr:*` stands for."""

AGGREGATE_ATTRIBUTES = tuple(a.name for a in _ALL if a.of == PERSON and not a.public)
"""Attributes of people that are only ever told in aggregate."""
