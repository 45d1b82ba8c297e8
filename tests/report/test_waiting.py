"""What waits for people: counted from the results' tables, and said by `accord summary`."""

import pytest

from accord.engine import table
from accord.report.reading.waiting import HOLDS_NOTHING, Waiting, lines, waiting
from accord.review.tables import Decisions, Items

ITEM = {"image": "a", "subject": "s", "other": "", "region": "", "check": "c", "kind": "k", "polygon": [],
        "score": None, "threshold": None, "reason": ""}  # fmt: skip
DECISION = {"number": 0, "image": "a", "region": "", "decision": "dismiss", "kind": "k", "polygon": [],
            "entry": "e" * 64}  # fmt: skip


@pytest.fixture
def results(tmp_path):
    """Two undecided items on the web and a decided one, an undecided painted region; policies in the records."""

    def write(name, rows, usual, model, params=None):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        made = table.rows([{**usual, "item": item, "queue": queue} for item, queue in rows], model)
        table.write(made, model, path, {"params": params or {}})

    write("checks/items.parquet", [("i1", "web"), ("i2", "web"), ("i3", "web")], ITEM, Items)
    write("checks/00/decisions.parquet", [("i2", "web")], DECISION, Decisions)
    write("checks/01/decisions.parquet", [("gone", "web")], DECISION, Decisions)
    write("checks/00/settled.parquet", [], DECISION, Decisions, {"policies": {"web": "drop"}})
    write("privacy/00/items.parquet", [("i4", "inpainting")], ITEM, Items)
    write("privacy/00/decisions.parquet", [], DECISION, Decisions)
    write("privacy/00/settled.parquet", [], DECISION, Decisions, {"policies": {"inpainting": "hold"}})
    return tmp_path


def test_items_are_counted_by_queue(results):
    found = waiting(results)
    assert found == [Waiting("inpainting", 1, 1, "hold"), Waiting("web", 3, 2, "drop")]
    assert list(lines(found)) == [
        "  inpainting: 1 item, 1 waiting (policy hold)",
        "  web: 3 items, 2 waiting (policy drop)",
    ]
    assert list(lines([Waiting("web", 3, 2, HOLDS_NOTHING)])) == [
        "  web: 3 items, 2 waiting (random sample, blocks nothing)"
    ]
    assert list(lines([Waiting("web", 3, 0, "drop")])) == ["  web: 3 items, 0 waiting (all decided)"]


def test_results_without_items_have_nothing_to_tell(tmp_path):
    assert waiting(tmp_path) == []
