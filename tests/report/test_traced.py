"""The report's files are traced by the audit: each page, figure and export, and what was edited."""

import json
from pathlib import Path

import fakes_cases
import pandas as pd
import pytest
import rapid_cases
from foundation_cases import CLIP, LLAVA, OF_CLASSES, OF_PROBES

from accord.audit.evidence import lineage
from accord.audit.targets import figure, target
from accord.audit.targets.places import Places
from accord.audit.telling.checks import FAIL, PASS
from accord.engine import source, step, table
from accord.errors import AccordError
from accord.report import index
from accord.report.reading import sources
from accord.report.reading.exported import EXPORTED

ROOT = Path(__file__).parents[2]
PAGE = Path("results/report/models/yunet.html")


@pytest.fixture
def results(tables, made, tmp_path, monkeypatch):
    """The report, made by its step from files."""
    monkeypatch.chdir(tmp_path)
    return written(tables, made)


def written(tables, made, *questions: str) -> Path:
    """The files of a report, made by its step from files; questions: the file of those about classes."""
    kinds, _ = step.signature(step.load("report.index"))
    flags = ["--release", "release.json", "--models", json.dumps(tables["models"])]
    flags += ["--title", tables["title"], "--caution", tables["caution"], "--code", source.digest("report.index")]
    flags += ["--protocol", "accord", "--support-of", "errors", "--class-questions", *questions]
    for name, kind in kinds.items():
        if model := step.table_of(kind):
            path = Path(f"results/analyse/{name}.parquet")
            path.parent.mkdir(parents=True, exist_ok=True)
            table.write(tables[name], model, path, {"step": f"analyse.{name}", "code": "", "params": {}, "inputs": {}})
            flags += [f"--{name.replace('_', '-')}", str(path)]
    step.run_step("report.index", [*flags, "--out", *(f"results/report/{name}" for name in made)])
    lineage.forget()
    return Path("results")


