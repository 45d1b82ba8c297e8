"""The records of the ledger: what is written down of people, forms, withdrawals, proofs and erasures."""

from typing import NamedTuple

GRANTED, WITHDRAWN = "granted", "withdrawn"
FORM, COMMAND = "form", "command"
ANNOTATOR, RIGHTSHOLDER, SUBJECT = "annotator", "rightsholder", "subject"


class Party(NamedTuple):
    """Somebody who has a say: an id and a role."""

    subject: str
    role: str


class Notice(NamedTuple):
    """A text that people agreed to."""

    notice: str
    version: str
    language: str
    sha256: str


class ConsentEvent(NamedTuple):
    """A scope that somebody granted or withdrew on a day; `image` is "" for all images.

    `expires_on`: the last day of a grant; of a withdrawal, the last day before it takes effect ("": at once).
    """

    role: str
    subject: str
    image: str
    scope: str
    state: str
    event_on: str
    expires_on: str
    source: str
    form: str
    notice_sha256: str
    evidence_sha256: str


class IprForm(NamedTuple):
    """A copyright form; `image` is "" for all images of the rightsholder."""

    subject: str
    image: str
    event_on: str
    expires_on: str
    form: str
    evidence_sha256: str


class Depicts(NamedTuple):
    """That an image shows somebody, as its primary or secondary subject."""

    image: str
    subject: str
    role: str


class Proof(NamedTuple):
    """That somebody was given a code: scrypt of it under a salt of its own. The newest one of a person counts."""

    subject: str
    code_salt: str
    code_digest: str


class Attempt(NamedTuple):
    """A request that was refused for its proof, by a random number; whose it was is not written down."""

    attempt: str
    action: str


class Suppression(NamedTuple):
    """That an erased person stays refused, whatever is delivered of them; by a keyed digest of their role and id.

    `event_on`: the day of their last withdrawal; without one, that of the erasure.
    """

    person: str
    scope: str
    event_on: str


class Received(NamedTuple):
    """A file of requests that was read, by a salted digest of its bytes; rows: how many it has; refused: how many of
    these were refused at first sight."""

    file_salt: str
    file_digest: str
    rows: int
    refused: int


class Settled(NamedTuple):
    """That somebody looked at a request for nobody, by the number of its entry; how: what came of it."""

    entry: int
    how: str


class Erasure(NamedTuple):
    """The numbers of entries ("3 7 8") whose records and salts were erased."""

    entries: str


TABLES: dict[type, str] = {
    Party: "party",
    Notice: "notice",
    ConsentEvent: "consent_event",
    IprForm: "ipr_form",
    Depicts: "depicts",
    Proof: "proof",
    Attempt: "attempt",
    Suppression: "suppression",
    Received: "received",
    Settled: "settled",
    Erasure: "erasure",
}
OF_PEOPLE = (Party, ConsentEvent, IprForm, Depicts, Proof)
"""Kinds of records that name somebody in a column `subject`."""
