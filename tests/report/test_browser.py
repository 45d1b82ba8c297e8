"""The report in a real headless browser: charts are drawn, nothing is requested, a phone can show it."""

import shutil

import pytest
from playwright.sync_api import sync_playwright

from accord.report import index

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
ARGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def opened(tables, tmp_path):
    assert CHROMIUM, "no Chromium: install it with `apt-get install chromium`"
    file = tmp_path / "index.html"
    file.write_text(index.run(**tables))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        page = browser.new_page(viewport=PHONE)
        page.problems, page.requested = [], []
        page.on("pageerror", lambda error: page.problems.append(str(error)))
        page.on("console", lambda message: page.problems.append(message.text) if message.type == "error" else None)
        page.on("request", lambda request: page.requested.append(request.url))
        page.goto(file.as_uri())
        yield page
        browser.close()


def test_charts_are_drawn_and_nothing_is_loaded(opened):
    opened.locator("#figure-waterfall svg").wait_for()
    opened.locator("#figure-disparities").scroll_into_view_if_needed()
    opened.locator("#figure-disparities svg").wait_for()
    opened.locator("#figure-model-1-1").scroll_into_view_if_needed()
    assert opened.locator("#figure-model-1-1 svg").count() == 1
    assert opened.locator("#figure-waterfall svg path[aria-roledescription='bar']").count() == 2
    assert opened.problems == []
    assert [url for url in opened.requested if not url.startswith(("file:", "data:"))] == []


def test_a_phone_needs_no_sideways_scrolling(opened):
    opened.locator("#figure-waterfall svg").wait_for()
    assert opened.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_tables_open_with_the_keyboard(opened):
    summary = opened.locator("#figure-waterfall details summary")
    summary.focus()
    opened.keyboard.press("Enter")
    assert opened.locator("#figure-waterfall details table").is_visible()
    assert "Near duplicate of another image" in opened.locator("#figure-waterfall table").inner_text()
