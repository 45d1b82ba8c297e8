"""Ways to tamper with what the vault holds."""

import hashlib
import json
import shutil
import sqlite3
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path
from random import Random

from tampers import Told, flip, lines, other_key, published, release, tampering, withdraw, write

from accord.consent.ledger import chain, ledger
from accord.release.seal import log
from accord.sealing import canonical, dsse, signing


def vault(*parts: str) -> Path:
    return Path("vault", *parts)


def raw(statements: list[tuple]) -> None:
    """Write into the ledger's file past its triggers."""
    with sqlite3.connect(vault("ledger.sqlite")) as opened:
        triggers = opened.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            opened.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            opened.execute(*statement)
        for _, sql in triggers:
            opened.execute(sql)
    opened.close()


def event(rng: Random) -> tuple:
    with sqlite3.connect(vault("ledger.sqlite")) as opened:
        row = rng.choice(opened.execute("SELECT * FROM consent_event ORDER BY seq").fetchall())
    opened.close()
    return row


def rechained() -> None:
    """Compute all commitments and the whole chain anew, so that they fit the records."""
    with sqlite3.connect(vault("ledger.sqlite")) as opened:
        entries = opened.execute("SELECT seq, entry FROM chain ORDER BY seq").fetchall()
        before, updates = chain.START, []
        for seq, table in entries:
            record = opened.execute(f"SELECT * FROM {table} WHERE seq = ?", (seq,)).fetchone()
            committed = chain.commitment(table, tuple(record[1:]))
            before = chain.link(before, seq, table, committed)
            updates.append(("UPDATE chain SET commitment = ?, hash = ? WHERE seq = ?", (committed, before, seq)))
    opened.close()
    raw(updates)


def renoted() -> None:
    """Note the head of the ledger as it is, and forget all others."""
    with sqlite3.connect(vault("ledger.sqlite")) as opened:
        head = ledger.head(opened)
    opened.close()
    write(vault("log/heads.jsonl"), (json.dumps({"state": "recorded", **head._asdict()}) + "\n").encode())


@tampering("ledger: a bit of an event flipped")
def _(rng: Random) -> Told:
    seq = event(rng)[0]
    with sqlite3.connect(vault("ledger.sqlite")) as opened:
        form = opened.execute("SELECT form FROM consent_event WHERE seq = ?", (seq,)).fetchone()[0]
    opened.close()
    place = rng.randrange(len(form))
    made = form[:place] + chr(ord(form[place]) ^ 1) + form[place + 1 :]
    raw([("UPDATE consent_event SET form = ? WHERE seq = ?", (made, seq))])
    return {}


@tampering("ledger: an event deleted")
def _(rng: Random) -> Told:
    raw([("DELETE FROM consent_event WHERE seq = ?", (event(rng)[0],))])
    return published()


@tampering("ledger: a withdrawal turned into a grant")
def _(rng: Random) -> Told:
    withdraw(rng)
    raw([("UPDATE consent_event SET state = 'granted' WHERE state = 'withdrawn'", ())])
    return published()


@tampering("ledger: a consent back-dated")
def _(rng: Random) -> Told:
    raw([("UPDATE consent_event SET event_on = '2001-01-01' WHERE seq = ?", (event(rng)[0],))])
    return published()


@tampering("ledger: an event put in at the end, chain computed to fit")
def _(rng: Random) -> Told:
    row = list(event(rng))
    with sqlite3.connect(vault("ledger.sqlite")) as opened:
        last, before = chain.head(opened)
    opened.close()
    row[0], row[1], row[4] = last + 1, rng.randbytes(32).hex(), f"image-{rng.randrange(99)}"
    committed = chain.commitment("consent_event", tuple(row[1:]))
    link = chain.link(before, row[0], "consent_event", committed)
    marks = ", ".join("?" * len(row))
    raw([
        ("INSERT INTO chain VALUES (?, ?, ?, ?)", (row[0], "consent_event", committed, link)),
        (f"INSERT INTO consent_event VALUES ({marks})", tuple(row)),
    ])  # fmt: skip
    return published()


@tampering("ledger: an event edited, chain computed to fit")
def _(rng: Random) -> Told:
    raw([("UPDATE consent_event SET scope = '*' WHERE seq = ?", (event(rng)[0],))])
    rechained()
    return published()


@tampering("ledger: an event edited, chain and noted heads computed to fit")
def _(rng: Random) -> Told:
    raw([("UPDATE consent_event SET scope = '*' WHERE seq = ?", (event(rng)[0],))])
    rechained()
    renoted()
    return {}


@tampering("ledger: rolled back to before a withdrawal")
def _(rng: Random) -> Told:
    data = vault("ledger.sqlite").read_bytes()
    withdraw(rng)
    write(vault("ledger.sqlite"), data)
    return published()


