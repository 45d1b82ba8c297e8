"""Forms: the signed evidence of consent and copyright, one row per scope."""

import hashlib
from collections.abc import Iterable, Iterator
from datetime import date
from typing import NamedTuple

from accord.intake.delivered import files, sheets
from accord.intake.delivered.delivery import Delivery
from accord.intake.delivered.files import MEBIBYTE, PLACES, FileRefusedError
from accord.intake.delivered.place import Place
from accord.intake.delivered.refusals import Refusals
from accord.intake.delivered.row import Row
from accord.intake.reading import form_files
from accord.shards import opaque_id
from accord.vocabularies import AGGREGATE_ATTRIBUTES, PUBLIC_ATTRIBUTES

MAX_FORM = 32 * MEBIBYTE
CONSENT = "consent"
EARLIEST_FORM, EARLIEST_BIRTH = "1990-01-01", "1900-01-01"
"""No form was signed, and nobody who is alive was born, on a day before: such a date is a slip (year 1 is Excel's)."""
BLANK = b" \t\r\n\f\v\0\xef\xbb\xbf"
"""Bytes that say nothing: space, and the mark of UTF-8."""
SUBJECTS = ("subject_primary", "subject_secondary")
RIGHTSHOLDER, COPYRIGHT = "rightsholder", "copyright"
KINDS = (CONSENT, COPYRIGHT)
UNKNOWN = "unknown_form"
"""Check of forms that count, but of which nobody knows what they are."""
SCOPES = (
    *("collect", "publish_image", "biometric", "train", "external", "publish_attr:*", "aggregate_attr:*"),
    *(f"publish_attr:{name}" for name in PUBLIC_ATTRIBUTES),
    *(f"aggregate_attr:{name}" for name in (*PUBLIC_ATTRIBUTES, *AGGREGATE_ATTRIBUTES)),
)


class Fault(NamedTuple):
    """Why a form is no evidence, or (`UNKNOWN`) why a person has to look at it."""

    check: str
    reason: str
    place: Place


def rows(delivery: Delivery, given: Iterable[Row], refusals: Refusals) -> list[tuple]:
    """Rows of the table Forms for the given rows of forms.csv; forms that can't be evidence are refused."""
    people = {row["subject"]: row for row in delivery.tables["subjects.csv"]}
    born = {reference: _birth_date(row, delivery.vendor, refusals) for reference, row in people.items()}
    images = {row["image"] for name in sheets.PICTURED for row in delivery.tables[name]}
    found = []
    for row in given:
        faults = [*_contradictions(row, born, images), *_formalities(row, delivery, born)]
        faults += [*_dates(row, delivery), *_evidence(row, delivery)]
        subject = opaque_id(delivery.vendor, row["subject"])
        for fault in faults:
            refusals.add("form", fault.check, fault.reason, reference=row["form"], subject=subject, place=fault.place)
        if all(fault.check == UNKNOWN for fault in faults):
            found += _of_form(delivery, row, subject, born.get(row["subject"], ""))
    return found


def _birth_date(row: Row, vendor: str, refusals: Refusals) -> str:
    """The day of a person's birth, "" where none is given or it can't be one: age is told by it."""
    given = row["birth_date"]
    if not given or (is_date(given) and given >= EARLIEST_BIRTH):
        return given
    reason = f"birth_date is not a date YYYY-MM-DD, {EARLIEST_BIRTH} or later: the age is unknown"
    refusals.add("attribute", "date", reason, reference=f"{row['subject']} birth_date",
                 subject=opaque_id(vendor, row["subject"]), place=row.place("birth_date"))  # fmt: skip
    return ""


