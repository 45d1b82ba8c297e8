"""What becomes of a delivery: judged by the very functions of intake and consent, as if nobody had withdrawn."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import BinaryIO, NamedTuple

import numpy as np
import pandas as pd

from accord.consent import apply
from accord.consent import videos as consent
from accord.consent.apply import Delivered, Held
from accord.consent.deciding.eligible import Terms
from accord.delivery.judging import drawn, explain, painting
from accord.delivery.judging.faults import IMAGE, LOOK, PART, Fault, FaultCollector
from accord.errors import Collector
from accord.imaging.bundle import Member
from accord.intake import shard
from accord.intake import videos as of_videos
from accord.intake.delivered import columns, delivery, shares
from accord.intake.delivered.delivery import Delivery
from accord.intake.delivered.place import Place
from accord.intake.delivered.refusals import HINTS, Refusal, Refusals
from accord.intake.delivered.row import Row
from accord.intake.delivered.sheets import PICTURED, SHEETS
from accord.intake.delivered.spelled import LOOKALIKE, SPELLING
from accord.intake.reading import evidence
from accord.intake.reading import videos as reading
from accord.intake.reading.evidence import Signature
from accord.intake.reading.forms import UNKNOWN
from accord.intake.reading.videos import VideoRecords

LOOKED_AT = frozenset({LOOKALIKE, SPELLING, "outline", UNKNOWN})
OF_PEOPLE = frozenset({"people.csv", "subjects.csv", "forms.csv"})
MISSING_PERSON = "subject"
"""The check of intake that fails for whoever is not in people.csv and subjects.csv."""
EMPTY = Fault(LOOK, "has no images", "list each image in images.csv, and each video in videos.csv", Place("images.csv"))


class Judged(NamedTuple):
    """What becomes of a delivery. References of its images; of those that can be published (`passing`); of those that
    could, were it not for what refuses the delivery as a whole (`apart`); tables that couldn't be read (`unread`):
    what follows from their rows is unknown."""

    images: tuple[str, ...]
    passing: tuple[str, ...]
    apart: tuple[str, ...]
    faults: list[Fault]
    unread: tuple[str, ...] = ()

    @property
    def valid(self) -> bool:
        """Whether everything can be published as it was delivered."""
        return self.passing == self.images and all(fault.effect == LOOK for fault in self.faults)

    @property
    def stopped(self) -> tuple[str, ...]:
        """The images that can't be published for what is wrong with themselves."""
        return tuple(sorted(set(self.images) - set(self.apart)))


class Settings(NamedTuple):
    """Settings of a run that decide on a delivery: `intake.max_pixels`, `privacy.model` ("" if unknown), `checks`."""

    max_pixels: int
    painter: str = ""
    limits: Mapping[str, float] = {}


def judge(root: Path, terms: Terms, settings: Settings, other_deliveries: Iterable[Path] = ()) -> Judged:
    """What becomes of the delivery in a folder, and all that is wrong with it.

    other_deliveries: folders of further deliveries, whose people may be given the same signed files.
    """
    problems = FaultCollector()
    opened = delivery.read(root, delivery.SCHEMA, problems)
    if opened is None:
        return Judged((), (), (), problems.faults, (delivery.DESCRIPTION,))
    unread = _unread(opened, problems.faults)
    if not any(opened.tables[name] for name in PICTURED):
        return Judged((), (), (), problems.faults or [EMPTY], unread)
    opened = opened._replace(tables={name: _once(name, rows) for name, rows in opened.tables.items()})
    signatures = [*opened.signatures(), *_signed_beside(opened, other_deliveries)]
    opened = opened._replace(conflicts=evidence.conflicts(signatures))
    refused, passing, faults = _of(opened, terms, settings)
    if set(unread) & OF_PEOPLE:
        return _without_people(opened, problems.faults, refused, unread)
    named = tuple(dict.fromkeys(row["image"] for name in PICTURED for row in opened.tables[name]))
    apart = tuple(reference for reference in named if reference in passing)
    told = [*problems.faults, *(_fault(refusal, named) for refusal in refused), *faults]
    return Judged(named, () if problems else apart, apart, told)


def _unread(opened: Delivery, faults: list[Fault]) -> tuple[str, ...]:
    """The tables without a row of which something is wrong besides their sha256."""
    wrong = {fault.place.file for fault in faults if fault.what != delivery.CHANGED}
    return tuple(name for name in SHEETS if name in wrong and not opened.tables[name])


