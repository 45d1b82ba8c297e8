"""Consent and copyright forms of the demo's subjects."""

from datetime import date, timedelta
from typing import NamedTuple

from accord_demo.draft import FIRST_DAY, Draft, Grant
from accord_demo.picture import seed_of

NOTICE = "notice-1"
LANGUAGE = "en"
KINDS = {"subject_primary": "consent", "subject_secondary": "consent", "rightsholder": "copyright"}


class Form(NamedTuple):
    """One row of forms.csv, but for the hash of its evidence; `image` is "" where it holds for all."""

    form: str
    kind: str
    party: str
    subject: str
    image: str
    scopes: tuple[str, ...]
    signed_on: str
    expires_on: str
    notice: str
    language: str
    file: str
    there: bool


def forms(draft: Draft) -> list[Form]:
    """All forms: of each subject for their own pictures, of second persons for the picture that they are in."""
    found: list[Form] = []

    def sign(party: str, subject: str, image: str, scopes: tuple[str, ...], grant: Grant) -> None:
        number = f"F{len(found) + 1:05d}"
        signed = _signed_on(draft, subject)
        notice = NOTICE if KINDS[party] == "consent" else ""
        found.append(Form(
            number, KINDS[party], party, subject, image, scopes, signed.isoformat(), grant.expires_on, notice,
            LANGUAGE, f"forms/{number}.txt", grant.evidence or KINDS[party] == "copyright",
        ))  # fmt: skip

    for subject, grant in draft.grants.items():
        if grant.consent:
            sign("subject_primary", subject, "", grant.scopes, grant)
        if grant.copyright:
            sign("rightsholder", subject, "", ("copyright",), Grant())
    for picture in draft.pictures.values():
        if picture.secondary and draft.grants[picture.secondary].consent:
            grant = draft.grants[picture.secondary]
            sign("subject_secondary", picture.secondary, picture.reference, grant.scopes, grant)
    return found


def evidence(form: Form, vendor: str) -> str:
    """The text of a signed form."""
    holds = f"picture {form.image}" if form.image else "all pictures of this delivery"
    says = {
        "consent": "I have read the notice and agree to the following uses of pictures that show me",
        "copyright": "I took these pictures, or hold the rights in them, and license them for the following uses",
    }[form.kind]
    lines = [
        f"Form {form.form} ({form.kind}) for {vendor}", f"Party: {form.subject}, {form.party}", f"Holds for: {holds}",
        says + ":", *(f"  - {scope}" for scope in form.scopes),
        f"Signed on {form.signed_on}" + (f", until {form.expires_on}" if form.expires_on else ""),
        "This is a fictitious form of a fictitious person.",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _signed_on(draft: Draft, subject: str) -> date:
    """A day in the month before the first picture."""
    return FIRST_DAY - timedelta(days=1 + seed_of(draft.settings.seed, subject, "signed") % 30)
