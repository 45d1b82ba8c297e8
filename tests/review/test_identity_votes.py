"""Blind votes on whom faces of a query show: all of a query to the same raters at once, each vote counted, erased with
either person."""

import page_cases
import pytest
import review_cases
from page_cases import Visitor, picture
from review_cases import asked, decisions, items

from accord.errors import AccordError
from accord.queues import IDENTITIES
from accord.review.asking.digests import digests, of_rated_votes
from accord.review.database import chain, erasing, store, work
from accord.review.database.rated_votes import identity_votes
from accord.review.drawn.outlines import Region
from accord.review.page import pages, server

RATERS = ("ada", "bob")
BOX = [100.0, 60.0, 160.0, 60.0, 160.0, 120.0, 100.0, 120.0]


def faces(counts):
    """Items of queries: so many faces of each, p0, p1 and so on of p."""
    return items(*({"item": f"k-{query}{n}", "image": f"{query}{n}", "subject": query}
                   for query, count in counts.items() for n in range(count)), queue=IDENTITIES,
                 check="identity_vote", kind="face", other="", polygon=BOX, reason="", score=None,
                 threshold=None)  # fmt: skip


def say(db, rater, item, what):
    return work.vote(db, rater, item, *(("uphold", [Region(what, ())]) if what else ("dismiss",)))


def house(folder, given, raters, votes=1):
    """A vault and the pictures of a release that the faces are in, as the steps write them."""
    with review_cases.asked(folder / "vault", given, raters, votes):
        shown = {image: picture(n) for n, image in enumerate(given["image"])}
        page_cases.fill(folder / "results", "release", "derivatives.parquet", shown)
    (folder / "results/release/00/images.tar").rename(folder / "results/release/00/files.tar")
    return folder / "vault", folder / "results"


def pages_of(db, rater):
    """The pages that a rater sees, each a list of items."""
    found, after = [], ""
    while some := work.take_some(db, rater, IDENTITIES, after, 40):
        found.append([one.item for one in some])
        after = found[-1][-1]
    return found


def test_each_vote_counts_who_cannot_tell_too_and_nothing_is_settled_by_it(vault):
    with asked(vault, faces({"p": 3}), RATERS, votes=2) as db:
        before = digests(str(vault), 1)
        for rater, words in (("ada", ("same", "other", "")), ("bob", ("same", "same", "other"))):
            for n, what in enumerate(words):
                say(db, rater, f"k-p{n}", what)
        found = identity_votes(db)
        assert sorted(found[["item", "label"]].itertuples(index=False, name=None)) == [
            ("k-p0", 1), ("k-p0", 1), ("k-p1", 0), ("k-p1", 1), ("k-p2", -1), ("k-p2", 0)
        ]  # fmt: skip
        assert set(found["rater"]) == {"r1", "r2"}
        assert decisions(db) == [] and work.disputed(db) == [] and chain.verify(db) == []
        (now,) = work.progress(db)
        assert (now.queue, now.voted, now.agreement.items) == (IDENTITIES, 3, 2)
        for wrong in ("male", "untold"):
            with pytest.raises(AccordError):
                say(db, "ada", "k-p0", wrong)
    assert digests(str(vault), 1) == before and of_rated_votes(str(vault), IDENTITIES) != ""


def test_a_query_is_dealt_to_the_same_raters_and_seen_at_once(vault):
    counts = {"p": 3, "q": 5, "r": 4, "s": 2}
    with asked(vault, faces(counts), (*RATERS, "cyd"), votes=2) as db:
        seen = {rater: pages_of(db, rater) for rater in (*RATERS, "cyd")}
        whole = {frozenset(f"k-{query}{n}" for n in range(count)) for query, count in counts.items()}
        assert {frozenset(page) for found in seen.values() for page in found} == whole
        assert sum(len(found) for found in seen.values()) == 2 * len(counts)
        work.add_items(db, faces({**counts, "s": 4}))
        work.assign(db, IDENTITIES, [*RATERS, "cyd"], votes=2)
        later = {rater: pages_of(db, rater) for rater in seen}
        assert {rater: len(found) for rater, found in later.items()} == {
            rater: len(found) for rater, found in seen.items()
        }
        for item in later["ada"][0][:1]:
            say(db, "ada", item, "same")
        assert pages_of(db, "ada") == [later["ada"][0][1:], *later["ada"][1:]]


def test_votes_go_with_the_person_who_is_shown_and_with_the_query_s(vault):
    with asked(vault, faces({"p": 3, "q": 2}), RATERS[:1], votes=1) as db:
        for item in ("k-p0", "k-p1", "k-p2", "k-q0", "k-q1"):
            say(db, "ada", item, "same")
    assert erasing.forget(vault, frozenset({"p1"}), frozenset({"lent"})) == 1
    with store.reading(vault) as db:
        assert list(identity_votes(db)["item"]) == ["k-p0", "k-p2", "k-q0", "k-q1"]
    assert erasing.forget(vault, frozenset(), frozenset({"p"})) == 2
    with store.opened(vault) as db:
        assert list(identity_votes(db)["item"]) == ["k-q0", "k-q1"] and chain.verify(db) == []
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f'DROP TRIGGER "{name}"')
        db.execute("UPDATE vote SET regions = replace(regions, 'same', 'other') WHERE item = 'k-q0'")
        with pytest.raises(AccordError, match="1 votes on faces differ from their records"):
            identity_votes(db)


def test_the_page_shows_one_query_and_tells_no_name_no_label_and_no_vote(tmp_path):
    vault, of = house(tmp_path, faces({"first-query": 3, "second-query": 3}), RATERS, votes=2)
    app = pages.create(vault, of, server.origin("127.0.0.1", 8765, False))
    ada, bob = Visitor(app, "ada"), Visitor(app, "bob")
    some = f"/api/queues/{IDENTITIES}/some?count=40"
    mine, his = ada.get(some).json()["items"], bob.get(some).json()["items"]
    assert len(mine) == len(his) == 3
    for one in mine:
        assert (one["kinds"], one["polygon"], one["reason"], one["score"]) == (["same", "other"], BOX, "", None)
        (view,) = [of["view"] for of in one["pictures"]]
        assert ada.get(f"/picture/{view}").headers["content-type"] == "image/jpeg"
        assert bob.get(f"/picture/{view}").status_code == 404
    votes = [{"item": one["id"], "decision": "uphold", "regions": [{"kind": "other", "polygon": []}]} for one in his]
    assert bob.post("/api/votes", {"votes": votes}).json() == {"refused": 0, "problems": []}
    told = ada.get("/api/queues").text + ada.get(some).text
    assert not any(name in told for name in ("first-query", "second-query"))
    (queue,) = ada.get("/api/queues").json()["queues"]
    assert (queue["agreement"]["percent"], queue["agreement"]["alpha"]) == (None, None)
