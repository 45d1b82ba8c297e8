"""Small archives in FHIBE's format, written by hand, and what is read of them."""

import csv

import numpy as np

from accord import shards
from accord.imaging.decode import encode_png
from accord.release import import_fhibe
from accord.release.format import fhibe

IMAGE, OTHER = "0f8c2f5e-52a8-4c0b-9f3f-1f1df7a0a001", "0f8c2f5e-52a8-4c0b-9f3f-1f1df7a0a002"
CHECKER, SECOND_CHECKER = "22222222-2222-4222-8222-222222222222", "33333333-3333-4333-8333-333333333333"
SUBJECT, SECOND = "7b0c7a52-8a53-4c6a-b1b5-55d8b06b2001", "7b0c7a52-8a53-4c6a-b1b5-55d8b06b2002"


def taken_in(root, tmp_path, count: int = 1, terms=None):
    """(files.tar, Derived) of each shard of an archive."""
    found = []
    for name in shards.names(count):
        files = tmp_path / f"{name}.tar"
        found.append((files, import_fhibe.run(root, shard=name, shards=count, terms=terms or {}, files=files)))
    return found


def row(image: str, subject: str, **cells: str) -> dict[str, str]:
    """A row as FHIBE's table has it."""
    return {
        "image_id": image,
        "filepath": f"data/raw/fhibe_downsampled/{SUBJECT}/{image}/main_{image}.png",
        "json_path": f"data/raw/fhibe_downsampled/{SUBJECT}/{image}/main_annos_{image}.json",
        "subject_id": subject,
        "is_primary": str(subject == SUBJECT),
        "image_height": "90",
        "image_width": "60",
        "aperture_value": "1.85",
        "manufacturer": "Maker",
        "location_country": "Nigeriia",
        "user_date_captured": "May-2023",
        "user_hour_captured": "18:00-23:59",
        "age": "31",
        "ancestry": "['2. Eastern Africa', '5. Western Africa']",
        "pronoun": "['1. He/him/his']",
        "natural_skin_color": "2. [164, 131, 103]",
        "scene": "12. Indoor: Home or hotel",
        "head_pose": "0. Typical",
        "head_pose_annotator_id": "11111111-1111-4111-8111-111111111111",
        "facial_marks": "['10. Free-text']",
        "nationality": "['93. Indian']",
        "lighting_QAannotator_id": f"['{CHECKER}', '{SECOND_CHECKER}']",
        "hairstyle_QAannotator_id": f"['{CHECKER}']",
        "keypoints": "{'0. Nose': [30, 20.5, 1], '32. Left foot index': [31.0, 80.0, 0]}",
        "segments": "[{'class_name': '6. Head hair', 'num': 1, 'polygon': [{'x': 1, 'y': 2}, {'x': 3.5, 'y': 4}]}]",
        "face_bbox": "[20, 10, 20, 25]",
        "person_bbox": "[10, 5.5, 40, 80]",
        **cells,
    }


def write_archive(root, rows: list[dict[str, str]], pictures: bool = True):
    """FHIBE's tree with whole pictures, no faces."""
    columns = [*dict.fromkeys([*fhibe.COLUMNS, *fhibe.BOXES, *(name for given in rows for name in given)])]
    table = root / fhibe.WHOLE_TABLE
    table.parent.mkdir(parents=True)
    with table.open("w", newline="") as file:
        writer = csv.DictWriter(file, columns, restval="")
        writer.writeheader()
        writer.writerows(rows)
    for given in rows if pictures else []:
        path = root / given["filepath"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(encode_png(np.full((90, 60, 3), 128, np.uint8)))
    return root
