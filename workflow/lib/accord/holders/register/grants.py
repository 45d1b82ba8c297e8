"""Download grants: the publisher's signed word that somebody may hold a version, and the end of that."""

import hashlib
import sqlite3
import uuid
from datetime import date
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from accord.errors import AccordError, Problem, all_problems
from accord.files import keep_private
from accord.holders.notifying import outbox
from accord.holders.register import published, store
from accord.holders.register.store import GRANT, Download, Holder
from accord.release.seal import log
from accord.release.seal.seal import ROOT
from accord.sealing import dsse, signing
from accord.text.references import normal

KIND = "urn:accord:grant:v1"
FOLDER = "grants"
LONGEST = 200
"""Characters of a name or contact."""


def grant(
    vault: Path,
    folder: Path,
    name: str,
    contact: str,
    *,
    key: Ed25519PublicKey | None = None,
    until: date | None = None,
) -> Path:
    """Note that somebody may hold a release; returns the file of the signed grant, which is for them.

    Whoever has the same name and contact is the same holder. Granted again, the release is theirs again also where
    they had deleted it; a key that is given counts from then on. Raises AccordError with all that is wrong.
    """
    name, contact = normal(name), normal(contact)
    _check({"--name": name, "--contact": contact})
    signer = signing.signing_key(vault)
    told = published.statement(folder, folder.name, signer.public_key())
    with store.writing(vault) as opened:
        holder = _holder(opened, name, contact, key)
        day = until.isoformat() if until else ""
        document = _document(holder.id, told, day, signer)
        given = store.find(opened, Download, holder=holder.id, version=told["version"])
        if given:
            opened.execute("DELETE FROM download WHERE (holder, version) = (?, ?)", (holder.id, told["version"]))
        store.add(opened, Download(holder.id, told["version"], told["root"], day, "", document))
        path = vault / store.FOLDER / FOLDER / f"{holder.id}-{told['version']}.json"
        keep_private(path, document + b"\n")
        log.append(vault, {"kind": "grant", "sha256": hashlib.sha256(document).hexdigest()})
        outbox.settle(vault, opened)
    return path


def end(vault: Path, holder: str, version: str = "", *, today: date, forget: bool = False) -> int:
    """Note that a holder deleted their copies, of a version or ("") of all; returns of how many versions.

    `forget`: name, contact and key go too; the random id and the grants, which name nobody, stay. Raises AccordError
    where there is no such holder, or they don't hold the version.
    """
    with store.writing(vault) as opened:
        store.holder(opened, holder)
        held = [one for one in store.find(opened, Download, holder=holder) if version in ("", one.version)]
        if version and not held:
            raise AccordError(
                Problem(f"holder {holder}", f"has no grant of {version}", "`accord holders list` lists all")
            )
        ending = [one for one in held if not one.ended]
        for one in ending:
            where = (today.isoformat(), holder, one.version)
            opened.execute("UPDATE download SET ended = ? WHERE (holder, version) = (?, ?)", where)
        if forget:
            opened.execute("UPDATE holder SET name = '', contact = '', key = '', trusted = '' WHERE id = ?", (holder,))
        outbox.settle(vault, opened)
    if forget:
        store.vacuum(vault)
    return len(ending)


def _check(texts: dict[str, str]) -> None:
    with all_problems() as problems:
        for what, text in texts.items():
            if not text.strip() or len(text) > LONGEST or not text.isprintable():
                problems.add(what, f"is not one line of 1 to {LONGEST} characters", "write it in one line")


def _holder(opened: sqlite3.Connection, name: str, contact: str, key: Ed25519PublicKey | None) -> Holder:
    """The holder of that name and contact, however these are spelled, made where there is none."""
    text = signing.public_text(key).decode() if key else ""
    known = [one for one in store.find(opened, Holder) if (normal(one.name), normal(one.contact)) == (name, contact)]
    if not known:
        made = Holder(str(uuid.uuid4()), name, contact, text, GRANT if key else "")
        store.add(opened, made)
        return made
    if text:
        opened.execute("UPDATE holder SET key = ?, trusted = ? WHERE id = ?", (text, GRANT, known[0].id))
    return known[0]


def _document(holder: str, told: dict[str, Any], until: str, key: Ed25519PrivateKey) -> bytes:
    names = ("dataset", "version", "root", "terms_sha256")
    said = {"holder": holder, "until": until, **{name: told[name] for name in names}}
    return dsse.seal(dsse.statement(KIND, {"leaves": {ROOT: told["root"]}}, said), key)


def read(document: bytes, key: Ed25519PublicKey) -> dict[str, Any]:
    """What a grant says: holder, until, dataset, version, root, terms_sha256. Raises ValueError where it is none."""
    return dsse.unseal(document.strip(), KIND, key)["predicate"]
