"""The chain of reviews: whatever is changed, taken out, doubled, back-dated, forged or rolled back is told."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count

import pytest
from review_cases import PASSWORD, SQUARE, asked, some

from accord.errors import AccordError
from accord.review.asking import digests
from accord.review.database import accounts, chain, seal, store, work
from accord.review.drawn.outlines import Region
from accord.sealing import chained
from killing import changes


@pytest.fixture
def reviewed(vault):
    """A vault in which four items were voted on: two settled, one adjudicated, one open."""
    with asked(vault, some(4)) as db:
        for item, ada, bob in (("i00", "uphold", "uphold"), ("i01", "dismiss", "dismiss"), ("i02", "drop", "uphold")):
            work.vote(db, "ada", item, ada, note="seen")
            work.vote(db, "bob", item, bob)
        work.adjudicate(db, "dan", "i02", "uphold", [Region("card", SQUARE)])
        work.vote(db, "ada", "i03", "drop")
        assert chain.verify(db) == []
    return vault


def raw(vault):
    """The file without its triggers and checks."""
    db = sqlite3.connect(store.path(vault), isolation_level=None)
    db.execute("PRAGMA ignore_check_constraints = ON")
    for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        db.execute(f"DROP TRIGGER {name}")
    return db


def found(vault):
    with store.reading(vault) as db:
        return [str(problem) for problem in chain.verify(db)]


def test_who_decided_what_and_when_is_told_by_role(vault):
    with asked(vault, some(1), ("ada",), votes=1) as db:
        entry = work.vote(db, "ada", "i00", "drop", at="2031-02-03T04:05:06Z")
        told = chain.decided(db, [entry, "f" * 64])
        assert told == {entry: chain.Decided(6, entry, "i00", "reviewer", "vote", "drop", "2031-02-03T04:05:06+00:00")}
        assert chain.decided(db) == told


@pytest.mark.parametrize("table", ["chain", "vote", "account", "item", "assignment", "reviewer"])
def test_a_change_of_any_cell_is_found(reviewed, table):
    db = raw(reviewed)
    told = {"score", "threshold", "subject", "reason", "gone", "name", "password"}  # what was neither asked nor said
    columns = [name for _, name, *_ in db.execute(f"PRAGMA table_info({table})") if name not in told]
    one = {"chain": "seq = 6", "account": "seq = 2", "reviewer": "name = 'ada'"}.get(table, "item = 'i00'")
    if table in ("vote", "assignment"):
        one += " AND reviewer = (SELECT reviewer FROM reviewer WHERE name = 'ada')"
    for column in columns:
        db.execute("SAVEPOINT before")
        (value,) = db.execute(f'SELECT {table}."{column}" FROM {table} WHERE {one}').fetchone()
        other = value + 1000 if isinstance(value, int) else f"{value}x"
        db.execute(f'UPDATE {table} SET "{column}" = ? WHERE {one}', ("[1.0]" if column == "polygon" else other,))
        assert chain.verify(db), (table, column)
        db.execute("ROLLBACK TO before")
    db.close()


@pytest.mark.parametrize("table", ["chain", "vote", "account", "item", "assignment", "reviewer"])
def test_a_row_that_is_missing_is_found(reviewed, table):
    db = raw(reviewed)
    rows = f"SELECT * FROM {table}" + (" WHERE item <> 'i03'" if table in ("item", "assignment") else "")
    key = db.execute(f"PRAGMA table_info({table})").fetchall()[0][1]
    for row in db.execute(rows).fetchall():
        db.execute("SAVEPOINT before")
        extra = f" AND reviewer = '{row[1]}'" if table == "assignment" else ""
        db.execute(f"DELETE FROM {table} WHERE {key} = ?{extra}", (row[0],))
        assert chain.verify(db), (table, row)
        db.execute("ROLLBACK TO before")
    db.close()


def forged(db, table, recorded_at, *rows):
    """Append records past the triggers, with a chain that is right in itself."""
    return chained.append(db, table, recorded_at, rows)


def test_a_vote_that_is_put_in_by_somebody_else_is_found(reviewed):
    db = raw(reviewed)
    (row,) = db.execute("SELECT * FROM vote WHERE item = 'i03'").fetchall()
    said = list(row[3:])
    for position, value, what in (
        (None, None, "duplicates entry"),
        (1, "0" * 16, "is by an account that did not have that role"),
        (2, "admin", "is by an account that did not have that role"),
        (9, "f" * 64, "does not follow from the same person's previous vote"),
        (0, "i99", "item i99: is missing, although it was decided"),
    ):
        db.execute("SAVEPOINT before")
        new = [value if at == position else old for at, old in enumerate(said)]
        forged(db, "vote", "2999-01-01T00:00:00+00:00", tuple(new))
        assert any(what in str(problem) for problem in chain.verify(db)), what
        db.execute("ROLLBACK TO before")
    db.close()
    assert found(reviewed) == []


def test_adjudication_by_who_may_not_is_found(reviewed):
    db = raw(reviewed)
    (ada,) = db.execute("SELECT reviewer FROM reviewer WHERE name = 'ada'").fetchone()
    (asked_,) = db.execute("SELECT asked FROM item WHERE item = 'i03'").fetchone()
    last = db.execute("SELECT hash FROM chain JOIN vote USING (seq) WHERE item = 'i03'").fetchone()[0]
    row = ("i03", ada, "reviewer", "adjudication", "uphold", "[]", "", asked_, 2, last)
    forged(db, "vote", "2999-01-01T00:00:00+00:00", row)
    told = "\n".join(str(problem) for problem in chain.verify(db))
    db.close()
    assert "is an adjudication by an account without that right" in told
    assert "is an adjudication by a person who voted on the item" in told
    assert "item i03: is open, which contradicts the recorded votes" in told


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE vote SET decision = 'drop' WHERE item = 'i00'",
        "UPDATE vote SET regions = '[]' WHERE item = 'i02'",
        "DELETE FROM vote WHERE item = 'i01'",
        "UPDATE item SET entry = (SELECT entry FROM item WHERE item = 'i00') WHERE item = 'i01'",
        "UPDATE item SET state = 'settled' WHERE item = 'i03'",
        "UPDATE item SET asked = 'x' WHERE item = 'i00'",
    ],
)
def test_the_flow_is_not_told_what_nobody_decided(reviewed, statement):
    db = raw(reviewed)
    work.decided(db)
    db.execute(statement)
    with pytest.raises(AccordError, match="decisions differ from their records"):
        work.decided(db)
    db.close()


def test_a_record_that_is_back_dated_is_found(reviewed):
    db = raw(reviewed)
    (eve,) = db.execute("SELECT reviewer FROM reviewer WHERE name = 'eve'").fetchone()
    (before,) = db.execute("SELECT hash FROM chain JOIN account USING (seq) WHERE reviewer = ?", (eve,)).fetchone()
    forged(db, "account", "2001-01-01T00:00:00+00:00", (eve, "admin", "active", before))
    db.close()
    assert any("is back-dated" in problem for problem in found(reviewed))


def test_a_role_that_was_raised_past_the_program_is_found(reviewed):
    db = raw(reviewed)
    db.execute("UPDATE reviewer SET role = 'admin' WHERE name = 'ada'")
    db.close()
    assert any("differs from its record" in problem for problem in found(reviewed))


def test_an_old_copy_that_is_put_back_is_found(reviewed):
    kept = store.path(reviewed).read_bytes()
    with store.opened(reviewed) as db:
        work.vote(db, "bob", "i03", "drop")
    assert found(reviewed) == []
    store.path(reviewed).write_bytes(kept)
    (told,) = found(reviewed)
    assert "has 13 entries, but not the noted head" in told


def test_entries_past_the_program_are_found_though_the_chain_is_right(reviewed):
    db = raw(reviewed)
    row = db.execute("SELECT reviewer FROM reviewer WHERE name = 'bob'").fetchone()
    last = db.execute("SELECT hash FROM chain JOIN account USING (seq) WHERE reviewer = ?", row).fetchone()
    forged(db, "account", "2999-01-01T00:00:00+00:00", (row[0], "reviewer", "active", last[0]))
    db.close()
    assert [problem for problem in found(reviewed) if "written by another program" in problem]


def test_a_seal_that_is_missing_or_broken_is_told(reviewed):
    (reviewed / seal.FILE).write_text("{}")
    assert any("log/review.json: can't be read: it was changed" in problem for problem in found(reviewed))
    (reviewed / seal.FILE).unlink()
    assert any("log/review.json: is missing" in problem for problem in found(reviewed))


def test_a_noted_hash_must_be_in_the_chain(reviewed):
    with store.reading(reviewed) as db:
        assert chain.verify(db, chained.head(db)[1]) == []
        assert "does not contain the noted hash" in str(chain.verify(db, "e" * 64)[0])


VOTING = """
import sys
from pathlib import Path
from accord.review.database import store, work
with store.opened(Path(sys.argv[1])) as db:
    print("ready", flush=True)
    number = 0
    while one := work.take(db, "ada", "logos"):
        work.vote(db, "ada", one.item, ("uphold", "drop")[number % 2])
        number += 1
        print(one.item, flush=True)
