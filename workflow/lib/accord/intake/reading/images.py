"""The images of one share of a delivery, one at a time, with all that is said of each."""

import hashlib
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import NamedTuple

from accord.imaging.bundle import Member
from accord.imaging.decode import upright_size
from accord.intake.delivered import copies, files
from accord.intake.delivered.delivery import Delivery
from accord.intake.delivered.files import MEBIBYTE, PLACES, FileRefusedError
from accord.intake.delivered.place import Place
from accord.intake.delivered.plain import plain
from accord.intake.delivered.records import Records
from accord.intake.delivered.refusals import Refusals
from accord.intake.delivered.row import Row
from accord.intake.reading import annotations, annotators, attributes, countries, forms, geometry, people, pictures
from accord.intake.reading.annotations import Annotation, AnnotationError
from accord.intake.reading.annotators import Notes
from accord.intake.reading.people import Cast
from accord.intake.reading.pictures import Header
from accord.shards import opaque_id
from accord.vocabularies import HOURS

MAX_IMAGE = 256 * MEBIBYTE
MAX_ANNOTATION = 32 * MEBIBYTE
LONGEST_PLACE = 100
CHANGED = "the file does not match its sha256"
Store = Callable[[str, bytes], Member]


class Picture(NamedTuple):
    """An image file that may be taken."""

    data: bytes
    header: Header


def collect(share: Delivery, records: Records, max_pixels: int, store: Store) -> None:
    """Add all that a share of a delivery says to `records`; each accepted image is given to `store`.

    Whatever is wrong with an image is found before the image is refused.
    """
    casts = people.casts(share, records.refused)
    noted = annotators.notes(share)
    named: set[str] = set(noted.people)
    for row in sorted(share.tables["images.csv"], key=lambda row: _id(share, row)):
        named |= _image(share, row, casts.get(row["image"], Cast({}, "")), noted, records,
                        max_pixels, store)  # fmt: skip
    records.forms += forms.rows(share, share.tables["forms.csv"], records.refused)
    records.annotators += annotators.rows(share, named, records.refused)


def _image(
    share: Delivery, row: Row, cast: Cast, noted: Notes, records: Records, max_pixels: int, store: Store
) -> set[str]:
    """Add one image; returns the references of those who annotated it."""
    image = _id(share, row)
    refused = Refusals()
    people.check_primary(row, cast, image, refused)
    annotation = _annotation(share, row, image, refused)
    picture = _picture(share, row, image, max_pixels, refused)
    annotation = _placed(row, image, annotation, picture, refused)
    if row["image"] in share.copied:
        what = {"reference": row["image"], "image": image, "place": row.place("file")}
        refused.add("image", "copy", copies.REASON, **what, fatal=True)
    said = attributes.of_image(row, image, noted.by_attribute, refused)
    place = _place(row, image, refused)
    person_rows = people.rows(share, image, cast, annotation, noted.by_attribute, refused, row["annotations"])
    records.refused += refused
    if picture is None or annotation is None or refused.stop(image):
        return set()
    member = store(f"{image}{picture.header.suffix}", picture.data)
    records.images.append(_row(share, row, image, member, picture.header, place))
    records.attributes += said
    records.checked += annotators.checked(share, image, noted.checked.get(row["image"], []), cast.people)
    records.regions += [
        (image, opaque_id(image, region.region), region.kind, region.polygon, annotators.id_of(share, region.annotator))
        for region in annotation.regions
    ]
    people.add(person_rows, records)
    return annotators.named(annotation)


def _id(share: Delivery, row: Row) -> str:
    return opaque_id(share.vendor, share.name, row["image"])


def _picture(share: Delivery, row: Row, image: str, max_pixels: int, refused: Refusals) -> Picture | None:
    about = {"reference": row["image"], "image": image, "fatal": True}
    try:
        data = files.read(share.root, row["file"], MAX_IMAGE)
        if not _is_whole(data, row["sha256"]):
            refused.add("image", "sha256", CHANGED, **about, place=row.place("sha256"))
        return Picture(data, pictures.header(data, PurePosixPath(row["file"]).name, max_pixels))
    except FileRefusedError as error:
        refused.add("image", error.check, error.reason, **about, place=row.place("file"))
        return None


