"""Painted videos on the review page: served in parts to whoever is asked about them, played, kept or withheld."""

from fractions import Fraction

import numpy as np
import page_cases
import pyarrow
import pyarrow.parquet as pq
import pytest
import review_cases
from page_cases import Visitor, settled
from page_reviewer import decide, open_queue, signed_in
from review_cases import PASSWORD

from accord.imaging.bundle import BundleWriter
from accord.privacy.videos.writing import Picture, write
from accord.review.database import erasing, store, work
from accord.review.drawn.outlines import Region
from accord.review.page import films, pages, server
from browsers import everywhere, launched

SECONDS, RATE = 4, 10
MOMENTS = [(0.0, 1.5, "painted", "somebody whom no box explains"), (2.0, 2.5, "logo", "may be a brand")]


def items(count=2):
    """Videos v0, v1, ... that wait."""
    asked = {"queue": "videos", "check": "video_review", "kind": "", "polygon": [], "score": None, "threshold": None}
    rows = [{"item": f"i{n}", "image": f"v{n}", "subject": f"s{n}"} for n in range(count)]
    return review_cases.items(*rows, **asked, reason="every video is watched before it is published")


@pytest.fixture(scope="module")
def painted(tmp_path_factory):
    """An mp4 as privacy writes it: a bright square that moves over noise, so that it is larger than a part."""
    path, noise = tmp_path_factory.mktemp("film") / "v.mp4", np.random.default_rng(1)
    frames = []
    for number in range(SECONDS * RATE):
        pixels = noise.integers(0, 255, (240, 320, 3), np.uint8)
        pixels[80:160, 4 * number : 4 * number + 80] = (250, 240, 60)
        frames.append(Picture(number, 1, pixels))
    write(path, iter(frames), Fraction(1, RATE))
    return path.read_bytes()


@pytest.fixture
def page(tmp_path, painted, monkeypatch):
    monkeypatch.setattr(films, "MOST", 100_000)
    vault, of = page_cases.house(tmp_path, items(), people=("ada",), votes=1)
    fill(of, painted)
    return vault, of


def fill(results, painted, count=2):
    """Painted videos, moments to look at, and a video as delivered, which nobody may be shown."""
    for room, name in (("privacy", "videos.parquet"), ("intake", "videos.parquet")):
        folder = results / room / "00"
        folder.mkdir(parents=True, exist_ok=True)
        with BundleWriter(folder / "videos.tar") as tar:
            data = painted if room == "privacy" else b"ORIGINAL" * 4
            rows = [{"image": f"v{n}", **tar.add(f"v{n}.mp4", data)._asdict()} for n in range(count)]
        sizes = {"width": 320, "height": 240}
        pq.write_table(pyarrow.Table.from_pylist([{**row, **sizes} for row in rows]), folder / name)
    columns = ("image", "begin", "end", "check", "reason")
    told = [dict(zip(columns, ("v0", *one), strict=True)) for one in reversed(MOMENTS)]
    pq.write_table(pyarrow.Table.from_pylist(told), results / "privacy/00/video_moments.parquet")


@pytest.fixture
def ada(page):
    app = pages.create(*page, server.origin("127.0.0.1", 8765, False), [].append)
    return Visitor(app, "ada"), app


def test_an_item_has_its_video_and_the_moments_in_order(ada):
    item = ada[0].next("videos")
    assert [(one["begin"], one["check"]) for one in item["moments"]] == [(0.0, "Painted over"), (2.0, "Logo")]
    assert item["pictures"] == [] and "person_visible" in item["kinds"]
    assert not {"v0", "s0", "i0"} & set(str(item).split("'"))
    assert ada[0].next("videos", item["id"])["moments"] == []


def part(visitor, name, wanted=None):
    return visitor.get(f"/film/{name}", headers={"range": wanted} if wanted else {})


def test_a_video_is_served_in_parts_that_join_to_its_bytes(ada, painted):
    visitor, name = ada[0], ada[0].next("videos")["film"]
    assert len(painted) > 3 * films.MOST
    found, begin = b"", 0
    while begin < len(painted):
        answer = part(visitor, name, f"bytes={begin}-")
        end = begin + len(answer.content)
        assert answer.status_code == 206 and len(answer.content) <= films.MOST
        assert answer.headers["content-range"] == f"bytes {begin}-{end - 1}/{len(painted)}"
        assert (answer.headers["content-type"], answer.headers["cache-control"]) == ("video/mp4", "no-store")
        found, begin = found + answer.content, end
    assert found == painted
    whole = part(visitor, name)
    assert (whole.status_code, whole.content, whole.headers["content-length"]) == (200, painted, str(len(painted)))


@pytest.mark.parametrize(("wanted", "begin", "end"), [
    ("bytes=0-0", 0, 1), ("bytes=10-19", 10, 20), ("bytes=-5", -5, None), ("bytes = 7-9", 7, 10),
    ("bytes=-999999999", 0, 100_000),
])  # fmt: skip
def test_ranges_mean_what_rfc_9110_says(ada, painted, wanted, begin, end):
    answer = part(ada[0], ada[0].next("videos")["film"], wanted)
    assert (answer.status_code, answer.content) == (206, painted[begin:end])


