"""The review page in a real headless browser, by keyboard and mouse: what people do on it is what is recorded."""

import re
import time
from contextlib import nullcontext

import numpy as np
import page_cases
import page_reviewer
import pytest
import review_cases
import test_identity_votes
from page_cases import HEIGHT, WIDTH, Visitor
from page_reviewer import decide, open_queue, read, signed_in
from review_cases import PASSWORD

from accord.review.database import store, work
from accord.review.database.rated_votes import identity_votes
from browsers import everywhere, launched, violations

pytestmark = pytest.mark.slow

MARK = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def chromium():
    with launched() as opened:
        yield opened


@pytest.fixture
def alone(tmp_path):
    """One reviewer is asked about everything."""
    vault, of = page_cases.house(tmp_path, people=("ada",), votes=1)
    with page_cases.served(vault, of) as url:
        yield vault, url


@pytest.fixture
def ada(alone, chromium):
    page = signed_in(chromium, alone[1], "ada", PASSWORD)
    page.vault = alone[0]
    yield page
    page.context.close()
    assert page.problems == []


def ready(page):
    page.locator(".pane.ready").first.wait_for()


def on_screen(page, x, y):
    """Where a point of the picture, px, is on the screen."""
    box = page.locator(".pane .layer").first.bounding_box()
    return box["x"] + x * box["width"] / WIDTH, box["y"] + y * box["height"] / HEIGHT


def drag(page, *points):
    page.mouse.move(*on_screen(page, *points[0]))
    page.mouse.down()
    for point in points[1:]:
        page.mouse.move(*on_screen(page, *point), steps=4)
    page.mouse.up()


def finish(page):
    """Decide what is left, so that all votes are sent."""
    page.keyboard.press("Escape")
    page.locator(".home").wait_for()


def test_a_queue_is_decided_by_keyboard_each_decision_in_less_than_a_second(ada):
    assert "wait for you" in ada.locator("h1").inner_text()
    open_queue(ada, "logos")
    assert ada.locator(".choice").all_inner_texts() == [
        "⚑Logo: paint it out\nu",
        "✓No logo: leave it\nd",
        "✕Drop the image\nx",
    ]
    took = []
    for decision in ("uphold", "dismiss", "drop"):
        ready(ada)
        start = time.perf_counter()
        decide(ada, decision)
        took.append(time.perf_counter() - start)
    ada.locator(".finished").wait_for()
    assert page_cases.settled(ada.vault) == {
        "logos-0": ("uphold", 4),
        "logos-1": ("dismiss", 4),
        "logos-2": ("drop", 4),
    }
    assert min(took) < 1


def test_each_view_passes_axe_on_any_screen(alone, chromium):
    """Signing in, the queues, an item of each, many pictures, and the list of keys."""
    page = chromium.new_page()
    page.goto(alone[1])
    page.locator("input[name=name]").wait_for()
    assert everywhere(page) == {}
    page.close()
    page = signed_in(chromium, alone[1], "ada", PASSWORD)
    assert everywhere(page) == {}
    for queue in page_cases.CHECKS:
        page.set_viewport_size({"width": 1280, "height": 800})
        open_queue(page, queue)
        page.locator(".pane.ready, .tile[data-state=ready], .veil").first.wait_for()
        assert (queue, everywhere(page)) == (queue, {})
        page.keyboard.press("?")
        assert page.locator("dialog.help").is_visible()
        assert (queue, violations(page)) == (queue, [])
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")
        page.locator(".home").wait_for()
    page.context.close()


def test_the_next_picture_is_there_before_it_is_asked_for(ada):
    open_queue(ada, "logos")
    ready(ada)
    ada.wait_for_function(
        "() => performance.getEntriesByType('resource').filter((e) => e.name.includes('/picture/')).length >= 2"
    )
    before = len([url for url in ada.requested if "/picture/" in url])
    ada.keyboard.press("u")
    ada.wait_for_function("() => document.querySelector('.pane.ready img')?.src.startsWith('blob:')")
    assert before == 2


