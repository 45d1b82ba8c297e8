"""The report in a headless browser: nothing is requested or refused, keys do what a pointer does, a phone shows it."""

import json
import re
from types import SimpleNamespace

import cv2
import fakes_cases
import numpy as np
import pandas as pd
import pytest
import rapid_cases
from foundation_cases import AFRICA, BLIP, CLIP, LLAVA, OF_ANSWERS, OF_CLASSES, OF_PROBES
from playwright.sync_api import expect
from report_cases import WORST, change

from accord.analyse.tables.compared import Compared
from accord.analyse.tables.fakes import FakeFairness, FakeUtility
from accord.analyse.tables.scores import Disparities
from accord.engine.table import rows
from accord.report import fakes, index, rapid
from browsers import everywhere, launched, violations

pytestmark = pytest.mark.slow

PHONE = {"width": 390, "height": 844}
CONTRAST = 4.5
SHADES = """() => {
  const channel = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  const light = (rgb) => [0.2126, 0.7152, 0.0722].reduce((sum, weight, i) => sum + weight * channel(rgb[i] / 255), 0);
  const colour = (text) => text.match(/[\\d.]+/g).map(Number);
  const behind = (one) => {
    for (let at = one; at; at = at.parentElement) {
      const found = colour(getComputedStyle(at).backgroundColor);
      if (found.length < 4 || found[3] > 0) return found;
    }
    return [255, 255, 255];
  };
  const texts = [...document.querySelectorAll("body *")].filter((one) =>
    one.checkVisibility() && [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()));
  return texts.map((one) => {
    const style = getComputedStyle(one);
    const ink = colour(one.closest("svg") && one.tagName === "text" ? style.fill : style.color);
    const [a, b] = [light(ink), light(behind(one))];
    return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), one.tagName, one.textContent.slice(0, 40)];
  });
}"""


@pytest.fixture(scope="module")
def site(made, tmp_path_factory):
    """The report's files in a folder, and a browser."""
    folder = tmp_path_factory.mktemp("site")
    for name, content in made.items():
        (folder / name).parent.mkdir(exist_ok=True)
        if isinstance(content, str):
            (folder / name).write_text(content)
    with launched() as browser:
        yield SimpleNamespace(folder=folder, browser=browser)


@pytest.fixture
def opened(site):
    """Opens a page; at the end nothing was requested but files, and the console told no error."""
    pages, problems, requested = [], [], []

    def open_page(name, **how):
        page = site.browser.new_page(viewport=PHONE, **how)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda said: problems.append(said.text) if said.type in ("error", "warning") else None)
        page.on("request", lambda request: requested.append(request.url))
        page.goto((site.folder / name).as_uri())
        pages.append(page)
        return page

    yield open_page
    for page in pages:
        page.close()
    assert problems == []
    assert [url for url in requested if not url.startswith("file:")] == []


def test_pages_lead_to_each_other_and_charts_are_there(opened):
    page = opened("index.html")
    assert page.locator("#figure-waterfall svg [aria-roledescription='bar']").count() == 2
    page.locator("#table-glance a", has_text="yunet").click()
    assert page.locator("h1").inner_text() == "yunet"
    assert page.locator("#figure-forest-1 svg [aria-roledescription='point']").count() == 4
    page.locator(".pages a", has_text="Data").click()
    assert page.locator("a[href='data/groups.csv']").is_visible()


def test_all_is_there_without_a_script(opened):
    page = opened("models/yunet.html", java_script_enabled=False)
    assert page.locator("#figure-forest-1 svg").is_visible()
    assert page.locator("#table-groups td", has_text="Eastern Asia").first.is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["index.html", "models/yunet.html", "data.html"])
