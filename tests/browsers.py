"""A headless browser, for tests of pages, and axe-core, which finds what keeps people from using one."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files

from playwright.sync_api import Browser, Page, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
ARGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]


@contextmanager
def launched() -> Iterator[Browser]:
    """Chromium without a window."""
    assert CHROMIUM, "no Chromium: install it with `apt-get install chromium`"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        yield browser
        browser.close()


AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text()
RULES = "() => axe.run().then((found) => found.violations.map((one) => [one.id, one.nodes.map((node) => node.html)]))"
SCREENS = [(width, scheme) for width in (390, 1280, 1920) for scheme in ("light", "dark")]
"""Widths, px, and colour schemes that each page is looked at in."""


def violations(page: Page) -> list:
    """The rules of axe-core that a page breaks as it stands, and the elements that break them."""
    page.evaluate("() => Promise.all(document.getAnimations().map((one) => one.finished))")
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    return page.evaluate(RULES)


def everywhere(page: Page) -> dict[tuple[int, str], list]:
    """What a page breaks on each of SCREENS; also whether it is wider than the screen. Empty where all is well."""
    found = {}
    for width, scheme in SCREENS:
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 844})
        wide = page.evaluate("document.documentElement.scrollWidth") > width
        broken = violations(page) + [["wider than the screen", []]] * wide
        found |= {(width, scheme): broken} if broken else {}
    return found


def whole(html: str) -> dict[tuple[int, str], list]:
    """What a page breaks, as `everywhere`, with all that is folded open."""
    with launched() as browser:
        page = browser.new_page()
        page.set_content(html)
        page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
        return everywhere(page)
