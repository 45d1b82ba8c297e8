"""Receipts: what a person can keep of an event in the ledger, and prove years later.

A receipt opens one commitment (the record and its salt), gives its place in the chain, and an inclusion proof (RFC
9162) in the Merkle tree whose root was the ledger's when it was issued. Of other people it holds hashes of salted
commitments, which say nothing. It is signed with the vault's key: who has the public key alone can check it.
"""

import json
import re
import sqlite3
from itertools import chain as joined

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from accord.consent.ledger import chain, ledger, merkle
from accord.consent.ledger.records import TABLES, ConsentEvent, Erasure, IprForm
from accord.errors import AccordError, Problem
from accord.sealing import dsse
from accord.text import unicode

FORMAT = "accord-receipt/2"
KIND = "urn:accord:consent-receipt:v1"
SIGNATURE = "signature"
KINDS = {TABLES[kind]: kind for kind in (ConsentEvent, IprForm, Erasure)}
HEX = re.compile(r"[0-9a-f]{64}")
LARGEST = 1_000_000
"""Bytes of the largest file that is read."""


def make(opened: sqlite3.Connection, number: int) -> dict:
    """The receipt of an entry, not yet signed. Raises AccordError where it is no event, or was erased."""
    found = chain.entries(opened)
    table, commitment, hash_ = next((entry[1:] for entry in found if entry[0] == number), ("", "", ""))
    row = opened.execute(f"SELECT * FROM {table} WHERE seq = ?", (number,)).fetchone() if table in KINDS else None
    if row is None:
        hint = "`accord consent show --vendor V --subject S` lists a person's events with their numbers"
        raise AccordError(Problem(f"--event {number}", "is not an event, or was erased", hint))
    _, salt, recorded_at, *values = row
    return {
        "format": FORMAT,
        "entry": number,
        "table": table,
        "recorded_at": recorded_at,
        "salt": salt,
        "record": dict(zip(KINDS[table]._fields, values, strict=True)),
        "commitment": commitment,
        "before": found[number - 2][3] if number > 1 else chain.START,
        "hash": hash_,
        "head": ledger.head(opened)._asdict(),
        "path": merkle.path([entry[2] for entry in found], number - 1),
    }


def signed(receipt: dict, key: Ed25519PrivateKey) -> dict:
    """The receipt with its signature."""
    return {**receipt, SIGNATURE: dsse.signature(_statement(receipt), key)}


def text(receipt: dict) -> str:
    """A receipt as people read it."""
    said = {key: value for key, value in receipt["record"].items() if value != ""}
    lines = [f"Receipt for entry {receipt['entry']} of the consent ledger", ""]
    lines += [f"  {key:16} {value}" for key, value in {"recorded at": receipt["recorded_at"], **said}.items()]
    head = receipt["head"]
    lines += ["", f"The ledger had {head['entries']} entries; its head was", f"  {head['hash']}"]
    return "\n".join([*lines, "The JSON of this receipt proves it: accord consent verify --receipt FILE"])


def load(data: bytes, where: str) -> dict:
    """A receipt from the bytes of a file. Raises AccordError where it is none."""
    try:
        if len(data) > LARGEST:
            raise ValueError
        found = json.loads(data)
        _check_form(found)
        if unicode.fault_within(found):
            raise ValueError
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise AccordError(
            Problem(where, "is not a valid receipt", "the JSON that `accord consent receipt` wrote")
        ) from None
    return found


def check(receipt: dict, key: Ed25519PublicKey) -> list[Problem]:
    """What is wrong with a receipt in itself, given the public key of the vault."""
    number, table, committed = receipt["entry"], receipt["table"], receipt["commitment"]
    record = (receipt["salt"], receipt["recorded_at"], *(receipt["record"][name] for name in KINDS[table]._fields))
    faults = {
        "was not signed with this key, or was changed since": not _is_signed(receipt, key),
        "its record is not what was committed to": chain.commitment(table, record) != committed,
        "its place in the chain is wrong": chain.link(receipt["before"], number, table, committed) != receipt["hash"],
        "its proof does not lead to the root": _root(receipt) != receipt["head"]["root"],
    }
    return _problems(receipt, faults)


def check_against(receipt: dict, opened: sqlite3.Connection) -> list[Problem]:
    """What speaks against a receipt in the ledger as it is now."""
    number, head, found = receipt["entry"], receipt["head"], chain.entries(opened)
    kept = found[: head["entries"]]
    held = found[number - 1][1:] if number <= len(found) else None
    told = receipt["table"], receipt["commitment"], receipt["hash"]
    faults = {
        "the ledger does not hold the entry": held != told,
        "the ledger never had that head": len(kept) < head["entries"] or kept[-1][3] != head["hash"],
        "the ledger never had that root": merkle.root([entry[2] for entry in kept]) != head["root"],
    }
    return _problems(receipt, faults)


def _problems(receipt: dict, faults: dict[str, bool]) -> list[Problem]:
    hint = "keep receipt and ledger as evidence: one of them was changed"
    return [Problem(f"receipt for entry {receipt['entry']}", what, hint) for what, wrong in faults.items() if wrong]


def _statement(receipt: dict) -> dict:
    told = {name: value for name, value in receipt.items() if name != SIGNATURE}
    return dsse.statement(KIND, {"entry": {"sha256": receipt["commitment"]}}, told)


def _is_signed(receipt: dict, key: Ed25519PublicKey) -> bool:
    return dsse.is_signed(_statement(receipt), receipt[SIGNATURE], key)


def _root(receipt: dict) -> str:
    try:
        index, size = receipt["entry"] - 1, receipt["head"]["entries"]
        return merkle.root_of_path(receipt["commitment"], index, size, receipt["path"])
    except ValueError:
        return ""


def _check_form(found: dict) -> None:
    """Raises ValueError, KeyError, TypeError or AttributeError where a document is no receipt."""
    head = found["head"]
    hashes = joined((found["commitment"], found["before"], found["hash"], head["hash"], head["root"]), found["path"])
    whole = all(isinstance(number, int) and number > 0 for number in (found["entry"], head["entries"]))
    fields = set(KINDS[found["table"]]._fields) == set(found["record"]) and isinstance(found[SIGNATURE], dict)
    if found["format"] != FORMAT or not whole or not fields or not all(HEX.fullmatch(one) for one in hashes):
        raise ValueError("no receipt")
