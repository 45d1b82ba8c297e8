"""What is shown of a table of one's own: the page, a notebook's part, plots. In a browser, light and dark."""

import re
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from accord.analyse import analyse
from accord.analyse.plain.found import parts
from accord.analyse.plain.showing import answers, points, why
from accord.errors import AccordError
from browsers import launched, violations

LONG = "<img src=x onerror=document.title=1>" + "W" * 200


@pytest.fixture(scope="module")
def table():
    """160 people; under lamps the dark are served worse; a group of three; a second metric in seconds."""
    rng = np.random.default_rng(3)
    one = pd.DataFrame({"skin": rng.choice(["dark", "light"], 160), "lamp": rng.choice(["lamp", "sun"], 160)})
    worse = (one["skin"] == "dark") & (one["lamp"] == "lamp")
    one["accuracy"] = np.clip(rng.normal(0.8, 0.05, 160) - 0.3 * worse, 0, 1)
    one["seconds"] = rng.gamma(9, 1, 160) * 10
    one.loc[:2, "skin"] = LONG
    return one.assign(person=range(160))


@pytest.fixture(scope="module")
def found(table):
    return analyse(table, score=["accuracy", "seconds"], lower_is_better=["seconds"], most=2, bootstraps=100)


def test_the_four_answers_say_what_the_tables_say(found):
    accuracy = next(part for part in parts(found) if part.metric == "accuracy")
    well, worst, sure, reason = answers.answers(accuracy)
    row = found.groups[(found.groups["attribute"] == "all") & (found.groups["metric"] == "accuracy")].iloc[0]
    assert float(well.short) == pytest.approx(row["mean"], abs=0.001) and "160 people" in well.long
    assert worst.short == "dark × lamp" and "By skin × lamp: " in worst.long
    assert f"Not compared, with too few people: {LONG} (skin, 3 people)." in worst.long
    assert sure.short in ("Sure", "Very sure") and "at most 1 of" in sure.long
    assert reason.short == "Not known"
    assert "Lower is better" in answers.how_well(next(p for p in parts(found) if p.metric == "seconds")).long


def test_where_nothing_differs_nobody_is_called_worst(found):
    seconds = next(part for part in parts(found) if part.metric == "seconds")
    _, worst, sure, reason = answers.answers(seconds)
    assert worst.short == "No one, as far as can be shown" and "This does not prove that there is none." in worst.long
    assert sure.short == "Not sure" and reason.short == "No difference shown"
    extent = points.extent(seconds)
    assert extent is not None and not extent.holds
    assert {one.look for one in extent.points} == {"group", "everyone"}


def test_a_difference_that_another_column_makes_is_put_down_to_it():
    rng = np.random.default_rng(5)
    light = rng.choice(["lamp", "sun"], 300)
    city = np.where(rng.random(300) < np.where(light == "lamp", 0.85, 0.15), "north", "south")
    blur = rng.random(300)
    score = rng.normal(0.8, 0.03, 300) - 0.3 * (light == "lamp")
    table = pd.DataFrame({"score": score, "light": light, "city": city, "blur": blur})
    part = next(parts(analyse(table, attributes=["city", "light"], bootstraps=200)))
    claims = answers.claimed(part)
    assert claims[0].attribute == "light"
    city_first = [one for one in claims if one.attribute == "city"]
    assert not city_first or "explained by light" in city_first[0].note
    short, long = why.why(part, claims)
    assert short == "Not known" and "alike in city" in long


def test_a_measurement_that_takes_a_difference_away_is_named():
    rng = np.random.default_rng(6)
    group = rng.choice(["a", "b"], 400)
    size = rng.normal(0, 1, 400) + 1.2 * (group == "a")
    table = pd.DataFrame({"score": 0.1 * size + rng.normal(0, 0.02, 400), "group": group, "size": size})
    part = next(parts(analyse(table, bootstraps=200)))
    short, long = why.why(part, answers.claimed(part))
    assert short == "Probably size" and "alike in size. What goes along with a difference need not cause it." in long