@pytest.mark.parametrize("wanted", ["bytes=99999999-", "bytes=5-4", "bytes=-0"])
def test_a_range_that_is_not_there_is_refused(ada, painted, wanted):
    answer = part(ada[0], ada[0].next("videos")["film"], wanted)
    assert (answer.status_code, answer.content) == (416, b"")
    assert answer.headers["content-range"] == f"bytes */{len(painted)}"


@pytest.mark.parametrize("wanted", ["bytes=0-1,5-6", "lines=0-1", "bytes=-", "bytes=a-b", "bytes=" + "9" * 30 + "-"])
def test_what_is_no_single_range_is_answered_in_full(ada, painted, wanted):
    answer = part(ada[0], ada[0].next("videos")["film"], wanted)
    assert (answer.status_code, answer.content) == (200, painted)


def test_only_who_is_asked_sees_a_video_and_only_while_it_waits(ada):
    visitor, app = ada
    item = visitor.next("videos")
    bob = Visitor(app, "bob")
    assert part(bob, item["film"]).status_code == 404
    assert Visitor(app).get(f"/film/{item['film']}").status_code == 401
    assert visitor.get(f"/picture/{item['film']}").status_code == 404
    assert part(visitor, "v0").status_code == part(visitor, "..%2f..%2fetc").status_code == 404
    part(visitor, item["film"])
    assert visitor.vote(item, "dismiss").status_code == 200
    assert part(visitor, item["film"], "bytes=0-").status_code == 404


def test_a_video_that_was_never_sent_whole_is_not_kept(ada, painted, page):
    visitor, app = ada
    item = visitor.next("videos")
    half, answers = len(painted) // 2, []
    for begin in (half, 0):
        answers.append(visitor.vote(item, "dismiss"))
        while begin < (len(painted) if not answers[1:] else half):
            begin += len(part(visitor, item["film"], f"bytes={begin}-").content)
    assert [one.status_code for one in answers] == [409, 409] and "play it to its end" in answers[0].json()["problem"]
    assert Visitor(app, "ada").vote(item, "dismiss").status_code == 404
    again = Visitor(app, "ada")
    assert again.vote(again.next("videos"), "dismiss").status_code == 409
    assert settled(page[0]) == {}
    assert visitor.vote(item, "dismiss").status_code == 200 and set(settled(page[0])) == {"i0"}


def test_many_votes_keep_no_video_that_was_not_sent(ada, page):
    visitor = ada[0]
    said = [{"item": visitor.next("videos")["id"], "decision": "dismiss"}]
    assert visitor.post("/api/votes", {"votes": said}).status_code == 409 and settled(page[0]) == {}


def test_a_video_as_delivered_is_never_served(ada, page):
    """Without the painted one there is none, though intake has it."""
    visitor, name = ada[0], ada[0].next("videos")["film"]
    for file in (page[1] / "privacy/00").iterdir():
        file.unlink()
    ada[1]._app.state.house.pictures.refresh()
    answer = part(visitor, name)
    assert answer.status_code == 404 and b"ORIGINAL" not in answer.content
    item = visitor.next("videos")
    assert (item["film"], item["moments"]) == (None, [])


def test_a_changed_bundle_is_not_served(ada, page):
    visitor, name = ada[0], ada[0].next("videos")["film"]
    assert part(visitor, name, "bytes=0-9").status_code == 206
    tar = page[1] / "privacy/00/videos.tar"
    data = bytearray(tar.read_bytes())
    data[600] ^= 1
    tar.write_bytes(data)
    assert part(visitor, name, "bytes=0-9").status_code == 409


@pytest.mark.parametrize(("decision", "regions", "status"), [
    ("uphold", [{"kind": "person_visible", "polygon": []}], 200), ("uphold", [], 200), ("drop", [], 200),
    ("uphold", [{"kind": "nudity", "polygon": []}], 409),
    ("uphold", [{"kind": "logo", "polygon": [1, 1, 9, 1, 9, 9]}], 409),
    ("dismiss", [{"kind": "logo", "polygon": []}], 409),
])  # fmt: skip
def test_a_video_is_withheld_for_a_reason_of_the_list(ada, decision, regions, status):
    assert ada[0].vote(ada[0].next("videos"), decision, regions=regions).status_code == status


def test_an_erasure_takes_decisions_on_videos_of_hers(page, ada):
    vault = page[0]
    item = ada[0].next("videos")
    part(ada[0], item["film"])
    ada[0].vote(item, "dismiss")
    assert set(settled(vault)) == {"i0"}
    assert erasing.forget(vault, frozenset({"v0"}), frozenset({"s0"})) == 1
    assert settled(vault) == {}
    with store.reading(vault) as db:
        assert db.execute("SELECT item FROM item").fetchall() == [("i1",)]


@pytest.fixture(scope="module")
def chromium():
    with launched() as opened:
        yield opened


def ready(page):
    """Wait until the video that is shown can be played. Browsers need not fetch all of it before that."""
    page.wait_for_function("() => document.querySelector('video')?.readyState === HTMLMediaElement.HAVE_ENOUGH_DATA")


