"""A small release's tables, from which a report is made."""

import json

import pandas as pd
import pytest

from accord.analyse.tables import Composition, Disparities, Diversity, Groups, Verification
from accord.checks.tables import Waterfall
from accord.privacy.tables import Edits
from accord.table import rows

MODELS = {
    "yunet": {"task": "face_localization", "licence": "MIT", "source": "OpenCV zoo"},
    "sface": {"task": "face_verification", "licence": "Apache-2.0"},
}
WORST, BEST = "9. South America", "13. Eastern Asia"


def group(name, mean, note="", attribute="ancestry"):
    return {
        "task": "face_localization",
        "model": "yunet",
        "metric": "ar",
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
        "metric": "ar",
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


@pytest.fixture
def tables(tmp_path):
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
            [group(WORST, 0.42), group(BEST, 0.79), group("26. Polynesia", 0.5, "fewer than 10 subjects")], Groups
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
        "release": tmp_path / "release.json",
        "models": MODELS,
        "title": "Test release",
        "caution": "Rendered <people>.",
    }


@pytest.fixture
def unbiased(tables):
    return {**tables, "disparities": pd.DataFrame(tables["disparities"]).assign(claimed=False)}
