"""The outbox, `<vault>/outbox/`: a folder for each notice that a holder has not answered. Sending is the publisher's.

What lies there follows from the store: folders are made, and made again, from it; those of notices that were answered,
or whose holder has nothing any more, go, since they name the holder.
"""

import hashlib
import shutil
import sqlite3
import uuid
from datetime import date, timedelta
from email.message import EmailMessage
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from accord.errors import AccordError, Problem
from accord.files import keep_private
from accord.holders.notifying import letter, mail, notices
from accord.holders.register import published, store
from accord.holders.register.store import Download, Notice, Revoked
from accord.release.erasing import orders, prune
from accord.release.erasing.orders import Order
from accord.release.seal import revocations
from accord.sealing import signing

FOLDER = "outbox"
DAYS = timedelta(days=30)
LIST, TEXT, SIGNED = revocations.NAME, "notice.txt", "notice.json"


def announce(vault: Path, folder: Path, version: str, envelope: bytes, *, today: date | None = None) -> int:
    """Make a notice of a revocation for everyone who holds the version; returns how many have one.

    A notice lists all revocations of the version so far, so that who missed one catches up. `folder`: the publisher's
    own copy, before or after it was pruned. Announced again, it is the same notice. Raises AccordError where the
    revocation isn't one of that version, signed with the vault's key.
    """
    key = signing.signing_key(vault)
    made = today or date.today()
    published.statement(folder, version, key.public_key())
    with store.writing(vault) as opened:
        known = store.find(opened, Revoked, version=version)
        for new in _new(known, folder, version, envelope, key):
            store.add(opened, new)
        known = store.find(opened, Revoked, version=version)
        position = next(one.position for one in known if one.receipt == revocations.receipt(envelope))
        told = {one.holder for one in store.find(opened, Notice, version=version) if one.position >= position}
        for download in store.find(opened, Download, version=version, ended=""):
            if download.holder not in told:
                days = made.isoformat(), (made + DAYS).isoformat()
                store.add(opened, Notice(str(uuid.uuid4()), download.holder, version, len(known), *days, ""))
                told.add(download.holder)
        settle(vault, opened)
    return len(told)


def _new(known: list[Revoked], folder: Path, version: str, envelope: bytes, key: Ed25519PrivateKey) -> list[Revoked]:
    """The revocations that the store hasn't: those that the folder holds, and the one that is announced."""
    order = _order(known, folder, version, envelope, key)
    lines = [line for line in order.envelopes if line not in {one.envelope for one in known}]
    after = "" if order.lost or any(leaf is None for _, leaf in order.lines) else prune.digest_after(order)
    last, first = len(lines) - 1, len(known) + 1
    return [
        Revoked(version, first + n, revocations.receipt(line), after if n == last else "", line)
        for n, line in enumerate(lines)
    ]


def _order(known: list[Revoked], folder: Path, version: str, envelope: bytes, key: Ed25519PrivateKey) -> Order:
    lines = b"".join(line + b"\n" for line in (*(one.envelope for one in known), envelope))
    return orders.read(folder, lines, "revocation", key.public_key())


def settle(vault: Path, opened: sqlite3.Connection) -> None:
    """Make the outbox what the store says."""
    wanted = {one.id: one for one in store.open_notices(opened)}
    place = vault / FOLDER
    there = {path.name for path in place.iterdir() if _is_notice(path)} if place.is_dir() else set()
    for name in sorted(there - wanted.keys()):
        shutil.rmtree(place / name)
    for name, notice in sorted(wanted.items()):
        if not (place / name / SIGNED).is_file():
            _write(vault, opened, notice)


def _is_notice(path: Path) -> bool:
    """Whether a folder is of a notice: nothing else that somebody put there is touched."""
    try:
        return path.is_dir() and str(uuid.UUID(path.name)) == path.name
    except ValueError:
        return False


def _write(vault: Path, opened: sqlite3.Connection, notice: Notice) -> None:
    """Write the folder of a notice; what is signed comes last."""
    key = signing.signing_key(vault)
    listed = [one for one in store.find(opened, Revoked, version=notice.version) if one.position <= notice.position]
    data = b"".join(one.envelope + b"\n" for one in listed)
    found = [revocations.read(one.envelope, key.public_key()) for one in listed]
    told = {
        "notice": notice.id,
        "holder": notice.holder,
        "version": notice.version,
        "root": found[0].root,
        "receipts": sorted(one.receipt for one in found),
        "revocations_sha256": hashlib.sha256(data).hexdigest(),
        "leaves": len(frozenset().union(*(one.leaves for one in found))),
        "sent": notice.made,
        "due": notice.due,
    }
    holder = store.holder(opened, notice.holder)
    folder, text = vault / FOLDER / notice.id, letter.text(holder.name, told, signing.fingerprint(key.public_key()))
    signed = notices.make(told, key) + b"\n"
    keep_private(folder / LIST, data)
    keep_private(folder / TEXT, text.encode())
    draft = mail.message(holder.name, holder.contact, notice.version, text, {LIST: data, SIGNED: signed})
    if draft:
        keep_private(folder / mail.MESSAGE, mail.as_file(draft))
    keep_private(folder / SIGNED, signed)


def waiting(vault: Path) -> list[dict[str, str]]:
    """The notices that holders have not answered: notice, holder, name, contact, version, folder, made, due, sent."""
    with store.reading(vault) as opened:
        found = [(notice, store.holder(opened, notice.holder)) for notice in store.open_notices(opened)]
    return [
        {
            "notice": notice.id,
            "holder": notice.holder,
            "name": holder.name,
            "contact": holder.contact,
            "version": notice.version,
            "folder": str(vault / FOLDER / notice.id),
            "made": notice.made,
            "due": notice.due,
            "sent": notice.sent,
        }
        for notice, holder in found
    ]


def sent(vault: Path, notice: str, *, today: date) -> None:
    """Note that a notice was sent. Raises AccordError where there is none."""
    with store.writing(vault) as opened:
        if not store.find(opened, Notice, id=notice):
            raise AccordError(Problem(f"notice {notice}", "is unknown", "`accord holders outbox` lists all"))
        opened.execute("UPDATE notice SET sent = ? WHERE id = ?", (today.isoformat(), notice))


def send(vault: Path, server: mail.Server, sender: str, *, today: date) -> tuple[int, int]:
    """Send all notices that were not sent yet, and note it; returns how many were sent, and how many have no e-mail
    address.

    Each is noted before the next is sent. Raises AccordError where the server can't be reached or refuses.
    """
    unsent = [one for one in waiting(vault) if not one["sent"]]
    drafts = {one["notice"]: _draft(one) for one in unsent}
    ready = {notice: mail.as_sent(draft, sender) for notice, draft in drafts.items() if draft}
    if ready:
        with mail.connected(server) as opened:
            for notice, one in ready.items():
                opened.send_message(one)
                sent(vault, notice, today=today)
    return len(ready), len(drafts) - len(ready)


def _draft(one: dict[str, str]) -> EmailMessage | None:
    folder = Path(one["folder"])
    text = (folder / TEXT).read_text()
    return mail.message(one["name"], one["contact"], one["version"], text, mail.files_of(folder, (LIST, SIGNED)))
