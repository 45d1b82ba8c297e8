"""Writing a delivery: files and tables, from the plan and the folder of rendered pictures."""

import csv
import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from accord_demo import tables
from accord_demo.draft import Draft
from accord_demo.forms import evidence, forms
from accord_demo.moving import moved
from accord_demo.picture import Picture
from accord_demo.planting.files import made
from accord_demo.planting.slips import spoilt
from accord_demo.planting.web import web_list
from accord_demo.studio import exif_of
from accord_demo.truth import truth
from accord_demo.vendors import (
    CONTACT,
    CREATED,
    DELIVERY,
    NOTICE_TEXT,
    NOTICE_VERSION,
    VENDOR,
    annotators,
)  # fmt: skip

FORMAT = "accord-delivery/1"
FOLDERS = ("images", "annotations", "forms", "notices")


def write_delivery(draft: Draft, out: Path, rendered: Path) -> None:
    """Write all but the rendered images, which lie in `out`/delivery/images already, their records in `rendered`.

    Writes delivery.yaml last: where it is, the delivery is whole.
    """
    delivery = out / "delivery"
    for folder in FOLDERS:
        (delivery / folder).mkdir(parents=True, exist_ok=True)
    regions = _pictures(draft, delivery, rendered)
    _subjects_and_forms(draft, delivery)
    _annotators(draft, delivery)
    hashes = web_list([(delivery / f"images/{image}.jpg").read_bytes() for image in draft.web], draft.settings.seed)
    _write(out / "web.csv", "\n".join(["pdq", *hashes]) + "\n")
    _write(out / "ground_truth.json", json.dumps(truth(draft, regions), indent=1, ensure_ascii=False) + "\n")
    _write(delivery / "delivery.yaml", _manifest(delivery))


def record_path(rendered: Path, reference: str) -> Path:
    """Where the record of a rendered picture lies."""
    return rendered / f"{reference}.json"


def compact(value: object) -> str:
    """JSON in the fewest bytes, keys sorted."""
    return json.dumps(value, separators=(",", ":"), sort_keys=True, ensure_ascii=False)


def _pictures(draft: Draft, delivery: Path, rendered: Path) -> list[dict]:
    """Write copies, annotations, and the three tables on pictures; returns the regions that were drawn."""
    images, people, annotated, regions = [], [], [], []
    for picture in draft.pictures.values():
        record = _record(draft, picture, rendered)
        hashes = _files(draft, picture, record, delivery)
        images.append(tables.image_row(draft, picture, record, hashes))
        mine = tables.people_rows(draft, picture, record)
        people += mine
        annotated += tables.annotated_rows(draft, images[-1], mine)
        drawn = [{"image": picture.reference, "region": r["region"], "kind": r["kind"]} for r in record["regions"]]
        regions += drawn
    _table(delivery / "images.csv", tables.IMAGE_COLUMNS, images)
    _table(delivery / "people.csv", tables.PEOPLE_COLUMNS, people)
    _table(delivery / "annotated.csv", tables.ANNOTATED_COLUMNS, annotated)
    return regions


def _record(draft: Draft, picture: Picture, rendered: Path) -> dict:
    source = picture.copy.source if picture.copy else picture.reference
    record = json.loads(record_path(rendered, source).read_text())
    record = moved(record, picture.copy.how) if picture.copy else record
    return spoilt(record, picture.slip)


def _files(draft: Draft, picture: Picture, record: dict, delivery: Path) -> dict[str, str]:
    """Write the picture's own files, as far as they are delivered; returns file -> sha256."""
    said = compact(tables.annotations(draft, picture, record)) + "\n"
    hashes = {picture.annotations: hashlib.sha256(said.encode()).hexdigest()}
    if "annotations" not in picture.absent:
        _write(delivery / picture.annotations, said)
    if picture.copy:
        original = draft.pictures[picture.copy.source]
        data = made(picture.copy.how, (delivery / original.file).read_bytes(), exif_of(picture, draft.settings.seed))
        if "file" not in picture.absent:
            (delivery / picture.file).write_bytes(data)
    else:
        data = (delivery / picture.file).read_bytes()
    return hashes | {picture.file: hashlib.sha256(data).hexdigest()}


def _subjects_and_forms(draft: Draft, delivery: Path) -> None:
    rows = []
    for form in forms(draft):
        text = evidence(form, VENDOR)
        if form.there:
            _write(delivery / form.file, text)
        row = {name: value for name, value in form._asdict().items() if name != "there"}
        digest = hashlib.sha256(text.encode()).hexdigest()
        rows.append(row | {"scopes": tables.joined(list(form.scopes)), "sha256": digest})
    _table(delivery / "forms.csv", tables.FORM_COLUMNS, rows)
    _table(delivery / "subjects.csv", tables.SUBJECT_COLUMNS, tables.subject_rows(draft))
    _write(delivery / "notices/notice-1.txt", NOTICE_TEXT)


def _annotators(draft: Draft, delivery: Path) -> None:
    staff = annotators(draft.settings.seed, one_withdrew=draft.settings.defects)
    _table(delivery / "annotators.csv", tables.ANNOTATOR_COLUMNS, [a._asdict() for a in staff])


def _manifest(delivery: Path) -> str:
    import yaml

    notice = {"id": "notice-1", "version": NOTICE_VERSION, "language": "en"}
    digest = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(delivery.glob("*.csv"))}
    text = {
        "format": FORMAT,
        "vendor": VENDOR,
        "delivery": DELIVERY,
        "created": CREATED,
        "contact": CONTACT,
        "rendered": True,
        "notices": [{**notice, "sha256": hashlib.sha256(NOTICE_TEXT.encode()).hexdigest()}],
        "tables": digest,
    }
    return yaml.safe_dump(text, sort_keys=False, allow_unicode=True)


def _table(path: Path, columns: Iterable[str], rows: Iterable[dict[str, str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(columns), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="")