"""


@pytest.mark.slow
def test_killed_in_the_middle_of_votes_it_is_whole_and_nothing_told_is_lost(vault):
    with asked(vault, some(90)):
        pass
    told = set()
    for waits in (0, 0.004):
        voter = subprocess.Popen([sys.executable, "-c", VOTING, str(vault)], stdout=subprocess.PIPE, text=True)
        first = [voter.stdout.readline().strip() for _ in range(3)]
        time.sleep(waits)
        os.kill(voter.pid, signal.SIGKILL)
        told |= {*first, *voter.stdout.read().split()} - {"ready"}
        voter.wait()
        voter.stdout.close()
        with store.opened(vault) as db:
            assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert chain.verify(db) == []
            kept = {item for (item,) in db.execute("SELECT item FROM vote")}
        assert told <= kept and len(kept - told) <= 2
    assert len(told) >= 4


def test_people_who_decide_at_the_same_time_wait_for_each_other(vault):
    with asked(vault, some(8)):
        pass

    def decide(name):
        with store.opened(vault) as db:
            while one := work.take(db, name, "logos"):
                work.vote(db, name, one.item, "uphold")

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(decide, ("ada", "bob")))
    with store.reading(vault) as db:
        assert (chain.verify(db), len(work.decided(db))) == ([], 8)
        assert db.execute("SELECT COUNT(*) FROM vote").fetchone() == (16,)


def test_killed_before_any_change_a_vote_is_no_rollback(reviewed, tmp_path):
    def vote(vault):
        with store.opened(vault) as db:
            work.vote(db, "bob", "i03", "drop")

    for number in count(1):
        vault = shutil.copytree(reviewed, tmp_path / f"vault{number}")
        ended = changes(partial(vote, vault), fatal=number)
        assert found(vault) == []
        if ended:
            break
    assert number > 5  # the lock, and the head twice: each under another name first


@pytest.mark.parametrize("crash", ["before the commit", "after the commit"])
def test_a_crash_between_seal_and_commit_is_no_rollback(reviewed, monkeypatch, crash):
    with store.opened(reviewed) as db, pytest.raises(KeyboardInterrupt), store.changing(db):
        work.vote(db, "bob", "i03", "drop")
        seal.note(db, (13, db.execute("SELECT hash FROM chain WHERE seq = 13").fetchone()[0]), chained.head(db))
        if crash == "after the commit":
            db.execute("COMMIT")
        raise KeyboardInterrupt
    assert found(reviewed) == []
    with store.opened(reviewed) as db:
        work.vote(db, "bob", "i03", "uphold") if crash == "before the commit" else accounts.deactivate(db, "cyd")
    assert found(reviewed) == []


def test_a_whole_vault_that_is_moved_verifies(reviewed, tmp_path):
    shutil.move(reviewed, tmp_path / "elsewhere")
    assert found(tmp_path / "elsewhere") == []
    assert set(digests.digests(str(tmp_path / "elsewhere"), 2)) == {"00", "01"}


def test_no_name_and_no_password_is_in_a_record(reviewed):
    with store.reading(reviewed) as db:
        told = str([db.execute(f"SELECT * FROM {table}").fetchall() for table in ("chain", *store.RECORDS)])
    assert not [name for name in ("ada", "bob", "dan", PASSWORD) if f"'{name}'" in told]
