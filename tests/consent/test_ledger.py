"""The ledger only grows, and notices whatever is done to it."""

import sqlite3
import stat
import subprocess
import sys
import threading
from contextlib import closing

import pytest

from accord.consent.ledger import chain, ledger
from accord.consent.ledger.ledger import COMMAND, GRANTED, WITHDRAWN, ConsentEvent, Depicts, IprForm, Notice, Party
from accord.consent.ledger.records import Attempt, Erasure, Proof, Received, Settled, Suppression
from accord.errors import AccordError
from accord.sealing import sqlite

RECORDS = [
    Party("ann", "subject_primary"),
    Notice("notice-1", "1", "en", "0" * 64),
    ConsentEvent("subject_primary", "ann", "", "collect", GRANTED, "2026-01-02", "", "form", "f1", "0" * 64, "1" * 64),
    IprForm("ann", "", "2026-01-02", "", "f2", "2" * 64),
    Depicts("i1", "ann", "subject_primary"),
    ConsentEvent("subject", "ann", "", "*", WITHDRAWN, "2026-02-02", "", COMMAND, "", "", ""),
    Proof("ann", "0a", "3" * 64),
    Attempt("0b0b0b0b", "withdraw"),
    Suppression("4" * 64, "*", "2026-02-02"),
    Received("0c", "5" * 64, 3, 1),
    Settled(6, "mistyped"),
    Erasure(""),
]
TABLES = ("chain", *chain.RECORDS)


@pytest.fixture
def vault(tmp_path):
    with ledger.writing(tmp_path / "vault") as opened:
        ledger.append(opened, RECORDS)
    return tmp_path / "vault"


def tampered(vault, *statements):
    """What verification finds after somebody changed the file past its triggers."""
    raw = sqlite3.connect(vault / ledger.NAME, isolation_level=None)
    for setting in ("journal_mode = MEMORY", "synchronous = OFF", "ignore_check_constraints = ON"):
        raw.execute(f"PRAGMA {setting}")
    for name, *_ in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        raw.execute(f"DROP TRIGGER {name}")
    for statement in statements:
        raw.execute(statement)
    found = [(problem.where, problem.what) for problem in chain.verify(raw)]
    raw.close()
    return found


def test_what_is_appended_is_read_back_in_order(vault):
    with ledger.reading(vault) as opened:
        assert ledger.read(opened, ConsentEvent) == [RECORDS[2], RECORDS[5]]
        assert ledger.read(opened, Depicts) == [RECORDS[4]]
        assert chain.head(opened)[0] == len(RECORDS)


def test_what_another_job_appends_meanwhile_is_no_tampering(vault, monkeypatch):
    """Verification reads several tables: all of them must be of one moment."""
    verify, done = chain.verify, []

    def append() -> None:
        with ledger.writing(vault) as opened:
            ledger.append(opened, [Party("bob", "subject_primary")])
        done.append(True)

    other = threading.Thread(target=append)

    def verified(opened, noted=""):
        opened.execute("SELECT COUNT(*) FROM chain").fetchone()
        if not other.ident:
            other.start()
            other.join(1)
        return verify(opened, noted)

    monkeypatch.setattr(chain, "verify", verified)
    with ledger.reading(vault) as opened:
        before = ledger.read(opened, Party)
        assert len(before) == chain.head(opened)[0] - len(RECORDS) + 1 == 1
        assert not done
    other.join()
    with ledger.reading(vault) as opened:
        assert done and len(ledger.read(opened, Party)) == 2


def test_vault_and_ledger_are_the_owners_alone(vault):
    assert stat.S_IMODE(vault.stat().st_mode) == 0o700
    assert stat.S_IMODE((vault / ledger.NAME).stat().st_mode) == 0o600


def test_the_same_is_not_recorded_twice(vault):
    with ledger.writing(vault) as opened:
        assert ledger.append(opened, [*RECORDS, *RECORDS]) == 0
        assert ledger.append(opened, [Party("bob", "subject_primary"), Party("bob", "subject_primary")]) == 1
        assert chain.head(opened)[0] == len(RECORDS) + 1


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("statement", ["UPDATE {} SET seq = seq", "DELETE FROM {}", "REPLACE INTO {} SELECT * FROM {}"])
def test_nothing_is_changed_or_deleted(vault, table, statement):
    with pytest.raises(AccordError, match="append-only"), ledger.writing(vault) as opened:
        opened.execute(statement.format(table, table))
    with ledger.reading(vault) as opened:
        assert chain.head(opened)[0] == len(RECORDS)


def test_an_interrupted_append_leaves_nothing(vault):
    with pytest.raises(KeyboardInterrupt), ledger.writing(vault) as opened:
        ledger.append(opened, [Party("bob", "subject_primary")])
        raise KeyboardInterrupt
    with ledger.reading(vault) as opened:
        assert chain.head(opened)[0] == len(RECORDS)
        assert Party("bob", "subject_primary") not in ledger.read(opened, Party)