def test_a_decision_is_taken_back_and_another_one_made(ada):
    open_queue(ada, "web")
    first = read(ada)["item"]
    decide(ada, "dismiss")
    ada.keyboard.press("z")
    ada.locator(f".panel[data-item='{first}']").wait_for()
    assert ada.locator(".choice[aria-pressed=true]").get_attribute("data-decision") == "dismiss"
    assert page_cases.settled(ada.vault) == {}
    decide(ada, "drop")
    finish(ada)
    assert page_cases.settled(ada.vault) == {"web-0": ("drop", 0)}


def test_what_was_decided_is_sent_when_the_page_is_left(ada):
    open_queue(ada, "web")
    decide(ada, "dismiss")
    ada.goto("about:blank")
    for _ in range(1000):
        if page_cases.settled(ada.vault):
            break
        time.sleep(0.05)
    assert page_cases.settled(ada.vault) == {"web-0": ("dismiss", 0)}


def test_a_decision_that_does_not_get_through_is_sent_again(ada):
    answers = []

    def fails_once(route):
        answers.append(len(answers))
        if len(answers) == 1:
            route.fulfill(status=503, json={})
        else:
            route.continue_()

    ada.route("**/api/vote", fails_once)
    open_queue(ada, "web")
    decide(ada, "dismiss")
    finish(ada)
    ada.locator(".toast.wrong").wait_for()
    ada.wait_for_function("() => document.readyState === 'complete'")
    for _ in range(1000):
        if page_cases.settled(ada.vault):
            break
        ada.wait_for_timeout(50)
    assert page_cases.settled(ada.vault) == {"web-0": ("dismiss", 0)} and answers == [0, 1]
    assert all("503" in problem for problem in ada.problems)
    ada.problems.clear()


def test_what_is_skipped_comes_again(ada):
    open_queue(ada, "web")
    first = read(ada)["item"]
    ada.keyboard.press("s")
    ada.locator(f".panel:not([data-item='{first}'])").wait_for()
    decide(ada, "uphold")
    assert read(ada)["item"] == first


def test_a_box_is_drawn_and_another_one_corrected(ada):
    open_queue(ada, "personal_data")
    ready(ada)
    ada.mouse.click(*on_screen(ada, 60, 60))  # choose the proposed region
    drag(ada, (110, 110), (150, 170))  # its lower right corner
    decide(ada, "uphold")
    ready(ada)
    ada.keyboard.press("w")
    drag(ada, (200, 50), (260, 90))
    ada.locator("#kind").select_option("screen")
    ada.locator("body").click(position={"x": 5, "y": 5})
    assert ada.locator(".regions .region-name").count() == 2
    decide(ada, "uphold")
    finish(ada)
    with store.reading(ada.vault) as db:
        rows = work.decided(db, None)
    first = rows[rows["item"] == "personal_data-0"].iloc[0]
    assert first["kind"] == "card"
    assert np.allclose(first["polygon"], [10, 10, 150, 10, 150, 170, 10, 170], atol=1.5)
    second = rows[rows["item"] == "personal_data-1"].sort_values("number")
    assert list(second["kind"]) == ["card", "screen"]
    assert np.allclose(second.iloc[1]["polygon"], [200, 50, 260, 50, 260, 90, 200, 90], atol=1.5)


