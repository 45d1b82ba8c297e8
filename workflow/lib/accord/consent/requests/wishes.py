"""Requests: what people ask for, on the command line or in a row of a CSV file, as records for the ledger."""

from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from accord.consent.deciding import grants
from accord.consent.ledger.proof import SHORTEST, plain
from accord.consent.ledger.records import ANNOTATOR, COMMAND, GRANTED, RIGHTSHOLDER, SUBJECT, WITHDRAWN, ConsentEvent
from accord.consent.requests.suppression import DEMOGRAPHICS, WHOLE
from accord.errors import Problem
from accord.shards import opaque_id
from accord.text import days, unicode
from accord.text.cells import NotCsvError, is_blank, numbered
from accord.text.references import normal

WITHDRAW, GRANT, EXPIRE, CODE = ACTIONS = ("withdraw", "grant", "expire", "code")
REQUIRED = ("action", "vendor", "subject")
OPTIONAL = ("role", "scope", "delivery", "image", "on", "until", "proof")
SCOPES = {
    SUBJECT: (grants.EVERYTHING, "publish_attr:*", "aggregate_attr:*", *grants.SCOPES),
    ANNOTATOR: (DEMOGRAPHICS,),
    RIGHTSHOLDER: (grants.COPYRIGHT,),
}
NAMING = ("vendor", "subject", "delivery", "image")
"""Fields of a request that hold references."""
LONGEST_CELL, MOST_ROWS = 1000, 100_000


class Wish(NamedTuple):
    """What somebody asks for. Dates are ISO 8601; "" is: all images, no last day, no proof.

    `subject` is the vendor's reference; for `expire`, `on` is the last day; for `code`, `proof` is the code given out.
    """

    action: str
    vendor: str
    subject: str
    role: str = SUBJECT
    scope: str = ""
    delivery: str = ""
    image: str = ""
    on: str = ""
    until: str = ""
    proof: str = ""

    @property
    def person(self) -> str:
        """The opaque id of the person."""
        return opaque_id(self.vendor, self.subject)


def wish(**given: str) -> Wish:
    """A request of the given fields, its references in the spelling in which deliveries are read."""
    return Wish(**{name: normal(value) if name in NAMING else value for name, value in given.items()})


def faults(wish: Wish) -> list[tuple[str, str, str]]:
    """What is wrong with a request: field, what, hint."""
    bad = [(field, wrong, "write it anew") for field, text in wish._asdict().items() if (wrong := unicode.fault(text))]
    if bad:
        return bad
    found = [(field, "is empty", "name it as in the delivery") for field in REQUIRED[1:] if not getattr(wish, field)]
    for field, value, known in (("action", wish.action, ACTIONS), ("role", wish.role, tuple(SCOPES))):
        if value not in known:
            found.append((field, f"is not a valid {field}", f"one of: {', '.join(known)}"))
    scopes = SCOPES.get(wish.role, ())
    if wish.scope and scopes and wish.scope not in scopes:
        found.append(("scope", "is not a valid scope", f"one of: {', '.join(scopes)}"))
    if bool(wish.image) != bool(wish.delivery):
        found.append(("image", "needs delivery, and the other way round", "or leave both out"))
    return found + list(_date_faults(wish)) + list(_code_faults(wish))


def event(wish: Wish, evidence: str = "") -> ConsentEvent:
    """The event of a request without faults; evidence: sha256 of a document."""
    image = opaque_id(wish.vendor, wish.delivery, wish.image) if wish.image else ""
    state = GRANTED if wish.action == GRANT else WITHDRAWN
    last = {GRANT: wish.until, EXPIRE: wish.on}.get(wish.action, "")
    scope = wish.scope or WHOLE[wish.role]
    return ConsentEvent(wish.role, wish.person, image, scope, state, wish.on, last, COMMAND, "", "", evidence)


def parse(data: bytes, where: str) -> tuple[list[tuple[int, Wish]], list[Problem]]:
    """The requests of a CSV file by line, and what is wrong with it: with a row, or with the file as a whole.

    Columns: action, vendor, subject; optional role, scope, delivery, image, on, until, proof. No cell is told in a
    problem: it can be personal.
    """
    try:
        lines = numbered(data)
    except NotCsvError as wrong:
        return [], [Problem(f"{where} line {wrong.line}" if wrong.line else where, wrong.what, wrong.hint)]
    header = lines[0][1] if lines else []
    missing, strange = set(REQUIRED) - set(header), set(header) - {*REQUIRED, *OPTIONAL}
    if missing or strange or len(set(header)) < len(header) or len(lines) > MOST_ROWS:
        hint = f"columns: {', '.join(REQUIRED)}; if wanted {', '.join(OPTIONAL)}; {MOST_ROWS - 1} rows at most"
        return [], [Problem(where, "has missing, unknown or duplicate columns, or too many rows", hint)]
    found, problems = [], []
    for number, cells in lines[1:]:
        if is_blank(cells):
            continue
        wish, wrong = _of_row(header, cells)
        problems += [Problem(f"{where} line {number}", f"{field}: {what}", hint) for field, what, hint in wrong]
        if not wrong:
            found.append((number, wish))
    return found, problems


def _of_row(header: list[str], cells: list[str]) -> tuple[Wish | None, list[tuple[str, str, str]]]:
    if len(cells) != len(header):
        return None, [("row", f"has {len(cells)} cells, the header {len(header)}", "quote cells that hold commas")]
    if max(map(len, cells)) > LONGEST_CELL:
        return None, [("row", f"has a cell of over {LONGEST_CELL} characters", "shorten it")]
    given = {name: cell.strip() for name, cell in zip(header, cells, strict=True)}
    made = wish(**{**given, "role": given.get("role") or SUBJECT})
    return made, faults(made)


def _date_faults(wish: Wish) -> Iterator[tuple[str, str, str]]:
    if wish.action != CODE and not wish.on:
        yield "on", "is empty", "the day of the request (expire: the last day), as 2026-11-01"
    for field in ("on", "until"):
        if (text := getattr(wish, field)) and not _is_day(text):
            yield field, "is not a valid date", "write it as 2026-11-01"
    if wish.action in (GRANT, WITHDRAW) and _is_day(wish.on) and wish.on > days.latest():
        yield "on", "is a day to come: nothing was recorded", "record it on that day, or correct the day"
    if wish.until and wish.action != GRANT:
        yield "until", "is for grants alone", "leave it out"
    elif wish.until and wish.until < wish.on:
        yield "until", "lies before on", "correct one of them"


def _code_faults(wish: Wish) -> Iterator[tuple[str, str, str]]:
    if wish.action == CODE and len(plain(wish.proof)) < SHORTEST:
        yield "proof", f"has fewer than {SHORTEST} letters and digits", "give out longer codes"


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
