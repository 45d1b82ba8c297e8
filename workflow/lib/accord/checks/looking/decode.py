"""Check what each file and its pixels are: one pass over the bundle, each picture decoded once."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from pandera.typing import DataFrame

from accord.checks.deciding.limits import Finding, at_least, at_most, failed, passed, unknown
from accord.checks.files.damage import refuse_damage
from accord.checks.files.devices import newest_year
from accord.checks.files.encoding import encoding_quality
from accord.checks.files.pixels import Picture, Shown, shown
from accord.checks.tables.findings import Findings, Fingerprints, Images
from accord.engine import table
from accord.errors import AccordError
from accord.imaging.fingerprint import Fingerprint, fingerprint


class Decoded(NamedTuple):
    """What the checks of single pictures say, and the fingerprints of those that decode."""

    findings: DataFrame[Findings]
    fingerprints: DataFrame[Fingerprints]


class Limits(NamedTuple):
    """What a picture must be. Sides in px, `max_aspect` longest over shortest side."""

    min_device_year: int
    min_megapixels: float
    min_side: int
    max_aspect: float
    require_exif: bool


def run(
    images: DataFrame[Images],
    bundle: Path | Shown,
    *,
    min_device_year: int,
    min_megapixels: float,
    min_side: int,
    max_aspect: float,
    require_exif: bool,
    max_pixels: int,
) -> Decoded:
    """Findings decode, exif, device_year, side, megapixels and aspect of each image, and its fingerprints.

    A picture of more than `max_pixels` pixels is not decoded. One that does not decode has no other finding and no
    fingerprints. Raises AccordError where the bundle is not as it was written.
    """
    limits = Limits(min_device_year, min_megapixels, min_side, max_aspect, require_exif)
    findings, fingerprints = [], []
    for row, picture in shown(images, bundle, max_pixels):
        found, print_ = _look(row, picture, limits)
        findings += sorted(found)
        if print_:
            own = {"image": row.image, "subject": row.subject, "encoding": encoding_quality(picture.data)}
            fingerprints.append({**own, **print_._asdict()})
    return Decoded(table.rows(findings, Findings), table.rows(fingerprints, Fingerprints))


def _look(row: Any, picture: Picture, limits: Limits) -> tuple[list[Finding], Fingerprint | None]:
    data = picture.data
    try:
        pixels = picture.pixels
        refuse_damage(data, row.media)
    except AccordError as error:
        return [failed(row.image, "decode", f"the picture {error.problems[0].what}")], None
    print_ = fingerprint(pixels, picture.thumbnail)
    return [
        passed(row.image, "decode", "decodes"),
        *_of_file(row, limits),
        *_of_pixels(row.image, print_, limits),
    ], print_


def _of_file(row: Any, limits: Limits) -> Iterator[Finding]:
    """What is said beside the pixels."""
    if row.has_exif:
        yield passed(row.image, "exif", "has EXIF data")
    else:
        yield (failed if limits.require_exif else unknown)(row.image, "exif", "has no EXIF data")
    year = newest_year(row.manufacturer, row.model, row.captured_at)
    if year is None:
        yield unknown(row.image, "device_year", "no known device and no capture time")
    else:
        what = "is the latest possible release year of the device"
        yield at_least(row.image, "device_year", year, limits.min_device_year, what)


def _of_pixels(image: str, print_: Fingerprint, limits: Limits) -> Iterator[Finding]:
    shortest, longest = sorted((print_.width, print_.height))
    yield at_least(image, "side", shortest, limits.min_side, "px on the shortest side")
    yield at_least(image, "megapixels", print_.width * print_.height / 1e6, limits.min_megapixels, "megapixels")
    yield at_most(image, "aspect", longest / shortest, limits.max_aspect, "times as long as wide")
