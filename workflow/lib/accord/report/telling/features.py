"""What features of people and pictures are called: a name, and what its low and its high values mean."""

import re

from accord.report.telling import names

NUMBERS = {
    "age": ("age", "younger people", "older people"),
    "brightness": ("brightness", "dark pictures", "bright pictures"),
    "sharpness": ("sharpness", "blurred pictures", "sharp pictures"),
    "face_share": ("the size of the face in the picture", "small faces", "large faces"),
    "face_height": ("the size of the face", "small faces", "large faces"),
    "person_share": (
        "the size of the person in the picture",
        "people who are small in the picture",
        "people who fill the picture",
    ),
    "face_aspect": ("the shape of the face's box", "wide face boxes", "narrow face boxes"),
    "person_aspect": ("the shape of the person's box", "wide person boxes", "narrow person boxes"),
    "image_aspect": ("the shape of the picture", "wide pictures", "tall pictures"),
    "visible_keypoints": ("how much of the body can be seen", "people hardly seen", "people seen whole"),
    "visible_face_keypoints": ("how much of the face can be seen", "faces partly hidden", "faces seen whole"),
    "iso_speed_ratings": ("the camera's ISO speed", "a low ISO speed", "a high ISO speed"),
    "shutter_speed_value": ("the shutter's speed", "long exposures", "short exposures"),
    "aperture_value": ("the aperture", "a wide aperture", "a narrow aperture"),
    "focal_length": ("the focal length", "short focal lengths", "long focal lengths"),
    "hour": ("the hour of the day", "pictures taken early", "pictures taken late"),
}
SHOWN = re.compile(r"\b(pictures|people|faces)\b")
CONDITION = re.compile(r"^(\w+) (<=|>|!=|=) (.*)$")


def called(feature: str) -> str:
    """What a feature is called, within a sentence."""
    return NUMBERS[feature][0] if feature in NUMBERS else names.attribute(feature).lower()


def side(feature: str, sign: str, label: str) -> str:
    """The side of a feature, in words: `brightness`, `<=` is `dark pictures`."""
    if sign in ("<=", ">"):
        words = NUMBERS.get(feature, (called(feature), f"low {called(feature)}", f"high {called(feature)}"))
        return words[1] if sign == "<=" else words[2]
    no = "not " if sign == "!=" else ""
    return f"{called(feature)}: {no}{names.group(label)}"


def pictures(feature: str, sign: str, label: str) -> str:
    """The pictures on a side of a feature: `dark pictures`, `pictures with hairstyle: Short`."""
    if sign in ("=", "!="):
        return f"pictures with{'out' if sign == '!=' else ''} {called(feature)}: {names.group(label)}"
    words = side(feature, sign, label)
    return words if SHOWN.search(words) else f"pictures with {words}"


def condition(text: str) -> str:
    """A condition with its number: `brightness <= 87.13` is `dark pictures (brightness ≤ 87.1)`."""
    found = CONDITION.match(text)
    if not found:
        return text
    feature, sign, value = found.groups()
    if sign not in ("<=", ">"):
        return side(feature, sign, value)
    shown = f"{feature.replace('_', ' ')} {'≤' if sign == '<=' else '>'} {float(value):.3g}"
    return f"{side(feature, sign, '')} ({shown})" if feature in NUMBERS else shown


def pattern(text: str) -> str:
    """A pattern in words, its conditions joined by `and`."""
    return " and ".join(condition(part) for part in text.split(" & "))