def _annotation(share: Delivery, row: Row, image: str, refused: Refusals) -> Annotation | None:
    about, place = {"reference": row["image"], "image": image}, Place(row["annotations"])
    try:
        data = files.read(share.root, row["annotations"], MAX_ANNOTATION)
        if not _is_whole(data, row["annotations_sha256"]):
            refused.add("annotation", "sha256", f"annotations: {CHANGED}", **about, fatal=True,
                        place=row.place("annotations_sha256"))  # fmt: skip
        annotation = annotations.parse(data, row["image"])
    except FileRefusedError as error:
        check = error.check if error.check in PLACES else "annotation"
        place = row.place("annotations")
        refused.add("annotation", check, f"annotations: {error}", **about, fatal=True, place=place)
        return None
    except AnnotationError as error:
        refused.add("annotation", "annotation", f"annotations: {error}", **about, fatal=True, place=place)
        return None
    for reason in annotation.dropped:
        refused.add("annotation", "annotation", reason, **about, place=place)
    return annotation


def _placed(
    row: Row, image: str, annotation: Annotation | None, picture: Picture | None, refused: Refusals
) -> Annotation | None:
    """The annotation in px of its picture. An image is refused whose subject or region isn't where the file says:
    one would be painted out, the other would not."""
    if annotation is None or picture is None:
        return annotation
    header = picture.header
    sides = upright_size(header.width, header.height, header.exif.orientation)
    placed = geometry.in_pixels(annotation, *sides)
    about = {"reference": row["image"], "image": image, "place": Place(row["annotations"])}
    for fault in geometry.faults(placed, *sides):
        refused.add("annotation", "annotation", f"annotations: {fault}", **about, fatal=True)
    for remark in geometry.remarks(placed):
        refused.add("annotation", "outline", f"annotations: {remark}", **about)
    return placed


def _is_whole(data: bytes, sha256: str) -> bool:
    return hashlib.sha256(data).hexdigest() == sha256


def _place(row: Row, image: str, refused: Refusals) -> tuple[str, int | None, str, str, str, str]:
    """Country, its M49 code, what was given, region, day and hour; what can't be read is noted and left out."""
    given = row["location_country"]
    country = countries.normalise(given)
    if given and country is None:
        reason = "location_country is unknown or ambiguous; kept as given"
        place = row.place("location_country")
        refused.add("attribute", "country", reason, reference=row["image"], image=image, place=place)
    day, hour = row["user_date_captured"], row["user_hour_captured"]
    if day and not forms.is_date(day):
        refused.add("attribute", "date", "user_date_captured is not a date YYYY-MM-DD",
                    reference=row["image"], image=image, place=row.place("user_date_captured"))  # fmt: skip
        day = ""
    if hour and not is_hour(hour):
        refused.add("attribute", "date", "user_hour_captured is neither HH:MM nor a quarter of the day",
                    reference=row["image"], image=image, place=row.place("user_hour_captured", HOURS))  # fmt: skip
        hour = ""
    name, code = (country.name, country.code) if country else ("", None)
    return name, code, plain(given, LONGEST_PLACE), plain(row["location_region"], LONGEST_PLACE), day, hour


def is_hour(text: str) -> bool:
    """Whether a text is HH:MM, or one of the quarters of the day."""
    hour, colon, minute = text.partition(":")
    plain = len(text) == 5 and colon and text.isascii() and hour.isdecimal() and minute.isdecimal()
    return text in HOURS or bool(plain and int(hour) < 24 and int(minute) < 60)


def _row(share: Delivery, row: Row, image: str, member: Member, header: Header, place: tuple) -> tuple:
    subject = opaque_id(share.vendor, row["subject"])
    exif = header.exif
    return (
        *(image, subject, share.vendor, share.name, row["image"], share.rendered),
        *(*member, header.media, header.width, header.height),
        *(exif.orientation, exif.has_exif, exif.manufacturer, exif.model, exif.software, exif.captured_at),
        *(exif.aperture_value, exif.focal_length, exif.iso_speed_ratings, exif.shutter_speed_value),
        *(exif.gps_latitude, exif.gps_longitude),
        *place,
    )
