"""Reviews by Label Studio: items go out as tasks under random names, and come back as votes of people with accounts."""

import json
import secrets
import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from accord.errors import AccordError, Collector, Problem, all_problems
from accord.files import PRIVATE_FILE, make_private, replace
from accord.queues import ANNOTATIONS, INPAINTING, RATED, UPHOLD, VIDEOS
from accord.review.database import accounts, items, outcome, standing, voting
from accord.review.database.items import Item
from accord.review.database.outcome import ADJUDICATION, SETTLED, VOTE
from accord.review.database.store import changing
from accord.review.drawn import outlines
from accord.review.labelstudio import answers, json_format
from accord.review.labelstudio.answers import Answer
from accord.review.labelstudio.json_format import Handed
from accord.review.page import pictures as pictured
from accord.review.page.pictures import AFTER, BEFORE, FULL, Pictures, Place

NAME_BYTES = 16
TASKS, INTERFACE, IMAGES = "tasks.json", "interface.xml", "images"


class Sent(NamedTuple):
    """What was exported: how many tasks, and how many items were left out: their picture is not in the results."""

    tasks: int
    without: int


class Taken(NamedTuple):
    """What was imported: how many votes are new, known already, and cancelled."""

    new: int
    known: int
    cancelled: int


def export(db: sqlite3.Connection, queue: str, folder: Path, results: Path, prefix: str, *, settled: bool) -> Sent:
    """Write a queue's items that wait (if `settled`: those that are, with the votes that count) to a folder: tasks,
    labelling interface, and pictures under random names, pixels alone. `prefix`: what comes before these in URLs.

    Raises AccordError where there is nothing to export, the queue is one of the page alone, or a picture can't be read.
    """
    if queue in (ANNOTATIONS, VIDEOS, *RATED):
        hint = "`accord review serve`: Label Studio can't show what it asks"
        raise AccordError(Problem(f"queue {queue!r}", "can only be decided on the page", hint))
    asked = f"{items.SELECT} WHERE queue = ? AND gone <= ? AND (state = ?) = ? ORDER BY item"
    found = [items.of(row) for row in db.execute(asked, (queue, settled, SETTLED, settled))]
    if not found:
        raise AccordError(Problem(f"queue {queue!r}"[:80], "has nothing to export", "see `accord review status`"))
    make_private(folder / IMAGES)
    shelf, tasks = Pictures(results), []
    for item in found:
        place = _place(shelf, item, item.image)
        if place is not None:
            handed = _hand_out(db, item, place)
            made = _annotations(db, item, handed) if settled else []
            tasks.append(json_format.task(len(tasks) + 1, item, handed, _pictures(shelf, item, handed, prefix), made))
            _write(shelf, item, handed, folder / IMAGES)
    replace(folder / TASKS, json.dumps(tasks, ensure_ascii=False, indent=1).encode(), PRIVATE_FILE)
    kinds = {*json_format.REGION_KINDS, *(item.kind for item in found)}
    replace(folder / INTERFACE, json_format.interface(queue, kinds).encode(), PRIVATE_FILE)
    return Sent(len(tasks), len(found) - len(tasks))


def take_in(db: sqlite3.Connection, data: bytes, who: Callable[[str], str]) -> Taken:
    """Record the annotations in a file as votes, all or none. `who`: the account (name) of whom Label Studio names.

    Raises AccordError with all that is wrong with the file.
    """
    found, cancelled, problems = answers.answers(data)
    new = known = 0
    with changing(db), all_problems() as wrong:
        wrong += problems
        for answer in found:
            try:
                added = _vote(db, answer, who(answer.by))
                new, known = new + added, known + (not added)
            except AccordError as error:
                wrong += [
                    problem if problem.where.startswith(answer.where) else _at(answer, problem)
                    for problem in error.problems
                ]
    return Taken(new, known, cancelled)


