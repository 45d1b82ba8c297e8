"""A table of FHIBE's that was imported is published as it was."""

import ast
import io
from contextlib import ExitStack
from tempfile import TemporaryFile

import pandas as pd
from archive_cases import CHECKER, IMAGE, OTHER, SECOND, SECOND_CHECKER, SUBJECT, row, taken_in, write_archive

from accord.engine import table
from accord.release.format import fhibe
from accord.release.format.sheet import Sheet
from accord.release.making import content
from accord.release.making.shard_tables import MODELS
from accord.release.tree.packing import Packer, pack
from accord.release.tree.tree import Tree

OF_IMAGE = ("camera", "camera_position", "lighting", "user_hour_captured", "weather")
CHECKED = [
    "apparent_skin_color",
    "hairstyle",
    "apparent_hair_type",
    "apparent_hair_color",
    "facial_hairstyle",
    "apparent_facial_haircolor",
    "apparent_left_eye_color",
    "apparent_right_eye_color",
    "facial_marks",
    "action_body_pose",
    "action_subject_object_interaction",
    "action_subject_subject_interaction",
    "keypoints",
    "segments",
    "head_pose",
]
FULL = {
    "camera_position": "1. Atypical High",
    "lighting": "['0. Lighting from above the head/face', '5. Lighting from the right of the head/face']",
    "weather": "['6. Clear']",
    "location_country": "India",
    "location_region": "MP",
    "focal_length": "5.56",
    "model": "V2230",
    "camera_distance": "2. CD III",
    "subject_position": "4. None",
    "nationality": "['64. English', '93. Indian']",
    "ancestry": "['0. Africa', '2. Eastern Africa']",
    "hairstyle": "18. Free-text",
    "facial_marks": "['10. Free-text', '3. Scars']",
    "natural_left_eye_color": "['8. Free-text']",
    "action_subject_object_interaction": "['32. Free-text']",
    "keypoints_annotator_id": "429c8fae-33a0-42a5-9e0b-a84830623d3d",
    "segments_annotator_id": "429c8fae-33a0-42a5-9e0b-a84830623d3d",
    "face_bbox_annotator_id": "429c8fae-33a0-42a5-9e0b-a84830623d3d",
    # The person box of a release is the smallest around the segments.
    "person_bbox": "[1.0, 2.0, 2.5, 2.0]",
}


class SameIds:
    """Ids of an archive that is written again under its own."""

    def image(self, name: str) -> str:
        return name

    subject = annotator = image


class NoClaims:
    """Nothing was painted over."""

    def of_whole(self, _image: str) -> None:
        return None


def published(root, tmp_path) -> pd.DataFrame:
    """The table of whole pictures of an archive that was taken in and packed again."""
    [(files, derived)] = taken_in(root, tmp_path)
    paths = {name: tmp_path / f"{name}.parquet" for name in MODELS}
    for name, model in MODELS.items():
        table.write(getattr(derived, name), model, paths[name])
    shown = content.tables(paths, {IMAGE, OTHER})
    with ExitStack() as stack:
        whole, faces = (stack.enter_context(TemporaryFile()) for _ in range(2))
        packer = Packer(Tree(tmp_path / "1.0.0"), SameIds(), Sheet(fhibe.WHOLE_COLUMNS, whole),
                        Sheet(fhibe.FACE_COLUMNS, faces), NoClaims())  # fmt: skip
        pack(shown, files, packer)
        text = b"".join(packer.whole.chunks()).decode()
    return pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False)


def test_a_table_that_was_imported_is_published_as_it_was(tmp_path):
    ids = {fhibe.checkers(column): f"['{CHECKER}', '{SECOND_CHECKER}']" for column in OF_IMAGE}
    ids |= {fhibe.checkers(column): f"['{SECOND_CHECKER}']" for column in CHECKED}
    given = [row(IMAGE, SUBJECT, **FULL, **ids), row(OTHER, SUBJECT, **FULL | {"lighting_QAannotator_id": ""})]
    root = write_archive(tmp_path / "archive", given)
    found = published(root, tmp_path)
    assert list(found) == list(fhibe.WHOLE_COLUMNS)
    assert sum(column.endswith("_QAannotator_id") for column in found) == 20 == len(ids)
    for wanted, got in zip(given, found.to_dict("records"), strict=True):
        told = {column: cell for column, cell in got.items() if cell not in ("", "[]")}
        assert {c: value(cell) for c, cell in told.items()} == {
            c: value(cell) for c, cell in wanted.items() if cell
        } | {"consent": True}


def test_the_second_person_s_row_says_what_is_theirs(tmp_path):
    hers = {"hairstyle_QAannotator_id": f"['{SECOND_CHECKER}']", "age": "44"}
    root = write_archive(tmp_path / "archive", [row(IMAGE, SUBJECT), row(IMAGE, SECOND, **hers)])
    found = published(root, tmp_path).set_index("subject_id")
    assert found["hairstyle_QAannotator_id"].to_dict() == {SUBJECT: f"['{CHECKER}']", SECOND: f"['{SECOND_CHECKER}']"}
    assert found["age"].to_dict() == {SUBJECT: "31", SECOND: "44"}
    assert set(found["lighting_QAannotator_id"]) == {f"['{CHECKER}', '{SECOND_CHECKER}']"}


def value(cell: str):
    try:
        return ast.literal_eval(cell)
    except (ValueError, SyntaxError):
        return cell
