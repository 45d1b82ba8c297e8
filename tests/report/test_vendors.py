"""The page of vendors: who stands out and why, nothing of a subject, and it runs nothing."""

import json
import re
from pathlib import Path

import pytest
from rapid_cases import RELEASE

from accord.audit.evidence import lineage
from accord.audit.targets import figure
from accord.audit.targets.figure import figures
from accord.audit.targets.places import Places
from accord.audit.telling.checks import FAIL, PASS
from accord.checks.tables.agreement import Agreement
from accord.checks.tables.summary import Patterns, Scorecards, Suspicions
from accord.engine import source, step, table
from accord.engine.table import empty, rows
from accord.report import vendors
from accord.report.reading.sources import tables_of
from browsers import whole

HOSTILE = "<script>alert(1)</script>" + "W" * 60


def card(vendor, delivery, check, stopped, others=None, p_value=None, cost=None):
    figures = {"images": 40, "subjects": 40, "stopped": stopped, "subjects_stopped": stopped}
    figures |= {"share": stopped / 40, "low": 0.0, "high": 0.75, "others": others, "z": others, "p_value": p_value}
    return {"vendor": vendor, "delivery": delivery, "check": check, **figures, "cost": cost}


@pytest.fixture
def told(tmp_path):
    """bolt fails exif more often than acme does."""
    (tmp_path / "release.json").write_text(json.dumps(RELEASE))
    cards = [
        card(vendor, delivery, check, stopped, *((others, p, 2.5 * stopped) if delivery == "all" else ()))
        for vendor, stopped, others, p in (("acme", 4, 0.6, 1.0), ("bolt", 24, 0.1, 0.001))
        for delivery, check in (("all", "all"), ("all", "exif"), ("d1", "all"), ("d1", "exif"))
    ]
    units = [("vendor_failures", "vendor", "bolt: exif", 4.0, 3.0, 0.001, 40, 40, "24 of the vendor's 41 images fail")]
    agreed = ("face_box", "iou", "against_reviewers", "acme", "all", "all", 9, 9, 9, 0.9, 0.8, 0.95, "")
    return {
        "scorecards": rows(cards, Scorecards),
        "suspicions": rows([("acme", "edited", 3)], Suspicions),
        "patterns": rows(units, Patterns),
        "agreement": rows([agreed], Agreement),
        "release": tmp_path / "release.json",
        "title": "T",
    }


def words(page):
    body = page.partition("<main")[2].partition("</main>")[0]
    return " ".join(re.sub(r"<[^>]+>", " ", body).replace("&#39;", "'").split())


def test_each_vendor_has_a_section_and_who_stands_out_is_said(told):
    page = vendors.run(**told)
    acme, bolt = words(page).split(" acme Of ")[1].split(" bolt Of ")
    assert "4 images stopped: 10.0%" in acme and "No check stops significantly more of them" in acme
    assert "name an editing program or a picture agency in their EXIF. 1 3" in acme
    assert "face_box iou against reviewers 9 0.900 0.800 0.950" in acme
    assert "Significantly more often than other vendors: no exif data. " in bolt
    assert "24 of the vendor's 41 images fail" in bolt and "24 of the vendor's" not in acme
    assert 'href="#vendor-2"' in page and "60.00" in words(page)  # what bolt's 24 cost


def test_each_table_can_be_traced(told):
    found = figures(vendors.run(**told))
    assert {"table-vendors", "table-vendor-1-checks", "table-vendor-1-agreement", "table-vendor-2-deliveries"} <= set(
        found
    )
    assert all(tables_of(name) for name in found)


def test_the_page_made_by_its_step_is_traced_and_what_was_edited_is_told(told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page, flags = Path("results/report/vendors.html"), ["--title", "T", "--release", "release.json"]
    for name in ("scorecards", "suspicions", "patterns", "agreement"):
        path, model = Path(f"results/checks/{name}.parquet"), step.table_of(step.signature(vendors.run)[0][name])
        path.parent.mkdir(parents=True, exist_ok=True)
        table.write(told[name], model, path, {"step": "checks.scorecards", "code": "", "params": {}, "inputs": {}})
        flags += [f"--{name}", str(path)]
    step.run_step("report.vendors", [*flags, "--code", source.digest("report.vendors"), "--out", str(page)])
    for content, verdict in ((page.read_text(), PASS), (page.read_text().replace("60.00", "6.00"), FAIL)):
        page.write_text(content)
        lineage.forget()
        _, found = figure.audit(page, "table-vendor-2-checks", Places())
        assert {check.verdict for check in found.checks if check.name == "redrawn"} == {verdict}
        assert ("table", "results/checks/scorecards.parquet") in found.sections[0].rows


def test_without_prices_and_other_vendors_nothing_is_said_of_them(told):
    alone = (
        told["scorecards"]
        .query("vendor == 'acme'")
        .assign(others=float("nan"), p_value=float("nan"), cost=float("nan"))
    )
    page = words(vendors.run(**told | {"scorecards": alone.reset_index(drop=True), "agreement": empty(Agreement)}))
    assert "No other vendor to compare with." in page
    assert not re.search(r"\bcost\b|share of others", page.partition("How to read it")[0])


def test_a_run_without_images_has_a_page(told):
    nothing = {
        name: empty(kind)
        for name, kind in (
            ("scorecards", Scorecards),
            ("suspicions", Suspicions),
            ("patterns", Patterns),
            ("agreement", Agreement),
        )
    }
    assert "Nothing was delivered." in vendors.run(**told | nothing)


@pytest.mark.slow
def test_a_vendor_s_own_name_is_text_and_fits_any_screen(told):
    cards = told["scorecards"].assign(vendor=told["scorecards"]["vendor"].replace({"acme": HOSTILE, "bolt": ""}))
    page = vendors.run(**told | {"scorecards": cards})
    assert "<script>alert" not in page and "Vendor unknown" in page
    assert whole(page) == {}
