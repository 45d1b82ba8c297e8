"""What no table tells, and only looking at pictures can find: regions that nobody outlined, parts of other pictures,
one person under two names, and pictures that are not what is said of them."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from accord.vocabularies import SCENES
from accord_demo.cohort import Subject
from accord_demo.draft import Draft
from accord_demo.picture import Copy, Frame, Picture
from accord_demo.places import PLACES

# What is in the picture -> the framing and setting that show it, the kind of defect, and the check that should say so.
OVERLOOKED = (
    ("plate", "full", "outdoor", "personal_data"),
    ("card", "bust", "indoor", "personal_data"),
    ("screen", "bust", "indoor", "personal_data"),
    ("logo", "bust", "indoor", "logo"),
    ("bystander", "bust", "outdoor", "personal_data"),
)
PARTS = (("cropped_30", "duplicate_crop"), ("framed", "duplicate_crop"))
EDITOR = "Adobe Photoshop 25.4 (Macintosh)"
WRONG_DAYS = timedelta(days=90)
FAR = 40.0
"""Degrees of longitude between a place and the country that is said instead."""


def plant(draft: Draft) -> None:
    """Add such pictures, each of a subject of its own. What becomes of them is for people to say: either is right."""
    for thing, framing, setting, check in OVERLOOKED:
        _overlooked(draft, thing, draft.frame(framing, setting, shape=0), check)
    for how, check in PARTS:
        _part(draft, how, check)
    _two_names(draft)
    _misdeclared(draft)


def _overlooked(draft: Draft, thing: str, frame: Frame, check: str) -> None:
    shown: dict[str, Any] = {"bystanders": 1} if thing == "bystander" else {"objects": (thing,)}
    picture = draft.add_picture(draft.add_subject(), frame._replace(**shown), absent=("regions",))
    _plant(draft, f"overlooked_{thing}", [picture], check, "nobody outlined it")


def _part(draft: Draft, how: str, check: str) -> None:
    """A part of a picture, or a picture in a frame, handed in by the same subject."""
    subject = draft.add_subject()
    original = draft.add_picture(subject, draft.frame("bust"))
    copy = draft.add_picture(
        subject, original.frame, copy=Copy(original.reference, how), orientation=original.orientation
    )
    _plant(draft, f"duplicate_{how}", [original, copy], check, "beyond the radius of PDQ")


def _two_names(draft: Draft) -> None:
    """One person who is paid twice: two subjects of the same looks, at the same place."""
    first = draft.add_subject()
    second: Subject = replace(
        draft.add_subject(), looks=first.looks, place=first.place, skin_color=first.skin_color, pronoun=first.pronoun
    )
    draft.subjects[second.reference] = second
    taken = [draft.add_picture(subject, draft.frame("face")) for subject in (first, second) for _ in range(2)]
    _plant(draft, "one_person_two_subjects", taken, "cross_subject", "the same person")


def _misdeclared(draft: Draft) -> None:
    """Pictures of which country, day, or scene is said wrongly, or that an editor saved."""
    subject = draft.add_subject()
    elsewhere = next(other for other in PLACES if abs(other.longitude - subject.place.longitude) > FAR)
    abroad = (("location_country", elsewhere.country), ("location_region", elsewhere.region))
    inside = (("scene", SCENES[12]), ("weather", ""))
    for kind, check, said in (("country_wrong", "country_gps", abroad), ("scene_wrong", "scene", inside)):
        picture = draft.add_picture(subject, draft.frame("full", "outdoor"), in_images=said)
        _plant(draft, kind, [picture], check, "said otherwise than shown")
    picture = draft.add_picture(subject, draft.frame("bust"))
    picture = draft.change(picture, in_images=(("user_date_captured", f"{picture.taken - WRONG_DAYS:%Y-%m-%d}"),))
    _plant(draft, "date_wrong", [picture], "capture_date", "said otherwise than the camera")
    device = subject.device._replace(software=EDITOR)
    picture = draft.add_picture(subject, draft.frame("bust"), device=device)
    _plant(draft, "edited", [picture], "software", "saved by an editor")


def _plant(draft: Draft, kind: str, pictures: list[Picture], check: str, note: str) -> None:
    draft.plant(kind, pictures, (), check, note, either=pictures)
