"""The viewer in a headless browser: by keys, on any screen, and what it does when somebody withdraws."""

import socket
import threading
import time

import look_cases
import pytest
import uvicorn
from playwright.sync_api import expect

from accord.look.views import log
from browsers import everywhere, launched, violations

pytestmark = pytest.mark.slow


@pytest.fixture
def opened(house):
    """A page that was opened at the address which the command prints; nothing goes wrong on it."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    app = look_cases.page(house, "the-key", port=port)
    runs = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error", access_log=False, ws="none"))
    thread = threading.Thread(target=runs.run, daemon=True)
    thread.start()
    while not runs.started:
        time.sleep(0.01)
    problems = []
    with launched() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
        page.goto(f"http://127.0.0.1:{port}/#the-key")
        page.locator(".failure").first.wait_for()
        yield page
    runs.should_exit = True
    thread.join(10)
    assert [one for one in problems if "404" not in one] == []


def loaded(page, selector):
    page.wait_for_function("(css) => document.querySelector(css)?.naturalWidth > 0", arg=selector)


def test_failures_are_seen_by_keys_and_go_when_somebody_withdraws(opened, house):
    page = opened
    assert "the-key" not in page.url
    loaded(page, ".failure img")
    assert everywhere(page) == {}
    page.set_viewport_size({"width": 1280, "height": 800})
    page.locator(".failure").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    loaded(page, ".large img")
    assert page.locator(".large p").inner_text() == "No. 2: 0.3. Drawn: truth and prediction."
    for key, says in (("p", "truth"), ("t", "nothing"), ("p", "prediction")):
        page.keyboard.press(key)
        assert page.locator(".large p").inner_text() == f"No. 2: 0.3. Drawn: {says}."
    assert everywhere(page) == {}
    page.keyboard.press("?")
    assert page.locator("dialog.help").is_visible()
    assert violations(page) == []
    page.keyboard.press("Escape")
    assert any(one.image == "i3" for one in log.views(house.vault))
    house.withdraw("bob")
    page.locator("#hidden", has_text="3 not shown").wait_for()
    expect(page.locator(".large")).to_have_count(0)
    assert page.locator("li").count() == 1
    assert page.locator(".failure .said").inner_text().split() == ["no.", "4", "0.9"]
