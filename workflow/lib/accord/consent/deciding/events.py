"""Digests of the ledger's events that came by command, so that a withdrawal reruns the shards that it concerns.

Read when the workflow is parsed: only light modules are imported. Requests that lie in the watched folder count as if
they were in the ledger already, so that the run that imports them is the one that obeys them.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from accord.consent.ledger import ledger
from accord.consent.ledger.ledger import COMMAND, SUBJECT, ConsentEvent
from accord.consent.ledger.records import Settled, Suppression
from accord.consent.requests import imports
from accord.consent.requests.imports import File
from accord.consent.requests.suppression import Book
from accord.engine import at_start, source
from accord.errors import AccordError, Problem

Shown = Mapping[str, frozenset[str]]
"""Shard -> the ids of all whom its images show."""


class Digests(NamedTuple):
    """Shard -> digest of the events that concern it; digests of files in the watched folder, and of all requests; the
    last days that the events of each shard set."""

    shards: dict[str, str]
    inbox: str
    wishes: str
    ends: dict[str, frozenset[str]]


class CountedEvents(NamedTuple):
    """The events recorded by command or about to be, in order; whom they and erasures refuse; settled requests; who was
    erased."""

    events: list[ConsentEvent]
    book: Book
    settled: list[Settled]
    erased: list[Suppression]


def digests(
    vault: Path, shards: Iterable[str], shown: Callable[[], Shown], settings: Mapping, memory: Path | None = None,
    delivered: Iterable[str] = (),
) -> Digests:  # fmt: skip
    """The digests for a run; settings: those of `consent`.

    shown: asked where the events name a subject and aren't those for which the digests were kept in the file `memory`,
    of the same deliveries (`delivered`: what these are known by). Events of annotators and rightsholders concern every
    shard: they are few, and can be named anywhere. Salts and times of recording have no part in it. Raises AccordError
    where the ledger or the watched folder can't be read.
    """
    files = imports.inbox(Path(settings["inbox"])) if settings["inbox"] else []
    counted = _counted(Path(vault), files, settings["proof_required"])
    shards = list(shards)
    of = [source.digest("consent.deciding.events"), shards, *delivered]
    of = [_digest(of), _digest([counted.events, sorted(counted.erased)])]
    found = at_start.read(memory, of) if memory else None
    if found is None:
        found = _by_shard(counted, shown() if _names_subjects(counted) else dict.fromkeys(shards, frozenset()))
        if memory:
            at_start.keep(memory, of, found)
    inbox = _digest([hashlib.sha256(file.data or b"").hexdigest() for file in files])
    ends = {shard: frozenset(days) for shard, (_, days) in found.items()}
    return Digests({shard: digest for shard, (digest, _) in found.items()}, inbox, _wishes(counted), ends)


def refuse_news(vault: Path, inbox: Sequence[Path], wishes: str, *, proof_required: bool) -> None:
    """Raises AccordError where requests came in, or were settled, since a run began, or the ledger was put back.

    wishes: the digest of all that were there then (`Digests.wishes`); inbox: the watched folder, if there is one.
    """
    ledger.verify(vault)
    files = [file for folder in inbox for file in imports.inbox(folder)]
    if _wishes(_counted(vault, files, proof_required)) != wishes:
        what = "a withdrawal, or another request, came in while this run was going on: nothing was published"
        raise AccordError(Problem("consent", what, "run again: what it concerns is made anew"))


def _wishes(counted: CountedEvents) -> str:
    return _digest([counted.events, counted.settled])


def _by_shard(counted: CountedEvents, shown: Shown) -> dict[str, tuple[str, list[str]]]:
    """Shard -> digest of the events that concern it, and the last days that these set."""
    others = [event for event in counted.events if event.role != SUBJECT]
    of_subjects = [event for event in counted.events if event.role == SUBJECT]
    found = {}
    for shard, people in shown.items():
        mine = [event for event in of_subjects if event.subject in people]
        standings = [(subject, counted.book.of(SUBJECT, subject)) for subject in sorted(people)]
        ends = {event.expires_on for event in (*others, *mine)} - {""}
        found[shard] = _digest([others, mine, [one for one in standings if one[1]]]), sorted(ends)
    return found


def _names_subjects(counted: CountedEvents) -> bool:
    return bool(counted.erased) or any(event.role == SUBJECT for event in counted.events)


def _counted(vault: Path, files: list[File], proof_required: bool) -> CountedEvents:
    with ledger.looking(vault) as opened:
        pending = imports.pending(opened, vault, files, proof_required=proof_required) if files else []
        commanded = [event for _, _, event in ledger.commanded(opened, pending) if event.source == COMMAND]
        erased = ledger.read(opened, Suppression)
        book = Book(vault, commanded, erased)
        return CountedEvents(sorted(set(commanded)), book, ledger.read(opened, Settled), erased)


def _digest(values: list) -> str:
    return hashlib.blake2b(json.dumps(values).encode(), digest_size=16).hexdigest()
