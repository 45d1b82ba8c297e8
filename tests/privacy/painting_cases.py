"""An image as intake tells of it, and the step that paints, run on the tables of a test."""

from pathlib import Path

import numpy as np

from accord.engine.parameter_types import Former, Kept
from accord.imaging import bundle
from accord.intake.tables import FACE, PERSON
from accord.privacy import paint

IMAGE = "0123456789abcdef"
SETTINGS = {"model": "embedded", "guidance": [12.0, 16.0], "steps": 2, "attempts": 1, "candidates": 1, "batch": 1}
SETTINGS |= {"max_seam": 2.5, "max_detail": 2.0, "max_outline": 1.3, "review": "all", "columns": []}
SETTINGS |= {"policies": {"inpainting": "hold"}}


def run_paint(delivery: dict, files: Path, former: Former | None = None, **settings) -> paint.Painted:
    """What `privacy.paint` makes of the tables and the bundle of `shard`; kept tables are their rows."""
    told = {**SETTINGS, "vault": files.with_name("no vault"), **settings}
    made = paint.run(**delivery, files=files, former=former or Former(), **told)
    return paint.Painted(*(table.rows if isinstance(table, Kept) else table for table in made))


def person_row(image: str, subject: str, face=None, body=None) -> dict:
    """A row of People. face, body: x, y, width, height; None where nobody drew a box."""
    boxes = dict(zip([*FACE, *PERSON], [*(face or [np.nan] * 4), *(body or [np.nan] * 4)], strict=True))
    told = {"image": image, "subject": subject, "is_primary": True, "age": 30, "face_annotator": "a"}
    return {**told, **{name: float(value) for name, value in boxes.items()}}


def image_row(picture: np.ndarray, member: bundle.Member, orientation: int = 1, media: str = "JPEG") -> dict:
    """A row of Images with every private thing that intake keeps."""
    return {
        **member._asdict(),
        "image": IMAGE,
        "subject": "fedcba9876543210",
        "vendor": "acme",
        "delivery": "2026-03",
        "source": "IMG_1",
        "rendered": True,
        "media": f"image/{media.lower()}",
        "width": picture.shape[1],
        "height": picture.shape[0],
        "orientation": orientation,
        "has_exif": True,
        "manufacturer": "Canon",
        "model": "EOS 5D",
        "software": "Editor 7",
        "captured_at": "2023-05-17T18:31:07",
        "aperture_value": 1.8,
        "focal_length": 26.0,
        "iso_speed_ratings": 100.0,
        "shutter_speed_value": 6.0,
        "gps_latitude": 52.37,
        "gps_longitude": 4.89,
        "location_country": "Netherlands (Kingdom of the)",
        "location_country_m49": 528,
        "location_country_given": "Holland, Damrak 1",
        "location_region": "21. Western Europe",
        "user_date_captured": "2023-05-17",
        "user_hour_captured": "18:31",
    }
