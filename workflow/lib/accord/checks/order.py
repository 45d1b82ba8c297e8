"""The order in which checks are held against an image, and what people call them.

An image that several checks stop is counted under the first. Checks that are not listed come last in their room, by
name; a room's own prefix (`consent.minor`) names the room.
"""

INTAKE, CONSENT, CHECKS, PRIVACY, RELEASE = ROOMS = ("intake", "consent", "checks", "privacy", "release")

LABELS = {
    "intake.path": "Path out of the delivery",
    "intake.missing_file": "File missing",
    "intake.sha256": "File differs from its checksum",
    "intake.extension": "Not the format that its name says",
    "intake.header": "Header can't be read",
    "intake.pixels": "Too many pixels to be decoded safely",
    "intake.subject": "Subject unknown",
    "intake.annotation": "Annotations missing or broken",
    "intake.form": "Form without its file",
    "consent.form_missing": "No consent form",
    "consent.form_expired": "Consent form expired",
    "consent.minor": "Person under age",
    "consent.scope": "Consent does not cover publication",
    "consent.copyright": "No copyright form",
    "decode": "Truncated or damaged",
    "exif": "No EXIF data",
    "device_year": "Device too old",
    "side": "Side too short",
    "megapixels": "Too few pixels",
    "aspect": "Too long and narrow",
    "boxes_in_image": "Box outside the image",
    "face_in_person": "Face outside its person",
    "keypoints_in_mask": "Keypoint outside its person",
    "web_match": "Subject found on the web",
    "capture_spacing": "Taken too soon after another",
    "images_per_subject": "Too many images of the subject",
    "duplicate_exact": "Exact duplicate",
    "duplicate_near": "Near duplicate",
    "duplicate_crop": "Cut out of another",
    "cross_subject": "Perhaps one person under two ids",
    "same_subject_near": "Hardly differs from another of the subject",
    "person_in_region": "Somebody left in a painted region",
    "release.reserve": "Held in reserve",
}
PRIVACY_CHECKS = ("person_in_region",)


def room_of(check: str) -> str:
    """The room that makes a check."""
    prefix = check.split(".")[0]
    if prefix in ROOMS:
        return prefix
    return PRIVACY if check in PRIVACY_CHECKS else CHECKS


def label(check: str) -> str:
    """What people call a check."""
    return LABELS.get(check, check.split(".")[-1].replace("_", " ").capitalize())


def position(check: str) -> tuple[int, int, str]:
    """Sort key: rooms in the order of the flow, listed checks in the order above, then the others by name."""
    listed = list(LABELS)
    return ROOMS.index(room_of(check)), listed.index(check) if check in LABELS else len(listed), check