def played(page):
    """Play the video that is shown to its end, so that all of it is fetched."""
    ready(page)
    page.evaluate("() => Object.assign(document.querySelector('video'), { playbackRate: 4 }).play()")
    page.wait_for_function("() => document.querySelector('video').ended")


@pytest.fixture
def watching(page, chromium):
    with page_cases.served(*page) as url:
        shown = signed_in(chromium, url, "ada", PASSWORD)
        open_queue(shown, "videos")
        ready(shown)
        yield shown
        shown.context.close()
        assert shown.problems == []


def time_of(page):
    return page.evaluate("document.querySelector('video').currentTime")


@pytest.mark.slow
def test_a_video_plays_and_keys_move_in_it(watching, page):
    assert watching.evaluate("document.querySelector('video').duration") == pytest.approx(SECONDS, abs=0.2)
    watching.keyboard.press("]")
    assert time_of(watching) == pytest.approx(MOMENTS[1][0] - 1)
    watching.keyboard.press("0")
    watching.locator(".moments button").nth(1).click()
    assert time_of(watching) == pytest.approx(MOMENTS[1][0] - 1)
    watching.keyboard.press(".")
    assert time_of(watching) == pytest.approx(MOMENTS[1][0] - 1 + 1 / 25, abs=0.01)
    watching.keyboard.press("ArrowLeft")
    assert time_of(watching) == 0
    watching.locator(".panel h2").click()
    watching.keyboard.press("Space")
    watching.wait_for_function("() => document.querySelector('video').ended")
    assert watching.locator(".seen").inner_text() == "100 %"
    watching.keyboard.press("k")
    watching.locator("#kind").select_option("logo")
    decide(watching, "uphold")
    played(watching)
    decide(watching, "dismiss")
    watching.locator(".finished").wait_for()
    watching.keyboard.press("Escape")
    watching.locator(".home").wait_for()
    with store.reading(page[0]) as db:
        found = work.decided(db).set_index("item")
    assert found.loc["i0", ["decision", "kind"]].tolist() == ["uphold", "logo"]
    assert found.loc["i1", "decision"] == "dismiss"


@pytest.mark.slow
def test_the_view_passes_axe_on_any_screen(watching):
    assert everywhere(watching) == {}
    watching.keyboard.press("?")
    assert "the moment before, the next one" in watching.locator("dialog.help").inner_text()


@pytest.mark.slow
def test_two_who_differ_leave_a_video_to_an_adjudicator_who_watches_it(tmp_path, painted, chromium):
    vault, of = page_cases.house(tmp_path, items(1), people=("ada", "bob"), votes=2)
    fill(of, painted, 1)
    with store.opened(vault) as db:
        work.vote(db, "ada", "i0", "uphold", [Region("personal_data", ())])
        work.vote(db, "bob", "i0", "dismiss")
    with page_cases.served(vault, of) as url:
        shown = signed_in(chromium, url, "dan", PASSWORD)
        shown.keyboard.press("a")
        ready(shown)
        assert "personal data" in shown.locator(".opinions").inner_text()
        shown.keyboard.press("1" if "personal" in shown.locator(".opinion.first").inner_text() else "2")
        shown.locator(".finished").wait_for()
        shown.keyboard.press("Escape")
        shown.locator(".home").wait_for()
        shown.context.close()
    with store.reading(vault) as db:
        [one] = work.decided(db).itertuples()
    assert (one.decision, one.kind) == ("uphold", "personal_data")


@pytest.mark.slow
def test_a_video_that_may_disturb_is_not_fetched_until_one_asks(page, chromium):
    file = page[1] / "privacy/00/video_moments.parquet"
    told = [
        {"image": f"v{n}", "begin": 0.0, "end": 0.0, "check": "safety_nudity", "reason": "may show"} for n in (0, 1)
    ]
    pq.write_table(pyarrow.Table.from_pylist(told), file)
    with page_cases.served(*page) as url:
        shown = signed_in(chromium, url, "ada", PASSWORD)
        open_queue(shown, "videos")
        shown.locator(".veil").wait_for()
        shown.keyboard.press("Space")
        shown.keyboard.press("d")
        shown.locator(".toast.wrong").wait_for()
        assert not any("/film/" in url for url in shown.requested)
        shown.keyboard.press("r")
        played(shown)
        decide(shown, "dismiss")
        assert shown.problems == []
        shown.context.close()


@pytest.mark.slow
def test_what_cannot_be_played_cannot_be_kept(page, chromium):
    tar = page[1] / "privacy/00/videos.tar"
    tar.write_bytes(bytes(tar.stat().st_size))
    with page_cases.served(*page) as url:
        shown = signed_in(chromium, url, "ada", PASSWORD)
        open_queue(shown, "videos")
        shown.get_by_text("The video can't be played.").wait_for()
        shown.keyboard.press("d")
        shown.locator(".toast.wrong").wait_for()
        assert shown.locator(".panel").count() == 1
        shown.context.close()
    assert settled(page[0]) == {}
