"""The plan of a demo delivery: subjects, pictures, and what is planted among them; a function of the settings alone."""

from accord_demo.cohort import Subject
from accord_demo.draft import FRAMINGS, Draft, Settings
from accord_demo.picture import Frame, Picture
from accord_demo.planting import agreements, consents, copies, mistakes, pictures, regions, unseen, web

BIAS_EXPOSURE = -3.3
BIAS_BLUR = 10.0
BIAS_DISTANCE = 1.7
"""The planted bias: exposure in stops, sigma of the blur in px at the standard size, distance times the usual one."""


def make_plan(settings: Settings) -> Draft:
    """Subjects with their pictures; if the settings want them, defects."""
    draft = Draft(settings)
    cohort = draft.add_cohort(settings.subjects)
    for number, subject in enumerate(cohort):
        for turn in range(settings.images_per_subject):
            draft.add_picture(subject, _frame(draft, subject, number, turn))
    regions.plant(draft)
    if settings.defects:
        agreements.plant(draft)
        for _ in range(settings.rounds):
            for planter in (consents, pictures, mistakes, web, copies, *([unseen] if settings.unseen else [])):
                planter.plant(draft)
    return draft


def to_render(draft: Draft) -> list[Picture]:
    """The pictures that are rendered; the others' files are made from theirs."""
    return [picture for picture in draft.pictures.values() if picture.copy is None]


def _frame(draft: Draft, subject: Subject, number: int, turn: int) -> Frame:
    """Framings and settings take turns, so that every subject has the same mix of them."""
    framing, setting = FRAMINGS[turn % len(FRAMINGS)], ("indoor", "outdoor")[(number + turn) % 2]
    frame = draft.frame(framing, setting, shape=(number // 2 + turn) % 3)
    if not (subject.biased and draft.settings.bias):
        return frame
    blur = draft.settings.px(BIAS_BLUR)
    return frame._replace(exposure=BIAS_EXPOSURE, blur=blur, distance=BIAS_DISTANCE)
