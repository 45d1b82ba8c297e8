"""The report of a release: a first page, a page for each model, and the tables behind them."""

import json
from pathlib import Path

import pandas as pd
from pandera.typing import DataFrame

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
from accord.engine.parameter_types import Files
from accord.evaluate.asking import class_questions as classes
from accord.evaluate.tables.predictions import Texts
from accord.privacy.tables import Edits
from accord.protocol import ACCORD, WORDS
from accord.report.drawing import card, page, registry
from accord.report.drawing.blocks import Answers
from accord.report.foundation.shown import shown
from accord.report.reading import export
from accord.report.reading.report_data import ReportData
from accord.report.telling import answers, names, untested, words

FOUNDATION = ("image_text", "visual_question")
"""Tasks of models of which foundation.html tells."""


def run(
    waterfall: DataFrame[Waterfall],
    video_waterfall: DataFrame[VideoWaterfall],
    composition: DataFrame[Composition],
    diversity: DataFrame[Diversity],
    groups: DataFrame[Groups],
    disparities: DataFrame[Disparities],
    verification: DataFrame[Verification],
    edits: DataFrame[Edits],
    exclusions: DataFrame[Exclusions],
    crop_recall: DataFrame[CropRecall],
    patterns: DataFrame[Patterns],
    pattern_disparities: DataFrame[PatternDisparities],
    causes: DataFrame[Causes],
    cause_tree: DataFrame[CauseTree],
    conditioned: DataFrame[Conditioned],
    numbers: DataFrame[Numbers],
    extremes: DataFrame[Extremes],
    intersections: DataFrame[Intersections],
    multiverse: DataFrame[Multiverse],
    power: DataFrame[Power],
    reversals: DataFrame[Reversals],
    curves: DataFrame[Curves],
    pair_errors: DataFrame[PairErrors],
    compared: DataFrame[Compared],
    layout: DataFrame[Layout],
    spreads: DataFrame[Spreads],
    heat: DataFrame[Heat],
    group_sizes: DataFrame[GroupSizes],
    attribute_sizes: DataFrame[AttributeSizes],
    references: DataFrame[References],
    recalls: DataFrame[Recalls],
    recall_disparities: DataFrame[RecallDisparities],
    false_yes: DataFrame[FalseYes],
    readings: DataFrame[Readings],
    texts: DataFrame[Texts],
    probe_rates: DataFrame[ProbeRates],
    probe_effects: DataFrame[ProbeEffects],
    class_questions: list[Path],
    response_rates: DataFrame[ResponseRates],
    answer_rates: DataFrame[AnswerRates],
    misgendering_ratios: DataFrame[MisgenderingRatios],
    occupation_shares: DataFrame[OccupationShares],
    open_wishes: DataFrame[OpenWishes],
    release: Path,
    *,
    models: dict,
    title: str,
    caution: str,
    protocol: str = ACCORD,
    support_of: str = "errors",
    rapid: bool = False,
    fakes: bool = False,
    vendors: bool = False,
) -> Files:
    """Pages that work offline and show no subject: what was collected, who is in it, how models do for whom, and why.

    index.html, models/<model>.html and cards/<model>.md for each of `models` (name -> its entry in config/models.yaml,
    with `missing` where its weights were not there: no page), cards/provenance.json, data.html and what it links to,
    and foundation.html where a model of pictures and texts, or one that answers questions, ran;
    class_questions: the file of questions about classes, none where nothing of the kind was asked;
    `caution`: what readers must know of the data, "" for nothing; protocol: whose definitions the scores follow;
    support_of: what the support of an error pattern is a share of, errors or rows; rapid: whether the run has a page of
    a Rapid Test beside these, to which they link; fakes, vendors: likewise of one of detectors of fakes,
    and of one of vendors.
    """
    given = {
        "waterfall": waterfall, "video_waterfall": video_waterfall,
        "composition": composition, "diversity": diversity, "groups": groups,
        "disparities": disparities, "verification": verification, "edits": edits, "exclusions": exclusions,
        "crop_recall": crop_recall,
        "patterns": patterns, "pattern_disparities": pattern_disparities, "causes": causes, "cause_tree": cause_tree,
        "conditioned": conditioned, "numbers": numbers, "extremes": extremes, "intersections": intersections,
        "multiverse": multiverse, "power": power, "reversals": reversals, "curves": curves,
        "pair_errors": pair_errors, "compared": compared, "layout": layout, "spreads": spreads, "heat": heat,
        "group_sizes": group_sizes, "attribute_sizes": attribute_sizes, "references": references,
        "recalls": recalls, "recall_disparities": recall_disparities, "false_yes": false_yes, "readings": readings,
        "texts": texts.drop(columns="vector"), "probe_rates": probe_rates, "probe_effects": probe_effects,
        "class_questions": _prompts(class_questions), "response_rates": response_rates, "answer_rates": answer_rates,
        "misgendering_ratios": misgendering_ratios, "occupation_shares": occupation_shares,
    }  # fmt: skip
    data = ReportData(shown(given), json.loads(Path(release).read_text()), models, title, caution, protocol, support_of)
    waiting = words.open_wishes(int(open_wishes["wishes"].sum()))
    shared = {"title": title, "caution": caution, "open_wishes": waiting, "release": data.release}
    shared |= {"models": _names(data), "protocol": WORDS[protocol], "foundation": data.ran(*FOUNDATION)}
    shared |= {"rapid": rapid, "fakes": fakes, "vendors": vendors}
    parts = {name: data.of(name) for name in data.ran()}
    data = data._replace(told={name: answers.all_answers(mine) for name, mine in parts.items()})
    made: dict = {"index.html": _first(data, shared), "data.html": _data(data, shared)}
    if shared["foundation"]:
        made["foundation.html"] = _foundation(data, shared)
    for name, mine in parts.items():
        made[f"models/{name}.html"] = _model(name, mine, data.told[name], shared)
        made[f"cards/{name}.md"] = card.card(name, mine, data.told[name])
    made[f"cards/{card.PROVENANCE}"] = {"release": data.release["version"]}
    return Files({**made, **export.files(data)})


def _names(data: ReportData) -> list[dict[str, str]]:
    return [{"name": name, "task": names.task(data.models[name]["task"])} for name in data.ran()]


def _first(data: ReportData, shared: dict) -> str:
    return page.render(
        page.INDEX,
        **shared,
        root="",
        tiles=words.tiles(data.waterfall, data.release, data.disparities),
        summary=words.summary(data.waterfall, data.disparities, untested.not_compared(data, " for any model")),
        sections=registry.of_all(data),
    )


def _model(name: str, data: ReportData, told: list[Answers], shared: dict) -> str:
    entry = data.models[name]
    about = {"name": name, "task": names.task(entry["task"]), "licence": entry.get("licence", "not stated")}
    return page.render(
        page.MODEL,
        **shared,
        root="../",
        model={**about, "source": entry.get("source", "")},
        answers=told,
        sections=registry.of_model(data, entry["task"]),
    )


def _foundation(data: ReportData, shared: dict) -> str:
    return page.render(page.FOUNDATION, **shared, root="", sections=registry.of_foundation(data))


def _data(data: ReportData, shared: dict) -> str:
    return page.render(page.DATA, **shared, root="", exports=export.descriptions(data))


def _prompts(files: list[Path]) -> pd.DataFrame:
    """prompt, text of the questions about classes, as they are written."""
    told = [row for file in files for row in classes.read(file).prompts.items()]
    return pd.DataFrame(told, columns=["prompt", "text"])
