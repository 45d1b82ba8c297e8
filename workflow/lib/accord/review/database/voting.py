"""Votes and adjudications: each is a record of the chain, and what follows from all of an item is noted beside it."""

import sqlite3
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import NamedTuple

from accord.errors import AccordError, Collector, Problem, all_problems
from accord.intake.tables import REGION_KINDS
from accord.queues import (
    AGREEMENT,
    DECISIONS,
    DROP,
    IDENTITIES,
    INPAINTING,
    LOOKS,
    OBJECTIONABLE,
    OBJECTIONABLE_KINDS,
    RATED,
    RATINGS,
    REGION_QUEUES,
    SKIN,
    UPHOLD,
    VIDEOS,
    WITHHELD_KINDS,
)
from accord.review.database import accounts, items, outcome, standing, store
from accord.review.database.accounts import ADJUDICATOR, ADMIN, Reviewer
from accord.review.database.items import Item
from accord.review.database.outcome import ADJUDICATION, DISPUTED, OPEN, SETTLED, VOTE, Said
from accord.review.drawn import outlines
from accord.review.drawn.outlines import Region
from accord.sealing import chained

LONGEST_NOTE = 2000
DRAWN = (*REGION_QUEUES, INPAINTING, AGREEMENT)
"""Queues in which people draw or correct regions."""
KINDS = {**dict.fromkeys(REGION_QUEUES, REGION_KINDS), OBJECTIONABLE: OBJECTIONABLE_KINDS, VIDEOS: WITHHELD_KINDS}
"""Queue -> the kinds that regions may have, where not any; in WHOLE they are of the whole image, without an outline."""
WHOLE = (OBJECTIONABLE, VIDEOS, *RATED)
NAMED = {SKIN: "skin", LOOKS: "face", IDENTITIES: "face"}


def vote(
    db: sqlite3.Connection,
    reviewer: str,
    item: str,
    decision: str,
    regions: Iterable[Region] = (),
    note: str = "",
    at: str = "",
) -> str:
    """Record what a reviewer (by name) decides on an item that they were asked about; returns the entry's hash.

    Said again in other words, it stands for what they said before, until the item is settled. `at`: the time (ISO 8601
    with its zone; default: now). Raises AccordError where the item isn't theirs or is settled, or with all that is
    wrong with what they say.
    """
    with store.changing(db):
        who = accounts.known(db, reviewer, active=True)
        mine = db.execute("SELECT 1 FROM assignment WHERE item = ? AND reviewer = ?", (item, who.id)).fetchone()
        state = _state(db, item)
        _refuse(
            item, not mine or not state, "is not assigned to this reviewer", "assign items with `accord review assign`"
        )
        _refuse(item, state == SETTLED, "is settled", "an adjudicator can decide it again")
        return _record(db, who, item, (VOTE, decision, list(regions), note), at)


class Ballot(NamedTuple):
    """What somebody decides on one of several items."""

    item: str
    decision: str
    regions: tuple[Region, ...] = ()
    note: str = ""


def vote_all(db: sqlite3.Connection, reviewer: str, ballots: Iterable[Ballot]) -> list[AccordError]:
    """Record what a reviewer decides on several items, as `vote` does; all that can be taken is, in one change of the
    database. Returns why the others were not: an item was settled meanwhile, or is gone."""
    refused = []
    with store.changing(db):
        accounts.known(db, reviewer, active=True)
        for ballot in ballots:
            try:
                vote(db, reviewer, *ballot)
            except AccordError as error:
                refused.append(error)
    return refused


def adjudicate(
    db: sqlite3.Connection,
    adjudicator: str,
    item: str,
    decision: str,
    regions: Iterable[Region] = (),
    note: str = "",
    at: str = "",
) -> str:
    """Decide an item whose votes differ, or one that is settled anew; returns the entry's hash.

    Raises AccordError where the account is none of an adjudicator, they voted on it themselves, or votes are missing.
    """
    with store.changing(db):
        who = accounts.known(db, adjudicator, active=True)
        _may_adjudicate(db, who, item)
        return _record(db, who, item, (ADJUDICATION, decision, list(regions), note), at)


def disputed(db: sqlite3.Connection, queue: str = "") -> list[str]:
    """The items whose votes are in and differ, of a queue or of all."""
    asked = "SELECT item FROM item WHERE state = ? AND gone = 0 AND ? IN (queue, '') ORDER BY item"
    return [item for (item,) in db.execute(asked, (DISPUTED, queue))]


