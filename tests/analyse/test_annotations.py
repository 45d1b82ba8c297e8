"""Accuracy of annotations: by stratum, weighted, by value; who is judged; intervals by people."""

import numpy as np
import pandas as pd
import pytest

from accord.analyse import annotations
from accord.analyse.scoring.detectors import strata
from accord.analyse.tables.fakes import AnnotationAccuracy
from accord.checks.tables.findings import Verdicts
from accord.engine import table
from accord.evaluate.tables.annotations import Annotations
from accord.release.source_tables import Sources
from accord.release.tables import Attributes, People
from accord.report.generated import annotated
from accord.statistics.resampling import bootstrap


def drawn(units: int) -> np.ndarray:
    return bootstrap.weights(units, 200, np.random.default_rng(0))


def judged(right, names, units, sizes) -> strata.Judged:
    return strata.Judged(np.array(right, bool), pd.Categorical(names), np.array(units), sizes)


def test_accuracy_by_stratum_is_a_share_and_weighted_by_its_size():
    """By hand: a has 3 of 4, b 0 of 2; a is 1 of 10 of the archive, so that 0.1 x 0.75 + 0.9 x 0 is right."""
    told = judged([1, 1, 1, 0, 0, 0], [*"aaaabb"], [0, 0, 1, 1, 2, 3], {"a": 10, "b": 90})
    found = {one.stratum: one for one in strata.accuracies(told, drawn(4))}
    assert {name: one.value for name, one in found.items()} == pytest.approx(
        {"a": 0.75, "b": 0.0, "all": 0.5, "weighted": 0.075}
    )
    assert [found[name].weight for name in ("a", "b", "all")] == [0.1, 0.9, 1.0]
    assert (found["a"].images, found["a"].units, found["all"].units) == (4, 2, 4)
    assert found["a"].low <= 0.75 <= found["a"].high
    assert np.isnan([found["b"].low, found["b"].high]).all() and found["b"].note == strata.ALIKE


def test_intervals_draw_people_and_not_pictures():
    """Ten pictures of each of ten people, who are all right or all wrong: as wide as of ten pictures."""
    alone = judged([1, 0] * 5, ["a"] * 10, range(10), {"a": 10})
    often = judged(np.repeat([1, 0] * 5, 10), ["a"] * 100, np.repeat(range(10), 10), {"a": 100})
    one, ten = (strata.accuracies(told, drawn(10))[0] for told in (alone, often))
    assert (one.low, one.high) == (ten.low, ten.high) and one.high - one.low > 0.4


def test_a_weighted_share_has_no_interval_where_draws_lack_a_stratum():
    """Of 8 people, 2 are of a: (6/8)^8 = 10% of draws have none of them. Of 6 and 6, (6/12)^12 = 0.02%."""
    told = judged([1, 1, 0, 1, 0, 1, 0, 1], [*"aabbbbbb"], range(8), {"a": 5, "b": 5})
    weighted = strata.accuracies(told, drawn(8))[-1]
    assert weighted.value == pytest.approx(0.5 + 0.5 * 0.5) and np.isnan(weighted.low)
    assert weighted.note == "no interval: too many draws have nobody of a"
    even = judged([1, 0, 0] * 4, [*"aaaaaabbbbbb"], range(12), {"a": 5, "b": 5})
    assert strata.accuracies(even, drawn(12))[-1].low < 1 / 3


def test_without_a_judgement_of_a_stratum_or_a_second_person_nothing_is_made_up():
    told = judged([1, 1], ["a", "a"], [0, 0], {"a": 5, "b, agree": 5, "c, differ": 5})
    found = {one.stratum: one for one in strata.accuracies(told, drawn(1))}
    assert (
        np.isnan(found["weighted"].value) and found["weighted"].note == "no picture was judged in b, agree; c, differ"
    )
    assert np.isnan(found["a"].low) and "no interval" in found["a"].note


def accuracy() -> pd.DataFrame:
    """Of twelve pictures of the test, of six people and two subsets, and one of the training; the first has two labels.
    The annotator says F of everybody."""
    images = [f"i{number:02d}" for number in range(13)]
    of = {image: f"p{number // 2}" for number, image in enumerate(images)}
    test = images[:12]
    told = {
        Sources: [(image, "A" if image < "i08" else "B", "real", "real", 0, "test" if image in test else "train")
                  for image in images],
        People: [(image, who, True, 30, *(None,) * 8, "") for image, who in of.items()],
        Attributes: [
            *((image, who, "gender", "FM"[int(image[1:]) % 2], "annotators") for image, who in of.items()),
            ("i00", "p0", "gender", "M", "others"),
        ],
        Annotations: [("g", image, who, "gender", "F", 0.9, image not in test, "") for image, who in of.items()],
        Verdicts: [(image, who, "pass", "", "", "") for image, who in of.items()],
    }  # fmt: skip
    sources, people, attributes, said, verdicts = (table.rows(rows, model) for model, rows in told.items())
    found = annotations.run(said, sources, people, attributes, verdicts, bootstraps=100)
    return table.check(found, AnnotationAccuracy, "")


def test_the_test_is_judged_by_labels_that_are_one():
    """An annotator that says F of everybody, of one picture with two labels and one of the training."""
    found = accuracy().set_index(["value", "stratum"])
    assert found.loc[("all", "all"), "images"] == 11
    assert found.loc[("F", "all"), "accuracy"] == 1 and found.loc[("M", "all"), "accuracy"] == 0
    assert found.loc[("all", "A"), "accuracy"] == pytest.approx(3 / 7)
    assert found.loc[("all", "B"), "accuracy"] == pytest.approx(0.5)
    assert found.loc[("all", "weighted"), "accuracy"] == pytest.approx(7 / 12 * 3 / 7 + 5 / 12 * 0.5)


def test_what_saying_the_commonest_label_of_everybody_gives_stands_beside():
    """By hand, without i00: A has 3 F and 4 M, B 2 and 2; weighted 7/12 * 4/7 + 5/12 * 1/2."""
    found = accuracy().set_index(["value", "stratum"])
    assert found.loc["all", "commonest"].to_dict() == pytest.approx(
        {"A": 4 / 7, "B": 1 / 2, "all": 6 / 11, "weighted": 7 / 12 * 4 / 7 + 5 / 12 / 2}
    )
    assert np.isnan(found.loc[("F", "all"), "commonest"])
    assert "says F of every picture" in found.loc[("all", "all"), "note"]


def test_the_page_tells_strata_and_values_in_percent_but_none_of_a_few_faces():
    told = annotated.section(accuracy(), 5)
    text = str(told)
    assert told.id == "annotators" and "42.857" in text.replace("42.8571", "42.857")
    assert "'B'" not in text and "weighted" in text
