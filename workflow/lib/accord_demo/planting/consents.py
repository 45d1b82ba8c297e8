"""People who did not consent, no longer do, or may not; and a picture with somebody who did not."""

from dataclasses import replace
from datetime import date

from accord_demo.cohort import YEAR
from accord_demo.draft import FULL_SCOPES, Draft, Grant

EXPIRED = "2026-06-30"
MINOR_AGE = 17


def plant(draft: Draft) -> None:
    """Add subjects whose forms are not in order."""
    _refused(draft, "form_missing", "consent.form_missing", Grant(consent=False), images=2)
    _refused(draft, "form_expired", "consent.form_expired", Grant(expires_on=EXPIRED), images=2)
    _refused(draft, "form_without_evidence", "consent.form_missing", Grant(evidence=False), images=1)
    narrow = tuple(scope for scope in FULL_SCOPES if scope != "publish_image")
    _refused(draft, "scope_missing", "consent.scope", Grant(scopes=narrow), images=1)
    _refused(draft, "copyright_missing", "consent.copyright", Grant(copyright=False), images=1)
    _minor(draft)
    _unwilling_companion(draft)


def _refused(draft: Draft, kind: str, check: str, grant: Grant, images: int) -> None:
    subject = draft.add_subject()
    draft.grants[subject.reference] = grant
    taken = [draft.add_picture(subject, draft.frame(("bust", "full")[i % 2])) for i in range(images)]
    draft.plant(kind, taken, taken, check)


def _minor(draft: Draft) -> None:
    subject = draft.add_subject()
    born = date(YEAR - MINOR_AGE, subject.birth_date.month, subject.birth_date.day)
    looks = replace(subject.looks, age=18)
    draft.subjects[subject.reference] = replace(subject, birth_date=born, looks=looks)
    taken = [draft.add_picture(subject, draft.frame(framing)) for framing in ("face", "full")]
    draft.plant("minor", taken, taken, "consent.minor", f"{MINOR_AGE} years old when the pictures were taken")


def _unwilling_companion(draft: Draft) -> None:
    """A picture of two where the second person has signed nothing."""
    subject, companion = draft.add_subject(), draft.add_subject()
    draft.grants[companion.reference] = Grant(consent=False, copyright=False)
    draft.add_picture(subject, draft.frame("bust"))
    both = draft.add_picture(subject, draft.frame("full", shape=0), secondary=companion.reference)
    draft.plant("companion_without_consent", [both], [both], "consent.form_missing", "the second person signed nothing")
