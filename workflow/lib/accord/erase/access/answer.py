"""The answer to a request for access: all that the project holds about a person, as one document."""

from pathlib import Path
from typing import Any, NamedTuple

from accord.abuse import quarantine
from accord.consent.ledger import ledger, receipt
from accord.consent.showing import show
from accord.erase.access import delivered, pictures, published, results, videos
from accord.erase.access.pictures import Picture
from accord.erase.access.videos import Video
from accord.erase.cases import person as persons
from accord.erase.cases import readable
from accord.erase.cases.person import Person
from accord.erase.cases.places import Places
from accord.errors import AccordError, Problem
from accord.look.views import log
from accord.review.database import decided, store
from accord.sealing import signing
from accord.text import references

MODELS, SCORES = "evaluate/", "analyse/"


class Answer(NamedTuple):
    """The document, pictures, videos, and receipts of all that she said, by the number of the ledger's entry."""

    document: dict[str, Any]
    pictures: list[Picture]
    videos: list[Video]
    receipts: dict[int, dict]


def make(places: Places, vendor: str, reference: str, how: dict[str, float], folder: Path) -> Answer:
    """All that is held about a person; how, folder: as videos.find. Raises AccordError where nothing names her, or
    a record or a table was changed or damaged."""
    readable.check(places.results.rglob("*.parquet"))
    subject = references.person(vendor, reference)
    her = persons.find(places, Person(subject))
    events, receipts = _said(places, her)
    found = results.find(places.results, results.known(places.results, subject, her.images))
    rows = delivered.find(places, her)
    if not (her.images or her.forms or events["events"] or found.rows or rows.rows):
        hint = "check --vendor and --subject: case counts"
        raise AccordError(Problem("--subject", "nothing is held under this reference", hint))
    barred = quarantine.barred(places.vault)
    shown = list(pictures.find(places.results, subject, her.images, barred))
    decisions = _decided(places.vault, her.images)
    stopped = videos.withheld(decisions) | dict.fromkeys(barred, pictures.BARRED)
    films = list(videos.find(places.results, subject, her.images, stopped, how, folder))
    models, scores = (_of(found.rows, room) for room in (MODELS, SCORES))
    document = {
        "vendor": vendor, "reference": reference, "images": len(her.images), "delivered": rows.rows,
        "not_delivered": rows.gap(),
        "consent": events["events"], "erased": events["erased"], "published": published.find(places, her),
        "decisions": decisions, "views": _viewed(places.vault, her.images),
        "model_answers": models, "model_scores": scores,
        "results": {name: rows for name, rows in found.rows.items() if name not in models | scores},
        "pictures": [_named(number, one) for number, one in enumerate(shown, 1)],
        "videos": [_filmed(number, one) for number, one in enumerate(films, 1)],
        "withheld_rows": found.withheld,
    }  # fmt: skip
    return Answer(document, shown, films, receipts)


def _of(rows: dict[str, list], room: str) -> dict[str, list]:
    return {name: found for name, found in rows.items() if name.startswith(room)}


def _said(places: Places, her: Person) -> tuple[dict, dict[int, dict]]:
    if not ledger.exists(places.vault):
        return {"events": [], "erased": []}, {}
    with ledger.reading(places.vault) as opened:
        told = show.history(opened, places.vault, her.subject)
        key = signing.signing_key(places.vault)
        made = {one["entry"]: receipt.signed(receipt.make(opened, one["entry"]), key) for one in told["events"]}
    return told, made


def _decided(vault: Path, images: frozenset[str]) -> list[dict[str, Any]]:
    """What people decided about her images; who decided is not told."""
    with store.reading(vault) as db:
        rows = decided.decided(db, images)
    columns = ["queue", "image", "decision", "kind"]
    return rows[columns].drop_duplicates().to_dict("records") if len(rows) else []


def _viewed(vault: Path, images: frozenset[str]) -> list[dict[str, Any]]:
    """When her pictures were looked at in the viewer of failures; who looked is not told."""
    return [{"at": one.at, "image": one.image, "model": one.model} for one in log.views(vault, images) if one.shown]


def _named(number: int, one: Picture) -> dict[str, Any]:
    file = f"pictures/{number}.png" if one.data else ""
    return {"image": one.image, "file": file, "withheld": one.withheld, "others_painted_out": one.others}


def _filmed(number: int, one: Video) -> dict[str, Any]:
    file = f"videos/{number}.mp4" if one.file else ""
    return {"image": one.image, "file": file, "withheld": one.withheld, "others_painted_out": one.painted}