def test_figures_of_foundation_models_are_traced_to_tables_and_questions(tables, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("facet.yaml").write_text((ROOT / "config/facet.yaml").read_text())
    models = {**tables["models"], "clip": CLIP, "llava_7b": LLAVA}
    asked = {**tables, **OF_PROBES, **OF_CLASSES, "models": models, "class_questions": [Path("facet.yaml")]}
    page = written(asked, index.run(**asked), "facet.yaml") / "report/foundation.html"
    for name, key, file in (
        ("figure-called-1", "probe_rates", "results/analyse/probe_rates.parquet"),
        ("table-prompts", "texts", "results/analyse/texts.parquet"),
        ("table-class-questions", "class_questions", "facet.yaml"),
    ):
        _, found = figure.audit(page, name, Places())
        assert {check.verdict for check in found.checks if check.name in ("files", "redrawn")} == {PASS}
        assert ("shows the table", key) in found.sections[0].rows and ("table", file) in found.sections[0].rows
    page.write_text(page.read_text().replace("61%", "16%"))
    assert verdicts(page, "figure-called-1", "redrawn") == {FAIL}


def verdicts(path, name="", when=None):
    lineage.forget()
    checks = figure.audit(path, name, Places())[1].checks if name else figure.redrawn(path, Places())
    return {check.verdict for check in checks if when is None or check.name == when}


def test_a_figure_of_a_model_page_is_traced_to_its_table(results):
    root, found = figure.audit(PAGE, "figure-forest-1", Places())
    assert {check.verdict for check in found.checks if check.name in ("files", "redrawn")} == {PASS}
    assert ("shows the table", "groups") in found.sections[0].rows
    assert ("table", "results/analyse/groups.parquet") in found.sections[0].rows
    assert root.path == PAGE.as_posix()


def test_every_file_is_what_its_step_makes(results):
    files = [path for path in (results / "report").rglob("*") if path.suffix != ".csv" and path.is_file()]
    assert len(files) == 3 + 2 * 2 + len(EXPORTED)
    assert {verdict for path in files for verdict in verdicts(path)} == {PASS}
    assert {lineage.trace(results / f"report/data/{name}.csv").status for name in EXPORTED} == {lineage.OK}


def test_an_edited_point_of_a_chart_is_noticed(results):
    PAGE.write_text(PAGE.read_text().replace("South America: 0.420", "South America: 0.720"))
    assert verdicts(PAGE, "figure-forest-1", "redrawn") == {FAIL}
    assert verdicts(PAGE, "table-groups", "redrawn") == {PASS}


def test_edited_exports_are_noticed(results):
    path = results / "report/data/groups.csv"
    path.write_text(path.read_text().replace("0.42", "0.72"))
    lineage.forget()
    assert lineage.trace(path).status == lineage.UNKNOWN
    parquet = results / "report/data/groups.parquet"
    table.write(pd.read_parquet(parquet).head(0), step.table_of(step.signature(step.load("report.index"))[0]["groups"]),
                parquet, {**lineage.trace(parquet).record})  # fmt: skip
    assert verdicts(parquet) == {FAIL}


def test_an_unknown_figure_is_said_with_those_there_are(results):
    with pytest.raises(AccordError) as error:
        figure.audit(PAGE, "figure-none", Places())
    assert "the page has table-answers-1, figure-forest-1" in str(error.value)


def test_the_page_of_recognition_services_is_traced_to_its_tables(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page, flags = Path("results/report/rapid.html"), ["--title", "T", "--caution", "", "--min-subjects", "10"]
    Path("release.json").write_text(json.dumps(rapid_cases.RELEASE))
    for name, some in rapid_cases.TABLES.items():
        path = Path(f"results/analyse/rapid/{name}.parquet")
        path.parent.mkdir(parents=True, exist_ok=True)
        table.write(some, step.table_of(step.signature(step.load("report.rapid"))[0][name]), path,
                    {"step": "analyse.rapid", "code": "", "params": {}, "inputs": {}})  # fmt: skip
        flags += [f"--{name}", str(path)]
    flags += ["--release", "release.json", "--code", source.digest("report.rapid"), "--out", str(page)]
    step.run_step("report.rapid", flags)
    drawn = [(name, "curves") for name in ("table-rapid-services", "table-rapid-gaps", "figure-rapid-services")]
    drawn += [("figure-rapid-groups-pronoun", "curves"), ("figure-rapid-together", "assisted")]
    for name, key in (*drawn, ("table-rapid-left-out", "coverage")):
        lineage.forget()
        _, found = figure.audit(page, name, Places())
        assert {check.verdict for check in found.checks if check.name in ("files", "redrawn")} == {PASS}
        assert ("table", f"results/analyse/rapid/{key}.parquet") in found.sections[0].rows
    lineage.forget()
    whole = target.audit(page, Places())
    assert {check.verdict for check in whole.checks if check.name in ("files", "redrawn")} == {PASS}
    page.write_text(page.read_text().replace("0.300", "0.030"))
    assert verdicts(page, "table-rapid-groups-pronoun", "redrawn") == {FAIL}
    assert verdicts(page, "table-rapid-kept", "redrawn") == {PASS}


def test_the_page_of_detectors_of_fakes_is_traced_to_its_tables(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page, flags = Path("results/report/fakes.html"), ["--title", "T", "--caution", ""]
    Path("release.json").write_text(json.dumps({"dataset": "ai_face", "version": "1"}))
    Path("published.csv").write_text(fakes_cases.REFERENCES)
    kinds, _ = step.signature(step.load("report.fakes"))
    tables = {"fairness": fakes_cases.FAIRNESS, "utility": fakes_cases.UTILITY, "disparities": fakes_cases.DISPARITIES}
    for name, some in tables.items():
        path, model = Path(f"results/analyse/fake_{name}.parquet"), step.table_of(kinds[name])
        path.parent.mkdir(parents=True, exist_ok=True)
        told = {"step": "analyse.fakes", "code": "", "params": {}, "inputs": {}}
        table.write(table.rows(some, model), model, path, told)
        flags += [f"--{name}", str(path)]
    flags += ["--threshold", "0.5", "--min-faces", "10", "--references", "published.csv", "--release", "release.json"]
    Path("sources.json").write_text('{"unmatched_lines": []}')
    flags += ["--sources", "sources.json"]
    flags += ["--unlike", '{"xception": {"side": [64, 256]}}']
    step.run_step("report.fakes", [*flags, "--code", source.digest("report.fakes"), "--out", str(page)])
    names = figure.figures(page.read_text())
    assert [name for name in names if not sources.tables_of(name)] == []
    assert verdicts(page) == {PASS}
    shown = {"table-fakes-quality": "utility", "table-fakes-skin": "fairness", "table-fakes-claims": "disparities"}
    for name, of in shown.items():
        _, found = figure.audit(page, name, Places())
        assert {check.verdict for check in found.checks if check.name in ("files", "redrawn")} == {PASS}
        assert ("table", f"results/analyse/fake_{of}.parquet") in found.sections[0].rows
    page.write_text(page.read_text().replace("12.346", "1.235"))
    assert verdicts(page, "table-fakes-skin", "redrawn") == {FAIL}
    assert verdicts(page, "table-fakes-quality", "redrawn") == {PASS}