def test_polygons_are_drawn_and_masks_painted_and_wiped(ada):
    open_queue(ada, "agreement")
    ready(ada)
    ada.keyboard.press("u")
    assert "No region is drawn" in ada.locator(".toast.wrong").inner_text()
    ada.keyboard.press("p")
    for point in ((50, 50), (150, 60), (100, 140)):
        ada.mouse.click(*on_screen(ada, *point))
    ada.keyboard.press("Enter")
    decide(ada, "uphold")
    ready(ada)
    ada.keyboard.press("m")
    drag(ada, (60, 120), (260, 120))
    ada.keyboard.down("Alt")
    drag(ada, (160, 60), (160, 180))
    ada.keyboard.up("Alt")
    assert ada.locator(".regions .region-name").count() == 2  # cut in two
    decide(ada, "uphold")
    finish(ada)
    with store.reading(ada.vault) as db:
        rows = work.decided(db, None)
    polygon = rows[rows["item"] == "agreement-0"].iloc[0]["polygon"]
    assert np.allclose(polygon, [50, 50, 150, 60, 100, 140], atol=1.5)
    halves = rows[rows["item"] == "agreement-1"]
    spans = sorted((min(one[::2]), max(one[::2])) for one in halves["polygon"])
    assert len(spans) == 2 and spans[0][1] < 160 < spans[1][0]
    heights = [max(one[1::2]) - min(one[1::2]) for one in halves["polygon"]]
    assert spans[0][0] == pytest.approx(60 - heights[0] / 2, abs=2)  # round ends: as wide as the brush is thick


def test_a_region_is_drawn_without_a_pointer(ada):
    open_queue(ada, "agreement")
    ready(ada)
    for key in ("w", "Enter", "ArrowRight", "Shift+ArrowDown"):
        ada.keyboard.press(key)
    points = [float(at) for at in re.split("[ ,]", ada.locator(".region.chosen:not(.halo)").get_attribute("points"))]
    left, top, right, bottom = min(points[::2]), min(points[1::2]), max(points[::2]), max(points[1::2])
    assert (left + right) / 2 > WIDTH / 2 and (top + bottom) / 2 > HEIGHT / 2 and 0 < left < right < WIDTH
    ada.keyboard.press("Delete")
    assert ada.locator(".region").count() == 0


def test_pictures_zoom_and_move(ada):
    open_queue(ada, "logos")
    ready(ada)
    width = ada.locator(".layer").bounding_box()["width"]
    ada.keyboard.press("+")
    ada.mouse.move(*on_screen(ada, 160, 120))
    ada.mouse.wheel(0, -200)
    ada.wait_for_function("(w) => document.querySelector('.layer').getBoundingClientRect().width > 1.9 * w", arg=width)
    before = ada.locator(".layer").bounding_box()["x"]
    ada.keyboard.press("ArrowRight")
    assert ada.locator(".layer").bounding_box()["x"] == pytest.approx(before - 60, abs=2)
    drag(ada, (200, 150), (230, 150))
    assert ada.locator(".layer").bounding_box()["x"] > before
    ada.keyboard.press("0")
    assert ada.locator(".layer").bounding_box()["width"] == pytest.approx(width, abs=1)


def test_before_and_after_are_compared(ada):
    open_queue(ada, "inpainting")
    ready(ada)
    pane = ada.locator(".pane")
    ada.wait_for_function("() => [...document.querySelectorAll('.pane img')].every((one) => one.naturalWidth > 0)")
    pixels = []
    for key, share, label in (
        ("", "0", "After"),
        ("b", "1", "Before"),
        ("c", "0.5", "Before | After"),
        ("c", "0", "After"),
    ):
        if key:
            ada.keyboard.press(key)
        assert (pane.get_attribute("data-share"), pane.locator(".tag").inner_text()) == (share, label)
        pixels.append(pane.screenshot())
    assert pixels[0] == pixels[3] and len(set(pixels)) == 3


def test_a_safety_picture_is_not_even_fetched_until_it_is_asked_for(ada):
    open_queue(ada, "safety")
    ada.locator(".veil").wait_for()
    ada.wait_for_timeout(200)
    assert [url for url in ada.requested if "/picture/" in url] == []
    ada.keyboard.press("r")
    ready(ada)
    assert ada.locator(".veil").count() == 0