def test_a_phone_shows_it_and_everyone_can_read_it(opened, name, scheme):
    page = opened(name, color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    found = page.evaluate(SHADES)
    assert len(found) > 50
    assert [one for one in found if one[0] < CONTRAST] == []
    widths = page.evaluate("[...document.querySelectorAll('caption')].map((one) => one.getBoundingClientRect().width)")
    assert max(widths, default=0) <= PHONE["width"]


DECIDE = {"index.html": ("verdict", "change", "p"), "models/yunet.html": ("holds", "worst", "best", "D", "note")}
RIGHTS = """() => [...document.querySelectorAll("main table")].filter((one) => one.checkVisibility()).flatMap((one) =>
  [...one.querySelectorAll("thead th")].map((head) => [head.innerText.trim(), head.getBoundingClientRect().right]))"""


@pytest.fixture(scope="module")
def services(site):
    """The page of a Rapid Test."""
    (site.folder / "release.json").write_text(json.dumps(rapid_cases.RELEASE))
    how = {"release": site.folder / "release.json", "title": "T", "caution": "Rendered.", "min_subjects": 10}
    (site.folder / "rapid.html").write_text(rapid.run(**rapid_cases.TABLES, **how))
    return "rapid.html"


@pytest.fixture(scope="module")
def detectors(site):
    """The page of detectors of made faces."""
    for name, content in (
        ("published.csv", fakes_cases.REFERENCES),
        ("fakes.json", '{"dataset": "d", "version": "1"}'),
        ("sources.json", '{"unmatched_lines": [3, 14]}'),
    ):
        (site.folder / name).write_text(content)
    told = rows(fakes_cases.FAIRNESS, FakeFairness), rows(fakes_cases.UTILITY, FakeUtility)
    told += (rows(fakes_cases.DISPARITIES, Disparities),)
    differs = {"xception": {"options": [{"width": 0.0625}, None], "mean": [[0.4] * 3, [0.5] * 3]}}
    how = {"title": "T", "caution": "Rendered.", "threshold": 0.5, "min_faces": 10, "unlike": differs}
    files = [site.folder / "published.csv"], site.folder / "fakes.json", site.folder / "sources.json"
    page = fakes.run(*told, *files, **how)
    (site.folder / "fakes.html").write_text(page)
    return "fakes.html"


@pytest.mark.parametrize("kind", ["services", "detectors", "foundation"])
def test_other_pages_serve_everyone_on_any_screen(opened, request, kind):
    """No column of theirs, folded ones too, is off a screen of 1280 px; and `?` tells the keys."""
    page = opened(request.getfixturevalue(kind))
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    assert everywhere(page) == {}
    page.set_viewport_size({"width": 1280, "height": 844})
    assert [(head, right) for head, right in page.evaluate(RIGHTS) if right > 1280] == []
    page.keyboard.press("?")
    assert "from value to value" in page.locator("dialog").inner_text()


COLOURS = """() => [...Array(9).keys()].map((level) => {
  const cell = document.body.appendChild(document.createElement("i"));
  cell.className = `h${level}`;
  return getComputedStyle(cell).backgroundColor.match(/\\d+/g).map(Number);
})"""


@pytest.mark.parametrize(("scheme", "towards"), [("light", -1), ("dark", 1)])
def test_colours_of_heat_are_even_in_lightness(opened, scheme, towards):
    """Steps of CIE L*, as OpenCV has it, are equal: away from the background, which is white or black."""
    page = opened("data.html", color_scheme=scheme)
    colours = np.array(page.evaluate(COLOURS), np.float32)[None] / 255
    steps = np.diff(cv2.cvtColor(colours, cv2.COLOR_RGB2Lab)[0, :, 0])
    np.testing.assert_allclose(steps, 9 * towards, atol=0.6)


@pytest.mark.parametrize("name", ["index.html", "models/yunet.html", "data.html"])
def test_everyone_can_use_it_on_any_screen(opened, name):
    """All that is folded is open; of wide tables the columns that decide are on a screen of 1280 px."""
    page = opened(name)
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    assert everywhere(page) == {}
    page.set_viewport_size({"width": 1280, "height": 844})
    heads = page.evaluate(RIGHTS)
    assert set(DECIDE.get(name, ())) <= {head for head, _ in heads}
    assert [(head, right) for head, right in heads if head in DECIDE.get(name, ()) and right > 1280] == []


@pytest.mark.parametrize("width", [1280, 1920])
def test_the_first_screen_is_a_figure_of_all_models(opened, width):
    page = opened("index.html")
    page.set_viewport_size({"width": width, "height": 900})
    figure = page.locator("#figure-ranges-1")
    assert figure.bounding_box()["y"] + 100 < 900
    assert figure.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    point = figure.locator("svg g.worst").first
    point.focus()
    assert page.locator("#tip").inner_text().startswith("South America: 0.42, 95% interval")
    page.keyboard.press("ArrowRight")
    assert page.locator("#tip").inner_text().startswith("Eastern Asia: 0.79")


def test_columns_that_decide_on_a_comparison_are_on_the_screen(site, whole):
    """Of two models with long names, beside changes between versions."""
    two = {"kind": "models", "task": "keypoint_estimation", "model_before": "mediapipe_selfie_multiclass",
           "model_after": "keypoint_rcnn_resnet50_fpn", "better": "after",
           "note": "without 12 of 30 subjects, who have no counterpart with equally many images"}  # fmt: skip
    more = rows([change("same images", 0.6, 0.7, "changed by less than the margin") | two], Compared)
    page = site.browser.new_page(viewport={"width": 1280, "height": 844})
    page.set_content(index.run(**{**whole, "compared": pd.concat([whole["compared"], more])})["index.html"])
    heads = page.evaluate(RIGHTS.replace("main table", "#table-compared table"))
    decide = {"verdict", "better", "change", "interval from", "interval to", "p", "note"}
    assert decide <= {head for head, _ in heads}
    assert [(head, right) for head, right in heads if head in decide and right > 1280] == []
    page.close()


def test_a_label_without_end_runs_over_lines_and_not_over_the_page(site, tables):
    """It made pages of a phone twenty times as wide; and no label is markup."""
    label = "9. <img src=x onerror=document.title=1>" + "W" * 300
    told = {name: one.replace(WORST, label) for name, one in tables.items() if isinstance(one, pd.DataFrame)}
    made = index.run(**{**tables, **told})
    for name in ("index.html", "models/yunet.html"):
        page = site.browser.new_page(viewport=PHONE)
        page.set_content(made[name])
        assert "WWWWW" in page.inner_text("main")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        assert page.locator("img").count() == 0
        page.close()


@pytest.fixture(scope="module")
def foundation(site, whole):
    """The page of foundation models, with a label that is long and would be markup."""
    label = "0. <img src=x onerror=document.title=1>" + "W" * 300
    tables = {name: one.replace(AFRICA, label) for name, one in {**OF_PROBES, **OF_CLASSES, **OF_ANSWERS}.items()}
    models = {**whole["models"], "clip": CLIP, "llava_7b": LLAVA, "blip2": BLIP}
    (site.folder / "foundation.html").write_text(index.run(**{**whole, **tables, "models": models})["foundation.html"])
    return "foundation.html"


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (1280, "dark")])
def test_what_foundation_models_say_fits_any_screen(opened, foundation, width, scheme):
    page = opened(foundation, color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 844})
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("img").count() == 0 and "WWWWW" in page.inner_text("main")
    found = page.evaluate(SHADES)
    assert len(found) > 200 and [one for one in found if one[0] < CONTRAST] == []


