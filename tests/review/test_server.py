"""The review page's routes: who gets what, and what comes of it."""

import io
import itertools
import os
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import page_cases
import pytest
import yaml
from page_cases import HEIGHT, WIDTH, Visitor
from PIL import Image

from accord.check_names import label
from accord.engine import table
from accord.errors import AccordError
from accord.imaging import decode
from accord.intake.tables import Keypoints
from accord.review.asking import status
from accord.review.database import seal, store, work
from accord.review.page import pictures, server

SQUARE = [10.0, 10.0, 60.0, 10.0, 60.0, 60.0, 10.0, 60.0]


@pytest.fixture
def app(tmp_path):
    return page_cases.page(tmp_path)


@pytest.fixture
def ada(app):
    return Visitor(app, "ada")


@pytest.fixture
def bob(app):
    return Visitor(app, "bob")


def decided(visitor, queue, *decisions):
    """Decide the items of a queue, one after the other; returns them."""
    items = []
    for decision in decisions:
        items.append(visitor.next(queue))
        answer = visitor.vote(items[-1], decision)
        assert answer.status_code == 200, answer.text
    return items


def test_the_page_and_its_files_are_served_to_anybody(app):
    stranger = Visitor(app)
    html = stranger.get("/")
    assert html.status_code == 200 and "<title>Accord review</title>" in html.text
    names = [part.split('"')[0] for part in html.text.split("/static/")[1:]]
    assert "main.js" in names and "app.css" in names
    for name in names:
        answer = stranger.get(f"/static/{name}")
        assert answer.status_code == 200
        again = stranger.get(f"/static/{name}", headers={"if-none-match": answer.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")


def test_everything_else_needs_a_session(app):
    stranger = Visitor(app)
    own = ("queues", "queues/logos/next", "queues/logos/some", "disputes/next", "reviewers")
    for path in ("/picture/x", *(f"/api/{name}" for name in own)):
        assert stranger.get(path).status_code == 401
    for path in ("/api/vote", "/api/adjudicate"):
        assert stranger.post(path, {"item": "x", "decision": "drop"}).status_code == 401


@pytest.mark.parametrize(
    ("name", "adjudicates", "administers"), [("ada", 404, 404), ("dan", 200, 404), ("eve", 200, 200)]
)
def test_each_role_has_its_routes(app, name, adjudicates, administers):
    visitor = Visitor(app, name)
    assert visitor.get("/api/queues").status_code == 200
    assert visitor.get("/api/queues/logos/next").status_code == 200
    assert visitor.get("/api/disputes/next").status_code == adjudicates
    assert visitor.get("/api/reviewers").status_code == administers
    refused = visitor.post("/api/adjudicate", {"item": "x", "decision": "drop"})
    assert refused.status_code == 404  # no such item for those who may, no such route for those who may not


def test_a_reviewer_is_told_what_waits_and_how_far_everyone_is(ada):
    found = ada.get("/api/queues").json()
    assert found["disputes"] is None
    logos = found["queues"][0]
    assert (logos["queue"], logos["items"], logos["waiting"], logos["settled"]) == ("logos", 3, 3, 0)
    assert logos["agreement"]["percent"] is None and logos["agreement"]["reason"] == "no item has two votes"
    assert Visitor(ada.client.app, "dan").get("/api/queues").json()["disputes"] == 0


def test_items_come_one_after_the_other_and_say_what_is_asked(ada):
    first = ada.next("logos")
    second = ada.next("logos", first["id"])
    assert ada.next("logos")["id"] == first["id"] != second["id"]
    assert first["check"] == label("logo") and first["reason"] == "a brand" and first["polygon"][:2] == [10.0, 10.0]
    assert first["votes"] == 2 and not first["veiled"] and ada.next("safety")["veiled"]
    assert ada.next("nonsense") is None
    assert [one["name"] for one in ada.next("inpainting")["pictures"]] == ["before", "after"]
    assert [one["name"] for one in ada.next("duplicates")["pictures"]] == ["image", "other"]


def test_two_votes_that_agree_settle_an_item(app, ada, bob):
    decided(ada, "web", "dismiss", "uphold")
    assert ada.next("web") is None
    assert page_cases.settled(app.vault) == {}
    decided(bob, "web", "dismiss", "uphold")
    assert page_cases.settled(app.vault) == {"web-0": ("dismiss", 0), "web-1": ("uphold", 0)}


def test_a_vote_can_be_changed_until_the_item_is_settled(app, ada, bob):
    (item,) = decided(ada, "web", "dismiss")
    assert ada.vote(item, "drop").status_code == 200
    decided(bob, "web", "drop")
    assert page_cases.settled(app.vault) == {"web-0": ("drop", 0)}
    refused = ada.vote(item, "dismiss")
    assert refused.status_code == 409 and refused.json()["problem"].startswith("is settled")


def test_votes_at_the_same_time_are_all_recorded(app, ada, bob):
    votes = []
    for visitor, queue in itertools.product((ada, bob), page_cases.CHECKS):
        first = visitor.next(queue)
        votes += [(visitor, item) for item in (first, visitor.next(queue, first["id"]))]
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda vote: vote[0].vote(vote[1], "dismiss").status_code, votes))
    assert answers == [200] * len(votes) and app.failed == []
    assert set(page_cases.settled(app.vault).values()) <= {("dismiss", 0), ("dismiss", 4)}
    with store.reading(app.vault) as db:
        assert len(work.decided(db, None)) == 2 * len(page_cases.CHECKS) and seal.check(db) == []