def testimony(db: sqlite3.Connection, adjudicator: str, item: str) -> list[Said]:
    """The votes that count on an item, for who may adjudicate it; whose they are is left out.

    Raises AccordError as `adjudicate` does.
    """
    _may_adjudicate(db, accounts.known(db, adjudicator, active=True), item)
    counted = outcome.of(standing.question(db, item), standing.history(db, item)).counted.values()
    return [said._replace(reviewer="", replaces="") for said in sorted(counted)]


def _record(db: sqlite3.Connection, who: Reviewer, item: str, says: tuple[str, str, list[Region], str], at: str) -> str:
    act, decision, regions, note = says
    one = items.find(db, item)
    assert one is not None  # whoever calls has asked for its state
    with all_problems() as problems:
        _check(one, decision, regions, note, problems)
        time = _utc(at, problems)
    asked, told = standing.question(db, item).asked, outlines.encode(regions)
    mine = [said for said in standing.history(db, item) if said.reviewer == who.id]
    if mine and mine[-1][6:11] == (act, decision, told, note, asked):
        return mine[-1].entry
    row = (item, who.id, who.role, act, decision, told, note, asked, one.votes, mine[-1].entry if mine else "")
    (entry,) = chained.append(db, "vote", chained.now(db, store.RECORDS, time), [row])
    standing.settle(db, item)
    return entry


def _check(item: Item, decision: str, regions: list[Region], note: str, problems: Collector) -> None:
    if decision not in DECISIONS:
        problems.add("decision", "is unknown", f"use one of {', '.join(DECISIONS)}")
    if not isinstance(note, str) or len(note) > LONGEST_NOTE or (not note.isascii() and _half(note)):
        problems.add("note", f"must be text of up to {LONGEST_NOTE} characters", "shorten it")
    if regions and (decision != UPHOLD or item.queue not in (*DRAWN, *WHOLE)):
        problems.add("regions", "are not allowed with this decision in this queue", "draw regions only if you uphold")
    if not regions and decision == UPHOLD and item.queue == AGREEMENT:
        problems.add("regions", "are missing", "draw what you see; dismiss it if there is nothing")
    rated = item.queue in RATED
    if rated and decision == DROP:
        problems.add(
            "decision", "`drop` does not exist in this queue", f"dismiss it if the {NAMED[item.queue]} can't be judged"
        )
    if rated and decision == UPHOLD and len(regions) != 1:
        hint = f"say one; dismiss it if the {NAMED[item.queue]} can't be judged"
        problems.add("regions", "must be exactly one answer", hint)
    kinds = RATINGS[item.queue][item.kind] if rated else KINDS.get(item.queue)
    outlines.faults(regions, kinds, problems, whole=item.queue in WHOLE)


def _may_adjudicate(db: sqlite3.Connection, who: Reviewer, item: str) -> None:
    state, one = _state(db, item), items.find(db, item)
    voted = db.execute("SELECT 1 FROM vote WHERE item = ? AND reviewer = ? AND act = ?", (item, who.id, VOTE))
    _refuse(item, who.role not in (ADJUDICATOR, ADMIN), "is restricted to adjudicators", "sign in as one")
    _refuse(item, not state, "is not open for decision", "see `accord review status` for open items")
    apart = one is not None and one.queue in RATED
    what = f"is not adjudicated: each rater's vote on {NAMED[one.queue]} counts" if one is not None and apart else ""
    _refuse(item, apart, what, "see `accord review status`")
    _refuse(item, bool(voted.fetchone()), "has a vote of this adjudicator", "somebody else has to decide it")
    _refuse(item, state == OPEN, "waits for votes", "it can be adjudicated when all votes are in")


def _state(db: sqlite3.Connection, item: str) -> str:
    """The state of an item that is asked, or settled; "" of any other."""
    asked = "SELECT state FROM item WHERE item = ? AND (gone = 0 OR state = ?)"
    return (db.execute(asked, (item, SETTLED)).fetchone() or ("",))[0]


def _refuse(item: str, wrong: bool, what: str, hint: str) -> None:
    if wrong:
        raise AccordError(Problem(f"item {item!r}"[:80], what, hint))


def _half(text: str) -> bool:
    """Whether a text has half characters (lone surrogates), which have no bytes."""
    return any("\ud800" <= letter <= "\udfff" for letter in text)


def _utc(at: str, problems: Collector) -> str:
    if not at:
        return ""
    try:
        given = datetime.fromisoformat(at)
    except (TypeError, ValueError):
        given = None
    if given is None or given.tzinfo is None:
        problems.add("at", "is not a valid time", "use ISO 8601 with a time zone: 2026-11-21T14:00:00+00:00")
        return ""
    return given.astimezone(UTC).isoformat(timespec="seconds")
