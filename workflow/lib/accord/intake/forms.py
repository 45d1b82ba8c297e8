"""Forms: the signed evidence of consent and copyright, one row per scope."""

import hashlib
from collections.abc import Iterable
from datetime import date

from accord.intake import files, sheets
from accord.intake.delivery import Delivery
from accord.intake.files import MEBIBYTE, FileRefusedError
from accord.intake.refusals import Refusals
from accord.shards import opaque_id
from accord.vocabularies import AGGREGATE_ATTRIBUTES, PUBLIC_ATTRIBUTES

MAX_FORM = 32 * MEBIBYTE
SUBJECTS = ("subject_primary", "subject_secondary")
RIGHTSHOLDER, COPYRIGHT = "rightsholder", "copyright"
SCOPES = (
    *("collect", "publish_image", "biometric", "publish_attr:*", "aggregate_attr:*"),
    *(f"publish_attr:{name}" for name in PUBLIC_ATTRIBUTES),
    *(f"aggregate_attr:{name}" for name in (*PUBLIC_ATTRIBUTES, *AGGREGATE_ATTRIBUTES)),
)


def rows(delivery: Delivery, given: Iterable[sheets.Row], refusals: Refusals) -> list[tuple]:
    """Rows of the table Forms for the given rows of forms.csv; forms that can't be evidence are refused."""
    born = {row["subject"]: row["birth_date"] for row in delivery.tables["subjects.csv"]}
    images = {row["image"] for row in delivery.tables["images.csv"]}
    found = []
    for row in given:
        reason = _broken(delivery, row, born, images)
        subject = opaque_id(delivery.vendor, row["subject"])
        if reason:
            check, text = reason
            refusals.add("form", check, text, reference=row["form"], subject=subject)
            continue
        birth_date = born.get(row["subject"], "")
        found += _of_form(delivery, row, subject, birth_date if is_date(birth_date) else "")
    return found


def is_date(text: str) -> bool:
    """Whether a text is a day written YYYY-MM-DD."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _of_form(delivery: Delivery, row: sheets.Row, subject: str, birth_date: str) -> list[tuple]:
    notice = delivery.notices.get(row["notice"])
    form = opaque_id(delivery.vendor, delivery.name, row["form"])
    image = opaque_id(delivery.vendor, delivery.name, row["image"]) if row["image"] else ""
    agreed = (row["notice"], notice.version, notice.sha256) if notice else ("", "", "")
    language = row["language"] or (notice.language if notice else "")
    return [
        (form, row["kind"], row["party"], subject, image, scope, row["signed_on"], row["expires_on"], birth_date,
         *agreed, language, row["sha256"])
        for scope in sheets.values(row["scopes"])
    ]  # fmt: skip


def _broken(delivery: Delivery, row: sheets.Row, born: dict[str, str], images: set[str]) -> tuple[str, str] | None:
    """(check, reason) why a form is no evidence; None where it is."""
    reason = _contradiction(row, born, images) or _formality(row, delivery)
    if reason:
        return "form", reason
    try:
        data = files.read(delivery.root, row["file"], MAX_FORM)
    except FileRefusedError as refused:
        return ("path" if refused.check == "path" else "form"), refused.reason
    if hashlib.sha256(data).hexdigest() != row["sha256"]:
        return "sha256", "the signed form does not match its sha256"
    return None


def _contradiction(row: sheets.Row, born: dict[str, str], images: set[str]) -> str:
    """Why the parties and scopes of a form don't fit each other; "" where they do."""
    scopes = sheets.values(row["scopes"])
    if row["kind"] not in ("consent", COPYRIGHT) or not scopes:
        return "the form is of no known kind, or has no scope"
    known_subject = row["subject"] in born
    if row["kind"] == "consent":
        fits = row["party"] in SUBJECTS and known_subject and set(scopes) <= set(SCOPES)
        return "" if fits else "a consent form names a person in subjects.csv and known scopes"
    if row["party"] != RIGHTSHOLDER or scopes != [COPYRIGHT] or not row["subject"]:
        return "a copyright form names a rightsholder, and its scope is copyright"
    return "" if known_subject or row["image"] in images else "a rightsholder who is no subject must name the image"


def _formality(row: sheets.Row, delivery: Delivery) -> str:
    if not is_date(row["signed_on"]) or not (row["expires_on"] == "" or is_date(row["expires_on"])):
        return "the form's dates are not written YYYY-MM-DD"
    if row["kind"] == "consent" and row["notice"] not in delivery.notices:
        return "the notice that was agreed to is not in the delivery"
    return ""
