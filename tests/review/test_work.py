"""The work of reviews: queues, blind votes, disputes, adjudication, and what the flow is told."""

import time
from itertools import pairwise

import pytest
from review_cases import PASSWORD, SQUARE, asked, decisions, in_memory, items, some

from accord.errors import AccordError
from accord.review.asking.digests import digests
from accord.review.database import accounts, store, work
from accord.review.drawn.outlines import Region, overlap
from accord.review.tables import Decisions
from accord.shards import shard_of

HALF = (10.0, 10.0, 60.0, 10.0, 60.0, 110.0, 10.0, 110.0)
THIRD = (10.0, 10.0, 43.0, 10.0, 43.0, 110.0, 10.0, 110.0)


def told(error):
    return [(problem.where, problem.what) for problem in error.value.problems]


def test_items_are_added_once_and_kept_up(vault):
    with store.opened(vault) as db:
        assert work.add_items(db, some(3)) == 3
        assert work.add_items(db, some(4)) == 1
        assert work.add_items(db, some(4, score=0.9)) == 0
        found = work.find(db, "i03")
        assert (found.score, found.polygon, found.votes) == (0.9, SQUARE, 1)
        assert work.find(db, "i99") is None


def test_missing_scores_are_none(vault):
    with store.opened(vault) as db:
        work.add_items(db, some(1, score=float("nan"), polygon=[]))
        assert work.find(db, "i00")[8:11] == ((), None, 0.6)


def test_an_item_that_is_asked_no_more_is_gone_unless_it_is_settled(vault):
    with asked(vault, some(3), votes=1) as db:
        given = {name: set(_all(db, name)) for name in ("ada", "bob")}
        assert set.union(*given.values()) == {"i00", "i01", "i02"}
        first = next(name for name in given if "i00" in given[name])
        work.vote(db, first, "i00", "uphold")
        work.add_items(db, items({"item": "i09"}))
        assert decisions(db) == [("i00", "uphold", "logo", SQUARE)]
        assert not any(_all(db, name) for name in given)
        (now,) = work.progress(db)
        assert (now.items, now.settled) == (2, 1)
        work.add_items(db, some(3))
        assert {item for name in given for item in _all(db, name)} == {"i01", "i02"}


def test_nobody_is_given_an_item_that_is_gone(vault):
    with asked(vault, items({"item": "a", "queue": "web"})) as db:
        work.add_items(db, some(2))
        work.add_items(db, items({"item": "i09"}))
        assert work.assign(db, "logos", ["ada", "bob"], votes=2) == 2
        assert _all(db, "ada") == _all(db, "bob") == ["i09"]


def test_only_the_queues_that_are_spoken_of_lose_items(vault):
    with store.opened(vault) as db:
        work.add_items(db, items({"item": "a", "queue": "web"}, {"item": "b"}))
        work.add_items(db, items({"item": "c"}))
        assert [(p.queue, p.items) for p in work.progress(db)] == [("logos", 1), ("web", 1)]
        work.add_items(db, some(0), queues=("logos", "web"))
        assert work.progress(db) == []


def test_what_changed_in_what_is_seen_is_asked_anew_and_what_is_settled_stays(vault):
    with asked(vault, some(2)) as db:
        work.vote(db, "ada", "i00", "uphold")
        for name in ("ada", "bob"):
            work.vote(db, name, "i01", "dismiss")
        work.add_items(db, some(2, polygon=list(HALF)))
        assert _all(db, "ada") == ["i00"]
        work.vote(db, "bob", "i00", "uphold")
        assert [item for item, *_ in decisions(db)] == ["i01"]
        work.vote(db, "ada", "i00", "uphold")
        assert decisions(db) == [("i00", "uphold", "logo", HALF), ("i01", "dismiss", "logo", SQUARE)]


def test_items_are_dealt_out_evenly_and_the_same_every_time(vault, tmp_path):
    dealt = []
    for place in (vault, tmp_path / "other"):
        with asked(place, some(30), ("ada", "bob", "cyd"), votes=2) as db:
            dealt.append({name: _all(db, name) for name in ("ada", "bob", "cyd")})
            assert work.assign(db, "logos", ["ada", "bob", "cyd"], 2) == 0
    assert dealt[0] == dealt[1]
    assert {name: len(found) for name, found in dealt[0].items()} == {"ada": 20, "bob": 20, "cyd": 20}
    assert all(sum(item in found for found in dealt[0].values()) == 2 for item in dealt[0]["ada"])


