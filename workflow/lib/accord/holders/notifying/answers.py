"""Holders' acknowledgements as the publisher takes them in: checked against what was asked, and recorded."""

import sqlite3
from datetime import date
from pathlib import Path
from typing import NamedTuple

from accord.errors import AccordError, Collector, Problem
from accord.holders.notifying import acknowledgements, outbox
from accord.holders.notifying.acknowledgements import Acknowledgement
from accord.holders.register import store
from accord.holders.register.store import FIRST_USE, Answer, Download, Holder, Notice, Revoked
from accord.release.seal import log
from accord.sealing import dsse, signing

WHERE = "acknowledgement"
AGAIN = "ask them to prune with the latest list and its notice.json, and to send the new acknowledgement"


class Received(NamedTuple):
    """What an acknowledgement did. `closed`, `still_open`: ids of notices; `new`: it wasn't recorded before.

    `first_use`: the key was unknown and is trusted from now on; `compared`: its leaves' file was held against ours.
    """

    holder: str
    version: str
    closed: list[str]
    still_open: list[str]
    key: str
    new: bool
    first_use: bool
    compared: bool


class _Asked(NamedTuple):
    """Whose it is, version and root ("" where they hold none such), what was revoked of it, the notice it names."""

    holder: Holder
    version: str
    root: str
    revoked: list[Revoked]
    notice: Notice | None


def receive(vault: Path, envelope: bytes, *, today: date) -> Received:
    """Check an acknowledgement and record it, in the store and by its hash in the receipt log.

    Raises AccordError with all that is wrong: nothing is recorded then.
    """
    try:
        said = acknowledgements.read(envelope)
    except ValueError as error:
        hint = "accord prune --acknowledge writes it; ask the holder to send that file"
        raise AccordError(Problem(WHERE, str(error), hint)) from None
    with store.writing(vault) as opened:
        asked = _asked(opened, said)
        position = _check(asked, said)
        waiting = [n for n in store.open_notices(opened) if (n.holder, n.version) == (asked.holder.id, asked.version)]
        closed = [notice.id for notice in waiting if notice.position <= position]
        digest = acknowledgements.digest(envelope)
        before = store.find(opened, Answer, digest=digest)
        if waiting and not closed:
            _refuse_old(before, waiting)
        if not before:
            answer = Answer(digest, asked.holder.id, asked.version, position, today.isoformat(), envelope.strip())
            _record(opened, answer, asked.holder, said.key)
        log.append(vault, {"kind": "acknowledgement", "sha256": digest})
        outbox.settle(vault, opened)
    still_open = [notice.id for notice in waiting if notice.id not in closed]
    key = signing.fingerprint(signing.read_public(said.key.encode()))
    compared = bool(asked.revoked[position - 1].leaves_after)
    facts = (asked.holder.id, asked.version, closed, still_open, key)
    return Received(*facts, not before, not asked.holder.key, compared)


def _record(opened: sqlite3.Connection, answer: Answer, holder: Holder, key: str) -> None:
    """Add an acknowledgement, and its key where the holder had none."""
    store.add(opened, answer)
    if not holder.key:
        opened.execute("UPDATE holder SET key = ?, trusted = ? WHERE id = ?", (key, FIRST_USE, holder.id))


def _refuse_old(before: list[Answer], waiting: list[Notice]) -> None:
    told = f"was recorded before, on {before[0].recorded}, and " if before else ""
    what = f"{told}is older than the notice of {waiting[-1].made} ({waiting[-1].id}), which is open"
    raise AccordError(Problem(WHERE, what, AGAIN))


def _asked(opened: sqlite3.Connection, said: Acknowledgement) -> _Asked:
    """Whose acknowledgement it is: that of the notice's holder, or of the one who registered its key."""
    notice = next(iter(store.find(opened, Notice, id=said.notice)), None) if said.notice else None
    if said.notice and not notice:
        raise AccordError(Problem(WHERE, f"names an unknown notice ({said.notice})", AGAIN))
    holders = store.find(opened, Holder, id=notice.holder) if notice else store.find(opened, Holder, key=said.key)
    if not holders or not holders[0].name:
        hint = "ask for one that was made with --notice notice.json, or register their key: accord holders grant --key"
        raise AccordError(Problem(WHERE, "is signed with an unregistered key", hint))
    held = store.find(opened, Download, holder=holders[0].id)
    of = next((one for one in held if (one.version == notice.version if notice else one.root == said.root)), None)
    version, root = (of.version, of.root) if of else ("", "")
    return _Asked(holders[0], version, root, store.find(opened, Revoked, version=version), notice)


def _check(asked: _Asked, said: Acknowledgement) -> int:
    """The position up to which an acknowledgement is complete. Raises AccordError with all that is wrong with it."""
    problems = Collector()
    if asked.holder.key and asked.holder.key != said.key:
        hint = "it isn't theirs, or they have a new key: register that with accord holders grant --key"
        problems.add(WHERE, f"was not signed with the key that holder {asked.holder.id} registered", hint)
    if asked.root != said.root:
        problems.add(WHERE, "is about another release than the notice", AGAIN)
        raise AccordError(problems)
    names = [one.receipt for one in asked.revoked]
    if strange := said.receipts - set(names):
        problems.add(WHERE, f"names {len(strange)} revocation(s) that were never announced", AGAIN)
    if not names:
        problems.add(WHERE, f"nothing was revoked from release {asked.version}", AGAIN)
        raise AccordError(problems)
    position = next((n for n, name in enumerate(names) if name not in said.receipts), len(names))
    needed = max(asked.notice.position if asked.notice else 1, max(_positions(names, said), default=1))
    if position < needed:
        lacking = len(set(names[:needed]) - said.receipts)
        problems.add(WHERE, f"is incomplete: it lacks {lacking} of {needed} revocation(s)", AGAIN)
    elif not strange:
        _check_leaves(asked.revoked[:position], said, problems)
    if problems:
        raise AccordError(problems)
    return position


def _positions(names: list[str], said: Acknowledgement) -> list[int]:
    return [n for n, name in enumerate(names, 1) if name in said.receipts]


def _check_leaves(revoked: list[Revoked], said: Acknowledgement, problems: Collector) -> None:
    """Hold the number of leaves, and the leaves' file where ours is known, against what they must be."""
    fallen = {leaf for one in revoked for leaf in dsse.content(one.envelope)["predicate"]["leaves"]}
    expected = revoked[-1].leaves_after
    if said.leaves != len(fallen) or (expected and expected != said.leaves_sha256):
        what = "its leaves.jsonl doesn't match the release after these revocations"
        problems.add(WHERE, what, "their copy is damaged or not all was erased: ask them to fetch the release again")
