"""People who did not consent, no longer do, may not, or only in part; and pictures of two people."""

from dataclasses import replace
from datetime import date

from accord.demo.cohort import YEAR, Subject
from accord.demo.draft import FULL_SCOPES, Draft, Grant
from accord.demo.picture import Picture

EXPIRED = "2026-06-30"
MINOR_AGE = 17
SOME_ATTRIBUTES = (
    ("publish_attr:pronoun", "publish_attr:age", "publish_attr:ancestry", "publish_attr:natural_skin_color"),
    ("publish_attr:pronoun", "publish_attr:natural_skin_color", "publish_attr:apparent_skin_color"),
    ("publish_attr:age", "publish_attr:hairstyle", "publish_attr:head_pose"),
)
PAIRS, PARTIAL, WITHDRAWALS = 6, 5, 3


def plant(draft: Draft) -> None:
    """Add subjects whose forms are not in order, pictures of two, partial grants, and withdrawals to come."""
    cohort = [subject for subject in draft.subjects.values() if not subject.biased]
    _partial(draft, cohort)
    pairs = _pairs(draft, cohort)
    _withdrawals(draft, cohort, pairs)
    _refused(draft, "form_missing", "consent.form_missing", Grant(consent=False), images=2)
    _refused(draft, "form_expired", "consent.form_expired", Grant(expires_on=EXPIRED), images=2)
    _refused(draft, "form_without_evidence", "consent.form_missing", Grant(evidence=False), images=1)
    narrow = tuple(scope for scope in FULL_SCOPES if scope != "publish_image")
    _refused(draft, "scope_missing", "consent.scope", Grant(scopes=narrow), images=1)
    _refused(draft, "copyright_missing", "consent.copyright", Grant(copyright=False), images=1)
    _minor(draft)
    _unwilling_companion(draft)


def _partial(draft: Draft, cohort: list[Subject]) -> None:
    """Some grant the publication of some attributes only: their images stay."""
    base = tuple(scope for scope in FULL_SCOPES if scope != "publish_attr:*")
    for i, subject in enumerate(cohort[3 :: max(1, len(cohort) // PARTIAL)][:PARTIAL]):
        scopes = base + SOME_ATTRIBUTES[i % len(SOME_ATTRIBUTES)]
        draft.grants[subject.reference] = Grant(scopes=scopes)
        mine = [p for p in draft.pictures.values() if p.subject == subject.reference]
        draft.plant("partial_grant", mine, (), "consent.scope", "only the attributes that are named may be published")


def _pairs(draft: Draft, cohort: list[Subject]) -> list[Picture]:
    """Pictures of two subjects who both consent: these stay."""
    half = len(cohort) // 2
    pairs = []
    for first, second in list(zip(cohort[:half], cohort[half:], strict=False))[: min(PAIRS, half)]:
        frame = draft.frame("full", shape=0)
        pairs.append(draft.add_picture(first, frame, secondary=second.reference))
        draft.plant("two_people", pairs[-1:], (), "consent.form_missing", "both people consent: the image stays")
    return pairs


def _withdrawals(draft: Draft, cohort: list[Subject], pairs: list[Picture]) -> None:
    """Subjects who withdraw after the first release; one of them is the second person of a picture."""
    chosen = [pairs[0].secondary] if pairs else []
    chosen += [subject.reference for subject in cohort[::-5] if subject.reference not in chosen]
    draft.later_withdrawals += chosen[:WITHDRAWALS]


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
