"""Erasure reaches into reviews: nothing of a person is left in the vault's bytes, and the chain still verifies."""

import sqlite3

import pytest
from review_cases import SQUARE, asked, decisions, items

from accord.errors import AccordError
from accord.review.asking.digests import digests
from accord.review.database import chain, erasing, store, work
from accord.review.drawn.outlines import Region

GIVEN = [
    {"item": "item-of-ann", "image": "image-of-ann", "subject": "subject-ann", "region": "region-ann"},
    {"item": "item-of-bea", "image": "image-of-bea", "subject": "subject-bea", "reason": "plain"},
    {"item": "item-both", "image": "image-of-both", "subject": "subject-bea", "queue": "duplicates",
     "other": "image-of-bea"},
    {"item": "item-pair", "image": "image-of-bea", "subject": "subject-bea", "queue": "duplicates",
     "other": "image-of-ann"},
]  # fmt: skip
ANN = (frozenset({"image-of-ann", "image-of-both"}), frozenset({"subject-ann"}))
TRACES = ("item-of-ann", "image-of-ann", "subject-ann", "region-ann", "item-both", "image-of-both", "item-pair",
          "note about ann", "12345.67")  # fmt: skip


@pytest.fixture
def reviewed(vault):
    drawn = [Region("card", (12345.67, *SQUARE[1:]))]
    with asked(vault, items(*GIVEN)) as db:
        for name in ("ada", "bob"):
            work.vote(db, name, "item-of-ann", "uphold", drawn, note="note about ann")
            work.vote(db, name, "item-of-bea", "dismiss", note="note on bea")
            work.vote(db, name, "item-pair", "drop", note="note about ann and bea")
        work.vote(db, "ada", "item-both", "uphold", note="note about ann's friend")
    return vault


def bytes_of(vault):
    return b"".join(path.read_bytes() for path in sorted(vault.rglob("*")) if path.is_file())


def test_nothing_of_a_person_is_left_and_the_chain_verifies(reviewed):
    assert all(trace.encode() in bytes_of(reviewed) for trace in TRACES)
    assert erasing.planned(reviewed, *ANN) == 3
    assert erasing.forget(reviewed, *ANN) == 3
    assert [trace for trace in TRACES if trace.encode() in bytes_of(reviewed)] == []
    with store.opened(reviewed) as db:
        assert chain.verify(db) == []
        assert decisions(db) == [("item-of-bea", "dismiss", "logo", SQUARE)]
        assert [len(db.execute(f"SELECT * FROM {table}").fetchall()) for table in ("item", "vote", "assignment")] == [
            1, 2, 2,
        ]  # fmt: skip
        assert b"note on bea" in bytes_of(reviewed)


def test_it_can_be_done_again_and_the_work_goes_on(reviewed):
    erasing.forget(reviewed, *ANN)
    before = digests(str(reviewed), 2)
    assert erasing.forget(reviewed, *ANN) == 0
    assert erasing.forget(reviewed, frozenset({""}), frozenset({""})) == 0
    with store.opened(reviewed) as db:
        assert chain.verify(db) == []
        work.add_items(db, items({"item": "new"}))
        work.assign(db, "logos", ["ada"])
        work.vote(db, "ada", "new", "drop")
        assert chain.verify(db) == []
    assert digests(str(reviewed), 2) != before


def test_without_reviews_there_is_nothing_to_forget(vault):
    assert erasing.forget(vault, *ANN) == 0
    assert not vault.exists()


def test_a_crash_leaves_all_or_nothing_and_it_goes_on(reviewed, monkeypatch):
    def crash(_):
        raise KeyboardInterrupt

    with monkeypatch.context() as at, pytest.raises(KeyboardInterrupt):
        at.setattr(store, "vacuum", crash)
        erasing.forget(reviewed, *ANN)
    assert erasing.forget(reviewed, *ANN) == 0
    assert [trace for trace in TRACES if trace.encode() in bytes_of(reviewed)] == []


def test_what_was_tampered_with_is_no_erasure(reviewed):
    raw = sqlite3.connect(store.path(reviewed), isolation_level=None)
    raw.execute("DROP TRIGGER vote_no_update")
    raw.execute("UPDATE vote SET decision = 'drop' WHERE item = 'item-of-bea'")
    raw.close()
    with pytest.raises(AccordError, match="its record was changed"):
        erasing.forget(reviewed, *ANN)


def test_an_erased_record_that_is_put_back_is_told(reviewed):
    with store.reading(reviewed) as db:
        row = db.execute("SELECT * FROM vote WHERE item = 'item-of-ann'").fetchone()
    erasing.forget(reviewed, *ANN)
    raw = sqlite3.connect(store.path(reviewed), isolation_level=None)
    raw.execute("DROP TRIGGER vote_follows")
    raw.execute(f"INSERT INTO vote VALUES ({', '.join('?' * len(row))})", row)
    told = [problem.what for problem in chain.verify(raw)]
    raw.close()
    assert "was erased, and its record is back" in told
