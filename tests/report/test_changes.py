"""Whether a score changed because of the data or the model, and what `accord report compare` says of two runs."""

import json

import numpy as np
import pandas as pd
import pytest
from report_cases import BEST, WORST, change, disparity

import browsers
from accord.analyse.tables.scores import Disparities, Scores
from accord.engine import table
from accord.errors import AccordError
from accord.report import compare_command
from accord.report.reading import changes, releases

SAME, ALL = "same images", "all images"
ENTRY = {"name": "yunet", "weights": {"net": {"sha256": "a" * 64}}}


@pytest.mark.parametrize(
    ("same", "whole", "other", "why"),
    [
        ((0.6, 0.6, "same"), (0.6, 0.6, "same"), True, changes.NOTHING),
        ((0.6, 0.6, "same"), (0.6, 0.7, "changed"), True, changes.DATA),
        ((0.6, 0.62, "open"), (0.6, 0.7, "changed"), True, changes.UNSURE),
        ((0.6, 0.62, "open"), (0.6, 0.6, "open"), True, changes.NOTHING),
        ((0.6, 0.7, "changed"), (0.6, 0.7, "changed"), True, changes.MODEL),
        ((0.6, 0.7, "changed"), (0.6, 0.7, "changed"), False, changes.PICTURES),
        ((0.6, 0.7, "changed"), (0.6, 0.7, "changed"), None, changes.EITHER),
        ((0.6, 0.7, "changed by less than the margin"), (0.6, 0.85, "changed"), True, changes.BOTH),
        ((0.6, 0.7, "changed"), (0.6, 0.6, "open"), True, changes.BOTH),
        ((0.6, float("nan"), "open"), (0.6, 0.8, "changed"), True, changes.OPEN),
    ],
)
def test_the_reason_is_what_the_same_pictures_show(same, whole, other, why):
    rows = pd.DataFrame([change(SAME, *same), change(ALL, *whole)])
    assert changes.reason(rows, other) == why


def test_without_other_pictures_it_is_the_model():
    rows = pd.DataFrame([change(SAME, 0.6, 0.7, "changed")])
    assert changes.sentence(rows, True).startswith(
        "yunet (face detection, ar_iou): 0.60 before, 0.70 now. On the pictures"
    )


def test_a_small_change_is_told_by_figures_that_differ():
    said = changes.sentence(pd.DataFrame([change(SAME, 0.601, 0.604, "changed")]), True)
    assert said.startswith("yunet (face detection, ar_iou): 0.601 before, 0.604 now.")


def test_what_never_had_a_score_did_not_change():
    nothing, nan = "yunet (face detection, ar_iou): no score, neither before nor now.", float("nan")
    assert changes.sentence(pd.DataFrame([change(SAME, nan, nan, "open")]), True) == nothing
    lost = changes.sentence(pd.DataFrame([change(SAME, 0.6, nan, "open")]), True)
    assert lost.startswith("yunet (face detection, ar_iou): 0.60 before, no score now. Whether the data")


def write(folder, values, weights, claimed, version):
    """A small run: 40 subjects with two images each, of which `values` has scores."""
    scores = [
        ("face_localization", "yunet", "ar_iou", f"i{image}", f"s{image // 2}", value, "")
        for image, value in values.items()
    ]
    for path, rows, model in (
        ("analyse/scores/face_localization.parquet", scores, Scores),
        ("analyse/disparities.parquet", [disparity("ancestry", claimed, WORST, BEST)], Disparities),
    ):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        table.write(table.rows(rows, model), model, folder / path)
    entry = ENTRY | {"weights": {"net": {"sha256": weights * 64}}}
    (folder / "evaluate/00").mkdir(parents=True)
    written = {"step": "evaluate.detect", "code": "c", "params": {"model": entry}, "inputs": {}}
    table.write(table.empty(Scores), Scores, folder / "evaluate/00/yunet.parquet", written)
    (folder / "release").mkdir()
    record = {"version": version, "images": len(values), "subjects": 40, "manifest_sha256": "ab" * 32}
    (folder / "release/release.json").write_text(json.dumps(record))
    return folder


def scored(rng, images, mean):
    return {image: float(np.clip(rng.normal(mean, 0.05), 0, 1)) for image in images}


@pytest.mark.slow
def test_another_model_on_the_same_pictures_is_the_model(tmp_path, capsys):
    rng = np.random.default_rng(1)
    old = write(tmp_path / "old", scored(rng, range(80), 0.5), "a", False, "1.0.0")
    new = write(tmp_path / "new", scored(rng, range(80), 0.8), "b", True, "2.0.0")
    compare_command.main(["compare", str(old), str(new), "--json"])
    told = json.loads(capsys.readouterr().out)
    assert (told["before"]["version"], told["after"]["version"]) == ("1.0.0", "2.0.0")
    assert told["models_changed"] == ["yunet"]
    assert (len(told["claims_gained"]), told["claims_lost"]) == (1, [])
    assert {"task", "metric"} <= set(told["scores"][0])
    page = tmp_path / "changes.html"
    assert compare_command.main(["compare", str(old), str(new), "--out", str(page)]) == 0
    said = capsys.readouterr().out
    assert "Models with different code, weights or options: yunet." in said
    assert "it changed as much, and the model differs: the model is the reason." in said
    assert "It is confirmed now, but was not before." in said
    assert "the model is the reason." in page.read_text()
    assert "default-src" in page.read_text()
    assert browsers.whole(page.read_text()) == {}


def test_other_pictures_with_the_same_model_are_the_data(tmp_path, capsys):
    rng = np.random.default_rng(2)
    shared = scored(rng, range(40), 0.5)
    old = write(tmp_path / "old", shared | scored(rng, range(100, 140), 0.3), "a", True, "1.0.0")
    new = write(tmp_path / "new", shared | scored(rng, range(200, 240), 0.9), "a", False, "2.0.0")
    compare_command.main(["compare", str(old), str(new)])
    said = capsys.readouterr().out
    assert "Models with different code, weights or options: none." in said
    assert "it did not change: the choice of pictures is the reason." in said
    assert "It was confirmed before, but no longer is." in said


def test_runs_of_versions_with_other_columns_are_compared(tmp_path):
    old = write(tmp_path / "old", {0: 0.5}, "a", True, "1.0.0")
    path = old / "analyse/disparities.parquet"
    before = pd.read_parquet(path)
    before.drop(columns="subjects_compared").assign(of_a_later_version=1.0).to_parquet(path)
    read = releases.read(old).disparities
    pd.testing.assert_frame_equal(read, before[read.columns], check_dtype=False)
    assert read["claimed"].all() and "subjects_compared" not in read


def test_what_a_comparison_needs_of_a_run_is_named(tmp_path):
    old = write(tmp_path / "old", {0: 0.5}, "a", True, "1.0.0")
    path = old / "analyse/disparities.parquet"
    pd.read_parquet(path).drop(columns="worst_mean").to_parquet(path)
    with pytest.raises(AccordError, match="missing column 'worst_mean'"):
        releases.read(old)


def test_what_a_run_lacks_is_said(tmp_path):
    with pytest.raises(AccordError) as error:
        releases.read(tmp_path)
    for name in ("analyse/disparities.parquet", "release/release.json", "analyse/scores/*.parquet"):
        assert f"{name}: is missing" in str(error.value)
