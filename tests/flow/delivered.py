"""A delivery that is written image by image, as a vendor's program does, and sealed by the tool that vendors have."""

import csv
import json
from datetime import datetime
from pathlib import Path

from accord.delivery.making import seal, template
from accord.intake.delivered.sheets import OPTIONAL, SHEETS
from accord.vocabularies import SEGMENTS
from accord_demo.forms import Form, evidence
from accord_demo.places import Place

NOTICE = "This is the notice of a demonstration: nobody agreed to anything.\n"
SCOPES = ("collect", "publish_image", "publish_attr:*", "aggregate_attr:*", "biometric")
FACE, BODY = SEGMENTS[0], SEGMENTS[22]
FORMS = (("consent", "subject_primary", SCOPES), ("copyright", "rightsholder", ("copyright",)))
ANNOTATOR, CHECKER = "A1", "Q1"
SIGNED = "2025-08-01"


class Delivered:
    """A delivery in the making. rendered: whether its pictures are said to be no photographs."""

    def __init__(self, folder: Path, vendor: str, delivery: str, *, rendered: bool):
        self.folder, self._vendor = folder, vendor
        self._rows: dict[str, list[dict[str, str]]] = {name: [] for name in SHEETS if name not in OPTIONAL}
        template.write(folder, vendor, delivery)
        described = folder / "delivery.yaml"
        if rendered:
            described.write_text(described.read_text().replace("rendered: false", "rendered: true"))
        (folder / "notices/notice-1.txt").write_text(NOTICE)
        for name, role in ((ANNOTATOR, "annotator"), (CHECKER, "qa")):
            self._rows["annotators.csv"].append({"annotator": name, "role": role, "consents": "true"})

    def image(self, image: str, data: bytes, subject: str, taken: datetime, place: Place) -> None:
        """Add an image: its file, and its row."""
        (self.folder / f"images/{image}.jpg").write_bytes(data)
        names = {"image": image, "file": f"images/{image}.jpg", "annotations": f"annotations/{image}.json"}
        when = {"user_date_captured": f"{taken:%Y-%m-%d}", "user_hour_captured": f"{taken:%H:%M}"}
        where = {"location_country": place.country, "location_region": place.region}
        self._rows["images.csv"].append({**names, "subject": subject, **when, **where})

    def person(self, image: str, subject: str, said: dict[str, str]) -> None:
        """Add what the primary subject says of themselves in an image."""
        self._rows["people.csv"].append({"image": image, "subject": subject, "is_primary": "true", **said})
        row = {"image": image, "subject": subject, "attribute": "apparent_skin_color", "annotator": ANNOTATOR}
        self._rows["annotated.csv"].append({**row, "qa_annotator": CHECKER})

    def annotation(self, image: str, subject: str, outlined: dict, regions: list[tuple[str, list]]) -> None:
        """Add what annotators drew: boxes, keypoints, `face` and `person` polygons of the subject; kind and outline of
        regions."""
        drawn = {name: outlined[name] for name in ("face_bbox", "person_bbox", "keypoints")}
        segments = [
            {"class_name": label, "num": number, "polygon": [{"x": x, "y": y} for x, y in polygon]}
            for label, polygons in ((BODY, outlined["person"]), (FACE, outlined["face"]))
            for number, polygon in enumerate(polygons, 1)
        ]
        by = dict.fromkeys((*drawn, "segments"), ANNOTATOR)
        people = [{"subject": subject, **drawn, "segments": segments, "annotators": by}]
        said = [
            {"region": f"r{number}", "kind": kind, "polygon": polygon, "annotator": ANNOTATOR}
            for number, (kind, polygon) in enumerate(regions, 1)
        ]
        text = json.dumps({"image": image, "people": people, "regions": said})
        (self.folder / f"annotations/{image}.json").write_text(text + "\n")

    def subject(self, subject: str, birth_date: str) -> None:
        """Add a subject, and their forms: consent to everything, and the rights in all of their images."""
        self._rows["subjects.csv"].append({"subject": subject, "birth_date": birth_date})
        for kind, party, scopes in (
            ("consent", "subject_primary", SCOPES),
            ("copyright", "rightsholder", ("copyright",)),
        ):
            name = f"F{len(self._rows['forms.csv']) + 1:05d}"
            notice = "notice-1" if kind == "consent" else ""
            form = Form(name, kind, party, subject, "", scopes, SIGNED, "", notice, "en", f"forms/{name}.txt", True)
            (self.folder / form.file).write_text(evidence(form, self._vendor))
            row = {column: value for column, value in form._asdict().items() if column != "there"}
            self._rows["forms.csv"].append({**row, "scopes": "|".join(scopes)})

    def sealed(self) -> Path:
        """Write the tables, and take all digests; returns the delivery's folder."""
        (self.folder / "annotations/EXAMPLE.json").unlink()
        for name, rows in self._rows.items():
            sheet = SHEETS[name]
            with (self.folder / name).open("w", newline="", encoding="utf-8") as opened:
                writer = csv.DictWriter(opened, [*sheet.required, *sheet.optional], restval="", lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows)
        seal.seal(self.folder)
        return self.folder