def test_many_pictures_are_seen_at_once_and_the_bad_ones_marked(tmp_path, chromium):
    given = review_cases.some(12, queue="objectionable", check="objectionable", kind="", polygon=[])
    vault, of = page_cases.house(tmp_path, items=given, people=("ada",), votes=1)
    with page_cases.served(vault, of) as url:
        page = signed_in(chromium, url, "ada", PASSWORD)
        open_queue(page, "objectionable")
        for _ in range(2):
            page.keyboard.press("-")  # twelve, then six of them on a page
        page.wait_for_function("() => document.querySelectorAll('.tile').length === 6")
        page.wait_for_function("() => document.querySelectorAll('.tile[data-state=ready]').length === 6")
        assert page.evaluate("() => document.activeElement.getAttribute('aria-label')") == "Picture 1 of 6, fine"
        boxes = [tile.bounding_box() for tile in page.locator(".tile").all()]
        assert all(box["y"] + box["height"] <= page_reviewer.SIZE["height"] for box in boxes)  # nothing is out of sight
        for key in ("ArrowRight", "2", "ArrowRight", " "):
            page.keyboard.press(key)
        page.mouse.click(boxes[5]["x"] + 20, boxes[5]["y"] + 20)
        page.keyboard.press("3")
        labels = [tile.get_attribute("aria-label").partition(", ")[2] for tile in page.locator(".tile").all()]
        marked = {1: "violence", 2: "other", 5: "hate symbol"}
        assert labels == [f"objectionable: {marked[n]}" if n in marked else "fine" for n in range(6)]
        page.keyboard.press("v")
        page.locator("dialog .pane.ready").wait_for()
        page.keyboard.press("v")
        page.keyboard.press("3")  # fine after all
        page.keyboard.press("Enter")
        page.wait_for_function("() => document.querySelectorAll('.tile[aria-pressed=true]').length === 0")
        page.keyboard.press("z")  # back to the first six, as they were marked
        page.wait_for_function("() => document.querySelectorAll('.tile[aria-pressed=true]').length === 2")
        page_reviewer.see_all(page, "dismiss")
        assert page.problems == []
        page.context.close()
    found = page_cases.settled(vault)
    assert [item for item, said in found.items() if said[0] == "uphold"] == ["i01", "i02"] and len(found) == 12


def test_all_faces_of_a_query_are_decided_at_once_by_keyboard(tmp_path, chromium):
    vault, of = test_identity_votes.house(tmp_path, test_identity_votes.faces({"p": 7, "q": 3}), ("ada",))
    with page_cases.served(vault, of) as url:
        page = signed_in(chromium, url, "ada", PASSWORD)
        open_queue(page, "identities")
        count = page.locator(".tile").count()
        page.wait_for_function(f"() => document.querySelectorAll('.tile[data-state=ready]').length === {count}")
        assert count in (3, 7) and everywhere(page) == {}
        page.set_viewport_size(page_reviewer.SIZE)
        sizes = "() => [...document.querySelectorAll('.tile canvas')].map((one) => one.width / one.height)"
        assert set(page.evaluate(sizes)) == {1}  # squares around faces
        page.keyboard.press("c")
        assert min(page.evaluate(sizes)) > 1.3
        first = page.locator(".tile").nth(1).get_attribute("data-item")
        for key in ("ArrowRight", "2", "ArrowRight", "3"):
            page.keyboard.press(key)
        labels = [tile.get_attribute("aria-label").partition(", ")[2] for tile in page.locator(".tile").all()]
        assert labels[:3] == ["same person as most", "somebody else", "can't say"]
        assert set(labels[3:]) <= {"same person as most"}
        page.keyboard.press("Enter")
        page.locator(f".tile[data-item='{first}']").wait_for(state="detached")
        assert page.locator(".tile").count() == 10 - count  # the other query, and nothing of the first
        page.keyboard.press("z")
        page.locator(f".tile[data-item='{first}']").wait_for()
        assert page.locator(".tile[aria-pressed=true]").count() == 2  # as it was said
        page_reviewer.see_all(page, "dismiss")
        assert page.problems == []
        page.context.close()
    with store.reading(vault) as db:
        assert sorted(identity_votes(db)["label"]) == [-1, 0, *(1,) * 8]


