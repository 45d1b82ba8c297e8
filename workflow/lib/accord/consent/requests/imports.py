"""Import of requests into the ledger: from the command line, from a CSV file, from all files of a watched folder."""

import hashlib
import secrets
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from accord.consent.ledger import ledger, proof
from accord.consent.ledger.records import COMMAND, Attempt, ConsentEvent, Proof, Received, Settled
from accord.consent.requests import order, wishes
from accord.consent.requests.suppression import ERASED, Book, is_erased
from accord.consent.requests.wishes import CODE, EXPIRE, GRANT, Wish
from accord.errors import AccordError, Problem

LARGEST = 10_000_000
"""Bytes of the largest file that is read."""


class File(NamedTuple):
    """A file of requests: how it is named in problems, and its bytes (None: too large, a link, or no plain file)."""

    where: str
    data: bytes | None


class Outcome(NamedTuple):
    """How many files and rows were read, how many entries are new, and all that was refused."""

    files: int
    rows: int
    new: int
    problems: list[Problem]


class Judged(NamedTuple):
    """What of some requests may be recorded, and what may not; attempts: one for each request with a wrong proof."""

    events: list[ConsentEvent]
    proofs: list[Proof]
    attempts: list[Attempt]
    problems: list[Problem]


def inbox(folder: Path) -> list[File]:
    """The files of a watched folder, by the first digits of their sha256, since a name can be personal; what is no CSV
    file, hidden files apart, as one that can't be read.

    Raises AccordError where there is no such folder: requests must not be missed in silence.
    """
    if not folder.is_dir():
        hint = "create it, or set consent.inbox to null"
        raise AccordError(Problem("consent.inbox", "the watched folder does not exist", hint))
    there = [path for path in sorted(folder.iterdir()) if not path.name.startswith(".")]
    found = [_read(path) for path in there if path.suffix.lower() == ".csv"]
    files = [File(f"inbox {hashlib.sha256(data or b'').hexdigest()[:12]}", data) for data in found]
    return files + [File("inbox, another file or folder", None)] * (len(there) - len(found))


def named(path: Path) -> File:
    """A file that somebody names."""
    return File(str(path), _read(path))


def run(vault: Path, files: list[File], *, proof_required: bool) -> Outcome:
    """Import all good rows of files, in one transaction; bad rows and bad files don't stop the others.

    A row that the ledger holds already is no news, unless a file says it anew (`order.news`). A wrong proof is noted as
    an attempt when its file is first seen.
    """
    with ledger.writing(vault) as opened:
        before, rows, problems = ledger.head(opened).entries, 0, []
        for file in files:
            found, wrong = parsed(file)
            judged = judge(opened, vault, found, file.where, required=proof_required)
            rows, problems = rows + len(found), [*problems, *wrong, *judged.problems]
            is_known = _is_known(opened, file)
            ledger.append(opened, judged.proofs)
            ledger.add(opened, ledger.news(opened, judged.events, anew=not is_known))
            if file.data is not None and not is_known:
                refused = len(wrong) + len(judged.problems)
                ledger.append(opened, [*judged.attempts, _received(file.data, len(found), refused)])
        return Outcome(len(files), rows, ledger.head(opened).entries - before, problems)


def judge(
    opened: sqlite3.Connection, vault: Path, found: Iterable[tuple[int, Wish]], where: str, *, required: bool,
    given: Iterable[Proof] | None = None,
) -> Judged:  # fmt: skip
    """What the ledger makes of requests by line: events and codes to record, wrong proofs to note.

    given: the proofs that are known; those of the ledger without. Requests of people who were erased since are settled:
    they don't come back from a file that still lies there.
    """
    told, book = Judged([], [], [], []), ledger.book(vault, opened)
    known = {event for _, _, event in ledger.recorded(opened, ConsentEvent, source=COMMAND)}
    given = ledger.read(opened, Proof) if given is None else list(given)
    for line, wish in found:
        if _is_settled(wish, book):
            continue
        if wish.action == CODE:
            mine = [one for one in given if one.subject == wish.person]
            if not any(proof.fits(one, wish.proof) for one in mine):
                told.proofs.append(proof.of_code(wish.person, wish.proof))
                given.append(told.proofs[-1])
        elif (event := wishes.event(wish)) in known or _may(wish, proof.newest(given), required):
            told.events.append(event)
        else:
            told.attempts.append(Attempt(secrets.token_hex(4), wish.action))
            told.problems.append(_refused(f"{where} line {line}"))
    return told


