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

COLUMNS = (
    "image_id", "filepath", "json_path", "subject_id", "is_primary", "image_height", "image_width", *CAMERA,
    "camera_distance", *OF_THE_IMAGE, *PLACE, "consent", "subject_position", "age", *OF_THE_SUBJECT, "keypoints",
    "segments",
)  # fmt: skip
BOXES = ("face_bbox", "person_bbox")
ANNOTATED = (*(c for c in (*OF_THE_IMAGE, *OF_THE_SUBJECT) if ATTRIBUTES[c].annotated), "head_pose")
ANNOTATIONS = ("keypoints", "segments")
FACE_ANNOTATOR = "face_bbox_annotator_id"
ANNOTATORS = tuple(f"{column}_annotator_id" for column in (*ANNOTATED, *ANNOTATIONS))
WHOLE_COLUMNS = (*COLUMNS, *BOXES, *ANNOTATORS, FACE_ANNOTATOR)
FACE_COLUMNS = (*COLUMNS, *ANNOTATORS, "CelebA", "other_face", "multiple_subjects")

RAW = "data/raw/fhibe_downsampled"
FULL = "data/raw/fhibe_fullres"
WHOLE_TABLE = "data/processed/fhibe_downsampled/fhibe_downsampled.csv"
FACE_TABLE = "data/processed/fhibe_face_crop_align/fhibe_face_crop_align.csv"
MASKS = "data/processed/fhibe_face_crop_align/masks/CelebAMask-HQ_format"


def camera_distance(face_height: float) -> str:
    """The label of the camera distance, from the height of the face box in px of the original; "" below 10 px."""
    reached = sum(face_height >= start for start in CAMERA_DISTANCE_STARTS)
    return CAMERA_DISTANCES[reached - 1] if reached else ""