def is_date(text: str) -> bool:
    """Whether a text is a day written YYYY-MM-DD."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _of_form(delivery: Delivery, row: Row, subject: str, birth_date: str) -> list[tuple]:
    notice = delivery.notices.get(row["notice"])
    form = opaque_id(delivery.vendor, delivery.name, row["form"])
    image = opaque_id(delivery.vendor, delivery.name, row["image"]) if row["image"] else ""
    agreed = (row["notice"], notice.version, notice.sha256) if notice else ("", "", "")
    language = row["language"] or (notice.language if notice else "")
    return [
        (form, row["kind"], row["party"], subject, image, scope, row["signed_on"], row["expires_on"], birth_date,
         *agreed, language, row["sha256"], sheets.boolean(row["joint"]) is True)
        for scope in sheets.values(row["scopes"])
    ]  # fmt: skip


def _contradictions(row: Row, born: dict[str, str], images: set[str]) -> Iterator[Fault]:
    """Why the parties and scopes of a form don't fit each other."""
    scopes = sheets.values(row["scopes"])
    if row["kind"] not in KINDS or not scopes:
        place = row.place("scopes" if row["kind"] in KINDS else "kind", SCOPES if row["kind"] in KINDS else KINDS)
        yield Fault("form", "the form is of no known kind, or has no scope", place)
    elif row["kind"] == CONSENT:
        if row["party"] not in SUBJECTS:
            what = f"the party of a consent form is neither {' nor '.join(SUBJECTS)}"
            yield Fault("form", what, row.place("party", SUBJECTS))
        if row["subject"] not in born:
            yield Fault("form", "the form's subject is not in subjects.csv", row.place("subject", born))
        if strange := [scope for scope in scopes if scope not in SCOPES]:
            place = row.place("scopes", SCOPES, sheets.SEPARATOR.join(strange))
            yield Fault("form", "the form has a scope that is not known", place)
    else:
        for column, fits, labels, reason in (
            (
                "party",
                row["party"] == RIGHTSHOLDER,
                (RIGHTSHOLDER,),
                f"the party of a copyright form is not {RIGHTSHOLDER}",
            ),
            ("scopes", scopes == [COPYRIGHT], (COPYRIGHT,), f"the scope of a copyright form is not {COPYRIGHT}"),
            ("subject", bool(row["subject"]), tuple(born), "a copyright form names nobody as its subject"),
        ):
            if not fits:
                yield Fault("form", reason, row.place(column, labels))
        if row["subject"] and row["subject"] not in born and row["image"] not in images:
            what = "a rightsholder who is not a subject must name the image"
            yield Fault("form", what, row.place("image", images))


def _formalities(row: Row, delivery: Delivery, born: dict[str, str]) -> Iterator[Fault]:
    for column in ("signed_on", "expires_on"):
        if not is_date(row[column]) and (row[column] or column == "signed_on"):
            yield Fault("form", "the form's dates are not written YYYY-MM-DD", row.place(column))
    if is_date(row["signed_on"]) and row["signed_on"] < max(EARLIEST_FORM, born.get(row["subject"], "")):
        what = f"the form was signed before {EARLIEST_FORM}, or before whoever signed it was born"
        yield Fault("form", what, row.place("signed_on"))
    if row["joint"] and sheets.boolean(row["joint"]) is None:
        yield Fault("form", "joint is neither true nor false", row.place("joint", ("true", "false")))
    if row["kind"] == CONSENT and row["notice"] not in delivery.notices:
        reason = "the notice that was agreed to is not in the delivery"
        yield Fault("form", reason, row.place("notice", delivery.notices))


def _dates(row: Row, delivery: Delivery) -> Iterator[Fault]:
    """Why a form can't have been signed on its day."""
    signed, notice = row["signed_on"], delivery.notices.get(row["notice"])
    if not is_date(signed):
        return
    if is_date(delivery.created) and signed > delivery.created:
        yield Fault("day", "the form was signed after the delivery was created", row.place("signed_on"))
    if notice and is_date(notice.valid_from) and signed < notice.valid_from:
        yield Fault("day", "the form is older than the notice that was agreed to", row.place("signed_on"))


def _evidence(row: Row, delivery: Delivery) -> Iterator[Fault]:
    try:
        data = files.read(delivery.root, row["file"], MAX_FORM)
    except FileRefusedError as refused:
        yield Fault(refused.check if refused.check in PLACES else "form", refused.reason, row.place("file"))
        return
    if hashlib.sha256(data).hexdigest() != row["sha256"]:
        yield Fault("sha256", "the signed form does not match its sha256", row.place("sha256"))
    if wrong := _nothing_signed(data, delivery) or form_files.fault(data):
        yield Fault("form", wrong, row.place("file"))
    elif not form_files.is_known(data):
        yield Fault(UNKNOWN, "the signed form is neither a PDF nor a picture nor text", row.place("file"))
    if shared := delivery.conflicts.get(row["sha256"].lower()):
        yield Fault("shared", shared, row.place("file"))


def _nothing_signed(data: bytes, delivery: Delivery) -> str:
    """Why a file can't be what somebody signed; "" where it could be."""
    plain = data.strip(BLANK)
    digests = {hashlib.sha256(one).hexdigest() for one in (data, plain, plain + b"\n")}
    if not plain:
        return "the signed form is empty"
    if digests & {row["sha256"] for name in sheets.PICTURED for row in delivery.tables[name]}:
        return "the signed form is one of the delivery's photographs or videos"
    if digests & {notice.sha256 for notice in delivery.notices.values()}:
        return "the signed form is the notice itself, which is not signed"
    return ""
