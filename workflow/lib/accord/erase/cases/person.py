"""A person as a case must know them: by their opaque id, the vendor's reference, and the images that show them."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pyarrow.parquet as pq

from accord.consent.ledger import ledger
from accord.consent.ledger.records import ConsentEvent, Depicts, IprForm
from accord.consent.requests import imports, wishes
from accord.erase.cases import readable
from accord.erase.cases.places import Places
from accord.erase.planning.closure import stamp
from accord.errors import Collector, all_problems
from accord.intake.delivered import delivery, files, parsing, sheets
from accord.intake.delivered.files import FileRefusedError
from accord.intake.delivered.row import Row
from accord.shards import opaque_id
from accord.text.references import normal

OF_IMAGES = (*sheets.PICTURED, "people.csv")
NAMING = (*OF_IMAGES, "subjects.csv", "forms.csv")
IN_RESULTS = ("people", "images", "refused", "videos", "video_people", "video_boxes", "video_refused")
"""Tables of intake that say whom an image or a video shows."""


class Person(NamedTuple):
    """`vendor` and `reference`: "" where no delivery or wish names them; `images` and `forms`: opaque ids."""

    subject: str
    vendor: str = ""
    reference: str = ""
    images: frozenset[str] = frozenset()
    forms: frozenset[str] = frozenset()

    @property
    def ids(self) -> frozenset[str]:
        """The ids by which tables name the person and the images."""
        return self.images | {self.subject}

    def document(self) -> dict:
        return {**self._asdict(), "images": sorted(self.images), "forms": sorted(self.forms)}


def of(document: dict) -> Person:
    """The person that a document tells of."""
    told = Person(**document)
    return told._replace(images=frozenset(told.images), forms=frozenset(told.forms))


def find(places: Places, known: Person) -> Person:
    """The person as deliveries, results, the ledger and the inbox know them, added to what was known before.

    Raises AccordError where a delivery or a table of intake can't be read, or the ledger was tampered with: nobody may
    be missed in silence.
    """
    images, forms = set(known.images), set(known.forms)
    vendor, reference = known.vendor, known.reference
    for of_vendor, of_subject, subject, image in _delivered(places):
        if subject == known.subject:
            vendor, reference = of_vendor, of_subject
            images |= {image} - {""}
    for wish in _wished(places):
        if wish.person == known.subject:
            vendor, reference = wish.vendor, wish.subject
    images |= _in_results(places.results, known.subject)
    if ledger.exists(places.vault):
        with ledger.reading(places.vault) as opened:
            images |= {one.image for one in ledger.read(opened, Depicts) if one.subject == known.subject}
            records = [*ledger.read(opened, ConsentEvent), *ledger.read(opened, IprForm)]
            forms |= {one.form for one in records if one.subject == known.subject or one.image in images} - {""}
    return Person(known.subject, vendor, reference, frozenset(images), frozenset(forms))


def with_copies(places: Places, who: Person) -> Person:
    """The person with all that is a copy of what shows them, whoever is said to be in it: what names the same file in a
    delivery, and videos of equal bytes in any, or in results. An erasure that left these would publish them anew."""
    pictured = [one for root, described in _described(places) for one in _pictured(root, described)]
    mine = [one for one in pictured if one.image in who.images]
    paths = {(one.root, one.file) for one in mine}
    held = _held(places.results)
    digests = {one.sha256 for one in mine} | {sha256 for image, sha256 in held if image in who.images}
    same = {one.image for one in pictured if (one.root, one.file) in paths or one.sha256 in digests - {""}}
    return who._replace(images=who.images | same | {image for image, sha256 in held if sha256 in digests})


class _Pictured(NamedTuple):
    """A row of an image or a video: its opaque id, its file in the delivery `root`, and a video's sha256, else ""."""

    image: str
    root: Path
    file: str
    sha256: str


def _pictured(root: Path, described: dict) -> Iterator[_Pictured]:
    for sheet in sheets.PICTURED:
        for row in _rows(root, sheet):
            image = opaque_id(described["vendor"], described["delivery"], row["image"])
            yield _Pictured(image, root, normal(row["file"]), row["sha256"].lower() if sheet == "videos.csv" else "")


def _held(results: Path) -> list[tuple[str, str]]:
    """Opaque ids and sha256 of the videos that intake took."""
    tables = [
        pq.read_table(file, columns=["image", "sha256"]) for file in sorted(results.glob("intake/*/videos.parquet"))
    ]
    return [(row["image"], row["sha256"]) for found in tables for row in found.to_pylist()]


def _delivered(places: Places) -> Iterator[tuple[str, str, str, str]]:
    """(vendor, reference of a subject, their opaque id, opaque id of an image or "") of all rows of deliveries that
    name somebody."""
    for root, described in _described(places):
        stamps = tuple(stamp(root / sheet) for sheet in NAMING if (root / sheet).is_file())
        yield from _named(root, described["vendor"], described["delivery"], stamps)


def _described(places: Places) -> list[tuple[Path, dict]]:
    with all_problems() as problems:
        found = [(root, delivery.describe(root, delivery.SCHEMA, problems)) for root in places.deliveries]
    return [(root, described) for root, described in found if described is not None]


@cache
def _named(root: Path, vendor: str, name: str, stamps: tuple) -> list[tuple[str, str, str, str]]:
    """The same of one delivery: read once for all cases, as long as its tables are the same."""
    found = {
        (row["subject"], opaque_id(vendor, name, row["image"]) if sheet in OF_IMAGES else "")
        for sheet in NAMING
        for row in _rows(root, sheet)
    }
    return [(vendor, reference, opaque_id(vendor, reference), image) for reference, image in sorted(found)]


def _rows(root: Path, name: str) -> list[Row]:
    try:
        return parsing.parse(name, files.read(root, name, delivery.MAX_TABLE), Collector())
    except FileRefusedError:
        return []


def _wished(places: Places) -> Iterator[wishes.Wish]:
    for file in imports.inbox(places.inbox) if places.inbox else []:
        yield from (wish for _, wish in wishes.parse(file.data or b"", file.where)[0])


def _in_results(results: Path, subject: str) -> set[str]:
    """The images that intake's tables say show a person, also those that were refused."""
    files = [file for name in IN_RESULTS for file in sorted(results.glob(f"intake/*/{name}.parquet"))]
    readable.check(files)
    found: set[str] = set()
    for file in files:
        rows = pq.read_table(file, columns=["image", "subject"], filters=[("subject", "=", subject)])
        found |= set(rows["image"].to_pylist())
    return found - {"", None}
