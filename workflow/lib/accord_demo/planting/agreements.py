"""People who agreed in part, pictures of two, and people who will withdraw later: no image is dropped."""

from accord_demo.cohort import Subject
from accord_demo.draft import FULL_SCOPES, Draft, Grant
from accord_demo.picture import Picture

SOME_ATTRIBUTES = (
    ("publish_attr:pronoun", "publish_attr:age", "publish_attr:ancestry", "publish_attr:natural_skin_color"),
    ("publish_attr:pronoun", "publish_attr:natural_skin_color", "publish_attr:apparent_skin_color"),
    ("publish_attr:age", "publish_attr:hairstyle", "publish_attr:head_pose"),
)
PAIRS, PARTIAL, WITHDRAWALS = 6, 5, 3


def plant(draft: Draft) -> None:
    """Add partial grants, pictures of two, and withdrawals to come."""
    cohort = [subject for subject in draft.subjects.values() if not subject.biased]
    _partial(draft, cohort)
    pairs = _pairs(draft, cohort)
    _withdrawals(draft, cohort, pairs)


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
