"""What people are asked about faces of a Rapid Test: whole queries by lot, and nothing that services said of them."""

import numpy as np
import pytest

from accord.engine import table
from accord.evaluate import identity_items
from accord.evaluate.tables.services import FaceIds
from accord.queues import IDENTITIES

NOTHING = (np.nan,) * 4


def found(counts, services=("a", "b", "c"), box=lambda number: (10.2 + number, 20, 30.4, 40)):
    rows = [(query, f"{query}i{n:02}", f"{query}i{n:02}", name, *box(number), "")
            for query, count in counts.items() for n in range(count)
            for number, name in enumerate(services)]  # fmt: skip
    return table.rows(
        [*rows, *((query, f"{query}x", "", "a", *NOTHING, "no face found by a") for query in counts)], FaceIds
    )


QUERIES = {f"q{n:02}": 5 + n % 3 for n in range(20)}


def test_all_common_faces_of_a_share_of_the_queries_are_asked_about():
    items = identity_items.run(found(QUERIES), share=0.2)
    drawn = items.groupby("subject")["image"].size().to_dict()
    assert len(drawn) == 4 and all(count == QUERIES[query] for query, count in drawn.items())
    assert not items["image"].str.endswith("x").any() and set(items["queue"]) == {IDENTITIES}
    assert list(items["polygon"][0]) == [11, 20, 30, 20, 30, 40, 11, 40]  # the middle of the services' boxes
    told = items.drop(columns=["item", "image", "subject", "polygon"]).drop_duplicates()
    assert len(told) == 1  # nothing differs from face to face


@pytest.mark.parametrize(("share", "count"), [(0.05, 1), (0.051, 2), (0.15, 3), (1.0, 20)])
def test_the_share_is_of_queries_rounded_up(share, count):
    assert identity_items.run(found(QUERIES), share=share)["subject"].nunique() == count


def test_a_withdrawal_moves_few_and_the_seed_draws_others():
    before = identity_items.run(found(QUERIES), share=0.2)
    gone = before["subject"][0]
    after = identity_items.run(found({query: n for query, n in QUERIES.items() if query != gone}), share=0.2)
    assert len({*before["subject"]} - {*after["subject"]}) == 1 and len({*after["subject"]} - {*before["subject"]}) == 1
    kept = before[before["subject"] != gone]
    assert set(kept["item"]) <= set(after["item"])
    assert set(identity_items.run(found(QUERIES), share=0.2, seed=2)["subject"]) != set(before["subject"])


def test_queries_of_two_faces_have_no_most_and_of_many_40_are_drawn():
    counts = identity_items.run(found({"two": 2, "three": 3, "many": 50}, ("a",)), share=1.0)
    assert counts.groupby("subject").size().to_dict() == {"three": 3, "many": 40}


def test_a_face_that_no_service_places_is_shown_whole():
    items = identity_items.run(found({"q": 3}, box=lambda _: NOTHING), share=1.0)
    assert [list(polygon) for polygon in items["polygon"]] == [[], [], []]
    assert identity_items.run(table.empty(FaceIds), share=1.0).empty
