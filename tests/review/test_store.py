"""The database of reviews: the owner's alone, whole after a crash, and nothing deleted stays in its bytes."""

import sqlite3
import stat

import pytest
from review_cases import asked, some

from accord.errors import AccordError
from accord.review.database import store, work
from accord.sealing import chained


def test_the_database_is_its_owners_alone(vault):
    with store.opened(vault):
        pass
    assert stat.S_IMODE((vault / "review").stat().st_mode) == 0o700
    assert stat.S_IMODE(store.path(vault).stat().st_mode) == 0o600


def test_what_is_not_there_reads_as_empty_and_is_not_made(vault):
    assert not store.exists(vault)
    with store.reading(vault) as db:
        assert work.progress(db) == []
        assert work.decided(db).empty
    assert not vault.exists()


def test_reading_writes_nothing(vault):
    with store.opened(vault):
        pass
    with pytest.raises(AccordError, match="readonly"), store.reading(vault) as db:
        work.add_items(db, some(1))


def test_a_change_that_fails_leaves_nothing(vault):
    with store.opened(vault) as db:
        with pytest.raises(KeyboardInterrupt), store.changing(db):
            work.add_items(db, some(3))
            raise KeyboardInterrupt
        assert work.progress(db) == []


def test_a_file_of_a_later_version_or_of_another_kind_is_refused(vault):
    with store.opened(vault) as db:
        db.execute("PRAGMA user_version = 7")
    with pytest.raises(AccordError, match="has the unknown version 7"), store.opened(vault):
        pass
    store.path(vault).write_bytes(b"this is no database at all, but long enough to be looked at" * 20)
    with pytest.raises(AccordError, match="can't be used"), store.opened(vault):
        pass


@pytest.mark.parametrize("table", ["chain", *store.RECORDS])
@pytest.mark.parametrize(
    "statement", ["UPDATE {0} SET seq = seq", "DELETE FROM {0}", "REPLACE INTO {0} SELECT * FROM {0}"]
)
def test_records_only_grow(vault, table, statement):
    with asked(vault, some(1)) as db:
        work.vote(db, "ada", "i00", "uphold")
        with store.changing(db):
            chained.append(db, "erasure", chained.now(db, store.RECORDS), [("",)])
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            db.execute(statement.format(table))
