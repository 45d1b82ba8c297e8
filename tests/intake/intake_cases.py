"""A small delivery, made by hand: two subjects, three images, one of them of both."""

import csv
import hashlib
import io
import json
from pathlib import Path

import yaml
from PIL import Image

SHARDS = 4
SKIN = "2. [164, 131, 103]"


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def jpeg(width: int = 64, height: int = 48, exif: Image.Exif | None = None, color: int = 90) -> bytes:
    buffer = io.BytesIO()
    options = {"exif": exif} if exif is not None else {}
    Image.new("RGB", (width, height), (color, 120, 60)).save(buffer, "JPEG", **options)
    return buffer.getvalue()


class Maker:
    """Writes a delivery; tests change its rows and files before `write`."""

    def __init__(self, root: Path):
        self.root = root
        self.about = {"format": "accord-delivery/1", "vendor": "acme", "delivery": "2026-03", "created": "2026-03-01",
                      "contact": "data@acme.example", "notices": []}  # fmt: skip
        self.tables: dict[str, list[dict]] = {
            "images.csv": [], "people.csv": [], "annotated.csv": [], "subjects.csv": [], "annotators.csv": [],
            "forms.csv": [],
        }  # fmt: skip
        self.files: dict[str, bytes] = {}
        self.notice("notice-1", b"What we do with your pictures.")

    def notice(self, name: str, text: bytes) -> None:
        self.files[f"notices/{name}.txt"] = text
        self.about["notices"].append({"id": name, "version": "1", "language": "en", "sha256": sha256(text)})

    def subject(self, reference: str, born: str = "1990-05-01") -> None:
        self.tables["subjects.csv"].append(
            {"subject": reference, "birth_date": born, "country_of_residence": "Nigeriia"}
        )
        self.form(f"c-{reference}", subject=reference)
        self.form(f"r-{reference}", subject=reference, kind="copyright", party="rightsholder", scopes="copyright")

    def form(self, reference: str, **changes: str) -> None:
        text = f"signed by hand: {reference}{' (capital)' * (reference != reference.lower())}".encode()
        self.files[f"forms/{reference}.txt"] = text
        row = {"form": reference, "kind": "consent", "party": "subject_primary", "image": "",
               "scopes": "collect|publish_image|publish_attr:*", "signed_on": "2026-01-02", "expires_on": "",
               "notice": "notice-1", "language": "en", "file": f"forms/{reference}.txt",
               "sha256": sha256(text)}  # fmt: skip
        self.tables["forms.csv"].append({**row, **changes})

    def image(self, reference: str, *subjects: str, data: bytes | None = None, regions: tuple = (), **changes) -> None:
        self.files[f"images/{reference}.jpg"] = jpeg(color=sum(reference.encode()) % 200) if data is None else data
        self.annotation(reference, [self.person(subject) for subject in subjects], regions)
        self.tables["images.csv"].append(
            {
                "image": reference,
                "file": f"images/{reference}.jpg",
                "annotations": f"annotations/{reference}.json",
                "subject": subjects[0],
                "location_country": "Kenya",
                "location_region": "Nairobi",
                "user_date_captured": "2026-02-03",
                "user_hour_captured": "14:05",
                "scene": "12. Indoor: Home or hotel",
                "lighting": "0. Lighting from above the head/face|5. Lighting from the right of the head/face",
                **changes,
            }
        )
        for number, subject in enumerate(subjects):
            self.tables["people.csv"].append(
                {
                    "image": reference,
                    "subject": subject,
                    "is_primary": "true" if number == 0 else "false",
                    "age": "35",
                    "pronoun": "0. She/her/hers|2. They/them/their",
                    "nationality": "Kenyan|Nigeriia",
                    "apparent_skin_color": SKIN,
                    "height": "170",
                }
            )
            self.tables["annotated.csv"].append(
                {
                    "image": reference,
                    "subject": subject,
                    "attribute": "apparent_skin_color",
                    "annotator": "a1",
                    "qa_annotator": "q1",
                }
            )

    def video(self, reference: str, *subjects: str, data: bytes = b"", people: list[dict] | None = None) -> None:
        """A video of `subjects`, the first of them primary; people: what its file of boxes says, else nothing."""
        self.files[f"videos/{reference}.mp4"] = data or f"the video {reference}".encode()
        self.files[f"annotations/{reference}.json"] = json.dumps({"image": reference, "people": people or []}).encode()
        row = {"image": reference, "file": f"videos/{reference}.mp4", "annotations": f"annotations/{reference}.json",
               "subject": subjects[0], "user_date_captured": "2026-02-03"}  # fmt: skip
        self.tables.setdefault("videos.csv", []).append(row)
        for number, subject in enumerate(subjects):
            is_primary = "true" if number == 0 else "false"
            self.tables["people.csv"].append({"image": reference, "subject": subject, "is_primary": is_primary})

    def annotation(self, image: str, people: list[dict], regions: tuple = ()) -> None:
        document = {"image": image, "people": people, "regions": list(regions)}
        self.files[f"annotations/{image}.json"] = json.dumps(document).encode()

    @staticmethod
    def person(subject: str) -> dict:
        return {
            "subject": subject, "face_bbox": [10, 5, 12, 14], "person_bbox": [4, 2, 30, 40],
            "keypoints": {"0. Nose": [16, 12, 1], "32. Left foot index": [9.5, 41, 0]},
            "segments": [{"class_name": "0. Face skin", "num": 1,
                          "polygon": [{"x": 10, "y": 5}, {"x": 22, "y": 5}, {"x": 16, "y": 19}]}],
            "annotators": {"face_bbox": "a1", "keypoints": "a1", "segments": "a2"},
        }  # fmt: skip

    def annotator(self, reference: str, **changes: str) -> None:
        row = {"annotator": reference, "role": "annotator", "pronoun": "1. He/him/his", "age_group": "[30, 40)",
               "ancestry": "13. Eastern Asia", "nationality": "Vietnamese", "consents": "true"}  # fmt: skip
        self.tables["annotators.csv"].append({**row, **changes})

    def row(self, table: str, **key: str) -> dict:
        return next(row for row in self.tables[table] if all(row[k] == v for k, v in key.items()))

    def write(self) -> Path:
        for path, data in self.files.items():
            self.root.joinpath(path).parent.mkdir(parents=True, exist_ok=True)
            self.root.joinpath(path).write_bytes(data)
        for row in (*self.tables["images.csv"], *self.tables.get("videos.csv", ())):
            row.setdefault("sha256", sha256(self.files.get(row["file"], b"")))
            row.setdefault("annotations_sha256", sha256(self.files.get(row["annotations"], b"")))
        digests = {name: self._table(name, rows) for name, rows in self.tables.items()}
        self.root.joinpath("delivery.yaml").write_text(yaml.safe_dump({**self.about, "tables": digests}))
        return self.root

    def _table(self, name: str, rows: list[dict]) -> str:
        columns = list(dict.fromkeys(column for row in rows for column in row))
        text = io.StringIO()
        writer = csv.DictWriter(text, columns, restval="")
        writer.writeheader()
        writer.writerows(rows)
        data = text.getvalue().encode()
        self.root.joinpath(name).write_bytes(data)
        return sha256(data)


def filled(root: Path) -> Maker:
    """A valid delivery that isn't written yet: ann in IMG_1 and IMG_2, IMG_2 with bob, bob alone in IMG_3."""
    made = Maker(root)
    made.root.mkdir(parents=True)
    made.subject("ann")
    made.subject("bob")
    made.image("IMG_1", "ann", regions=({"region": "r1", "kind": "screen", "polygon": [[1, 1], [5, 1], [5, 5]],
                                         "annotator": "a2"},))  # fmt: skip
    made.image("IMG_2", "ann", "bob", data=jpeg(color=10))
    made.image("IMG_3", "bob", data=jpeg(color=200))
    made.annotator("a1")
    made.annotator("a2", consents="false")
    made.annotator("q1", role="qa")
    return made