def wanted(opened: sqlite3.Connection, vault: Path, files: list[File], *, proof_required: bool) -> list[ConsentEvent]:
    """The events that the good rows of files stand for: what `run` would record, or has recorded."""
    rows = [row for file in files for row in parsed(file)[0]]
    return judge(opened, vault, rows, "", required=proof_required).events


def pending(opened: sqlite3.Connection, vault: Path, files: list[File], *, proof_required: bool) -> list[ConsentEvent]:
    """The events that `run` would record now."""
    # Nothing that a form says is a wish.
    recorded, given, found = ledger.recorded(opened, ConsentEvent, source=COMMAND), ledger.read(opened, Proof), []
    settled = {one.entry for one in ledger.read(opened, Settled)}
    for file in files:
        judged = judge(opened, vault, parsed(file)[0], "", required=proof_required, given=given)
        new = order.news(recorded, judged.events, settled, anew=not _is_known(opened, file))
        recorded, given, found = [*recorded, *((0, "", e) for e in new)], [*given, *judged.proofs], [*found, *new]
    return found


def record(vault: Path, wish: Wish, *, proof_required: bool, evidence: str = "") -> int:
    """Record one request; returns the number of new entries. Raises AccordError if the proof is wrong."""
    with ledger.writing(vault) as opened:
        known = proof.newest(ledger.read(opened, Proof))
        if wish.action != CODE and not _may(wish, known, proof_required):
            attempt = Attempt(secrets.token_hex(4), wish.action)
            ledger.append(opened, [attempt])
        else:
            if wish.action == CODE:
                return ledger.append(opened, [proof.of_code(wish.person, wish.proof)])
            return ledger.add(opened, ledger.news(opened, [wishes.event(wish, evidence)]))
    raise AccordError(_refused(f"--proof (attempt {attempt.attempt})"))


def _is_settled(wish: Wish, book: Book) -> bool:
    standings = book.of(wish.role, wish.person)
    erased_on = max((s.event_on for s in standings if s.state == ERASED), default="")
    return is_erased(standings) and not (wish.action == GRANT and wish.on > erased_on)


def _may(wish: Wish, known: dict[str, Proof], required: bool) -> bool:
    """Whether a request has the required proof; a code that is given must be right even if none is required."""
    if wish.action == EXPIRE or (not wish.proof and not required):
        return True
    given = known.get(wish.person)
    return given is not None and bool(wish.proof) and proof.fits(given, wish.proof)


def _refused(where: str) -> Problem:
    hint = "ask the person for the code that they were given; `accord consent code` issues a new one"
    return Problem(where, "the proof is missing or wrong: only the attempt was recorded", hint)


def parsed(file: File) -> tuple[list[tuple[int, Wish]], list[Problem]]:
    if file.data is None:
        hint = f"save it as a plain file *.csv, UTF-8, of at most {LARGEST} bytes"
        return [], [Problem(file.where, "not a valid request file", hint)]
    return wishes.parse(file.data, file.where)


def _read(path: Path) -> bytes | None:
    if path.is_symlink() or not path.is_file() or path.stat().st_size > LARGEST:
        return None
    return path.read_bytes()


def _received(data: bytes, rows: int, refused: int) -> Received:
    salt = secrets.token_hex(16)
    return Received(salt, _salted(salt, data), rows, refused)


def _is_known(opened: sqlite3.Connection, file: File) -> bool:
    """Whether a file of these bytes was read before."""
    if file.data is None:
        return False
    known = ledger.read(opened, Received)
    return any(_salted(one.file_salt, file.data) == one.file_digest for one in known)


def _salted(salt: str, data: bytes) -> str:
    return hashlib.sha256(bytes.fromhex(salt) + data).hexdigest()