def test_too_few_people_are_said_and_nothing_breaks():
    few = analyse(pd.DataFrame({"score": [0.1, 0.5, 0.9], "group": list("aab")}), bootstraps=100)
    page = few.to_html()
    assert "No groups were compared." in page and "1 person, fewer than 10" in page
    assert {one.short for one in answers.answers(next(parts(few)))} == {"Can't be said", "Not known"}


def test_groups_of_a_metric_that_is_not_tested_are_shown_lowest_and_highest(table):
    told = {"y_true": np.arange(160) % 2, "y_score": (table["seconds"] * 7) % 1, "metrics": "roc_auc"}
    found = analyse(**told, sensitive_features=table[["lamp"]], bootstraps=100)
    page, known = found.to_html(), found.groups[found.groups["attribute"] == "lamp"].sort_values("mean")["group"]
    assert "Groups are not tested by this metric." in page and "No groups were compared." not in page
    assert re.findall(r'<b class="group">(\w+)</b> (\w+):', page) == [*zip(["Lowest", "Highest"], known, strict=True)]


def test_equal_tables_give_equal_pages_that_load_nothing(found, table):
    again = analyse(table, score=["accuracy", "seconds"], lower_is_better=["seconds"], most=2, bootstraps=100)
    page = found.to_html("My table")
    assert page == again.to_html("My table")
    assert "default-src &#39;none&#39;" in page and "<title>My table</title>" in page
    assert not re.search(r"(src|href)=\"(?!#)", page) and "<img" not in page


def test_a_notebook_shows_answers_without_script_or_link(found):
    part = found._repr_html_()
    assert "<script" not in part and "href" not in part and "<img" not in part and "dark × lamp" in part
    assert repr(found).startswith("accuracy\n  everyone: mean ")


def test_a_plot_is_a_picture_of_the_groups(found, tmp_path):
    drawing = found.plot(metric="accuracy", attribute="lamp")
    svg = ElementTree.fromstring(drawing._repr_svg_())
    texts = [one.text for one in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[0] == "accuracy" and {"Everyone", "lamp", "sun"} <= set(texts) and "dark" not in texts
    assert drawing.save(tmp_path / "plot.svg").read_text() == drawing.svg
    assert drawing.save(tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")
    assert drawing.save(tmp_path / "plot.pdf").read_bytes().startswith(b"%PDF")
    with pytest.raises(AccordError, match=r"plot\.gif: is not a known format"):
        drawing.save(tmp_path / "plot.gif")


@pytest.mark.parametrize("asked", [{"metric": "x"}, {"attribute": "x"}, {"model": "x"}])
def test_a_plot_of_what_was_not_compared_is_refused(found, asked):
    with pytest.raises(AccordError, match="'x' was not compared"):
        found.plot(**asked)


@pytest.fixture(scope="module")
def browser():
    with launched() as one:
        yield one


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280, 1920])
def test_the_page_fits_any_screen_and_everyone_can_read_it(browser, found, tmp_path, width, scheme):
    file = found.report(tmp_path / "out.html")
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    problems, requested = [], []
    page.on("console", lambda said: problems.append(said.text) if said.type in ("error", "warning") else None)
    page.on("request", lambda request: requested.append(request.url))
    page.goto(file.as_uri())
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    wide = "[...document.querySelectorAll('.scroll')].some((one) => one.scrollWidth > one.clientWidth)"
    assert not page.evaluate(wide)
    page.locator("#metric-1 svg.track g.worst").first.hover()
    assert page.locator("#tip").inner_text().startswith("lamp: 0.")
    page.close()
    assert problems == [] and requested == [file.as_uri()]


def test_equal_means_have_no_worst_and_no_best():
    table = pd.DataFrame({"s": [0.0, 1.0] * 20, "who": range(40), "sex": ["f", "f", "m", "m"] * 10})
    found = analyse(table, score="s", subject="who", attributes=["sex"], bootstraps=100)
    said = repr(found)
    assert "    sex: all means are equal, as f 0.5 [" in said and "worst f" not in said
    page = found.to_html()
    assert "All means of groups that are compared are equal." in page and "The largest difference is by" not in page
