"""FHIBE's public release: the columns of its tables, and where its files lie."""

from accord.vocabularies import ATTRIBUTES, CAMERA_DISTANCE_STARTS, CAMERA_DISTANCES

RIGHT_EYE, LEFT_EYE, MOUTH_RIGHT, MOUTH_LEFT = 2, 5, 9, 10

CAMERA_NUMBERS = ("aperture_value", "focal_length", "iso_speed_ratings", "shutter_speed_value")
CAMERA = (*CAMERA_NUMBERS, "manufacturer", "model")
PLACE = ("location_country", "location_region", "user_date_captured", "user_hour_captured")
OF_THE_IMAGE = ("camera_position", "lighting", "weather", "scene")
OF_THE_SUBJECT = (
    "nationality", "ancestry", "pronoun", "natural_skin_color", "apparent_skin_color", "hairstyle",
    "natural_hair_type", "apparent_hair_type", "natural_hair_color", "apparent_hair_color", "facial_hairstyle",
    "natural_facial_haircolor", "apparent_facial_haircolor", "natural_left_eye_color", "apparent_left_eye_color",
    "natural_right_eye_color", "apparent_right_eye_color", "facial_marks", "action_body_pose",
    "action_subject_object_interaction", "action_subject_subject_interaction", "head_pose",
)  # fmt: skip
BY_SUBJECT = ("camera_distance", "subject_position", *OF_THE_SUBJECT)
"""All columns that hold the attributes of a subject."""

LISTS = frozenset(name for name, attribute in ATTRIBUTES.items() if attribute.multiple)
"""Columns that hold a list of labels; the others hold one label."""

ANNOTATED = (*(c for c in (*OF_THE_IMAGE, *OF_THE_SUBJECT) if ATTRIBUTES[c].annotated), "head_pose")
"""Attributes that annotators may say. FHIBE's tables name them for the head pose alone; people say all else."""

CHECKED_OF_THE_IMAGE = ("camera", "camera_position", "lighting", "user_hour_captured", "weather")
CHECKED_SAID = (
    "apparent_skin_color", "hairstyle", "apparent_hair_type", "apparent_hair_color", "facial_hairstyle",
    "apparent_facial_haircolor", "apparent_left_eye_color", "apparent_right_eye_color", "facial_marks",
    "action_body_pose", "action_subject_object_interaction", "action_subject_subject_interaction",
)  # fmt: skip
CHECKED_OF_THE_SUBJECT = (*CHECKED_SAID, "keypoints", "segments", "head_pose")
"""What has a column of those who checked it."""

BOXES = ("face_bbox", "person_bbox")


def checkers(column: str) -> str:
    """The column that lists who checked (QA) another one."""
    return f"{column}_QAannotator_id"


def annotator(column: str) -> str:
    """The column that names who annotated another one."""
    return f"{column}_annotator_id"


FACE_ANNOTATOR = annotator("face_bbox")


def _by(column: str) -> tuple[str, str, str]:
    return column, annotator(column), checkers(column)


_BOTH = (
    "image_id", "filepath", "json_path", "subject_id", "is_primary", "image_height", "image_width", "aperture_value",
    checkers("camera"), "camera_distance", "camera_position", "focal_length", "iso_speed_ratings", "lighting",
    checkers("lighting"), "location_country", "location_region", "manufacturer", "model", "scene",
    "shutter_speed_value", "user_date_captured", "user_hour_captured", checkers("user_hour_captured"), "weather",
    checkers("weather"), "consent", "subject_position", "age", *(c for c in OF_THE_SUBJECT if c != "head_pose"),
    *map(checkers, CHECKED_SAID), *_by("keypoints"), *_by("segments"), *_by("head_pose"),
)  # fmt: skip
FACE_COLUMNS = (*_BOTH, "other_face", checkers("camera_position"), "CelebA", "multiple_subjects")
"""In FHIBE's order."""
WHOLE_COLUMNS = (*_BOTH, checkers("camera_position"), "face_bbox", FACE_ANNOTATOR, "person_bbox")
COLUMNS = tuple(column for column in _BOTH if not column.endswith("annotator_id"))
"""What both tables say, but for who annotated it."""

RAW = "data/raw/fhibe_downsampled"
FULL = "data/raw/fhibe_fullres"
WHOLE_TABLE = "data/processed/fhibe_downsampled/fhibe_downsampled.csv"
FACE_TABLE = "data/processed/fhibe_face_crop_align/fhibe_face_crop_align.csv"
MASKS = "data/processed/fhibe_face_crop_align/masks/CelebAMask-HQ_format"


def camera_distance(face_height: float) -> str:
    """The label of the camera distance, from the height of the face box in px of the original; "" below 10 px."""
    reached = sum(face_height >= start for start in CAMERA_DISTANCE_STARTS)
    return CAMERA_DISTANCES[reached - 1] if reached else ""