def test_more_votes_can_be_asked_for_later(vault):
    with asked(vault, some(2), ("ada", "bob"), votes=2) as db:
        for name, decision in (("ada", "uphold"), ("bob", "dismiss")):
            work.vote(db, name, "i00", decision)
            work.vote(db, name, "i01", "drop")
        assert work.disputed(db) == ["i00"]
        assert work.assign(db, "logos", ["ada", "bob", "cyd"], 3) == 1
        assert (work.disputed(db), work.waiting(db, "cyd")) == ([], {"logos": 1})


def test_all_that_is_wrong_with_an_assignment_is_told(vault):
    with asked(vault, some(1)) as db:
        accounts.deactivate(db, "cyd")
        with pytest.raises(AccordError) as error:
            work.assign(db, "brands", ["ada", "cyd", "zoe", "ada"], 5)
    assert told(error) == [
        ("queue", "is unknown"),
        ("votes", "5 votes are more than the 4 reviewer(s)"),
        ("reviewers", "a name is duplicated"),
        ("reviewer 'cyd'", "has an inactive account"),
        ("reviewer 'zoe'", "has no account"),
    ]


def test_painted_regions_come_in_the_order_of_their_doubts(vault):
    """2.64 of 1.3 is twice the limit, 1.0 of 0.6 less than twice, 1.0 of 2.0 half; of equal ones the first."""
    scores = {"a": (1.0, 2.0), "b": (2.64, 1.3), "c": (None, None), "d": (1.0, 0.6), "e": (1.0, 2.0), "f": (9.0, 0.0)}
    rows = [{"item": item, "score": score, "threshold": limit} for item, (score, limit) in scores.items()]
    with asked(vault, items(*rows, queue="inpainting")) as db:
        seen = [""]
        while one := work.take(db, "ada", "inpainting", seen[-1]):
            seen.append(one.item)
        assert seen[1:] == ["b", "d", "a", "e", "c", "f"]
        work.vote(db, "ada", "b", "uphold")
        assert work.take(db, "ada", "inpainting").item == "d"
        assert work.take(db, "ada", "inpainting", "b").item == "d"


def test_take_goes_on_after_an_item_and_ends(vault):
    with asked(vault, some(3)) as db:
        assert [work.take(db, "ada", "logos", after).item for after in ("", "i00", "i01")] == ["i00", "i01", "i02"]
        assert work.take(db, "ada", "logos", "i02") is None
        assert work.take(db, "ada", "web") is None
        assert work.take(db, "cyd", "logos") is None


def test_a_double_review_is_blind_and_settles_when_both_agree(vault):
    with asked(vault, some(1)) as db:
        before = work.take(db, "bob", "logos")
        work.vote(db, "ada", "i00", "uphold", note="plainly a brand")
        assert work.take(db, "bob", "logos") == before
        assert decisions(db) == []
        entry = work.vote(db, "bob", "i00", "uphold")
        (row,) = work.decided(db).itertuples(index=False)
        assert (row.item, row.number, row.decision, row.entry) == ("i00", 0, "uphold", entry)
        assert list(work.decided(db).columns) == list(Decisions.to_schema().columns)


def test_a_vote_can_be_changed_until_the_item_is_settled_and_nothing_is_overwritten(vault):
    with asked(vault, some(1)) as db:
        said = [work.vote(db, "ada", "i00", decision) for decision in ("uphold", "dismiss", "uphold", "uphold")]
        assert len(set(said)) == 3 and said[2] == said[3]
        work.vote(db, "bob", "i00", "uphold")
        with pytest.raises(AccordError, match="item 'i00': is settled"):
            work.vote(db, "ada", "i00", "dismiss")
        assert [row[0] for row in db.execute("SELECT decision FROM vote ORDER BY seq")] == [
            "uphold", "dismiss", "uphold", "uphold",
        ]  # fmt: skip


def test_who_was_not_asked_learns_nothing(vault):
    with asked(vault, some(1)) as db:
        for name, item in (("cyd", "i00"), ("ada", "i99"), ("ada", "x" * 500)):
            with pytest.raises(AccordError, match="is not assigned to this reviewer"):
                work.vote(db, name, item, "uphold")


def test_all_that_is_wrong_with_a_vote_is_told(vault):
    bad = [Region("logo", (1, 2, 3)), Region("cat", SQUARE), Region("logo", (5, 5, 5, 9, 5, 7)),
           Region("logo", (0, 0, 1, 0, float("nan"), 1)), Region("logo", (0, 0, 9e9, 0, 1, 1))]  # fmt: skip
    with asked(vault, some(1)) as db:
        with pytest.raises(AccordError) as error:
            work.vote(db, "ada", "i00", "maybe", bad, "x" * 2001, at="yesterday")
        assert db.execute("SELECT COUNT(*) FROM vote").fetchone() == (0,)
    assert told(error) == [
        ("decision", "is unknown"),
        ("note", "must be text of up to 2000 characters"),
        ("regions", "are not allowed with this decision in this queue"),
        ("region 1", "is not a valid outline"),
        ("region 2", "its kind is unknown"),
        ("region 3", "is not a valid outline"),
        ("region 4", "is not a valid outline"),
        ("region 5", "is not a valid outline"),
        ("at", "is not a valid time"),
    ]


