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
    SKIN,
    VIDEOS,
    WEB,
)

INTAKE, CONSENT, CHECKS, PRIVACY, RELEASE = ROOMS = ("intake", "consent", "checks", "privacy", "release")

LABELS = {
    "intake.known": "On a list of known abuse material, not opened again",
    "intake.path": "Path outside the delivery",
    "intake.missing_file": "File missing",
    "intake.sha256": "File differs from its checksum",
    "intake.extension": "File format does not match its name",
    "intake.header": "Unreadable header",
    "intake.pixels": "Too many pixels to decode safely",
    "intake.subject": "Unknown subject",
    "intake.copy": "One video under several references",
    "intake.annotation": "Missing or invalid annotations",
    "intake.form": "Form file missing",
    "consent.form_missing": "No consent form",
    "consent.form_expired": "Consent form expired",
    "consent.minor": "Underage person",
    "consent.scope": "Consent does not cover publication",
    "consent.copyright": "No copyright form",
    "safety_known": "On a list of known abuse material",
    "safety_delivery": "Known abuse material in its delivery",
    "decode": "Truncated or damaged",
    "exif": "No EXIF data",
    "device_year": "Device too old",
    "side": "Side too short",
    "megapixels": "Too few pixels",
    "aspect": "Aspect ratio too extreme",
    "boxes_in_image": "Box outside the image",
    "face_in_person": "Face outside its person's box",
    "keypoints_in_mask": "Keypoint outside its person's mask",
    "points_in_boxes": "Keypoints or segments outside their person's box",
    "coordinate_units": "Coordinates that look like percent",
    "people_located": "No box or segment of a person",
    "safety_nudity": "Nudity",
    "safety_text": "Offensive words",
    "objectionable": "Objectionable content",
    "web_match": "Subject found on the web",
    "logo": "Logo not annotated",
    "personal_data": "Personal data or bystander not annotated",
    "region_overlap": "Subject overlaps a region to paint over",
    "country_gps": "GPS position outside the declared country",
    "capture_date": "Declared capture date differs from the camera's",
    "software": "Edited with software",
    "panorama": "Stitched panorama",
    "scene": "Indoor or outdoor scene not as declared",
    "people_seen": "More faces than people declared",
    "face_box_seen": "Face box does not match the detected face",
    "skin_colour_seen": "Skin colour differs from the declared one",
    "saved_twice": "Recompressed after capture",
    "upscaled": "Upscaled, or lacking detail",
    "shallow_focus": "Blurred background",
    "blur": "Blurred",
    "exposure": "Under- or overexposed",
    "capture_spacing": "Captured too soon after another image",
    "images_per_subject": "Too many images of one subject",
    "same_occasion": "Same clothes, place or time of day as a recent image",
    "duplicate_exact": "Exact duplicate",
    "duplicate_near": "Near duplicate",
    "pattern_travel": "Implausible travel speed",
    "pattern_countries": "Two countries within an hour",
    "pattern_many_devices": "Many devices of one person",
    "pattern_age": "Age does not match the date of birth",
    "pattern_height": "Different heights of one person within two days",
    "pattern_weight": "Different weights of one person within two days",
    "pattern_professional_camera": "Professional camera",
    "pattern_edited": "Edited, or from a picture agency",
    "pattern_same_answers": "Identical answers from several people",
    "pattern_same_text": "Identical text from several people",
    "pattern_same_second": "Several people in the same second",
    "pattern_same_place": "Many people in one place",
    "pattern_boxes_elsewhere": "Boxes of a delivery in another unit or size",
    "pattern_device_share": "One device of many people",
    "pattern_device_settings": "One camera setting for many people",
    "pattern_shared_form": "One signature for several people",
    "pattern_signing_day": "Many signatures on one day",
    "sampled": "Subject found elsewhere (sample)",
    "annotation_wrong": "Wrong annotation (sample)",
    "duplicate_crop": "Crop of another image",
    "cross_subject": "Possibly one person under two ids",
    "same_subject_near": "Too similar to another image of the subject",
    "skin_vote": "Skin type by votes",
    "identity_vote": "Whom a face shows, by votes",
    "person_in_region": "Person still visible in a painted region",
    "region_left": "Region not painted as declared",
    "region_shows": "Original still visible in a painted region",
    "subject_in_region": "Somebody who stays is painted over",
    "person_copied": "Piece of somebody in a painted region",
    "skin_in_region": "Skin in a painted region",
    "inpainting": "Poor quality of a painted region",
    "release.reserve": "Held in reserve",
}
OF_VIDEOS = {
    "intake.video": "No whole mp4 file",
    "intake.boxes": "Missing or invalid boxes",
    "video": "Video can't be read",
    "metadata": "Something besides pictures in the file",
    "video_frames": "Frame missing, or shown at another time",
    "video_fill": "Painted box not filled",
    "face_blazeface": "Unknown face still visible",
    "video_review": "Withheld by a reviewer",
    "privacy.copy": "In several deliveries",
    "privacy.no_video": "Not painted",
}
"""Checks that videos alone have, and what those are called there that pictures have too."""
PRIVACY_CHECKS = (
    *("person_in_region", "inpainting", "metadata", "face_yunet", "face_blazeface", "person_blazepose"),
    *("face_sface", "text_ppocr", "region_left", "region_shows"),
    *("subject_in_region", "person_copied", "skin_in_region"),
    *("video", "video_frames", "video_fill", "video_review"),
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
    "skin_vote": SKIN,
    "duplicate_crop": DUPLICATES,
    "same_subject_near": DUPLICATES,
    "cross_subject": DUPLICATES,
    "inpainting": INPAINTING,
    "subject_in_region": INPAINTING,
    "person_copied": INPAINTING,
    "skin_in_region": INPAINTING,
    "video_review": VIDEOS,
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