def test_regions_that_are_drawn_are_what_is_decided(app, ada, bob):
    for visitor in (ada, bob):
        drawn = [{"kind": "logo", "polygon": SQUARE}]
        assert visitor.vote(visitor.next("logos"), "uphold", regions=drawn, note="only the shirt").status_code == 200
    with store.reading(app.vault) as db:
        (row,) = work.decided(db, None).itertuples()
    assert (row.item, row.kind, list(row.polygon)) == ("logos-0", "logo", SQUARE)


@pytest.mark.parametrize(
    ("queue", "said", "problem"),
    [
        ("logos", {"decision": "maybe"}, "is unknown"),
        ("logos", {"decision": "uphold", "regions": [{"kind": "logo", "polygon": [1, 2]}]}, "is not a valid outline"),
        ("logos", {"decision": "uphold", "regions": [{"kind": "face", "polygon": SQUARE}]}, "its kind is unknown"),
        ("web", {"decision": "uphold", "regions": [{"kind": "logo", "polygon": SQUARE}]}, "are not allowed with"),
        ("agreement", {"decision": "uphold"}, "are missing"),
    ],
)
def test_a_vote_that_is_wrong_is_refused_with_the_reason(app, ada, queue, said, problem):
    answer = ada.post("/api/vote", {"item": ada.next(queue)["id"], **said})
    assert answer.status_code == 409 and problem in answer.json()["problem"]
    assert page_cases.settled(app.vault) == {}


def test_a_dispute_shows_both_opinions_without_names_and_is_settled(app, ada, bob):
    ada.vote(ada.next("logos"), "uphold", note="a shoe maker's mark")
    bob.vote(bob.next("logos"), "dismiss")
    dan = Visitor(app, "dan")
    item = dan.get("/api/disputes/next").json()["item"]
    assert sorted((one["decision"], one["note"]) for one in item["opinions"]) == [
        ("dismiss", ""),
        ("uphold", "a shoe maker's mark"),
    ]
    assert not any(name in dan.get("/api/disputes/next").text for name in ("ada", "bob"))
    assert dan.get(f"/picture/{item['pictures'][0]['view']}").status_code == 200
    said = {"item": item["id"], "decision": "uphold", "regions": [{"kind": "logo", "polygon": SQUARE}]}
    assert dan.post("/api/adjudicate", said).status_code == 200
    assert page_cases.settled(app.vault) == {"logos-0": ("uphold", 4)}
    assert dan.get("/api/disputes/next").json()["item"] is None
    assert dan.get(f"/picture/{item['pictures'][0]['view']}").status_code == 404


def test_an_adjudicator_who_voted_is_not_shown_the_dispute(tmp_path):
    app = page_cases.page(tmp_path, people=("ada", "dan"))
    ada, dan = Visitor(app, "ada"), Visitor(app, "dan")
    decided(ada, "logos", "uphold")
    decided(dan, "logos", "dismiss")
    assert dan.get("/api/disputes/next").json()["item"] is None
    assert Visitor(app, "eve").get("/api/disputes/next").json()["item"] is not None


def test_an_admin_sees_how_far_each_person_is(app, ada):
    decided(ada, "web", "dismiss")
    people = {of["name"]: of for of in Visitor(app, "eve").get("/api/reviewers").json()["reviewers"]}
    assert people["eve"]["role"] == "admin" and people["eve"]["queues"] == []
    (web,) = [of for of in people["ada"]["queues"] if of["queue"] == "web"]
    assert web == {"queue": "web", "asked": 2, "waiting": 1, "voted": 1}