def test_what_foundation_models_say_is_read_with_keys(opened, foundation):
    page = opened(foundation)
    page.locator("#figure-called-1 td[data-tip]").last.hover()
    said = page.locator("#tip").inner_text()
    assert said.startswith("clip, as it is, called “unspecified”, He/him/his: 61%, 95% interval 51% to 71%; 60 images")
    page.locator("#figure-effects-1 svg [tabindex]").first.focus()
    assert page.locator("#tip").inner_text().startswith("Everyone: -5.0 points (95% interval")
    page.locator(".parts a", has_text="Toxic words").click()
    assert page.locator("#figure-toxic-1 svg").is_visible()
    assert (
        page.locator("main a", has_text="clip").count() == 0 and page.locator("header a", has_text="blip2").count() == 1
    )


def test_values_of_a_chart_are_read_with_keys(opened):
    page = opened("models/yunet.html")
    points = page.locator("#figure-forest-1 svg [tabindex]")
    points.first.focus()
    assert page.locator("#tip").inner_text().startswith("Everyone: 0.700, 95% interval 0.650 to 0.750; 60 images of 20")
    page.keyboard.press("ArrowDown")
    assert "South America: 0.420" in page.locator("#tip").inner_text()
    page.keyboard.press("Escape")
    assert not page.locator("#tip").is_visible()
    page.locator("#figure-heat-1 td[data-tip]").first.hover()
    assert "He/him/his × South America: 0.400" in page.locator("#tip").inner_text()


