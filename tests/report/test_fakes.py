"""The page of detectors of made faces: figures in percent beside published ones, and no figure of few faces."""

import json

import pandas as pd
import pytest
from fakes_cases import FAIRNESS, REFERENCES, UTILITY

from accord.analyse.tables.fakes import FakeFairness, FakeUtility
from accord.engine.table import rows
from accord.report import fakes
from accord.report.generated import published, told


@pytest.fixture
def references(tmp_path):
    (tmp_path / "references.csv").write_text(REFERENCES)
    return [tmp_path / "references.csv"]


def page(tmp_path, references, unlike=FAIRNESS, useful=UTILITY):
    (tmp_path / "release.json").write_text(json.dumps({"dataset": "ai_face", "version": "1"}))
    told = {"title": "T", "caution": "Rendered.", "threshold": 0.5, "min_faces": 10}
    given = rows(unlike, FakeFairness), rows(useful, FakeUtility), references, tmp_path / "release.json"
    return fakes.run(*given, **told)


def test_figures_stand_beside_those_published_of_a_detector_of_that_name(tmp_path, references):
    text = page(tmp_path, references)
    for figure in ("12.346", "8.836", "87.654", "98.583", "64.321", "20.000"):
        assert figure in text
    assert "xception tells made from real faces best: AUC 87.7%" in text


def test_what_is_left_of_0_by_floating_point_is_0():
    shown = told._percent(pd.DataFrame({"floor": [1.1e-16, 0.123456]}), {"floor": "floor"})
    assert shown["floor"].tolist() == [0, 12.3456]


def test_names_are_escaped_and_small_groups_left_out(tmp_path, references):
    text = page(tmp_path, references)
    assert "<b>dark</b>" not in text and "81.234" in text and "55.555" not in text and "Rendered." in text


def test_table_d_9_is_read_with_its_columns_exchanged_back(references):
    found = published.read(references)
    assert found.fairness("clip_mlp", "skin", "f_meo") == pytest.approx(0.00506)
    assert found.fairness("clip_mlp", "gender", "f_meo") == pytest.approx(0.00419)
    assert found.fairness("xception", "skin", "f_meo") == pytest.approx(0.08836)
    for missing in (("xception", "skin", "f_dp"), ("xception", "hair", "f_meo"), ("mine", "skin", "f_meo")):
        assert found.fairness(*missing) != found.fairness(*missing)


def test_without_figures_the_page_says_so(tmp_path, references):
    text = page(tmp_path, references, [], [])
    assert "No detector could be judged" in text and "No detector was evaluated." in text
