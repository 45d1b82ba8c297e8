"""Blind triples: what people take faces for, each alone and told no annotation; every vote counts."""

import pandas as pd
import pytest
import review_cases
from page_cases import Visitor, fill, picture
from review_cases import asked, decisions, items

from accord.errors import AccordError
from accord.queues import LOOKS
from accord.review.asking import status
from accord.review.asking.digests import digests, of_rated_votes
from accord.review.database import chain, erasing, store, work
from accord.review.database.rated_votes import look_votes, skin_votes
from accord.review.drawn.outlines import Region
from accord.review.page import pages, server

RATERS = ("ada", "bob", "cyd")


def faces(count, attribute="gender"):
    return items(*({"item": f"k{n:02}", "image": f"i{n:02}", "subject": f"s{n:02}"} for n in range(count)),
                 queue=LOOKS, check="look_vote", kind=attribute, other="", polygon=[], reason="", score=None,
                 threshold=None)  # fmt: skip


def say(db, rater, item, value):
    return work.vote(db, rater, item, "uphold", [Region(value, ())])


def test_three_votes_count_each_and_settle_nothing(vault):
    with asked(vault, faces(2), RATERS, votes=3) as db:
        before = digests(str(vault), 1)
        for rater, value in zip(RATERS, ("female", "male", "female"), strict=True):
            say(db, rater, "k00", value)
        work.vote(db, "ada", "k01", "dismiss")
        found = look_votes(db)
        assert found[["item", "attribute", "value"]].to_numpy().tolist() == [
            ["k00", "gender", value] for value in found["value"]
        ]
        assert sorted(found["value"]) == ["female", "female", "male"] and found["rater"].nunique() == 3
        assert len(skin_votes(db)) == 0 and decisions(db) == [] and work.disputed(db) == []
        (now,) = work.progress(db)
        assert (now.queue, now.voted) == (LOOKS, 1) and now.agreement.percent == pytest.approx(100 / 3)
        assert chain.verify(db) == []
    assert digests(str(vault), 1) == before and of_rated_votes(str(vault), LOOKS) != ""
    assert of_rated_votes(str(vault), "skin") == ""


def test_agreement_by_chance_is_told_of_each_question_alone(vault):
    """Each by hand: gender ff, fm: 1 - (2/4) / (6/12); age the same. Both as one scale would have an alpha above 0."""
    both = pd.concat([faces(2), faces(2, "age_presentation").assign(item=["k10", "k11"])])
    said = {"k00": ("female", "female"), "k01": ("female", "male"), "k10": ("65+", "65+"), "k11": ("65+", "0-14")}
    with asked(vault, both, RATERS[:2], votes=2) as db:
        for item, values in said.items():
            for rater, value in zip(RATERS, values, strict=False):
                say(db, rater, item, value)
        (now,) = work.progress(db)
        assert now.agreement.percent == pytest.approx(50) and now.agreement.alpha is None
        told = status.document(db)
        assert {name: of["alpha"] for name, of in told["queues"][0]["questions"].items()} == pytest.approx(
            {"age_presentation": 0, "gender": 0}
        )
        assert "  age presentation: 50.0% of 2 items, alpha 0.000\n  gender: 50.0%" in status.text(told)
        assert "50.0% of 4 items, one alpha for each question\n" in status.text(told)


def test_only_values_of_the_attribute_can_be_said(vault):
    with asked(vault, faces(1, "age_presentation"), RATERS, votes=3) as db:
        say(db, "ada", "k00", "65+")
        for value in ("female", "64", ""):
            with pytest.raises(AccordError):
                say(db, "bob", "k00", value)
        with pytest.raises(AccordError, match="dismiss it if the face can't be judged"):
            work.vote(db, "bob", "k00", "drop")


def test_votes_are_erased_with_the_person_and_a_changed_one_is_noticed(vault):
    with asked(vault, faces(2), RATERS[:2], votes=2) as db:
        for item in ("k00", "k01"):
            say(db, "ada", item, "male")
    assert erasing.forget(vault, frozenset(), frozenset({"s01"})) == 1
    with store.reading(vault) as db:
        assert list(look_votes(db)["item"]) == ["k00"]
    with store.opened(vault) as db:
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f'DROP TRIGGER "{name}"')
        db.execute("UPDATE vote SET regions = replace(regions, 'male', 'female')")
        with pytest.raises(AccordError, match="1 votes on faces differ from their records"):
            look_votes(db)


def test_the_page_shows_the_face_and_nothing_that_was_said_of_it(tmp_path):
    with review_cases.asked(tmp_path / "vault", faces(2), RATERS, 3):
        shown = {f"i{n:02}": picture(n, 96, 96) for n in range(2)}
        fill(tmp_path / "results", "release", "derivatives.parquet", shown)
    (tmp_path / "results/release/00/images.tar").rename(tmp_path / "results/release/00/files.tar")
    app = pages.create(tmp_path / "vault", tmp_path / "results", server.origin("127.0.0.1", 8765, False))
    ada, bob = Visitor(app, "ada"), Visitor(app, "bob")
    mine = ada.next(LOOKS)
    assert (mine["kinds"], mine["kind"], mine["reason"], mine["score"]) == (["female", "male"], "gender", "", None)
    (view,) = [one["view"] for one in mine["pictures"]]
    assert ada.get(f"/picture/{view}").headers["content-type"] == "image/jpeg"
    assert bob.get(f"/picture/{view}").status_code == 404
    assert bob.vote(bob.next(LOOKS), "uphold", regions=[{"kind": "male", "polygon": []}]).status_code == 200
    told = ada.get("/api/queues").text + ada.get(f"/api/queues/{LOOKS}/next").text
    assert "s00" not in told and "i00" not in told
    (queue,) = ada.get("/api/queues").json()["queues"]
    assert (queue["agreement"]["percent"], queue["agreement"]["alpha"]) == (None, None)
