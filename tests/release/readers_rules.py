"""What the FHIBE Evaluation API (SonyResearch/fhibe_evaluation_api, November 2025) needs of a release's tables, in our
words: what stops its `evaluate_task`, whatever its task and attributes."""

import ast
from pathlib import Path

import pandas as pd

WHOLE = "data/processed/fhibe_downsampled/fhibe_downsampled.csv"
FACES = "data/processed/fhibe_face_crop_align/fhibe_face_crop_align.csv"
ONE = [
    "scene",
    "camera_position",
    "camera_distance",
    "natural_skin_color",
    "apparent_skin_color",
    "hairstyle",
    "natural_hair_type",
    "apparent_hair_type",
    "head_pose",
    "action_body_pose",
]
SEVERAL = [
    "pronoun",
    "ancestry",
    "nationality",
    "lighting",
    "weather",
    "natural_hair_color",
    "apparent_hair_color",
    "facial_hairstyle",
    "natural_facial_haircolor",
    "apparent_facial_haircolor",
    "natural_left_eye_color",
    "apparent_left_eye_color",
    "natural_right_eye_color",
    "apparent_right_eye_color",
    "facial_marks",
    "action_subject_object_interaction",
    "action_subject_subject_interaction",
]


def stops(root: Path) -> list[str]:
    """What would stop it: the table, the row, the column, and why."""
    return [f"{Path(name).stem} {n} {what}" for name in (WHOLE, FACES)
            for n, row in enumerate(pd.read_csv(root / name).to_dict("records"))
            for what in (*_row(row, root), *(_whole(row) if name == WHOLE else _face(row, root)))]  # fmt: skip


def _row(row: dict, root: Path):
    if not row["age"] // 10 >= 1:
        yield "age: has no decade"
    for column in ("location_country", "user_hour_captured"):
        if not isinstance(row[column], str):
            yield f"{column}: is no text"
    for column in ONE:
        if not _is_numbered(row[column]):
            yield f"{column}: is no numbered label"
    for column in SEVERAL:
        found = _evaluated(row[column])
        if not isinstance(found, list) or not all(map(_is_numbered, found)):
            yield f"{column}: is not a list of numbered labels"
    for column in (column for column in row if column.endswith("_QAannotator_id")):
        if not pd.isna(row[column]) and not isinstance(_evaluated(row[column]), list):
            yield f"{column}: is not a list"
    for column in ("filepath", "json_path"):
        if not (root / row[column]).is_file():
            yield f"{column}: is not there"


def _whole(row: dict):
    for column in ("face_bbox", "person_bbox"):
        found = _evaluated(row[column])
        if not isinstance(found, list) or len(found) != 4:
            yield f"{column}: is no box"
    if not isinstance(_evaluated(row["keypoints"]), dict) or not isinstance(_evaluated(row["segments"]), list):
        yield "keypoints: or segments are none"


def _face(row: dict, root: Path):
    masks = _evaluated(row["CelebA"])
    combined = [mask for mask in masks if "combined" in mask] if isinstance(masks, list) else []
    if not combined or not (root / combined[0]).is_file():
        yield "CelebA: has no combined mask"
    if not isinstance(_evaluated(row["other_face"]), list) or row["multiple_subjects"] not in (0, 1):
        yield "other_face: is not a list, or multiple_subjects no flag"


def _evaluated(cell):
    try:
        return ast.literal_eval(cell)
    except (ValueError, SyntaxError):
        return None


def _is_numbered(label) -> bool:
    return isinstance(label, str) and label.split(".")[0].isdecimal()
