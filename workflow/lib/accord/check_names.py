"""The order in which checks are held against an image, and what people call them.

An image that several checks stop is counted under the first. Checks that are not listed come last in their room, by
name; a room's own prefix (`consent.minor`) names the room.
"""

from accord.queues import (
    ANNOTATIONS,
    DUPLICATES,
    INPAINTING,
    LOGOS,
    OBJECTIONABLE,
    PATTERNS,
    PERSONAL_DATA,
    SAFETY,
    WEB,
)

INTAKE, CONSENT, CHECKS, PRIVACY, RELEASE = ROOMS = ("intake", "consent", "checks", "privacy", "release")

LABELS = {
    "intake.known": "On a list of known abuse material, and not opened again",
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
    "safety_known": "On a list of known abuse material",
    "safety_delivery": "Known abuse material in its delivery",
    "decode": "Truncated or damaged",
    "exif": "No EXIF data",
    "device_year": "Device too old",
    "side": "Side too short",
    "megapixels": "Too few pixels",
    "aspect": "Too long and narrow",
    "boxes_in_image": "Box outside the image",
    "face_in_person": "Face outside its person",
    "keypoints_in_mask": "Keypoint outside its person",
    "safety_nudity": "Nudity",
    "safety_text": "Offensive words",
    "objectionable": "Objectionable content, as people see it",
    "web_match": "Subject found on the web",
    "logo": "Logo that nobody outlined",
    "personal_data": "Personal data or bystander that nobody outlined",
    "region_overlap": "Subject's segments over a region to paint out",
    "country_gps": "Position outside the declared country",
    "capture_date": "Declared day of capture is not the camera's",
    "software": "Changed with an editing program",
    "panorama": "Stitched from several pictures",
    "scene": "Declared indoors or outdoors, and seen otherwise",
    "people_seen": "More faces than people declared",
    "face_box_seen": "Face box not where the face is seen",
    "skin_colour_seen": "Skin colour unlike the declared one",
    "saved_twice": "Saved again after it was taken",
    "upscaled": "Enlarged, or without detail",
    "shallow_focus": "Only the people are sharp",
    "blur": "Blurred",
    "exposure": "Black or white in large parts",
    "capture_spacing": "Taken too soon after another",
    "images_per_subject": "Too many images of the subject",
    "same_occasion": "Same clothes, place or time of day as within days before",
    "duplicate_exact": "Exact duplicate",
    "duplicate_near": "Near duplicate",
    "pattern_travel": "Places too far apart in time",
    "pattern_countries": "Two countries within an hour",
    "pattern_many_devices": "Many devices of one person",
    "pattern_age": "Age is not that of the date of birth",
    "pattern_height": "Heights of one person differ within two days",
    "pattern_weight": "Weights of one person differ within two days",
    "pattern_professional_camera": "Professional camera",
    "pattern_edited": "Edited, or from an agency",
    "pattern_same_answers": "Several people gave all the same answers",
    "pattern_same_text": "Several people wrote the same text",
    "pattern_same_second": "Several people in the same second",
    "pattern_same_place": "Many people in one place",
    "pattern_device_share": "One device of many people",
    "pattern_device_settings": "One camera setting for many people",
    "pattern_shared_form": "One signature for several people",
    "pattern_signing_day": "Many signatures on one day",
    "sampled": "Found elsewhere in a sample",
    "annotation_wrong": "Annotation wrong, as people saw in a sample",
    "duplicate_crop": "Cut out of another",
    "cross_subject": "Perhaps one person under two ids",
    "same_subject_near": "Hardly differs from another of the subject",
    "person_in_region": "Somebody left in a painted region",
    "region_left": "Region not painted as declared",
    "region_shows": "Original to be seen in a painted region",
    "inpainting": "Painted region not good enough",
    "release.reserve": "Held in reserve",
}
PRIVACY_CHECKS = (
    *("person_in_region", "inpainting", "metadata", "face_yunet", "face_blazeface", "person_blazepose"),
    *("face_sface", "text_ppocr", "region_left", "region_shows"),
)

QUEUE_OF = {
    "logo": LOGOS,
    "personal_data": PERSONAL_DATA,
    "region_overlap": PERSONAL_DATA,
    "web_match": WEB,
    "safety_nudity": SAFETY,
    "safety_text": SAFETY,
    "objectionable": OBJECTIONABLE,
    "annotation_wrong": ANNOTATIONS,
    "duplicate_crop": DUPLICATES,
    "same_subject_near": DUPLICATES,
    "cross_subject": DUPLICATES,
    "inpainting": INPAINTING,
}
"""Check -> the queue in which people decide on its findings that want a review; others are in `patterns`."""

SAME_OCCASION = "same_occasion"
PAIR_OF = {
    "duplicate_crop": "crop",
    "same_subject_near": "same_subject",
    "cross_subject": "cross_subject",
    SAME_OCCASION: "occasion",
}
"""Check of two images -> the kind of the pairs that it is about."""

PATTERN = "pattern_"


def room_of(check: str) -> str:
    """The room that makes a check."""
    prefix = check.split(".")[0]
    if prefix in ROOMS:
        return prefix
    return PRIVACY if check in PRIVACY_CHECKS else CHECKS


def label(check: str) -> str:
    """What people call a check."""
    return LABELS.get(check, check.split(".")[-1].replace("_", " ").capitalize())


def queue_of(check: str) -> str:
    """The queue in which people decide on a check's findings: none is held back without anybody being asked."""
    return QUEUE_OF.get(check, PATTERNS)


def is_of_subject(check: str) -> bool:
    """Whether a check stops all images of a (primary) subject for one of them, and one answer is for all of them."""
    return check == "web_match" or is_pattern(check)


def is_pattern(check: str) -> bool:
    """Whether a check is of a subject as a whole: people are asked about one image of theirs."""
    return check.startswith(PATTERN)


def position(check: str) -> tuple[int, int, str]:
    """Sort key: rooms in the order of the flow, listed checks in the order above, then the others by name."""
    listed = list(LABELS)
    return ROOMS.index(room_of(check)), listed.index(check) if check in LABELS else len(listed), check