@pytest.mark.parametrize(
    ("drawn", "settled"), [(SQUARE, True), (HALF, True), (THIRD, False), ((500, 500, 510, 500, 505, 520), False)]
)
def test_two_who_uphold_different_regions_differ_below_half_an_overlap(vault, drawn, settled):
    with asked(vault, some(1)) as db:
        work.vote(db, "ada", "i00", "uphold")
        work.vote(db, "bob", "i00", "uphold", [Region("logo", drawn)])
        assert decisions(db) == ([("i00", "uphold", "logo", drawn)] if settled else [])
        assert work.disputed(db) == ([] if settled else ["i00"])


@pytest.mark.parametrize(
    "drawn",
    [(5, 5, 5.5, 5, 5.5, 5.9), (0, 0, 6, 6, 0, 0, 6, 6), (0, 0, 30, 0, 60, 0)],
    ids=["within one pixel", "there and back", "a line"],
)
def test_an_outline_that_encloses_nothing_is_none(vault, drawn):
    with asked(vault, some(1)) as db:
        with pytest.raises(AccordError) as error:
            work.vote(db, "ada", "i00", "uphold", [Region("logo", drawn)])
        assert told(error) == [("region 1", "is not a valid outline")]


def test_overlap_of_sets_of_polygons():
    left, right = (0, 0, 10, 0, 10, 10, 0, 10), (20, 0, 30, 0, 30, 10, 20, 10)
    assert overlap([left, right], [right, left]) == 1
    assert overlap([left, right], [left]) == pytest.approx(1 / 2, abs=0.01)
    assert overlap([(0, 0, 30, 0, 30, 10, 0, 10)], [left]) == pytest.approx(1 / 3, abs=0.01)
    assert overlap([(0, 0, 10, 0, 10, 10)], [left]) == pytest.approx(1 / 2, abs=0.01)
    assert overlap([left * 2], [left]) == 1
    assert (overlap([left], [right]), overlap([], [left]), overlap([], [])) == (0, 0, 1)


def test_several_drawn_regions_are_rows_of_their_own(vault):
    drawn = [Region("card", SQUARE), Region("screen", HALF)]
    with asked(vault, some(1), ("ada",), votes=1) as db:
        work.vote(db, "ada", "i00", "uphold", drawn)
        rows = work.decided(db)
        assert list(rows["number"]) == [0, 1]
        assert decisions(db) == [("i00", "uphold", "card", SQUARE), ("i00", "uphold", "screen", HALF)]
        assert rows["entry"].nunique() == 1


def test_agreement_asks_for_drawn_regions(vault):
    with asked(vault, some(1, queue="agreement"), ("ada",), votes=1) as db:
        with pytest.raises(AccordError, match="draw what you see"):
            work.vote(db, "ada", "i00", "uphold")
        work.vote(db, "ada", "i00", "uphold", [Region("12. Upper lip", HALF)])
        assert decisions(db) == [("i00", "uphold", "12. Upper lip", HALF)]


def test_a_dispute_is_decided_by_an_adjudicator_who_did_not_vote(vault):
    with asked(vault, some(2), ("ada", "dan")) as db:
        with pytest.raises(AccordError, match="item 'i00': waits for votes"):
            work.adjudicate(db, "eve", "i00", "drop")
        work.vote(db, "ada", "i00", "uphold", note="a shop's sign")
        work.vote(db, "dan", "i00", "dismiss")
        assert work.disputed(db) == ["i00"]
        for name, what in (("bob", "is restricted to adjudicators"), ("dan", "has a vote of this adjudicator")):
            for do in (lambda n: work.adjudicate(db, n, "i00", "drop"), lambda n: work.testimony(db, n, "i00")):
                with pytest.raises(AccordError, match=what):
                    do(name)
        heard = work.testimony(db, "eve", "i00")
        assert [(said.decision, said.note, said.reviewer) for said in heard] == [
            ("uphold", "a shop's sign", ""), ("dismiss", "", ""),
        ]  # fmt: skip
        entry = work.adjudicate(db, "eve", "i00", "drop")
        assert list(work.decided(db)["entry"]) == [entry]
        assert (work.disputed(db), decisions(db)) == ([], [("i00", "drop", "logo", SQUARE)])


