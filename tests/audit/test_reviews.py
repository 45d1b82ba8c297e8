"""The audit of people's decisions: each that the flow used is in the chain, with who (by role) and when."""

import sqlite3
from pathlib import Path

import pandas as pd
import pytest

from accord.audit.evidence import lineage
from accord.audit.records import reviews
from accord.audit.targets.places import Places
from accord.audit.telling.checks import FAIL, NOT_APPLICABLE, PASS, WARN
from accord.engine import table
from accord.review.database import accounts, store, work
from accord.review.drawn.outlines import Region
from accord.review.tables import Decisions, Items

USED = Path("results/checks/00/decisions.parquet")
SQUARE = (0.0, 0.0, 9.0, 0.0, 9.0, 9.0, 0.0, 9.0)


@pytest.fixture
def places(tmp_path, monkeypatch):
    """A logo that a reviewer upheld, another that an adjudicator dropped, a third that nobody decided."""
    monkeypatch.chdir(tmp_path)
    lineage.forget()
    usual = {"queue": "logos", "subject": "s", "other": "", "region": "", "check": "logo", "kind": "logo",
             "polygon": list(SQUARE), "score": 1.0, "threshold": 0.6, "reason": ""}  # fmt: skip
    with store.opened(Path("vault")) as db:
        for name, role in (("ada", "reviewer"), ("dan", "adjudicator")):
            accounts.add(db, name, role, "correct horse battery")
        work.add_items(db, table.rows([{**usual, "item": f"i{n}", "image": f"img{n}"} for n in range(3)], Items))
        work.assign(db, "logos", ["ada"])
        work.vote(
            db, "ada", "i0", "uphold", [Region("card", SQUARE), Region("logo", SQUARE)], at="2031-02-03T04:05:06Z"
        )
        work.vote(db, "ada", "i1", "uphold", at="2031-02-03T04:05:07Z")
        work.adjudicate(db, "dan", "i1", "drop", at="2031-02-04T00:00:00Z")
    use()
    Path("results/consent/00").mkdir(parents=True)
    pd.DataFrame({"image": ["img0", "img1", "img2"]}).to_parquet("results/consent/00/images.parquet")
    return Places()


def use(change=lambda rows: rows):
    """What the flow would use, changed."""
    USED.parent.mkdir(parents=True, exist_ok=True)
    with store.reading(Path("vault")) as db:
        rows = change(work.decided(db).to_dict("records"))
    table.write(table.rows(rows, Decisions), Decisions, USED, {"step": "checks.settle", "inputs": {}})


def told(places):
    return {(check.name, check.verdict, check.what) for check in reviews.checks(places)}


def test_decisions_that_are_in_the_chain_pass(places):
    assert told(places) == {
        ("chain of decisions", PASS, "3 records, none changed"),
        ("people's decisions", PASS, "all 3 decisions used by the workflow are in the chain"),
    }


def test_who_decided_what_and_when_is_told_of_an_image_by_role(places):
    (first,), (second,), (third,) = (reviews.of_image(f"img{n}", places) for n in range(3))
    assert first.what == "uphold in queue logos, after review, role reviewer, at 2031-02-03T04:05:06+00:00, entry 3"
    assert (
        second.what
        == "drop in queue logos, after adjudication, role adjudicator, at 2031-02-04T00:00:00+00:00, entry 5"
    )
    assert (third.verdict, third.what) == (NOT_APPLICABLE, "none recorded")
    assert "ada" not in str([first, second])


@pytest.mark.parametrize(
    ("column", "value", "what"),
    [
        ("entry", "f" * 64, "contains decisions that are not in the vault's chain"),
        ("decision", "dismiss", "contains decisions that were changed"),
        ("kind", "other", "contains decisions that were changed"),
        ("polygon", [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], "contains decisions that were changed"),
        ("item", "i2", "contains decisions that were changed"),
        ("image", "img2", "contains decisions that were changed"),
    ],
)
def test_a_decision_that_is_not_as_it_was_made_fails(places, column, value, what):
    use(lambda rows: [{**rows[0], column: value}, *rows[1:]])
    assert ("people's decisions", FAIL, what) in told(places)


def test_a_decision_that_was_made_since_is_told(places):
    with store.opened(places.vault) as db:
        work.vote(db, "ada", "i2", "drop")
        work.adjudicate(db, "dan", "i1", "dismiss")
    assert ("people's decisions", WARN, "2 items were decided, or decided again, since") in told(places)
    assert ("people's decisions", PASS, "all 3 decisions used by the workflow are in the chain") in told(places)


def test_a_chain_that_was_tampered_with_fails(places):
    raw = sqlite3.connect(store.path(places.vault), isolation_level=None)
    raw.execute("DROP TRIGGER vote_no_update")
    raw.execute("UPDATE vote SET note = 'x'")
    raw.close()
    assert ("chain of decisions", FAIL, "its record was changed") in told(places)


def test_decisions_without_the_vault_that_made_them_fail(places):
    store.path(places.vault).unlink()
    assert ("people's decisions", FAIL, "contains decisions that are not in the vault's chain") in told(places)
    store.path(places.vault).write_bytes(b"no database, though it looks like one" * 100)
    assert ("chain of decisions", FAIL) in {(name, verdict) for name, verdict, _ in told(places)}


def test_without_any_decision_there_is_none(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert [check.verdict for check in reviews.checks(Places())] == [NOT_APPLICABLE]
    assert [check.verdict for check in reviews.of_image("img0", Places())] == [NOT_APPLICABLE]
