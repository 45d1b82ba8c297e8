"""What a signed-in person is shown: items and pictures as JSON, under names that mean something in their session alone.

Nothing of the vault's or the vendors' names of things is in it: neither ids of items, images or subjects, nor votes of
others, but to who adjudicates them, and then without their names.
"""

import sqlite3
from typing import Any, NamedTuple

from accord import check_names
from accord.errors import AccordError
from accord.intake.tables import REGION_KINDS
from accord.models.passers_by import recall_sentence
from accord.queues import (
    ANNOTATIONS,
    IDENTITIES,
    INPAINTING,
    LOOKS,
    OBJECTIONABLE,
    OBJECTIONABLE_KINDS,
    PERSONAL_DATA,
    QUEUES,
    RATED,
    RATINGS,
    SAFETY,
    SKIN,
    VIDEOS,
    WITHHELD_KINDS,
)
from accord.review.asking.agreement import Agreement
from accord.review.database import accounts, work
from accord.review.database.accounts import ADJUDICATOR, ADMIN, Reviewer
from accord.review.database.items import Item
from accord.review.drawn import annotation, outlines
from accord.review.page import films
from accord.review.page.pictures import AFTER, BEFORE, FACE, FILM, FULL, RELEASED, THUMB, VIEW, Pictures
from accord.review.page.sessions import Handles

MAY_DECIDE = """
    SELECT 1 FROM assignment JOIN item USING (item)
    WHERE item = ? AND assignment.reviewer = ? AND gone = 0 AND state <> 'settled'"""
EACH = """
    SELECT reviewer.name, assignment.queue, COUNT(*), SUM(open), SUM(decision <> '')
    FROM assignment JOIN reviewer USING (reviewer) JOIN item USING (item) WHERE gone = 0
    GROUP BY reviewer.name, assignment.queue"""


HIDDEN = "`accord review status` has it: here it would tell of others' votes"
MARKED = (ANNOTATIONS, INPAINTING, PERSONAL_DATA)
"""Queues whose items are shown with what annotators drew."""
ONE_OF_MANY = "one of many"
"""The name of a picture that is shown beside others, small."""


class Asked(NamedTuple):
    """An item as somebody is asked about it: to vote, or to adjudicate."""

    item: str
    adjudicate: bool


class Shown(NamedTuple):
    """A picture of an item that somebody is asked about: of which image, from where, its longest side in px."""

    asked: Asked
    source: str
    image: str
    side: int


def may_see(db: sqlite3.Connection, who: Reviewer, asked: Asked) -> bool:
    """Whether somebody may look at an item, now."""
    if not asked.adjudicate:
        return db.execute(MAY_DECIDE, (asked.item, who.id)).fetchone() is not None
    return testimony(db, who, asked.item) is not None


def testimony(db: sqlite3.Connection, who: Reviewer, item: str) -> list | None:
    """The votes on a disputed item, for who may adjudicate it; else None."""
    if who.role not in (ADJUDICATOR, ADMIN):
        return None
    disputed = db.execute("SELECT 1 FROM item WHERE item = ? AND state = 'disputed' AND gone = 0", (item,)).fetchone()
    try:
        return work.testimony(db, who.name, item) if disputed else None
    except AccordError:
        return None


def next_dispute(db: sqlite3.Connection, who: Reviewer, after: str) -> tuple[Item, list] | None:
    """The next item, in the order of ids, that somebody may adjudicate, and the votes on it; None without one."""
    for item in work.disputed(db):
        votes = testimony(db, who, item) if item > after else None
        found = work.find(db, item)
        if votes is not None and found is not None:
            return found, votes
    return None


def item(told: Item, asked: Asked, handles: Handles, pictures: Pictures) -> dict:
    """An item as the page shows it: JSON."""
    return {
        "id": handles.give(asked),
        "queue": told.queue,
        "check": check_names.label(told.check),
        "kind": told.kind,
        "reason": told.reason,
        "score": told.score,
        "threshold": told.threshold,
        "polygon": list(told.polygon),
        "votes": told.votes,
        "veiled": told.queue == SAFETY,
        "pictures": [one for one in _pictures(told, asked, handles, pictures) if one],
        **({"marks": _marks(told, pictures)} if told.queue in MARKED else {}),
        **(_film(told, asked, handles, pictures) if told.queue == VIDEOS else {}),
        "kinds": list(_kinds(told)),
        **({"caution": recall_sentence()} if told.queue == PERSONAL_DATA else {}),
    }


