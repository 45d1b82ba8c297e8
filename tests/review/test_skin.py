"""Blind votes on skin: in an order of each rater's own, each counted, none adjudicated, erased with the person."""

import numpy as np
import page_cases
import page_reviewer
import pytest
import review_cases
from page_cases import Visitor, picture
from page_reviewer import open_queue, signed_in
from review_cases import PASSWORD, asked, decisions, items

from accord.analyse.casual.scales import FITZPATRICK, MONK
from accord.analyse.casual.votes import of_page
from accord.audit.records import reviews
from accord.audit.targets.places import Places
from accord.audit.telling.checks import PASS
from accord.errors import AccordError
from accord.queues import SKIN
from accord.review.asking import status
from accord.review.asking.digests import digests, of_rated_votes
from accord.review.database import chain, erasing, store, work
from accord.review.database.rated_votes import skin_votes
from accord.review.drawn.outlines import Region
from accord.review.page import pages, server
from accord.statistics.describing import krippendorff
from browsers import everywhere, launched

RATERS = ("ada", "bob", "cyd")


def people(count, scale="fitzpatrick"):
    """An item for each person, s00 and so on, with a bright and a dark video."""
    return items(*({"item": f"k{n:02}", "image": f"v{n:02}.mp4", "other": f"w{n:02}.mp4", "subject": f"s{n:02}"}
                   for n in range(count)), queue="skin", check="skin_vote", kind=scale, polygon=[], reason="",
                 score=None, threshold=None)  # fmt: skip


def say(db, rater, item, type_):
    return work.vote(db, rater, item, "uphold", [Region(type_, ())])


def table_of(db):
    return [tuple(row) for row in skin_votes(db).itertuples(index=False)]


def order(db, rater):
    found, after = [], ""
    while one := work.take(db, rater, "skin", after):
        found.append(one.item)
        after = one.item
    return found


def test_each_vote_counts_and_nothing_is_disputed(vault):
    with asked(vault, people(2), RATERS, votes=3) as db:
        say(db, "ada", "k00", "5")
        say(db, "bob", "k00", "2 unsure")
        work.vote(db, "cyd", "k00", "dismiss")
        say(db, "ada", "k01", "6")
        found = table_of(db)
        assert {(subject, scale, *said) for subject, _, scale, *said in found} == {
            ("s00", "fitzpatrick", 5, False), ("s00", "fitzpatrick", 2, True), ("s01", "fitzpatrick", 6, False)
        }  # fmt: skip
        assert len({rater for _, rater, *_ in found}) == 2 and all(row[1] in ("r1", "r2", "r3") for row in found)
        (now,) = work.progress(db)
        assert (now.items, now.assigned, now.voted, now.settled, now.disputed) == (2, 2, 1, 1, 0)
        assert decisions(db) == [] and work.disputed(db) == []
        assert chain.verify(db) == []


def test_a_vote_changes_until_all_are_in(vault):
    with asked(vault, people(1), RATERS[:2], votes=2) as db:
        say(db, "ada", "k00", "1")
        say(db, "ada", "k00", "3")
        assert [row[3] for row in table_of(db)] == [3]
        say(db, "bob", "k00", "4")
        with pytest.raises(AccordError, match="is settled"):
            say(db, "ada", "k00", "4")


@pytest.mark.parametrize(("scale", "decision", "said", "what"), [
    ("fitzpatrick", "uphold", ["0"], "region 1: its kind is unknown"),
    ("fitzpatrick", "uphold", ["7"], "region 1: its kind is unknown"),
    ("monk", "uphold", ["11 unsure"], "region 1: its kind is unknown"),
    ("monk", "uphold", [], "regions: must be exactly one answer"),
    ("monk", "uphold", ["1", "2"], "regions: must be exactly one answer"),
    ("monk", "drop", [], "decision: `drop` does not exist in this queue"),
    ("monk", "dismiss", ["1"], "regions: are not allowed with this decision"),
])  # fmt: skip
def test_a_vote_that_is_none_is_refused(vault, scale, decision, said, what):
    with asked(vault, people(1, scale), RATERS[:1], votes=1) as db:
        with pytest.raises(AccordError, match=what):
            work.vote(db, "ada", "k00", decision, [Region(kind, ()) for kind in said])
        assert table_of(db) == []


