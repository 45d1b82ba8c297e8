"""Why images can't be published, by what the delivery's tables say: each finding of consent, led back to a cell."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pandas as pd

from accord.consent import apply
from accord.consent.apply import Delivered, Held
from accord.consent.deciding import eligible
from accord.consent.deciding.eligible import (
    CHECKS,
    EXPIRED,
    MINOR,
    MISSING,
    NO_COPYRIGHT,
    REASONS,
    SCOPE,
    Depicted,
    Terms,
)
from accord.delivery.judging.faults import IMAGE, PART, Fault
from accord.findings import PASS
from accord.intake.delivered.delivery import Delivery
from accord.intake.delivered.place import Place
from accord.intake.delivered.row import Row
from accord.intake.delivered.sheets import PICTURED
from accord.intake.reading.forms import CONSENT, COPYRIGHT, EARLIEST_FORM, is_date
from accord.shards import opaque_id

HINTS = {
    MISSING: "add a signed consent form of this person to forms.csv, or fix the one listed here",
    EXPIRED: "ask them to sign again, or leave their images out",
    SCOPE: "the form must grant collect and publish_image; ask them, or leave their images out",
    MINOR: "leave the image out, or have them sign again now that they are of age; or correct birth_date, "
    "user_date_captured or signed_on, if one of them is wrong",
    NO_COPYRIGHT: "add a copyright form of the image's subject for all images, or of whoever took it for this one",
}
COLUMNS = {MISSING: "signed_on", EXPIRED: "expires_on", SCOPE: "scopes", NO_COPYRIGHT: "signed_on"}
"""Column of a form that a finding is led back to."""


AHEAD = "the image was taken after the reference date (consent.as_of): ages can't be determined"
AHEAD_HINT = "correct user_date_captured, or the camera's clock; or deliver the image for a later release"
BY_CAMERA = "somebody in the image was under age on the camera's date"
CAMERA_HINT = "leave the image out; or, if the camera's clock was wrong, correct DateTimeOriginal in the file's EXIF"


UNSIGNED_HINT = "correct signed_on, or deliver the form once it is signed"


class Rows(NamedTuple):
    """Rows of a delivery's tables by ids: images, people of images, subjects; forms by (kind, subject)."""

    images: dict[str, Row]
    people: dict[tuple[str, str], Row]
    subjects: dict[str, Row]
    forms: dict[tuple[str, str], list[Row]]


def faults(opened: Delivery, delivered: Delivered, held: Held, findings: pd.DataFrame, terms: Terms) -> list[Fault]:
    """A fault for each person, form or date that stops an image which intake took."""
    rows, everyone = _rows(opened), apply.depicted_in(delivered, held, terms)
    cast = delivered.people.groupby("image")["subject"].agg(list).to_dict()
    days = {
        row.image: eligible.captured(row.user_date_captured, row.captured_at, terms.as_of)
        for row in delivered.images.itertuples()
    }
    cameras = {row.image: row.captured_at[:10] for row in delivered.images.itertuples()}
    found = []
    for finding in findings[findings["verdict"] != PASS].itertuples():
        shown = [one for one in cast.get(finding.image, []) if _fails(finding, everyone[one], days, terms)]
        image = rows.images[finding.image]
        places = [place for one in shown for place in _places(finding, one, days[finding.image], terms.as_of, rows)]
        if finding.check == NO_COPYRIGHT:
            places = list(_rights(finding.image, image, rows))
        born = finding.check == MINOR and shown and all(everyone[one].birth_date for one in shown)
        if born and (told := _by_day(image, days[finding.image], cameras[finding.image])):
            found += [Fault(IMAGE, *told, (image["image"],))]
            continue
        found += [
            Fault(IMAGE, REASONS[finding.check], HINTS[finding.check], place, (image["image"],)) for place in places
        ]
    return found


def ahead(opened: Delivery, terms: Terms) -> list[Fault]:
    """A fault for each form that is signed after today, or the day that stands for it."""
    today = terms.held_on or terms.as_of
    late = [row for row in opened.tables["forms.csv"] if is_date(row["signed_on"]) and row["signed_on"] > today]
    return [Fault(PART, "the form is signed in the future", UNSIGNED_HINT, row.place("signed_on")) for row in late]


def _fails(finding: Any, person: Depicted, days: dict[str, str], terms: Terms) -> bool:
    """Whether a person alone would stop an image for what a finding says: judged as consent judges all of them.

    Whoever has no form that counts has no age either: of them that alone is told."""
    if finding.check == MINOR and not person.events:
        return False
    alone = eligible.judge(finding.image, days[finding.image], [person], 0, [], terms)
    return alone[CHECKS.index(finding.check)][4] != PASS


def _places(finding: Any, subject: str, day: str, as_of: str, rows: Rows) -> Iterator[Place]:
    """What of a person stops an image; of a form that counts as not signed, and whose day does not tell why, itself."""
    image = rows.images[finding.image]
    if finding.check == MINOR:
        yield rows.subjects[subject].place("birth_date") if day else image.place("user_date_captured")
        return
    about = [form for form in rows.forms.get((CONSENT, subject), []) if form["image"] in ("", image["image"])]
    for form in about:
        in_time = is_date(form["signed_on"]) and EARLIEST_FORM <= form["signed_on"] <= as_of
        yield form.place("form" if finding.check == MISSING and in_time else COLUMNS[finding.check])
    if not about:
        yield rows.people[finding.image, subject].place("subject")


def _by_day(image: Row, day: str, camera: str) -> tuple[str, str, Place] | None:
    """What, hint and place where another day than the declared one is why an age is too low or unknown; else None."""
    declared = image["user_date_captured"] if is_date(image["user_date_captured"]) else ""
    if not day and (declared or camera):
        return AHEAD, AHEAD_HINT, image.place("user_date_captured", value=declared or camera)
    if day and day != declared:
        return BY_CAMERA, CAMERA_HINT, image.place("user_date_captured", value=f"camera: {camera}")
    return None


def _rights(image: str, row: Row, rows: Rows) -> Iterator[Place]:
    """The copyright forms that could cover an image; none: the image itself."""
    mine = [
        form
        for (kind, _), forms in rows.forms.items() if kind == COPYRIGHT
        for form in forms
        if form["image"] == row["image"] or (not form["image"] and form["subject"] == row["subject"])
    ]  # fmt: skip
    yield from (form.place("expires_on" if form["expires_on"] else COLUMNS[NO_COPYRIGHT]) for form in mine)
    if not mine:
        yield row.place("subject")


def _rows(opened: Delivery) -> Rows:
    def image(row: Row) -> str:
        return opaque_id(opened.vendor, opened.name, row["image"])

    def person(row: Row) -> str:
        return opaque_id(opened.vendor, row["subject"])

    forms: dict[tuple[str, str], list[Row]] = {}
    for row in opened.tables["forms.csv"]:
        forms.setdefault((row["kind"], person(row)), []).append(row)
    return Rows(
        {image(row): row for name in PICTURED for row in opened.tables[name]},
        {(image(row), person(row)): row for row in opened.tables["people.csv"]},
        {person(row): row for row in opened.tables["subjects.csv"]},
        forms,
    )
