"""Items, accounts and databases of reviews for tests."""

from contextlib import contextmanager
from pathlib import Path

from accord.engine import table
from accord.review.database import accounts, store, work
from accord.review.tables import Items

PASSWORD = "correct horse battery"
SQUARE = (10.0, 10.0, 110.0, 10.0, 110.0, 110.0, 10.0, 110.0)
PEOPLE = {"ada": "reviewer", "bob": "reviewer", "cyd": "reviewer", "dan": "adjudicator", "eve": "admin"}


def items(*rows, **all_of):
    """A table of items from dicts; what is left out is usual."""
    usual = {"queue": "logos", "image": "img", "subject": "sub", "other": "", "region": "", "check": "logo",
             "kind": "logo", "polygon": list(SQUARE), "score": 0.7, "threshold": 0.6, "reason": "a brand"}  # fmt: skip
    return table.rows([{**usual, **all_of, **row} for row in rows], Items)


def some(count, **all_of):
    """That many items i00, i01, ..., each of an image of its own."""
    return items(
        *({"item": f"i{n:02}", "image": f"img{n:02}", "subject": f"sub{n:02}"} for n in range(count)), **all_of
    )


@contextmanager
def asked(vault, given, people=("ada", "bob"), votes=2):
    """A database in which everyone has an account, and people were asked about some items."""
    with store.opened(vault) as db:
        for name, role in PEOPLE.items():
            accounts.add(db, name, role, PASSWORD)
        work.add_items(db, given)
        for queue in sorted(set(given["queue"])):
            work.assign(db, queue, list(people), votes)
        yield db


def decisions(db, images=None):
    """(item, decision, kind, polygon) of what is settled."""
    rows = work.decided(db, images)
    return [(r.item, r.decision, r.kind, tuple(r.polygon)) for r in rows.itertuples()]


@contextmanager
def in_memory():
    """A database without a file: nothing is waited for."""
    with store._connected(Path(":memory:")) as db:
        store._make(db)
        yield db