def test_nobody_adjudicates_a_vote(vault):
    with asked(vault, people(1), RATERS[:1], votes=1) as db:
        say(db, "ada", "k00", "3")
        for attempt in (lambda: work.adjudicate(db, "dan", "k00", "dismiss"), lambda: work.testimony(db, "dan", "k00")):
            with pytest.raises(AccordError, match="is not adjudicated: each rater's vote on skin counts"):
                attempt()


def test_raters_see_people_in_orders_of_their_own_that_last(vault):
    with asked(vault, people(20), RATERS, votes=3) as db:
        orders = [order(db, rater) for rater in RATERS]
        assert all(sorted(one) == [f"k{n:02}" for n in range(20)] for one in orders)
        assert len({tuple(one) for one in orders}) == 3 and sorted(orders[0]) not in orders
        for item in orders[0][:7]:
            say(db, "ada", item, "2")
    with store.opened(vault) as db:
        assert order(db, "ada") == orders[0][7:] and order(db, "bob") == orders[1]


def test_a_changed_vote_is_not_used(vault):
    with asked(vault, people(1), RATERS[:1], votes=1) as db:
        say(db, "ada", "k00", "3")
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f'DROP TRIGGER "{name}"')
        db.execute("UPDATE vote SET regions = replace(regions, '3', '5')")
        with pytest.raises(AccordError, match="1 votes on skin differ from their records"):
            skin_votes(db)


def test_agreement_is_on_types_and_only_the_command_tells_it(vault):
    said = {"k00": "1 1 2", "k01": "5 6 6", "k02": "3 3 3", "k03": "4 5"}
    with asked(vault, people(4), RATERS, votes=3) as db:
        for item, words in said.items():
            for rater, word in zip(RATERS, words.split(), strict=False):
                say(db, rater, item, word)
        (now,) = work.progress(db)
        units = [np.array([int(word) - 1 for word in words.split()]) for words in said.values()]
        wanted = krippendorff.alpha(krippendorff.coincidences(units, 6).sum(axis=0))
        assert now.agreement.alpha == pytest.approx(float(wanted)) and now.agreement.items == 4
        assert now.agreement.percent == pytest.approx(100 * (2 + 2 + 6 + 0) / 20)
        assert "alpha 0." in status.text(status.document(db)).splitlines()[1]


def test_votes_reach_the_flow_and_decide_no_image(vault, tmp_path):
    with asked(vault, people(3), RATERS[:2], votes=2) as db:
        before = of_rated_votes(str(vault), SKIN), digests(str(vault), 1)
        say(db, "ada", "k00", "3 unsure")
        once = of_rated_votes(str(vault), SKIN)
        say(db, "bob", "k00", "3")
    assert before[0] == "" and len({once, of_rated_votes(str(vault), SKIN)}) == 2
    assert digests(str(vault), 1) == before[1]
    got = of_page(vault, FITZPATRICK, {"s00", "s01"})
    assert got[["subject", "type", "uncertain"]].sort_values("uncertain").to_numpy().tolist() == [
        ["s00", 3, False],
        ["s00", 3, True],
    ]
    assert len(of_page(vault, MONK, {"s00"})) == 0
    assert len(of_page(vault, FITZPATRICK, {"s02"})) == 0
    assert len(of_page(tmp_path / "none", FITZPATRICK, {"s00"})) == 0
    told = reviews.checks(Places(results=tmp_path / "results", vault=vault))
    assert {one.verdict for one in told} == {PASS}


def test_votes_are_erased_with_the_person(vault):
    with asked(vault, people(2), RATERS[:2], votes=2) as db:
        for item in ("k00", "k01"):
            for rater in RATERS[:2]:
                work.vote(db, rater, item, "uphold", [Region("3", ())], f"a remark on {item}")
    assert erasing.planned(vault, set(), {"s01"}) == erasing.forget(vault, frozenset(), frozenset({"s01"})) == 1
    with store.reading(vault) as db:
        assert {row[0] for row in table_of(db)} == {"s00"} and chain.verify(db) == []
    data = store.path(vault).read_bytes()
    assert b"s01" not in data and b"remark on k01" not in data and b"remark on k00" in data
    assert erasing.forget(vault, frozenset({"w00.mp4"}), frozenset()) == 1  # the second picture of an item counts, too


def test_an_export_leaves_them_to_the_page(vault, tmp_path):
    from accord.review.labelstudio import exchange

    with asked(vault, people(1)) as db, pytest.raises(AccordError, match="'skin': can only be decided on the page"):
        exchange.export(db, "skin", tmp_path / "out", tmp_path, "", settled=False)


@pytest.fixture(scope="module")
def chromium():
    with launched() as opened:
        yield opened


