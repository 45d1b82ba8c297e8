"""A small release's tables, from which a report is made."""

import json
import sys
from pathlib import Path

import pandas as pd
import pytest
import vl_convert

from accord.analyse.tables.benchmark import Extremes, Intersections
from accord.analyse.tables.causes import Causes, CauseTree, Conditioned, PatternDisparities, Patterns
from accord.analyse.tables.compared import Compared
from accord.analyse.tables.composition import AttributeSizes, GroupSizes, Heat, Layout, References, Spreads
from accord.analyse.tables.numbers import Numbers
from accord.analyse.tables.open_answers import AnswerRates, MisgenderingRatios, OccupationShares, ResponseRates
from accord.analyse.tables.probes import ProbeEffects, ProbeRates
from accord.analyse.tables.recalls import FalseYes, Readings, RecallDisparities, Recalls
from accord.analyse.tables.robustness import Multiverse, Power, Reversals
from accord.analyse.tables.scores import Composition, Disparities, Diversity, Groups, Verification
from accord.analyse.tables.verification import Curves, PairErrors
from accord.checks.tables.findings import CropRecall, VideoWaterfall, Waterfall
from accord.checks.tables.summary import Exclusions
from accord.consent.tables import OpenWishes
from accord.engine.table import empty, rows
from accord.evaluate.tables.predictions import Texts
from accord.privacy.tables import Edits
from accord.report import index

sys.path.insert(0, str(Path(__file__).parent))
from report_cases import (
    BEST,
    CROSSED,
    END,
    KEYS,
    MISTAKEN,
    MODELS,
    SEEN,
    SHARPNESS,
    TURNED,
    WORST,
    change,
    disparity,
    fixed,
    group,
    leaf,
    point,
    way,
)

RATE = (0.9, 0.8, 0.95)
"""A true accept rate and its interval."""


@pytest.fixture(scope="session", autouse=True)
def drawn_once():
    """What Vega-Lite draws of a description: once in all tests, most of which change one table of a whole report."""
    drawn: dict[str, str] = {}
    draw = vl_convert.vegalite_to_svg

    def once(spec: dict) -> str:
        key = json.dumps(spec, sort_keys=True)
        if key not in drawn:
            drawn[key] = draw(spec)
        return drawn[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vl_convert, "vegalite_to_svg", once)
        yield


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
        "open_wishes": rows([("annotator", 0), ("rightsholder", 0), ("subject", 0)], OpenWishes),
        "waterfall": rows([dict(zip(names, step, strict=True)) for step in steps], Waterfall),
        "video_waterfall": empty(VideoWaterfall),
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
        "verification": rows(
            [("sface", "all", "all", 30, 80, 100, 5000, 0.4, *RATE, 5000, *RATE, *RATE, 0.001, "")], Verification
        ),
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
                    1.0,
                    0.0,
                    "cd" * 32,
                    81,
                )
            ],
            Edits,
        ),
        "exclusions": empty(Exclusions),
        "crop_recall": empty(CropRecall),
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
            [
                ("n.csv", 1, "left", "= a - b", 1.0, 2.0, -1.0, "broken", "Paper", "1 should be = 2: 1 less", "A slip"),
                ("n.csv", 2, "right", "= b", 1.0, 2.0, -1.0, "broken", "Paper", "1 should be = 2: 1 less", "A slip"),
                ("n.csv", 3, "fine", "= 1", 1.0, 1.0, 0.0, "holds", "Paper", "", ""),
            ],
            Numbers,
        ),
        "extremes": rows([END], Extremes),
        "intersections": rows([CROSSED], Intersections),
        "multiverse": rows([way("score", True), way("score >= 0.5", False)], Multiverse),
        "power": rows([SEEN], Power),
        "reversals": rows([TURNED], Reversals),
        "curves": rows(
            [
                point(group, far, tar)
                for group, tar in (("0. She/her/hers", 0.7), ("1. He/him/his", 0.8))
                for far in (0.001, 0.01)
            ],
            Curves,
        ),
        "pair_errors": rows([MISTAKEN], PairErrors),
        "compared": rows(
            [change("same images", 0.6, 0.7, "changed"), change("all images", 0.6, 0.71, "changed")], Compared
        ),
        "layout": rows([("face_share", 0, 0.0, 0.1, 30, 0.75), ("face_share", 1, 0.1, 0.2, 10, 0.25)], Layout),
        "spreads": rows([("face_share", 40, 40, 15, 0.1, 0.01, 0.05, 0.08, 0.15, 0.2)], Spreads),
        "heat": rows([("face", row, column, 0.25 * row) for row in (0, 1) for column in (0, 1)], Heat),
        "recalls": empty(Recalls),
        "recall_disparities": empty(RecallDisparities),
        "false_yes": empty(FalseYes),
        "readings": empty(Readings),
        "texts": empty(Texts),
        "probe_rates": empty(ProbeRates),
        "probe_effects": empty(ProbeEffects),
        "class_questions": [],
        "response_rates": empty(ResponseRates),
        "answer_rates": empty(AnswerRates),
        "misgendering_ratios": empty(MisgenderingRatios),
        "occupation_shares": empty(OccupationShares),
        "group_sizes": empty(GroupSizes),
        "attribute_sizes": empty(AttributeSizes),
        "references": rows(
            [
                ("FHIBE", "images", 10318.0, "Nature, 2025"),
                ("COCO", "vendi.image", 86.17, "Nature, 2025, Table 4"),
                ("FHIBE", "vendi.image", 69.61, "Nature, 2025, Table 4"),
                ("FHIBE", "disparity.yunet.pronoun_age", 0.38, "Nature, 2025"),
                ("FHIBE", "waterfall.collected", 28703.0, "Nature, 2025"),
                ("FACET", "recall", 0.7, "A paper"),
                ("this release", "images", 41.0, "counted"),
                ("this release", "vendi.image", 7.5, "embedded by m"),
                ("this release", "subjects", 15.0, "counted"),
            ],
            References,
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