def test_an_annotation_is_drawn_over_its_picture_and_its_parts_are_pointed_at(ada):
    open_queue(ada, "annotations")
    ready(ada)
    assert ada.locator("#question").inner_text() == "Is each point on its part of the face?"
    assert sorted(ada.locator(".layer text").all_text_contents()) == ["Nose", "Right eye (hidden)"]
    names = [name.bounding_box() for name in ada.locator(".layer text").all()]  # level, so that one has to give way
    assert abs(names[0]["y"] - names[1]["y"]) >= 13  # px of their letters
    assert ada.locator(".layer circle").evaluate_all("all => all.map((one) => one.classList.contains('hidden'))") == [
        False,
        True,
    ]
    where = ada.locator(".layer circle").first.bounding_box()
    x, y = on_screen(ada, 60, 60)
    assert (where["x"] + where["width"] / 2, where["y"] + where["height"] / 2) == pytest.approx((x, y), abs=1)
    ada.locator(".marks button").nth(1).focus()
    assert ada.locator("circle.chosen").get_attribute("cx") == "50"
    ada.keyboard.press("l")
    assert ada.locator(".layer text").count() == 0
    decide(ada, "dismiss")
    decide(ada, "uphold")
    finish(ada)
    assert page_cases.settled(ada.vault) == {"annotations-0": ("dismiss", 0), "annotations-1": ("uphold", 0)}


def test_a_pattern_is_asked_about_as_a_problem_of_all_its_images(ada):
    open_queue(ada, "patterns")
    assert ada.locator("#question").inner_text() == "Is this a problem?"
    assert [text.split("\n")[0] for text in ada.locator(".choice").all_inner_texts()] == [
        "⚑A problem: they all go", "✓No problem: they all stay", "✕Drop them all",
    ]  # fmt: skip


def test_annotated_people_are_outlined_beside_the_region(alone, chromium):
    """Their names stand in the picture until l is pressed; the region alone is what the view goes to."""
    folder, images = alone[0].parent / "results/intake/00", [f"img{number:02}" for number in range(12)]
    box = (20.0, 30.0, 40.0, 50.0)
    page_cases.annotate(folder, images, [(image, "S1", True, 30, *box, *box, "x") for image in images])
    page = signed_in(chromium, alone[1], "ada", PASSWORD)
    for queue in ("inpainting", "personal_data"):
        open_queue(page, queue)
        ready(page)
        assert page.locator(".layer text").all_text_contents() == ["annotated face 1", "annotated person 1"]
        assert page.locator("polygon.annotation.person").count() == 2
        assert "1, outlined in the picture" in page.locator(".facts").inner_text()
        assert ("Detectors miss passers-by" in page.locator(".facts").inner_text()) == (queue == "personal_data")
        page.keyboard.press("l")
        assert page.locator(".layer text").count() == 0
        page.keyboard.press("Escape")
        page.locator(".home").wait_for()
    assert page.problems == []
    page.context.close()


def test_two_opinions_are_adjudicated(tmp_path, chromium):
    app = page_cases.page(tmp_path)
    for name, decision, more in (("ada", "dismiss", {"note": "it is a shadow"}), ("bob", "uphold", {})):
        visitor = Visitor(app, name)
        visitor.vote(visitor.next("logos"), decision, **more)
    with page_cases.served(app.vault, app.results) as url:
        page = signed_in(chromium, url, "dan", PASSWORD)
        open_queue(page, "disputes")
        texts = page.locator(".opinion").all_inner_texts()
        assert len(texts) == 2 and not any(name in page.content() for name in ("ada", "bob"))
        assert everywhere(page) == {}
        page.set_viewport_size(page_reviewer.SIZE)
        (which,) = [number for number, text in enumerate(texts, 1) if "it is a shadow" in text]
        page.keyboard.press(str(which))
        page.locator(".finished").wait_for()
        assert page_cases.settled(app.vault) == {"logos-0": ("dismiss", 4)}
        assert page.problems == []
        page.context.close()