def test_a_picture_is_scaled_and_nothing_but_pixels(tmp_path):
    app = page_cases.page(tmp_path)
    large = page_cases.picture(1, 2400, 1800, turned=True)
    page_cases.fill(app.results, "intake", "images.parquet", {"img00": large}, shard="01")
    (app.results / "intake/00/images.parquet").unlink()
    ada = Visitor(app, "ada")
    (one,) = ada.next("logos")["pictures"]
    assert (one["width"], one["height"]) == (1800, 2400)
    view, full = ada.get(f"/picture/{one['view']}"), ada.get(f"/picture/{one['full']}")
    assert view.headers["content-type"] == "image/jpeg"
    sizes = [Image.open(io.BytesIO(answer.content)).size for answer in (view, full)]
    assert sizes == [(1125, 1500), (1800, 2400)]  # five eighths, and whole
    for answer in (view, full):
        with Image.open(io.BytesIO(answer.content)) as image:
            assert not image.getexif() and set(image.info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density"}
        assert page_cases.SECRET.encode() not in answer.content
    pixels = np.asarray(Image.open(io.BytesIO(full.content)), int)
    expected = np.rot90(np.asarray(Image.open(io.BytesIO(large)), int), -1)
    assert np.abs(pixels - expected).mean() < 2


def test_before_and_after_are_different_pictures(ada):
    before, after = (ada.get(f"/picture/{one['view']}").content for one in ada.next("inpainting")["pictures"])
    colours = [np.asarray(Image.open(io.BytesIO(data)))[0, 0, 1] for data in (before, after)]
    assert abs(int(colours[0]) - 2 * 37) < 4 and abs(int(colours[1]) - 102 * 37 % 256) < 4


def test_a_result_that_is_made_anew_is_noticed(tmp_path):
    now = [0.0]
    of = page_cases.results(tmp_path)
    found = pictures.Pictures(of, clock=lambda: now[0])
    first = found.find("before", "img03")
    assert (first.width, first.height) == (WIDTH, HEIGHT) and found.find("before", "img99") is None
    page_cases.fill(of, "intake", "images.parquet", {"img99": page_cases.picture(9, 64, 64)})
    os.utime(of / "intake/00/images.parquet", ns=(1, 1))
    assert found.find("before", "img99") is None  # not within the same second
    now[0] += 2
    assert found.find("before", "img99").width == 64 and found.find("before", "img03") is None
    with pytest.raises(AccordError, match="content does not match its sha256"):
        pictures.rendered(first._replace(sha256="0" * 64), pictures.VIEW)


@pytest.mark.parametrize(("width", "sides"), [(300, (300, 225)), (1300, (1300, 975)), (1400, (1000, 750))])
def test_a_picture_is_not_scaled_where_that_would_take_longer_than_sending_it(width, sides):
    buffer = io.BytesIO()
    Image.new("RGB", (width, width * 3 // 4), (9, 99, 199)).save(buffer, "PNG")
    pixels = decode.reduced(buffer.getvalue(), 1000)
    assert pixels.shape == (sides[1], sides[0], 3) and (pixels == (9, 99, 199)).all()


def hidden_behind_alpha():
    pixels = np.full((60, 80, 4), (200, 30, 30, 255), np.uint8)
    pixels[:, :40, 3] = 0
    return Image.fromarray(pixels), (255, 255, 255), (200, 30, 30)


def sixteen_bits():
    pixels = np.full((60, 80), 60 * 257, np.uint16)
    pixels[:, 40:] = 180 * 257
    return Image.fromarray(pixels), (60, 60, 60), (180, 180, 180)


@pytest.mark.parametrize("made", [hidden_behind_alpha, sixteen_bits])
def test_reviewers_see_the_pixels_that_are_judged(tmp_path, made):
    picture, left, right = made()
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    page_cases.fill(tmp_path, "intake", "images.parquet", {"img00": buffer.getvalue()})
    place = pictures.Pictures(tmp_path).find("before", "img00")
    shown = np.asarray(Image.open(io.BytesIO(pictures.rendered(place, pictures.FULL)))).astype(int)
    judged = decode.decode(buffer.getvalue())
    for side, colour in ((np.s_[:, :32], left), (np.s_[:, 48:], right)):
        assert (judged[side] == colour).all()
        assert np.abs(shown[side] - colour).max() <= 3  # as near as its JPEG comes


def test_a_large_jpeg_is_decoded_at_a_fraction_of_its_size():
    pixels = decode.reduced(page_cases.picture(1, 4000, 1000), 1000)
    assert pixels.shape == (250, 1000, 3) and abs(int(pixels[0, 500, 0]) - 127) < 4


def test_a_bomb_is_not_decoded():
    buffer = io.BytesIO()
    Image.new("1", (3000, 3000)).save(buffer, "PNG")
    with pytest.raises(AccordError, match="has more than 1000000 pixels"):
        decode.reduced(buffer.getvalue(), 100, max_pixels=1_000_000)
    with pytest.raises(AccordError, match="can't be decoded"):
        decode.reduced(b"\xff\xd8 nothing", 100)


def test_ten_thousand_pictures_are_found_in_no_time(tmp_path):
    import pandas as pd

    count = 10_000
    folder = tmp_path / "intake" / "00"
    folder.mkdir(parents=True)
    names = [f"{(number * 7919) % count:016x}" for number in range(count)]
    table = {"image": names, "member": names, "sha256": ["0" * 64] * count}
    numbers = {name: range(count) for name in ("offset", "size", "width", "height")}
    pd.DataFrame({**table, **numbers}).to_parquet(folder / "images.parquet")
    start = time.process_time()
    found = pictures.Pictures(tmp_path)
    assert time.process_time() - start < 5
    assert [found.find("before", names[n]).offset for n in (0, 17, count - 1)] == [0, 17, count - 1]


def test_places_are_read_from_the_configuration(tmp_path):
    one, other = tmp_path / "a.yaml", tmp_path / "b.yaml"
    one.write_text(yaml.safe_dump({"vault": "safe", "pathvars": {"results": "made", "logs": "logs"}}))
    other.write_text(yaml.safe_dump({"vault": "vault2"}))
    found = server.places([one, other])
    assert (str(found.vault), str(found.results)) == ("vault2", "made")
    assert str(server.places([one], tmp_path).vault) == str(tmp_path)


def test_flags_that_make_no_sense_are_all_told(tmp_path):
    with pytest.raises(AccordError) as told:
        server.serve([], "0.0.0.0", 99999, cert=tmp_path / "none.pem", url="")
    text = str(told.value)
    for part in (
        "--port: is not a valid port",
        "--cert and --key: go together",
        "--cert: is not a file",
        "--url: is missing",
    ):
        assert part in text
    with pytest.raises(AccordError, match="--url: is not a valid URL"):
        server.serve([], url="https://review.example.org/path")


def test_where_browsers_reach_the_page():
    local = server.origin("127.0.0.1", 8765, False)
    assert local.scheme == "http" and local.hosts >= {"127.0.0.1:8765", "localhost:8765", "[::1]:8765"}
    assert server.origin("::1", 1, False).hosts >= {"[::1]:1"}
    proxied = server.origin("0.0.0.0", 8765, False, "https://Review.example.org")
    assert (proxied.scheme, proxied.hosts) == ("https", {"review.example.org", "review.example.org:443"})
    assert server.origin("10.1.2.3", 443, True).hosts == {"10.1.2.3:443", "10.1.2.3"}
    assert [server.is_local(host) for host in ("127.0.0.1", "::1", "localhost", "10.1.2.3", "x.org")] == [
        True, True, True, False, False,
    ]  # fmt: skip


def several(visitor, queue, count, after=""):
    return visitor.get(f"/api/queues/{queue}/some", params={"count": count, "after": after})


def said(*votes):
    return {"votes": [{"item": item["id"], "decision": decision, **more} for item, decision, more in votes]}


def test_many_items_are_shown_and_decided_together(app, ada, bob):
    items = several(ada, "objectionable", 5).json()["items"]
    assert [one["pictures"][0]["name"] for one in items] == ["one of many"] * 2
    small = Image.open(io.BytesIO(ada.get(f"/picture/{items[0]['pictures'][0]['thumb']}").content))
    assert small.size == (WIDTH, HEIGHT)
    assert "violence" in items[0]["kinds"] and "logo" not in items[0]["kinds"]
    assert several(ada, "objectionable", 5, items[1]["id"]).json()["items"] == []
    kind = {"regions": [{"kind": "violence", "polygon": []}]}
    for visitor in (ada, bob):
        first, second = several(visitor, "objectionable", 5).json()["items"]
        answer = visitor.post("/api/votes", said((first, "uphold", kind), (second, "dismiss", {})))
        assert answer.json() == {"refused": 0, "problems": []}
    assert page_cases.settled(app.vault) == {"objectionable-0": ("uphold", 0), "objectionable-1": ("dismiss", 0)}
    with store.reading(app.vault) as db:
        assert work.decided(db, None).set_index("item")["kind"].to_dict() == {
            "objectionable-0": "violence",
            "objectionable-1": "",
        }
        told = status.text(status.document(db))
    assert "objectionable: 1 violence" in told and "objectionable: fine 1 of 2 decided" in told


def test_of_many_decisions_those_are_taken_that_can_be(app, ada, bob):
    first, second = several(ada, "objectionable", 2).json()["items"]
    with store.opened(app.vault) as db:
        db.execute("UPDATE item SET gone = 1 WHERE item = 'objectionable-0'")
    votes = [(first, "dismiss", {}), (second, "dismiss", {}), ({"id": "unheard-of"}, "dismiss", {})]
    told = ada.post("/api/votes", said(*votes)).json()
    assert told["refused"] == 2 and any("not assigned to this reviewer" in one for one in told["problems"])
    with store.reading(app.vault) as db:
        assert db.execute("SELECT item FROM vote").fetchall() == [("objectionable-1",)]


def test_many_are_asked_for_within_bounds_and_of_who_is_asked_alone(app, ada):
    assert several(ada, "objectionable", 41).status_code == 400
    assert several(ada, "objectionable", 0).status_code == 400
    assert several(Visitor(app, "cyd"), "objectionable", 5).json()["items"] == []
    first = several(ada, "objectionable", 1).json()["items"][0]
    cyd = Visitor(app, "cyd")
    assert cyd.get(f"/picture/{first['pictures'][0]['thumb']}").status_code == 404
    assert cyd.post("/api/votes", said((first, "dismiss", {}))).json()["refused"] == 1
    assert Visitor(app).post("/api/votes", said((first, "dismiss", {}))).status_code == 401


@pytest.mark.parametrize(
    ("region", "problem"),
    [
        ({"kind": "ugly", "polygon": []}, "its kind is unknown"),
        ({"kind": "violence", "polygon": SQUARE}, "has an outline"),
    ],
)
def test_what_is_objectionable_is_said_of_the_whole_image(app, ada, region, problem):
    answer = ada.vote(ada.next("objectionable"), "uphold", regions=[region])
    assert answer.status_code == 409 and problem in answer.json()["problem"]
    assert page_cases.settled(app.vault) == {}


def test_two_kinds_of_objection_are_one_decision(app, ada, bob):
    for visitor, kind in ((ada, "violence"), (bob, "hate_symbol")):
        item = visitor.next("objectionable")
        assert visitor.vote(item, "uphold", regions=[{"kind": kind, "polygon": []}]).status_code == 200
    assert page_cases.settled(app.vault) == {"objectionable-0": ("uphold", 0)}


def test_whoever_is_annotated_is_outlined_where_regions_are_painted(app, ada):
    item = ada.next("inpainting")
    assert item["marks"] == ada.next("personal_data")["marks"] == []
    assert ada.next("personal_data")["caution"].startswith("Detectors miss passers-by whom nobody annotated.")
    assert "caution" not in item
    images = [f"img{number:02}" for number in range(12)]
    boxes = (20.0, 30.0, 40.0, 50.0), (10.0, 20.0, 90.0, 200.0)
    missing = (None,) * 4
    people = [(image, "S1", True, 30, *boxes[0], *boxes[1], "x") for image in images]
    people += [(image, "S2", False, 30, *missing, 0.0, 0.0, 5.0, 6.0, "x") for image in images]
    page_cases.annotate(app.results / "intake/00", images, people)
    for queue in ("inpainting", "personal_data"):
        assert [(mark["number"], mark["name"], mark["polygon"]) for mark in ada.next(queue)["marks"]] == [
            (1, "annotated face 1", [20, 30, 60, 30, 60, 80, 20, 80]),
            (1, "annotated person 1", [10, 20, 100, 20, 100, 220, 10, 220]),
            (2, "annotated person 2", [0, 0, 5, 0, 5, 6, 0, 6]),
        ]
    assert "S1" not in ada.get("/api/queues/inpainting/next").text


def test_an_annotation_comes_with_its_parts_as_long_as_it_is_there(app, ada):
    item = ada.next("annotations")
    assert item["kind"] == "landmarks" and "marks" not in ada.next("logos")
    assert item["marks"] == [
        {"number": 0, "name": "Nose", "visible": True, "point": True, "polygon": [60.0, 60.0]},
        {"number": 2, "name": "Right eye", "visible": False, "point": True, "polygon": [50.0, 60.0]},
    ]
    file = app.results / "intake/00/keypoints.parquet"
    moved = table.read([file], Keypoints)
    table.write(moved.assign(x=moved["x"] + 1), Keypoints, file)
    assert ada.next("annotations")["marks"] == []
    file.unlink()
    assert ada.next("annotations")["marks"] == []