def test_a_killed_append_leaves_nothing(vault):
    code = (
        "import os, sys; from pathlib import Path; from accord.consent.ledger import ledger\n"
        "with ledger.writing(Path(sys.argv[1])) as opened:\n"
        "    ledger.append(opened, [ledger.Party(f'p{i}', 'subject_primary') for i in range(5000)])\n"
        "    os.kill(os.getpid(), 9)\n"
    )
    assert subprocess.run([sys.executable, "-c", code, str(vault)]).returncode == -9
    with ledger.reading(vault) as opened:
        assert chain.head(opened)[0] == len(RECORDS)


def test_no_journal_keeps_anything(vault):
    left = {path.name: path.stat().st_size for path in vault.iterdir() if path.is_file()}
    assert left.pop(ledger.NAME) > 0
    assert set(left.values()) <= {0}


@pytest.mark.parametrize("table", TABLES)
def test_a_change_of_any_cell_is_found(vault, table):
    raw = sqlite3.connect(vault / ledger.NAME)
    columns = [name for _, name, *_ in raw.execute(f"PRAGMA table_info({table})") if name != "seq"]
    rows = [seq for (seq,) in raw.execute(f"SELECT seq FROM {table}")]
    raw.close()
    good = (vault / ledger.NAME).read_bytes()
    for column in columns:
        for seq in rows:
            (vault / ledger.NAME).write_bytes(good)
            found = tampered(vault, f"UPDATE {table} SET {column} = {column} || 'x' WHERE seq = {seq}")
            assert f"entry {seq}" in dict(found), (column, seq)


@pytest.mark.parametrize(
    ("statements", "found"),
    [
        (["DELETE FROM depicts"], ("entry 5", "its record is missing")),
        (["DELETE FROM chain WHERE seq = 3", "DELETE FROM consent_event WHERE seq = 3"],
         ("entry 4", "is out of sequence: expected entry 3")),
        (["DELETE FROM chain WHERE seq = 6"], ("consent_event 6", "is not in the chain")),
        (["INSERT INTO party VALUES (99, 's', 't', 'eve', 'subject_primary')"], ("party 99", "is not in the chain")),
        (["UPDATE consent_event SET seq = seq + 10"], ("entry 3", "its record is missing")),
        (["UPDATE chain SET entry = 'party' WHERE seq = 6"], ("entry 6", "does not chain to the previous entry")),
    ],
)  # fmt: skip
def test_tampering_is_named(vault, statements, found):
    assert found in tampered(vault, *statements)


def test_entries_cut_off_the_end_are_found_by_a_noted_hash(vault):
    with ledger.reading(vault) as opened:
        _, noted = chain.head(opened)
    assert tampered(vault, "DELETE FROM chain WHERE seq = 12", "DELETE FROM erasure WHERE seq = 12") == []
    with ledger.reading(vault, verified=False) as opened:
        assert [p.what for p in chain.verify(opened, noted)] == [
            "does not contain the noted hash: entries were removed"
        ]


def test_a_tampered_ledger_is_not_read(vault):
    tampered(vault, "UPDATE party SET subject = 'eve'")
    with pytest.raises(AccordError, match="entry 1: its record was changed"), ledger.reading(vault):
        pass


def test_commitments_are_salted(tmp_path):
    found = set()
    for name in ("one", "two"):
        with ledger.writing(tmp_path / name) as opened:
            ledger.append(opened, RECORDS)
            found |= {row[0] for row in opened.execute("SELECT commitment FROM chain")}
    assert len(found) == 2 * len(RECORDS)


def test_a_ledger_that_another_process_writes_is_waited_for_and_nobody_is_sent_to_a_backup(tmp_path, monkeypatch):
    """A backup would put the ledger back, and with it the newest withdrawals."""
    monkeypatch.setattr(sqlite, "WAIT", 0)
    with ledger.writing(tmp_path) as opened:
        ledger.append(opened, RECORDS)
    with closing(sqlite3.connect(tmp_path / ledger.NAME, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(AccordError) as error, ledger.writing(tmp_path):
            pass
    assert "database is locked" in str(error.value)
    assert "hint: nothing was written: another process writes there; wait until it has finished" in str(error.value)


def test_a_full_disk_loses_no_entry_and_sends_nobody_to_a_backup(tmp_path):
    with ledger.writing(tmp_path) as opened:
        ledger.append(opened, RECORDS)
    with pytest.raises(AccordError) as error, ledger.writing(tmp_path) as opened:
        opened.execute(f"PRAGMA max_page_count = {opened.execute('PRAGMA page_count').fetchone()[0]}")
        ledger.append(opened, [Received(f"{number:04x}", "5" * 64, 3, 1) for number in range(500)])
    assert "database or disk is full" in str(error.value)
    assert "hint: nothing was written: free some space where the vault lies, and run again" in str(error.value)
    with ledger.reading(tmp_path) as opened:
        assert ledger.head(opened).entries == len(RECORDS)


def test_no_ledger_and_no_database(tmp_path):
    with pytest.raises(AccordError, match="there is no consent ledger in the vault"), ledger.reading(tmp_path):
        pass
    (tmp_path / ledger.NAME).touch()
    assert not ledger.exists(tmp_path)
    (tmp_path / ledger.NAME).write_bytes(b"no database at all" * 100)
    with pytest.raises(AccordError, match="the consent ledger can't be used"):
        ledger.exists(tmp_path)