def house(folder, given, raters):
    """A vault and the faces of its people, as the steps write them."""
    with review_cases.asked(folder / "vault", given, raters, len(raters)):
        videos = sorted({*given["image"], *given["other"]} - {""})
        faces = {video: picture(n, 96, 96) for n, video in enumerate(videos)}
        page_cases.fill(folder / "results", "evaluate", "skin_faces.parquet", faces)
        (folder / "results/evaluate/00/images.tar").rename(folder / "results/evaluate/00/video_faces.tar")
    return folder / "vault", folder / "results"


def test_the_page_tells_nothing_of_others_nor_of_people(tmp_path):
    vault, of = house(tmp_path, people(1), RATERS[:2])
    app = pages.create(vault, of, server.origin("127.0.0.1", 8765, False))
    ada, bob = Visitor(app, "ada"), Visitor(app, "bob")
    mine = ada.next("skin")
    assert mine["kinds"][:3] == ["1", "1 unsure", "2"] and mine["kind"] == "fitzpatrick" and len(mine["kinds"]) == 12
    assert len(mine["pictures"]) == 2 and bob.get(f"/picture/{mine['pictures'][0]['view']}").status_code == 404
    for one in mine["pictures"]:
        assert ada.get(f"/picture/{one['view']}").headers["content-type"] == "image/jpeg"
    assert bob.vote(bob.next("skin"), "uphold", regions=[{"kind": "6", "polygon": []}]).status_code == 200
    told = ada.get("/api/queues").text + ada.get("/api/queues/skin/next").text
    assert "s00" not in told and "v00" not in told and ".mp4" not in told
    (queue,) = ada.get("/api/queues").json()["queues"]
    assert (queue["agreement"]["percent"], queue["agreement"]["alpha"]) == (None, None)
    assert ada.vote(mine, "uphold", regions=[{"kind": "7", "polygon": []}]).status_code == 409


@pytest.mark.slow
def test_raters_vote_by_keyboard(tmp_path, chromium):
    vault, of = house(tmp_path, people(4), ("ada",))
    with page_cases.served(vault, of) as url:
        page = signed_in(chromium, url, "ada", PASSWORD)
        open_queue(page, "skin")
        page.locator(".pane.ready").nth(1).wait_for()
        assert page.locator("#question").inner_text() == "Which Fitzpatrick type is this person's skin?"
        assert page.locator(".types .choice").count() == 6 and page.locator(".facts dd").all_inner_texts()[0] == (
            "fitzpatrick"
        )
        assert everywhere(page) == {}
        page.set_viewport_size(page_reviewer.SIZE)
        seen = []

        def press(*keys):
            seen.append(page.locator(".panel").get_attribute("data-item"))
            for key in keys:
                page.keyboard.press(key)
            page.locator(f".panel:not([data-item='{seen[-1]}']), .finished").first.wait_for()

        page.keyboard.press("x")
        page.keyboard.press("9")
        press("4")
        press("u", "6")
        press("d")
        page.keyboard.press("z")  # back to what could not be judged
        page.locator(f".panel[data-item='{seen[2]}']").wait_for()
        press("u", "u", "1")
        assert page.locator(".doubt").get_attribute("aria-pressed") == "false"
        page.locator(".choice[data-type='5']").click()
        page.locator(".finished").wait_for()
        page.keyboard.press("Escape")
        page.locator(".home").wait_for()
        assert page.problems == []
        page.context.close()
    with store.reading(vault) as db:
        assert sorted((row[3], row[4]) for row in table_of(db)) == [(1, False), (4, False), (5, False), (6, True)]


@pytest.mark.slow
def test_monk_s_tones_are_shown_with_their_colours(tmp_path, chromium):
    vault, of = house(tmp_path, people(1, "monk"), ("ada",))
    with page_cases.served(vault, of) as url:
        page = signed_in(chromium, url, "ada", PASSWORD)
        open_queue(page, "skin")
        colours = page.eval_on_selector_all(".swatch", "all => all.map((one) => getComputedStyle(one).backgroundColor)")
        assert len(colours) == 10 and colours[0] == "rgb(246, 237, 228)" and colours[9] == "rgb(41, 36, 32)"
        assert everywhere(page) == {}
        page.keyboard.press("0")
        page.locator(".finished").wait_for()
        page.keyboard.press("Escape")
        page.locator(".home").wait_for()
        page.context.close()
    with store.reading(vault) as db:
        assert [(row[2], row[3]) for row in table_of(db)] == [("monk", 10)]