def test_what_is_settled_can_be_corrected_by_an_adjudicator(vault):
    with asked(vault, some(1), ("ada",), votes=1) as db:
        work.vote(db, "ada", "i00", "uphold")
        work.adjudicate(db, "dan", "i00", "dismiss")
        entry = work.adjudicate(db, "dan", "i00", "drop")
        assert decisions(db) == [("i00", "drop", "logo", SQUARE)]
        assert list(work.decided(db)["entry"]) == [entry]
        assert db.execute("SELECT COUNT(*) FROM vote").fetchone() == (3,)


def test_decisions_of_some_images(vault):
    with asked(vault, some(3), ("ada",), votes=1) as db:
        for item in ("i00", "i01", "i02"):
            work.vote(db, "ada", item, "drop")
        assert [item for item, *_ in decisions(db, ["img02", "img00", "img77"])] == ["i00", "i02"]
        assert decisions(db, []) == []


def test_times_never_decrease(vault):
    with asked(vault, some(2)) as db:
        work.vote(db, "ada", "i00", "drop", at="2031-05-01T12:00:00+02:00")
        work.vote(db, "ada", "i01", "drop", at="2029-01-01T00:00:00Z")
        times = [at for (at,) in db.execute("SELECT recorded_at FROM vote ORDER BY seq")]
    assert times == ["2031-05-01T10:00:00+00:00"] * 2


def test_progress_counts_and_agreement(vault):
    with asked(vault, some(5)) as db:
        for number, (ada, bob) in enumerate([("uphold", "uphold"), ("uphold", "drop"), ("dismiss", "dismiss")]):
            work.vote(db, "ada", f"i{number:02}", ada)
            work.vote(db, "bob", f"i{number:02}", bob)
        work.vote(db, "ada", "i03", "drop")
        (found,) = work.progress(db)
        assert found[:6] == ("logos", 5, 5, 3, 2, 1)
        assert found.agreement.percent == pytest.approx(200 / 3)
        # By hand: values uphold 3, dismiss 2, drop 1; observed 2 of 6 pairs, expected (36 - 14) / 30.
        assert found.agreement.alpha == pytest.approx(1 - (2 / 6) / (22 / 30))


def test_digests_are_of_the_shard_and_the_room_that_was_decided_about(vault):
    given = items({"item": "a", "subject": "ann"}, {"item": "b", "subject": "bea", "queue": "inpainting"},
                  {"item": "c", "subject": "cleo"}, {"item": "d", "subject": "bea", "queue": "videos"})  # fmt: skip
    nothing = digests(str(vault), 4)
    assert nothing == {f"0{n}": {"checks": "", "privacy": "", "videos": ""} for n in range(4)}
    with asked(vault, given, ("ada",), votes=1) as db:
        assert digests(str(vault), 4) == nothing
        seen = [nothing]
        for item in "abcd":
            work.vote(db, "ada", item, "uphold")
            seen.append(digests(str(vault), 4))
    changes = [
        {(shard, room) for shard in new for room in new[shard] if new[shard][room] != old[shard][room]}
        for old, new in pairwise(seen)
    ]
    assert changes == [
        {(shard_of("ann", 4), "checks")}, {(shard_of("bea", 4), "privacy")}, {(shard_of("cleo", 4), "checks")},
        {(shard_of("bea", 4), "videos")},
    ]  # fmt: skip


def test_ten_thousand_items_are_quick():
    """In processor time, so that what else the machine does is not counted."""
    names = ("ada", "bob")
    rows = some(1).iloc[[0] * 10_000].reset_index(drop=True)
    rows["item"] = [f"{number:016x}" for number in rows.index]
    rows["queue"] = [("logos", "web")[number % 2] for number in rows.index]
    with in_memory() as db:
        for name in names:
            accounts.add(db, name, "reviewer", PASSWORD)
        assert _seconds(lambda: work.add_items(db, rows)) < 10
        assert _seconds(lambda: work.assign(db, "logos", names, 2)) < 5
        for _ in range(50):
            for name in names:
                work.vote(db, name, work.take(db, name, "logos").item, "uphold")
        assert min(_seconds(lambda: work.take(db, "ada", "logos")) for _ in range(5)) < 0.1
        assert min(_seconds(lambda: work.waiting(db, "ada")) for _ in range(5)) < 0.1
        assert min(_seconds(lambda: work.progress(db)) for _ in range(5)) < 0.2
        assert [(of.items, of.settled) for of in work.progress(db)] == [(5000, 50), (5000, 0)]


def _seconds(do):
    start = time.process_time()
    do()
    return time.process_time() - start


def _all(db, name, queue="logos"):
    found, after = [], ""
    while one := work.take(db, name, queue, after):
        found.append(one.item)
        after = one.item
    return found