def _without_people(opened: Delivery, whole: list[Fault], refused: Refusals, unread: tuple[str, ...]) -> Judged:
    """What becomes of a delivery where nobody knows who is in it: who is missing isn't told, nor whose consent."""
    named = tuple(dict.fromkeys(row["image"] for name in PICTURED for row in opened.tables[name]))
    told = [_fault(refusal, named) for refusal in refused if not _follows(refusal, unread)]
    stopped = {image for fault in told for image in fault.images}
    return Judged(named, (), tuple(image for image in named if image not in stopped), [*whole, *told], unread)


def _follows(refusal: Refusal, unread: tuple[str, ...]) -> bool:
    """Whether somebody may be missing only because a table can't be read."""
    if refusal.check == MISSING_PERSON:
        return "people.csv" in unread or "subjects.csv" in unread
    return refusal.item == "form" and refusal.place.column in ("subject", "image") and "subjects.csv" in unread


def _signed_beside(opened: Delivery, other_deliveries: Iterable[Path]) -> Iterator[Signature]:
    """The forms of further deliveries, as far as they can be read."""
    for root in other_deliveries:
        described = delivery.describe(root, delivery.SCHEMA, Collector())
        if described and (described["vendor"], described["delivery"]) != (opened.vendor, opened.name):
            yield from columns.signatures(root, described["vendor"], sound=False)


def _once(name: str, rows: list[Row]) -> list[Row]:
    """Rows by their keys, the first of each: a delivery with others is refused as a whole, and judged without them."""
    return list({tuple(row[column] for column in SHEETS[name].key): row for row in reversed(rows)}.values())[::-1]


def _of(opened: Delivery, terms: Terms, settings: Settings) -> tuple[Refusals, frozenset[str], list[Fault]]:
    """What intake refuses, the references of what passes intake, consent and checks of what is drawn, and why the rest
    doesn't."""
    alike = shares.lookalikes([(opened.vendor, opened.name, opened.tables)])
    faces: dict[str, np.ndarray] = {}
    records = shard.collect([opened], alike, settings.max_pixels, _looking(faces, settings.max_pixels), frozenset())
    taken = shard.tables(records)
    delivered = Delivered(taken.images, taken.people, taken.forms, taken.annotators, taken.refused)
    held = apply.held_of(taken.forms)
    out = apply.judge(delivered, held, terms)
    files = {row["image"]: row["annotations"] for row in opened.tables["images.csv"]}
    later = [*painting.faults(opened, taken, settings.painter), *drawn.faults(taken, settings.limits, faces, files)]
    stopped = {image for fault in later for image in fault.images}
    told = [*explain.faults(opened, delivered, held, out.findings, terms), *later, *explain.ahead(opened, terms)]
    filmed, films, more = _of_videos(opened, delivered, held, terms)
    return Refusals([*records.refused, *filmed]), (frozenset(out.images["source"]) - stopped) | films, [*told, *more]


def _of_videos(
    opened: Delivery, taken: Delivered, held: Held, terms: Terms
) -> tuple[Refusals, frozenset[str], list[Fault]]:
    """The same of videos. taken: what intake takes besides them; painting is tried in a run alone."""
    records = VideoRecords()
    reading.collect(opened, records, _digested, frozenset())
    found = of_videos.tables(records)
    refused = pd.concat([taken.refused, found.refused], ignore_index=True)
    delivered = Delivered(consent.timeless(found.videos), found.people, taken.forms, taken.annotators, refused)
    out = consent.judge(delivered, held, terms)
    return (
        records.refused,
        frozenset(out.videos["source"]),
        explain.faults(opened, delivered, held, out.findings, terms),
    )


def _looking(faces: dict[str, np.ndarray], max_pixels: int) -> Callable[[str, bytes], Member]:
    """Says where an image would lie in a bundle; detects faces in the first `drawn.PICTURES`, as ids are random."""

    def weigh(member: str, data: bytes) -> Member:
        if len(faces) < drawn.PICTURES and (found := drawn.detected(data, max_pixels)) is not None:
            faces[PurePosixPath(member).stem] = found
        return Member(member, 0, len(data), hashlib.sha256(data).hexdigest())

    return weigh


def _digested(member: str, file: BinaryIO, size: int) -> Member:
    """The same of a video, which is read piece by piece."""
    file.seek(0)
    sha256 = hashlib.file_digest(file, "sha256").hexdigest()  # pyrefly: ignore[bad-argument-type]
    return Member(member, 0, size, sha256)


def _fault(refusal: Refusal, named: tuple[str, ...]) -> Fault:
    effect = IMAGE if refusal.fatal or refusal.item == "person" else LOOK if refusal.check in LOOKED_AT else PART
    images = (refusal.reference,) if effect == IMAGE and refusal.reference in named else ()
    return Fault(effect, refusal.reason, HINTS[refusal.check], refusal.place, images)
