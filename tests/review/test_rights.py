"""What reviewers may do to each other: nothing. Every name of one session is tried in all others, on every route."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor

import page_cases
import pytest
from page_cases import Visitor

from accord.queues import QUEUES
from accord.review.database import accounts, store
from accord.review.database.accounts import ADJUDICATOR, ADMIN
from accord.review.page import guard


@pytest.fixture
def app(tmp_path, monkeypatch):
    """A page with two reviewers, an adjudicator and an administrator, which answers however often it is asked."""
    monkeypatch.setattr(guard, "REQUESTS_AT_ONCE", 1_000_000)
    made = page_cases.page(tmp_path)
    with store.opened(made.vault) as db:
        for name, role in (("cid", ADJUDICATOR), ("dora", ADMIN)):
            accounts.add(db, name, role, page_cases.PASSWORD)
    return made


def names(value: object) -> set[str]:
    """All texts in a document that can be names of things in a session."""
    if isinstance(value, dict):
        return {name for inner in value.values() for name in names(inner)}
    if isinstance(value, list):
        return {name for inner in value for name in names(inner)}
    return {value} if isinstance(value, str) and len(value) == 22 and value.isascii() and " " not in value else set()


def seen_by(visitor: Visitor) -> set[str]:
    found = set()
    for queue in QUEUES:
        found |= names(visitor.get(f"/api/queues/{queue}/some", params={"count": 8}).json())
    return found | names(visitor.get("/api/disputes/next").json())


def rows(app) -> dict[str, int]:
    with store.opened(app.vault) as db:
        tables = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {table: db.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0] for table in tables}


def test_no_name_of_one_session_is_good_in_another(app):
    visitors = {name: Visitor(app, name) for name in ("ada", "bob", "cid", "dora")}
    visitors["ada again"] = Visitor(app, "ada")
    seen = {name: seen_by(visitor) for name, visitor in visitors.items()}
    assert all(seen[name] for name in ("ada", "bob"))
    before, tried = rows(app), 0
    for owner, found in seen.items():
        for name, visitor in visitors.items():
            for handle in sorted(found) * (name != owner):
                assert (
                    visitor.get(f"/picture/{handle}").status_code == visitor.get(f"/film/{handle}").status_code == 404
                )
                body = {"item": handle, "decision": "accept"}
                assert visitor.post("/api/vote", body).status_code in (404, 422)
                assert visitor.post("/api/adjudicate", body).status_code in (403, 404, 422)
                assert visitor.post("/api/votes", {"votes": [body]}).json().get("refused", 1) == 1
                tried += 5
    assert rows(app) == before and tried > 100


def test_routes_of_other_roles_are_closed(app):
    for name, adjudicates, administers in (("ada", False, False), ("cid", True, False), ("dora", None, True)):
        visitor = Visitor(app, name)
        if adjudicates is not None:
            assert (visitor.get("/api/disputes/next").status_code == 200) is adjudicates
        assert (visitor.get("/api/reviewers").status_code == 200) is administers
    assert Visitor(app).get("/api/queues").status_code == Visitor(app).get("/api/reviewers").status_code == 401


def test_votes_of_many_at_once_count_once_for_each_reviewer(app):
    """Each of two reviewers sends the same vote eight times at once."""
    asked = []
    for name in ("ada", "bob"):
        visitor = Visitor(app, name)
        asked += [(visitor, {"item": visitor.next("logos")["id"], "decision": "dismiss"})] * 8
    before = rows(app)["vote"]
    with ThreadPoolExecutor(8) as pool:
        codes = list(pool.map(lambda one: one[0].post("/api/vote", one[1]).status_code, asked))
    assert set(codes) <= {200, 404, 409} and app.failed == []
    with store.opened(app.vault) as db:
        db.row_factory = sqlite3.Row
        votes = [tuple(row) for row in db.execute("SELECT item, reviewer FROM vote")]
    assert len(votes) - before == len(set(votes)) - before == 2