def _kinds(told: Item) -> tuple[str, ...]:
    """What people may say of an item, or of a region in it."""
    if told.queue in RATED:
        return RATINGS[told.queue][told.kind]
    return {OBJECTIONABLE: OBJECTIONABLE_KINDS, VIDEOS: WITHHELD_KINDS}.get(told.queue, REGION_KINDS)


def _film(told: Item, asked: Asked, handles: Handles, pictures: Pictures) -> dict[str, Any]:
    """The painted video of an item, and the moments to look at; None and none where it is not in the results now."""
    place = pictures.find(FILM, told.image)
    handle = handles.give(Shown(asked, FILM, told.image, FULL)) if place else None
    moments = films.moments(place, told.image) if place else []
    veiled = any(moment.check == films.DISTURBING for moment in moments)
    return {"film": handle, "moments": [moment.told() for moment in moments], "veiled": veiled}


def _marks(told: Item, pictures: Pictures) -> list[dict]:
    """The annotation that an item is about, or the annotated people of its picture, in the shard of that."""
    place = pictures.find(BEFORE, told.image)
    if place is None:
        return []
    folder = place.bundle.parent
    return annotation.marks(folder, told) if told.queue == ANNOTATIONS else annotation.people(folder, told.image)


def vote(said: Any) -> dict:
    """A vote as an adjudicator sees it: JSON, without whose it is and when it was given."""
    regions = [{"kind": kind, "polygon": list(polygon)} for kind, polygon in outlines.decode(said.regions)]
    return {"decision": said.decision, "regions": regions, "note": said.note}


def queues(db: sqlite3.Connection, who: Reviewer) -> dict:
    """All queues: what waits for somebody, how far everyone is, and how well people agree; JSON."""
    waiting, progress = work.waiting(db, who.name), {of.queue: of for of in work.progress(db)}
    adjudicates = who.role in (ADJUDICATOR, ADMIN)
    return {
        "queues": [
            {**_progress(progress[queue]), "waiting": waiting.get(queue, 0)} for queue in QUEUES if queue in progress
        ],
        "disputes": sum(of.disputed for of in progress.values()) if adjudicates else None,
    }


def reviewers(db: sqlite3.Connection) -> list[dict]:
    """All accounts, and how far each is in each queue; JSON."""
    done: dict[str, list] = {}
    for name, queue, asked, waiting, voted in db.execute(EACH):
        done.setdefault(name, []).append({"queue": queue, "asked": asked, "waiting": waiting, "voted": voted})
    return [
        {"name": of.name, "role": of.role, "active": of.active, "queues": done.get(of.name, [])}
        for of in accounts.reviewers(db)
    ]


def _progress(of: work.Progress) -> dict:
    """In queues of RATED agreement isn't shown: who compares it before and after a vote would learn of the others'."""
    agreement = of.agreement if of.queue not in RATED else Agreement(None, None, 0, HIDDEN)
    return {**of._asdict(), "agreement": agreement._asdict()}


def _pictures(told: Item, asked: Asked, handles: Handles, pictures: Pictures) -> list[dict | None]:
    wanted = [("before", BEFORE, told.image), ("after", AFTER, told.image)]
    if told.queue == VIDEOS:
        wanted = []
    elif told.queue == OBJECTIONABLE:
        wanted = [(ONE_OF_MANY, BEFORE, told.image)]
    elif told.queue == SKIN:
        wanted = [(name, FACE, video) for name, video in (("face", told.image), ("face", told.other)) if video]
    elif told.queue == LOOKS:
        wanted = [("face", RELEASED, told.image)]
    elif told.queue == IDENTITIES:
        wanted = [(ONE_OF_MANY, RELEASED, told.image)]
    elif told.queue != INPAINTING:
        wanted = [("image", BEFORE, told.image), *([("other", BEFORE, told.other)] * bool(told.other))]
    return [_picture(name, Shown(asked, source, image, VIEW), handles, pictures) for name, source, image in wanted]


def _picture(name: str, shown: Shown, handles: Handles, pictures: Pictures) -> dict | None:
    place = pictures.find(shown.source, shown.image)
    if place is None:
        return None
    view, full = handles.give(shown), handles.give(shown._replace(side=FULL))
    size = {"width": place.width, "height": place.height}
    many = {"thumb": handles.give(shown._replace(side=THUMB))} if name == ONE_OF_MANY else {}
    return {"name": name, "view": view, "full": full if max(size.values()) > VIEW else view, **many, **size}