@pytest.mark.parametrize(("name", "scheme"), [("index.html", "light"), ("models/yunet.html", "dark")])
def test_a_question_mark_shows_which_key_does_what(opened, name, scheme):
    page = opened(name, color_scheme=scheme)
    page.keyboard.press("?")
    assert "from value to value" in page.locator("dialog").inner_text()
    assert violations(page) == []
    page.keyboard.press("?")
    assert page.locator("dialog").count() == 1
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)  # it goes with an event that comes after the key's


def test_tables_are_sorted_and_filtered_with_keys(opened):
    page = opened("models/yunet.html")
    means = (
        "[...document.querySelectorAll('#table-groups tbody tr:not([hidden])')].map((row) => row.cells[5].textContent)"
    )
    button = page.locator("#table-groups th button", has_text="mean").first
    button.focus()
    page.keyboard.press("Enter")
    assert page.evaluate(means) == ["0.400", "0.420", "0.500", "0.700", "0.790", "0.800"]
    page.keyboard.press("Enter")
    assert page.evaluate(means)[0] == "0.800"
    assert page.locator("#table-groups th[aria-sort='descending']").inner_text().startswith("mean")
    page.evaluate("document.querySelector('#table-groups .tools').hidden = false")
    page.locator("#table-groups input").fill("his asia")
    assert page.evaluate(means) == ["0.800"]
    assert page.locator("#table-groups output").inner_text() == "1 of 6 rows"


def test_tables_behind_charts_open_with_the_keyboard(opened):
    page = opened("index.html")
    page.locator("#figure-waterfall details summary").focus()
    page.keyboard.press("Enter")
    assert "Near duplicate of another image" in page.locator("#figure-waterfall table").inner_text()


def pages_of(page):
    return max(int(number) for number in re.findall(rb"/Count (\d+)", page.pdf(prefer_css_page_size=True)))


def test_a_model_prints_on_two_pages(opened):
    page = opened("models/yunet.html", color_scheme="dark")
    assert pages_of(page) <= 2
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.locator("#figure-forest-1").is_visible() and page.locator(".answers").is_visible()
    assert not page.locator("#table-groups").is_visible() and not page.locator("#tests").is_visible()


def test_a_model_with_four_metrics_prints_on_two_pages_too(opened):
    page = opened("models/yunet.html")
    page.evaluate("""() => {
      for (const one of [document.querySelector(".answers"), document.querySelector("#figure-forest-1")])
        for (const _ of [1, 2, 3]) one.after(one.cloneNode(true));
      for (const one of document.querySelectorAll(".answers p")) one.textContent = "Much is said of it. ".repeat(9);
    }""")
    assert page.locator(".answers").count() == page.locator("#figure-forest-1").count() == 4
    assert pages_of(page) <= 2


def test_it_prints_with_all_that_is_folded_if_that_is_wanted(opened):
    page = opened("index.html")
    page.evaluate("window.addEventListener('beforeprint', () => (window.folded = "
                  "document.querySelectorAll('main details:not([open])').length))")  # fmt: skip
    short = pages_of(page)
    assert page.evaluate("window.folded") > 0
    page.locator("#print-all").check()
    assert pages_of(page) > short and page.evaluate("window.folded") == 0
    page.emulate_media(media="print")
    assert page.locator("#people").is_visible() and not page.locator(".pages").is_visible()


def test_nothing_moves_for_those_who_want_it_still(opened):
    page = opened("index.html", reduced_motion="reduce")
    assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"
