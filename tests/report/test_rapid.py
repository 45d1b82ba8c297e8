"""The page of a Rapid Test: which service, for whom worse, how sure, what was not seen, and of nobody who is few."""

import html
import json
import re

import numpy as np
import pytest

from accord.analyse.identities.tables import Coverage, LabelAgreement, ServiceCurves, Services
from accord.engine.table import empty, rows
from accord.report import rapid

RELEASE = {"version": "1.2.0"}


def curve(service, group, fnmr, low, high, queries=20, labels="estimated", attribute="pronoun", fmr=0.01, **more):
    row = {"service": service, "labels": labels, "attribute": attribute if group != "all" else "all", "group": group}
    row |= {"threshold_of": "common", "fmr": fmr, "threshold": 0.4, "reached": fmr, "fnmr": fnmr, "low": low}
    row |= {"high": high, "wilson_low": low, "wilson_high": high, "bound_low": low, "bound_high": high}
    return row | {"queries": queries, "genuine": 900, "impostor": 3000, "note": ""} | more


CURVES = [
    curve("good", "all", 0.02, 0.01, 0.03), curve("worn", "all", 0.2, 0.15, 0.25),
    curve("good", "all", 0.03, 0.02, 0.04, labels="annotated"),
    curve("good", "she", 0.021, 0.01, 0.04), curve("good", "he", 0.019, 0.01, 0.03),
    curve("worn", "she", 0.3, 0.26, 0.34), curve("worn", "he", 0.1, 0.06, 0.14),
    curve("worn", "<b>few</b>", 0.9, 0.8, 1.0, queries=4),
    curve("worn", "none", np.nan, np.nan, np.nan, queries=30, note="too few pairs"),
]  # fmt: skip
COVERAGE = [
    ("all", "all", "kept", 30, 300), ("all", "all", "nobody found by worn", 10, 90),
    ("all", "all", "no face found by worn", 0, 10), ("pronoun", "she", "kept", 12, 100),
    ("pronoun", "she", "nobody found by worn", 8, 80), ("pronoun", "<b>few</b>", "kept", 4, 33),
]  # fmt: skip
AGREEMENT = [
    (1, 1, 240),
    (1, 0, 2),
    (1, -1, 60),
    (0, 1, 1),
    (0, 0, 57),
    (0, -1, 30),
    (-1, 1, 0),
    (-1, 0, 0),
    (-1, -1, 0),
]


def page_of(tmp_path, **changes) -> str:
    (tmp_path / "release.json").write_text(json.dumps(RELEASE))
    services = [("good", "1", 0.1, 0.8, 0.1, ""), ("worn", "1", 0.1, 0.7, 0.1, ""),
                ("flat", "1", None, None, None, "all its scores are equal")]  # fmt: skip
    given = {"services": rows(services, Services), "curves": rows(CURVES, ServiceCurves),
             "coverage": rows(COVERAGE, Coverage), "agreement": rows(AGREEMENT, LabelAgreement)}  # fmt: skip
    how = {"title": "T", "caution": "", "min_subjects": 10}
    return rapid.run(**{**given, "release": tmp_path / "release.json", **how, **changes})


def text(page: str) -> str:
    body = re.sub(r"<script.*?</script>|<style.*?</style>", " ", page, flags=re.S)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", body)).replace("\u00a0", " ").split())


@pytest.fixture
def said(tmp_path):
    return text(page_of(tmp_path))


def test_the_best_and_the_worst_service_come_first(said):
    assert "At an FMR of 0.01, good refuses the same person in 2.0% of 900 pairs, 95% interval 1.0% to 3.0%." in said
    assert "worn does worst: 20% of 900 pairs, 95% interval 15% to 25%. good, FMR" in said
    assert "flat is left out: all its scores are equal." in said


def test_for_whom_a_service_is_worse_and_whether_that_may_be_chance(said):
    assert "worn, FMR 0.01, pronoun: worst for she (30% of 900 pairs, 95% interval 26% to 34%), best for he" in said
    good = said.index("good, FMR 0.01, pronoun: worst for she")
    assert "This may be chance: the intervals overlap." in said[good : good + 250]


def test_what_was_not_seen_stands_with_its_reason(said):
    assert "300 faces of 400 pictures got a label (75%), in 30 queries." in said
    assert "nobody found by worn 90" in said and "no face found by worn 10" in said
    assert "she 12 180 100 0.556" in said


def test_both_shares_of_the_truth_stand_together(said):
    assert "Of 300 labelled faces 297 (99%) were labelled rightly." in said
    assert "Of 302 faces of the people themselves 240 (79%) were kept as such." in said
    assert "good 0.010 0.020 0.030 -0.010" in said


def test_groups_of_few_queries_and_without_a_figure_are_nowhere(tmp_path):
    page = page_of(tmp_path)
    assert "few" not in re.findall(r"<td[^>]*>([^<]*)</td>", page) and "<b>few</b>" not in page
    assert "&lt;b&gt;few" not in page and "too few pairs" not in page and "90%" not in text(page)


def test_names_of_groups_are_text_and_the_page_loads_nothing(tmp_path):
    script = rows([curve("good", "all", 0.1, 0.1, 0.2), curve("<script>x()</script>", "all", 0.3, 0.2, 0.4),
                   curve("good", "<script>y()</script>", 0.1, 0.1, 0.2)], ServiceCurves)  # fmt: skip
    page = page_of(tmp_path, curves=script)
    assert "<script>x()" not in page and "<script>y()" not in page and "&lt;script&gt;x()" in page
    assert not re.search(r"(?:src|href)=\"(?:https?:)?//", page) and "<img" not in page


def test_nothing_but_the_reason_is_left_where_no_service_was_tested(tmp_path):
    found = text(page_of(tmp_path, curves=empty(ServiceCurves), agreement=empty(LabelAgreement)))
    assert "No service has a figure. flat: all its scores are equal." in found
    assert "Nothing was labelled." in found and "No group has enough queries" in found
    blank = text(page_of(tmp_path, services=empty(Services), coverage=empty(Coverage), curves=empty(ServiceCurves)))
    assert "0 faces of 0 pictures got a label, in 0 queries." in blank
