"""Digests of the ledger's events that came by command, so that a withdrawal reruns the shards that it concerns.

Read when the workflow is parsed: only light modules are imported. Requests that lie in the watched folder count as if
they were in the ledger already, so that the run that imports them is the one that obeys them.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from accord.consent.ledger import ledger
from accord.consent.ledger.ledger import COMMAND, SUBJECT, ConsentEvent
from accord.consent.ledger.records import Settled
from accord.consent.requests import imports
from accord.consent.requests.imports import File
from accord.consent.requests.suppression import Book


class Digests(NamedTuple):
    """Shard -> digest of the events that concern it; digests of files in the watched folder, and of all requests; the
    last days that the events of each shard set."""

    shards: dict[str, str]
    inbox: str
    wishes: str
    ends: dict[str, frozenset[str]]


class CountedEvents(NamedTuple):
    """The events recorded by command or about to be, in order; whom they and erasures refuse; settled requests."""

    events: list[ConsentEvent]
    book: Book
    settled: list[Settled]


def digests(vault: Path, subjects: Mapping[str, frozenset[str]], settings: Mapping) -> Digests:
    """The digests for a run; `subjects`: shard -> the ids of all whom its images show; settings: those of `consent`.

    Events of annotators and rightsholders concern every shard: they are few, and can be named anywhere. Salts and times
    of recording have no part in it. Raises AccordError where the ledger or the watched folder can't be read.
    """
    files = imports.inbox(Path(settings["inbox"])) if settings["inbox"] else []
    counted = _counted(Path(vault), files, settings["proof_required"])
    others = [event for event in counted.events if event.role != SUBJECT]
    shards, ends = {}, {}
    for shard, shown in subjects.items():
        mine = [event for event in counted.events if event.role == SUBJECT and event.subject in shown]
        ends[shard] = frozenset(event.expires_on for event in (*others, *mine)) - {""}
        standings = [(subject, counted.book.of(SUBJECT, subject)) for subject in sorted(shown)]
        shards[shard] = _digest([others, mine, [one for one in standings if one[1]]])
    inbox = _digest([hashlib.sha256(file.data or b"").hexdigest() for file in files])
    return Digests(shards, inbox, _digest([counted.events, counted.settled]), ends)


def _counted(vault: Path, files: list[File], proof_required: bool) -> CountedEvents:
    with ledger.looking(vault) as opened:
        pending = imports.pending(opened, vault, files, proof_required=proof_required)
        commanded = {event for _, _, event in ledger.heard(opened, pending) if event.source == COMMAND}
        return CountedEvents(sorted(commanded), ledger.book(vault, opened, pending), ledger.read(opened, Settled))


def _digest(values: list) -> str:
    return hashlib.blake2b(json.dumps(values).encode(), digest_size=16).hexdigest()