def test_an_admin_sees_people_and_progress(alone, chromium):
    page = signed_in(chromium, alone[1], "eve", PASSWORD)
    page.get_by_role("link", name="People").click()
    page.locator("#people tbody tr").first.wait_for()
    assert page.locator("#people tbody th").all_inner_texts() == ["ada", "bob", "cyd", "dan", "eve"]
    assert page.locator("#progress tbody tr").count() == len(page_cases.CHECKS)
    assert everywhere(page) == {}
    page.context.close()


def test_texts_of_vendors_and_reviewers_are_shown_as_they_are(tmp_path, chromium):
    given = review_cases.items(
        {"item": "i0", "image": "img00", "reason": MARK, "kind": MARK, "check": MARK}, queue="inpainting"
    )
    app = page_cases.page(tmp_path, items=given)
    for name, decision in (("ada", "uphold"), ("bob", "dismiss")):
        visitor = Visitor(app, name)
        visitor.vote(visitor.next("inpainting"), decision, note=MARK)
    with page_cases.served(app.vault, app.results) as url:
        page = signed_in(chromium, url, "dan", PASSWORD)
        page.on("dialog", lambda dialog: page.problems.append("a dialog") or dialog.dismiss())
        open_queue(page, "disputes")
        ready(page)
        assert (read(page)["reason"], read(page)["kind"]) == (MARK, MARK.replace("_", " "))
        assert page.locator("blockquote").all_inner_texts() == [MARK, MARK]
        assert page.locator("img[src=x]").count() == 0 and page.problems == []
        page.context.close()


def test_when_the_session_has_ended_one_signs_in_again(ada):
    ada.context.clear_cookies()
    ada.keyboard.press("1")
    ada.locator(".door").wait_for()
    ada.problems.clear()  # the browser notes each refused request


def test_colours_can_be_told_apart(ada):
    names = ["ink", "soft", "paper", "wash", "card", "accent", "on-accent", "yes", "no", "drop"]
    script = """(names) => Object.fromEntries(names.map((name) =>
      [name, getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim()]))"""
    for theme in ("light", "dark"):
        ada.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
        colours = ada.evaluate(script, names)
        for text in ("ink", "soft", "accent", "yes", "no", "drop"):
            for ground in ("paper", "wash", "card"):
                assert contrast(colours[text], colours[ground]) >= 4.5, (theme, text, ground)
        assert contrast(colours["on-accent"], colours["accent"]) >= 4.5


def contrast(one, other):
    """WCAG 2.2: contrast ratio of two colours #rrggbb."""
    shares = [[int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)] for colour in (one, other)]
    linear = [[v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in rgb] for rgb in shares]
    light = sorted(0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in linear)
    return (light[1] + 0.05) / (light[0] + 0.05)


def test_every_control_has_a_name(ada):
    open_queue(ada, "inpainting")
    ready(ada)
    nameless = """() => [...document.querySelectorAll('button, input, select, textarea, [role=img]')].filter((one) =>
      !(one.getAttribute('aria-label') || one.labels?.length || one.innerText?.trim())).map((one) => one.outerHTML)"""
    assert ada.evaluate(nameless) == []
    assert ada.locator("h1").count() == 1 and ada.locator("main").count() == 1


def test_everything_is_reviewed_by_keyboard(tmp_path, monkeypatch, chromium):
    vault, of = page_cases.house(tmp_path, people=("ada",), votes=1)
    answers = {"logos": lambda seen: "uphold" if seen["reason"] == "a brand" else "drop", "web": "dismiss"}

    monkeypatch.setattr(page_reviewer, "launched", lambda: nullcontext(chromium))
    with page_cases.served(vault, of) as url:
        done = page_reviewer.review_everything(url, "ada", PASSWORD, answers)
    assert done == {queue: 3 if queue == "logos" else 2 for queue in page_cases.CHECKS}
    found = page_cases.settled(vault)
    assert len(found) == 1 + 2 * len(page_cases.CHECKS) and found["objectionable-1"] == ("uphold", 0)
    assert found["logos-2"] == ("uphold", 4) and found["web-1"] == ("dismiss", 0)
    assert found["agreement-0"] == ("uphold", 4) and found["safety-0"][0] == "uphold"
