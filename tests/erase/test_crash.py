"""Killed at random, run again: an erasure always ends in the same final state."""

import email
import email.policy
import hashlib
import json
import os
import random
import shutil
import sqlite3
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from erase_cases import House

from accord.consent.ledger import ledger, records
from accord.erase.cases import case as cases
from accord.erase.cases import machine, receipt
from accord.erase.cases.case import ENVELOPE
from accord.holders.notifying import outbox
from accord.release.seal import log
from accord.sealing import signing
from killing import changes

KILLS = 60


def erase(folder: Path, fatal: int = 0) -> int | None:
    """Erase in a process of its own, killed before its n-th change: how many changes it made, None where killed."""

    def call() -> None:
        os.chdir(folder)
        house = House.there()
        assert not machine.carry_on(cases.every(house.places.cases), house.places, house.effects(), house.options())

    return changes(call, fatal)


def state(folder: Path) -> dict[str, object]:
    """All that an erasure leaves, but for what is random or counts bytes: salts, their hashes, sizes."""
    key = signing.signing_key(folder / "vault").public_key()
    found = {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.parent.parent.name != "erasures" and path.name not in RANDOM
    }
    (case,) = cases.every(folder / "vault/erasures")
    told = receipt_of(case, key)
    letter = folder / "vault" / outbox.FOLDER / f"{case.name}.eml"
    found[letter.relative_to(folder).as_posix()] = written(letter, case, receipt.text(told))
    found |= {f"receipt {name}": value for name, value in told.items() if name != "scan"}
    found |= {f"scan {name}": value for name, value in told["scan"].items() if name not in ("files", "bytes")}
    found["case"] = {name: value for name, value in case.read("case.json").items() if name not in ("receipt", "scan")}
    found["journal"] = [line["step"] for line in case.journal()]
    found["files"] = sorted(path.relative_to(case.folder).as_posix() for path in case.folder.rglob("*"))
    assert log.entries(folder / "vault", key)[-1]["body"]["receipt"] == case.read("case.json")["receipt"]
    return {**found, "ledger": said(folder / "vault")}


RANDOM = ("ledger.sqlite", "ledger.sqlite-journal", "heads.jsonl", "suppression.key", "receipts.jsonl")


def written(letter: Path, case, told: str) -> str:
    """What the officer's letter says around the receipt, which it must show and hold as it is."""
    message = email.message_from_bytes(letter.read_bytes(), policy=email.policy.default)
    (signed,) = message.iter_attachments()
    assert signed.get_content() == (case.folder / ENVELOPE).read_bytes()
    before, after = message.get_body().get_content().replace("\r\n", "\n").split(told)
    return f"{message['Subject']}: {before}...{after}"


def receipt_of(case, key: Ed25519PublicKey) -> dict:
    return receipt.check((case.folder / "receipt.dsse.json").read_bytes(), key)


def said(vault: Path) -> dict[str, list]:
    """The ledger's records, which must verify; a suppressed person is under a key of its own."""
    with ledger.reading(vault) as opened:
        kinds = [kind for kind in records.TABLES if kind is not records.Suppression]
        return {kind.__name__: ledger.read(opened, kind) for kind in kinds} | {
            "suppressed": [(one.scope, one.event_on) for one in ledger.read(opened, records.Suppression)]
        }


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    """A house with a case that was just opened."""
    folder, before = tmp_path_factory.mktemp("template"), Path.cwd()
    os.chdir(folder)
    try:
        house = House.build().withdraw("ann")
        machine.open_new(house.places, house.effects())
    finally:
        os.chdir(before)
    return folder


@pytest.mark.slow
def test_killed_anywhere_it_ends_in_the_same_state(template, tmp_path):
    whole = shutil.copytree(template, tmp_path / "whole", symlinks=True)
    made = erase(whole)
    expected, chance = state(whole), random.Random()
    assert made > 100
    kills = houses = 0
    while kills < KILLS:
        folder = shutil.copytree(template, tmp_path / f"house{houses}", symlinks=True)
        while erase(folder, fatal=chance.randint(1, made // 2)) is None:
            kills += 1
        assert state(folder) == expected
        shutil.rmtree(folder)
        houses += 1
    print(f"killed {kills} times in {houses} erasures of up to {made} changes: the same final state each time")


def test_what_must_be_the_same_tells_states_apart(template, tmp_path):
    whole = shutil.copytree(template, tmp_path / "whole", symlinks=True)
    erase(whole)
    before = state(whole)
    (whole / "results/left.partial").touch()
    assert state(whole) != before
    (whole / "results/left.partial").unlink()
    with sqlite3.connect(whole / "vault/ledger.sqlite") as opened, pytest.raises(sqlite3.IntegrityError):
        opened.execute("DELETE FROM party")
    opened.close()
    facts = json.loads(next(whole.glob("vault/erasures/*/case.json")).read_text())
    next(whole.glob("vault/erasures/*/case.json")).write_text(json.dumps(facts | {"notices": 2}))
    assert state(whole) != before
