"""Somebody who reviews by keyboard, in a headless browser: for tests of the page, and of flows that wait for people."""

from collections import Counter
from collections.abc import Callable, Mapping

from playwright.sync_api import Browser, Page

from browsers import launched

KEYS = {"uphold": "u", "dismiss": "d", "drop": "x"}
DISPUTES = "disputes"
SIZE = {"width": 1280, "height": 800}


def review_everything(
    url: str, name: str, password: str, answers: Mapping[str, str | Callable[[dict], str]] | None = None
) -> Counter:
    """Decide all that waits for somebody, queue by queue, by keyboard alone; returns how many items of each queue.

    `answers`: queue (or "disputes") -> decision, or a function of what is read on the page (`queue`, `reason`, `kind`,
    `check`, `item`) that gives one; "uphold" where there is none. In the queue `agreement` a box is drawn.
    """
    with launched() as opened:
        page = signed_in(opened, url, name, password)
        done = Counter()
        for queue in page.eval_on_selector_all(".card:not(.idle)", "cards => cards.map((one) => one.dataset.queue)"):
            done[queue] = decide_all(page, queue, (answers or {}).get(queue, "uphold"))
        assert page.problems == [], page.problems
        return done


def signed_in(opened: Browser, url: str, name: str, password: str, **more) -> Page:
    """A page on which somebody has signed in; what goes wrong on it is in its list `problems`."""
    page = opened.new_context(viewport=SIZE, **more).new_page()
    page.problems, page.requested = [], []
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    page.on("console", lambda told: page.problems.append(told.text) if told.type == "error" else None)
    page.on("request", lambda request: page.requested.append(request.url))
    page.goto(url)
    page.locator("input[name=name]").wait_for()
    assert page.locator("#top").inner_text().split() == ["Accord", "review", "◐"]
    page.keyboard.type(name)
    page.keyboard.press("Tab")
    page.keyboard.type(password)
    page.keyboard.press("Enter")
    page.locator(".home").wait_for()
    return page


def open_queue(page: Page, queue: str) -> None:
    """Open a queue from the first page, by its key."""
    page.keyboard.press(page.locator(f".card[data-queue={queue}]").get_attribute("aria-keyshortcuts"))
    page.locator(".panel, .finished, .tile").first.wait_for()


def decide_all(page: Page, queue: str, answer: str | Callable[[dict], str]) -> int:
    """Decide all items of a queue, and go back to the first page; returns how many there were."""
    open_queue(page, queue)
    if page.locator(".tiles").count():
        return see_all(page, answer)
    done = 0
    while page.locator(".panel").count():
        seen = read(page)
        decision = answer(seen) if callable(answer) else answer
        if seen["queue"] == "agreement" and decision == "uphold":
            page.keyboard.press("w")
            page.keyboard.press("Enter")
        decide(page, decision)
        done += 1
    page.keyboard.press("Escape")
    page.locator(".home").wait_for()
    return done


def see_all(page: Page, decision: str) -> int:
    """Decide all items of a queue that shows many at once, page by page, and go back; returns how many there were."""
    done = 0
    while count := page.locator(".tile").count():
        first = page.locator(".tile").first.get_attribute("data-item")
        page.locator(".tile[data-state=loading]").first.wait_for(state="detached")
        for _ in range(count if decision == "uphold" else 0):
            page.keyboard.press("1")
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        page.locator(f".tile[data-item='{first}']").wait_for(state="detached")
        page.locator(".tile, .finished").first.wait_for()
        done += count
    page.keyboard.press("Escape")
    page.locator(".home").wait_for()
    return done


def read(page: Page) -> dict:
    """What the panel says of the item that is shown."""
    panel = page.locator(".panel")
    facts = dict(zip(panel.locator("dt").all_inner_texts(), panel.locator("dd").all_inner_texts(), strict=True))
    known = {"item": panel.get_attribute("data-item"), "queue": panel.get_attribute("data-queue")}
    names = {"reason": "Reason", "kind": "Kind", "check": "Found by"}
    return {**known, **{key: facts.get(name, "") for key, name in names.items()}}


def decide(page: Page, decision: str) -> None:
    """Press the key of a decision, and wait until the next item is shown, or nothing more waits."""
    item = page.locator(".panel").get_attribute("data-item")
    page.keyboard.press(KEYS[decision])
    page.locator(f".panel:not([data-item='{item}']), .finished").first.wait_for()