def naming(db: sqlite3.Connection, everybody: str, people: Mapping[str, str]) -> Callable[[str], str]:
    """Who is who: all are `everybody`, or as `people` says, or whose e-mail address is the name of an account."""

    def who(by: str) -> str:
        name = everybody or people.get(by) or (by if accounts.find(db, by) else "")
        if not name:
            hint = "map it with --annotator NUMBER=NAME, or --as NAME for all"
            raise AccordError(Problem("annotation", "is by an unknown annotator", hint))
        return name

    return who


def _vote(db: sqlite3.Connection, answer: Answer, name: str) -> bool:
    """Record one answer; whether it is new."""
    asked = "SELECT item, width, height, handed.asked = item.asked FROM handed JOIN item USING (item) WHERE name = ?"
    row = db.execute(asked, (answer.name,)).fetchone()
    if row is None:
        raise AccordError(Problem(answer.where, "its task was not exported here, or was erased"))
    if not row[3]:
        raise AccordError(Problem(answer.where, "its item has changed since the export", "export it again"))
    problems = Collector()
    drawn = answers.regions(answer, Handed(answer.name, row[1], row[2]), problems) if answer.decision == UPHOLD else []
    if problems:
        raise AccordError(problems)
    said = (answer.decision, outlines.encode(drawn), answer.note)
    who = accounts.known(db, name, active=True)
    mine = [one for one in standing.history(db, row[0]) if one.reviewer == who.id]
    act = ADJUDICATION if answer.rules else VOTE
    if mine and (mine[-1].act, mine[-1].decision, mine[-1].regions, mine[-1].note) == (act, *said):
        return False
    record = voting.adjudicate if answer.rules else voting.vote
    record(db, name, row[0], answer.decision, drawn, answer.note)
    return True


def _at(answer: Answer, problem: Problem) -> Problem:
    what = problem.what if problem.where.startswith(("item", "annotation")) else f"{problem.where} {problem.what}"
    return Problem(answer.where, what, problem.hint)


def _hand_out(db: sqlite3.Connection, item: Item, place: Place) -> Handed:
    """The random name of an item, which it keeps in later exports."""
    with changing(db):
        row = db.execute("SELECT name FROM handed WHERE item = ?", (item.item,)).fetchone()
        name = row[0] if row else secrets.token_hex(NAME_BYTES)
        made = "INSERT OR REPLACE INTO handed SELECT ?, item, asked, ?, ? FROM item WHERE item = ?"
        db.execute(made, (name, place.width, place.height, item.item))
    return Handed(name, place.width, place.height)


def _place(shelf: Pictures, item: Item, image: str) -> Place | None:
    return shelf.find(AFTER if item.queue == INPAINTING else BEFORE, image)


def _others(shelf: Pictures, item: Item) -> Place | None:
    """The second picture: what an edited one was before, or the other of a pair."""
    other = item.image if item.queue == INPAINTING else item.other
    return shelf.find(BEFORE, other) if other else None


def _pictures(shelf: Pictures, item: Item, handed: Handed, prefix: str) -> list[str]:
    names = [f"{handed.name}.jpg", *([f"{handed.name}-other.jpg"] if _others(shelf, item) else [])]
    return [f"{prefix}{name}" for name in names]


def _write(shelf: Pictures, item: Item, handed: Handed, folder: Path) -> None:
    for place, name in ((_place(shelf, item, item.image), ""), (_others(shelf, item), "-other")):
        if place is not None:
            replace(folder / f"{handed.name}{name}.jpg", pictured.rendered(place, FULL), PRIVATE_FILE)


def _annotations(db: sqlite3.Connection, item: Item, handed: Handed) -> list[dict[str, Any]]:
    """The votes that count and the ruling, if there is one, by numbers of people in the order of accounts."""
    people = {one.id: number for number, one in enumerate(accounts.reviewers(db), 1)}
    history = standing.history(db, item.item)
    found = outcome.of(standing.question(db, item.item), history)
    said = sorted({*found.counted.values(), *(one for one in history if one.entry == found.entry)})
    return [
        json_format.annotation(number, people.get(one.reviewer, 0), one, handed) for number, one in enumerate(said, 1)
    ]