@tampering("ledger: rolled back with its noted heads, to before a head that was signed")
def _(rng: Random) -> Told:
    kept = {name: vault(name).read_bytes() for name in ("ledger.sqlite", "log/heads.jsonl")}
    withdraw(rng)
    log.append(Path("vault"), {"kind": "note"})
    for name, data in kept.items():
        write(vault(name), data)
    return published()


@tampering("ledger: deleted")
def _(rng: Random) -> Told:
    vault("ledger.sqlite").unlink()
    return {}


@tampering("consent: a person withdrew, results and release were left as they were")
def _(rng: Random) -> Told:
    withdraw(rng)
    return {}


def receipts(change: Callable[[list[bytes]], list[bytes]]) -> Told:
    """Change a receipt log that has several entries."""
    for number in range(3):
        log.append(Path("vault"), {"kind": "note", "number": number})
    write(vault("log/receipts.jsonl"), b"".join(change(lines(vault("log/receipts.jsonl")))))
    return {}


@tampering("receipt log: an entry taken out")
def _(rng: Random) -> Told:
    gone = rng.randrange(3)
    return receipts(lambda found: [line for number, line in enumerate(found) if number != gone])


@tampering("receipt log: two entries exchanged")
def _(rng: Random) -> Told:
    receipts(lambda found: [found[1], found[0], *found[2:]])
    return published()


@tampering("receipt log: an entry edited")
def _(rng: Random) -> Told:
    def change(found: list[bytes]) -> list[bytes]:
        told = canonical.decode(found[-1].rstrip(b"\n"))
        payload = canonical.decode(b64decode(told["payload"]))
        payload["predicate"]["body"]["number"] = 7
        return [*found[:-1], dsse.seal(payload, other_key()) + b"\n"]

    receipts(change)
    return published()


@tampering("receipt log: a bit flipped")
def _(rng: Random) -> Told:
    flip(vault("log/receipts.jsonl"), rng)
    return published()


@tampering("receipt log: entries cut off, the one of a version among them")
def _(rng: Random) -> Told:
    receipts(lambda found: [])
    return published()


@tampering("receipt log: cut off behind an entry that was noted elsewhere")
def _(rng: Random) -> Told:
    kept = vault("log/receipts.jsonl").read_bytes()
    root = log.append(Path("vault"), {"kind": "note", "number": 1})["root"]
    write(vault("log/receipts.jsonl"), kept)
    return {**published(), "noted": (root,)}


@tampering("vault: all of it, results and releases rolled back, a head having been noted elsewhere")
def _(rng: Random) -> Told:
    shutil.copytree("vault", "older")
    withdraw(rng)
    with ledger.reading(Path("vault")) as opened:
        head = ledger.head(opened).hash
    shutil.rmtree("vault")
    Path("older").rename("vault")
    return {"noted": (head,)}


@tampering("history: a version's line edited")
def _(rng: Random) -> Told:
    path = vault("releases.jsonl")
    told = [json.loads(line) for line in lines(path)]
    name = rng.choice(["images", "root", "manifest_sha256", "bytes", "fingerprint", "subjects"])
    told[-1][name] = told[-1][name] + 1 if isinstance(told[-1][name], int) else hashlib.sha256(b"").hexdigest()
    write(path, "".join(json.dumps(one, sort_keys=True) + "\n" for one in told).encode())
    return {}


@tampering("history: a version's line taken out")
def _(rng: Random) -> Told:
    write(vault("releases.jsonl"), b"".join(lines(vault("releases.jsonl"))[:-1]))
    return published()


@tampering("private index: an image taken out")
def _(rng: Random) -> Told:
    path = next(Path("vault/releases").glob("*/images.json"))
    told = json.loads(path.read_text())
    told.pop(rng.choice(sorted(told)))
    write(path, json.dumps(told, sort_keys=True).encode())
    return {}


@tampering("private index: an image exchanged for another")
def _(rng: Random) -> Told:
    path = next(Path("vault/releases").glob("*/images.json"))
    told = json.loads(path.read_text())
    told[rng.randbytes(8).hex()] = told.pop(rng.choice(sorted(told)))
    write(path, json.dumps(told, sort_keys=True).encode())
    return published()


@tampering("secret of a version replaced")
def _(rng: Random) -> Told:
    write(next(Path("vault/releases").glob("*/secret")), rng.randbytes(32))
    return published()


@tampering("signing key replaced")
def _(rng: Random) -> Told:
    vault("keys/release.pem").unlink()
    signing.signing_key(Path("vault"))
    return published()


@tampering("signing key taken away")
def _(rng: Random) -> Told:
    vault("keys/release.pem").unlink()
    return published()


@tampering("vault: opened for others to read")
def _(rng: Random) -> Told:
    path = rng.choice(
        [vault(), vault("log"), vault("keys/release.pem"), vault("ledger.sqlite"), vault("releases.jsonl")]
    )
    path.chmod(path.stat().st_mode | 0o044)
    return {}


@tampering("releases: a version that nobody published")
def _(rng: Random) -> Told:
    shutil.copytree(release(), "releases/9.0.0")
    return {}
