"""A small release's tables, from which a report is made."""

import json

import pandas as pd
import pytest

from accord.analyse.cause_tables import Causes, CauseTree, Conditioned, PatternDisparities, Patterns
from accord.analyse.number_tables import Numbers
from accord.analyse.tables import Composition, Disparities, Diversity, Groups, Verification
from accord.checks.summary_tables import Exclusions
from accord.checks.tables import Waterfall
from accord.privacy.tables import Edits
from accord.report import index
from accord.table import empty, rows

MODELS = {
    "yunet": {"task": "face_localization", "licence": "MIT", "source": "OpenCV zoo"},
    "sface": {"task": "face_verification", "licence": "Apache-2.0"},
}
WORST, BEST = "9. South America", "13. Eastern Asia"


def group(name, mean, note="", attribute="ancestry"):
    return {
        "task": "face_localization",
        "model": "yunet",
        "metric": "ar_iou",
        "attribute": attribute,
        "group": name,
        "images": 60,
        "subjects": 20,
        "mean": mean,
        "median": mean,
        "low": mean - 0.05,
        "high": mean + 0.05,
        "average": "mean over images",
        "note": note,
    }


def disparity(attribute, claimed, worst=WORST, best=BEST):
    return {
        "task": "face_localization",
        "model": "yunet",
        "metric": "ar_iou",
        "attribute": attribute,
        "worst": worst,
        "best": best,
        "worst_median": 0.4,
        "best_median": 0.8,
        "worst_mean": 0.42,
        "best_mean": 0.79,
        "worst_subjects": 20,
        "best_subjects": 21,
        "disparity": 0.5,
        "low": 0.4,
        "high": 0.6,
        "p_value": 1e-9,
        "effect": -0.2,
        "pairs": 15,
        "significant": True,
        "p_between_subjects": 0.0001,
        "claimed": claimed,
        "note": "",
    }


KEYS = {"task": "face_localization", "model": "yunet", "metric": "ar_iou"}
SHARPNESS = {
    **KEYS, "feature": "sharpness", "kind": "number", "images": 60, "subjects": 20, "importance": 0.2,
    "standard_error": 0.01, "low": 0.1, "high": 0.3, "explained": 0.4, "selected": True, "p_value": 0.01,
    "claimed": True, "side": "<=", "number": 41.68, "label": "", "worse_images": 30, "worse_subjects": 10,
    "worse_mean": 0.4, "worse_low": 0.3, "worse_high": 0.5, "other_mean": 0.8, "note": "",
}  # fmt: skip


def fixed(how, gap, change, feature="sharpness", note=""):
    """A row of the gap between the two groups with a feature held fixed; change with a narrow interval."""
    ends = {"change": change, "change_low": change and change - 0.05, "change_high": change and change + 0.05}
    counts = {f"{side}_{what}": 20 for side in ("worst", "best") for what in ("images", "subjects")}
    return {
        **KEYS, "attribute": "ancestry", "worst": WORST, "best": BEST, "feature": feature, "how": how, "condition": "",
        **counts, "gap": gap, "standard_error": 0.05, "low": gap and gap - 0.1, "high": gap and gap + 0.1,
        **ends, "note": note,
    }  # fmt: skip


def leaf(node, parent, condition, mean):
    """A node of the tree of errors."""
    return {
        **KEYS, "node": node, "parent": parent, "condition": condition, "leaf": parent >= 0, "images": 30,
        "subjects": 10, "mean": mean, "low": mean - 0.1, "high": mean + 0.1, "note": "",
    }  # fmt: skip


@pytest.fixture(scope="session")
def whole(tmp_path_factory):
    """All that a report is made of, for tests that change nothing."""
    tmp_path = tmp_path_factory.mktemp("report")
    release = {"version": "1.0.0", "images": 80, "subjects": 30, "manifest_sha256": "ab" * 32, "path": "releases/1.0.0"}
    (tmp_path / "release.json").write_text(json.dumps(release))
    steps = [(0, "intake", "intake.sha256", "File differs from its sha256", 100, 97, 3, 31)]
    steps += [(1, "checks", "duplicate_near", "Near duplicate of another image", 97, 80, 17, 30)]
    names = ["order", "room", "check", "label", "images_in", "images_out", "stopped", "subjects_left"]
    return {
        "waterfall": rows([dict(zip(names, step, strict=True)) for step in steps], Waterfall),
        "composition": rows([("pronoun", "1. He/him/his", 40, 15, 0.5), ("ancestry", WORST, 40, 15, 0.5)], Composition),
        "diversity": rows(
            [("efficientnet", "image", 80, 12.5, ""), ("efficientnet", "people_masked", 0, None, "none")], Diversity
        ),
        "groups": rows(
            [
                group("all", 0.7, attribute="all"),
                group(WORST, 0.42),
                group(BEST, 0.79),
                group("26. Polynesia", 0.5, "fewer than 10 subjects"),
                group(f"1. He/him/his x {WORST}", 0.4, attribute="pronoun x ancestry"),
                group(f"1. He/him/his x {BEST}", 0.8, attribute="pronoun x ancestry"),
                group("all", 0.9, attribute="all")
                | {"task": "face_verification", "model": "sface", "metric": "tar@far=0.001"},
            ],
            Groups,
        ),
        "disparities": rows(
            [disparity("ancestry", True), disparity("pronoun", False, "0. She/her/hers", "1. He/him/his")], Disparities
        ),
        "verification": rows([("sface", "all", "all", 30, 80, 100, 5000, 0.4, 0.9, 0.8, 0.95, "")], Verification),
        "edits": rows(
            [
                (
                    "i",
                    "r",
                    "card",
                    [0.0, 0.0, 9.0, 0.0, 9.0, 9.0],
                    "diffusion",
                    "a wall",
                    13.0,
                    1,
                    1,
                    3,
                    0,
                    1.0,
                    "cd" * 32,
                    81,
                )
            ],
            Edits,
        ),
        "exclusions": empty(Exclusions),
        "patterns": rows(
            [
                (
                    *KEYS.values(),
                    "sharpness <= 41.68",
                    1,
                    30,
                    10,
                    20,
                    0.1,
                    0.5,
                    0.6,
                    0.4,
                    0.7,
                    3.0,
                    2.0,
                    4.0,
                    0.01,
                    99,
                    "",
                )
            ],
            Patterns,
        ),
        "pattern_disparities": empty(PatternDisparities),
        "causes": rows([SHARPNESS], Causes),
        "cause_tree": rows(
            [leaf(0, -1, "", 0.7), leaf(1, 0, "sharpness <= 41.68", 0.4), leaf(2, 0, "sharpness > 41.68", 0.8)],
            CauseTree,
        ),
        "conditioned": rows([fixed("as it is", 0.4, None, ""), fixed("matched", 0.1, 0.3)], Conditioned),
        "numbers": rows(
            [("n.csv", 1, "left", "= a - b", 1.0, 2.0, -1.0, "broken", "A paper", "1 should be = 2: 1 less")], Numbers
        ),
        "release": tmp_path / "release.json",
        "models": MODELS,
        "title": "Test release",
        "caution": "Rendered <people>.",
    }


@pytest.fixture(scope="session")
def made(whole):
    """The files of the report, made once."""
    return index.run(**whole)


@pytest.fixture
def tables(whole, tmp_path):
    """The same, with a release's record that may be changed."""
    (tmp_path / "release.json").write_text(whole["release"].read_text())
    return {**whole, "release": tmp_path / "release.json"}


@pytest.fixture
def unbiased(tables):
    return {**tables, "disparities": pd.DataFrame(tables["disparities"]).assign(claimed=False)}
