"""Mistakes in annotations and tables: some cost an image, some are put right or dropped, and the image stays."""

from typing import Any

from accord_demo.draft import Draft
from accord_demo.picture import Copy, Picture

MISSPELT = {
    "Nigeria": "Nigeriia", "Brazil": "Brasil", "Viet Nam": "Hanoi Vietnam", "Germany": "Germnay", "India": "Inda",
    "Philippines": "Phillipines", "Argentina": "Argentinia", "Colombia": "Columbia", "Mexico": "México",
}  # fmt: skip
MISSPELT_IMAGES = 4
UNKNOWN_VALUES = (("hairstyle", "Mohawk"), ("apparent_left_eye_color", "5. Braun"), ("head_pose", "7. Sideways"))
UNKNOWN_SUBJECT = "S9999"
NO_SHA256 = "0" * 64


def plant(draft: Draft) -> None:
    """Add pictures with such mistakes, and let some clean ones have harmless ones."""
    _slips(draft)
    _tables(draft)
    _harmless(draft)


def _slips(draft: Draft) -> None:
    """Keypoints far outside their person, a box that leaves the image."""
    subject = draft.add_subject()
    for kind, slip, framing, check in (
        ("keypoint_outside", "keypoint_far", "face", "keypoints_in_mask"),
        ("keypoint_outside", "hand_far", "full", "keypoints_in_mask"),
        ("box_outside", "box_far", "bust", "boxes_in_image"),
    ):
        picture = draft.add_picture(subject, draft.frame(framing), slip=slip)
        draft.plant(kind, [picture], [picture], check)


def _tables(draft: Draft) -> None:
    """Rows that do not fit the files: refused on the way in. The files are those of clean pictures."""
    pool = draft.clean(free=True)
    chosen = [pool[i] for i in draft.rng.choice(len(pool), 5, replace=len(pool) < 5)]
    unknown = (("subject", UNKNOWN_SUBJECT),)
    for (kind, check, changes), source in zip(
        (
            ("file_missing", "intake.missing_file", {"absent": ("file",)}),
            ("sha256_wrong", "intake.sha256", {"in_images": (("sha256", NO_SHA256),)}),
            ("path_outside", "intake.path", {"in_images": (("file", "../outside.jpg"),), "absent": ("file",)}),
            ("subject_unknown", "intake.subject", {"in_images": unknown, "in_people": unknown}),
            ("annotations_missing", "intake.annotation", {"absent": ("annotations",)}),
        ),
        chosen,
        strict=True,
    ):
        subject = draft.subjects[source.subject]
        told: dict[str, Any] = {"orientation": source.orientation, "copy": Copy(source.reference, "re_encoded")}
        told |= changes
        picture = draft.add_picture(subject, source.frame, **told)
        draft.plant(kind, [picture], [picture], check)


def _harmless(draft: Draft) -> None:
    """Misspelt countries are normalised, values outside the vocabulary are dropped: these images stay."""
    misspelt = [p for p in draft.clean(free=True) if p.place.country in MISSPELT][::7][:MISSPELT_IMAGES]
    for picture in misspelt:
        given = MISSPELT[picture.place.country]
        picture = draft.change(picture, in_images=(("location_country", given),))
        draft.plant("country_misspelt", [picture], (), "intake.country", f"{given} is {picture.place.country}")
    for (column, value), picture in zip(UNKNOWN_VALUES, _spread(draft.clean(free=True)), strict=False):
        picture = draft.change(picture, in_people=((column, value),))
        draft.plant("value_unknown", [picture], (), "intake.vocabulary", f"{column}: the value is dropped")


def _spread(pictures: list[Picture]) -> list[Picture]:
    return pictures[5 :: max(1, len(pictures) // len(UNKNOWN_VALUES))]
