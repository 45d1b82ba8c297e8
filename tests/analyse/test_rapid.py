"""The Rapid Test on a release: truth by annotation, what nobody compared, and what is told where nothing can be."""

import numpy as np
import pandas as pd
import pytest

from accord.analyse import rapid
from accord.analyse.identities import coverage
from accord.analyse.identities.tables import HandLabels
from accord.analyse.identities.truth import truth
from accord.engine.table import empty, rows
from accord.errors import AccordError
from accord.evaluate.serving import pairing
from accord.evaluate.tables.services import Confidences, FaceIds, Queries, QueryCopies
from accord.intake.tables import Attributes, People

QUERIES, OWN, OTHERS = 24, 9, 3
HOW = {"rule": "published", "calibration": "mixture", "min_positive": 5, "ratio": 1.5, "magnitude": 4.0,
       "grouping": 0.2, "fmr": [0.01]}  # fmt: skip
SPREAD = {"good": 0.05, "fair": 0.08, "worn": 0.1}


def person(image: str, subject: str, box=(10, 10, 20, 20)) -> tuple:
    return image, subject, True, 30, *box, *(None,) * 4, "a"


def faces_of(*where: tuple[str, str, str], services=("s",), box=(10, 10, 30, 30)) -> pd.DataFrame:
    """FaceIds of (query, image, note)."""
    return rows([(query, image, "" if note else image, name, *box, note) for query, image, note in where
                 for name in services], FaceIds)  # fmt: skip


@pytest.mark.parametrize(
    ("people", "label"),
    [
        ([("q", (10, 10, 20, 20))], 1),
        ([("other", (10, 10, 20, 20))], 0),
        ([("q", (60, 60, 20, 20))], -1),
        ([("q", (60, 60, 20, 20)), ("guest", (12, 10, 20, 20))], 0),
        ([("q", (None,) * 4)], 1),  # one person, whose face nobody drew
        ([("q", (None,) * 4), ("guest", (60, 60, 20, 20))], -1),
    ],
)
def test_a_face_is_the_person_whose_annotated_face_it_covers(people, label):
    table = rows([person("i", subject, box) for subject, box in people], People)
    assert truth(faces_of(("q", "i", ""), services=("a", "b")), table).to_numpy().tolist() == [["i", label]]


def test_pictures_without_a_common_face_have_no_truth():
    assert truth(faces_of(("q", "i", "no face found by s")), rows([person("i", "q")], People)).empty


@pytest.fixture(scope="module")
def made():
    """24 queries of 9 own and 3 other faces; the service `worn` tells people of the group `she` apart badly. One
    picture of each query was missed."""
    rng = np.random.default_rng(3)
    shown = [(f"q{q:02d}", f"q{q:02d}i{n:02d}", f"q{q:02d}" if n < OWN else f"lender{q}_{n}")
             for q in range(QUERIES) for n in range(OWN + OTHERS + 1)]  # fmt: skip
    queries = rows(shown, Queries)
    lost = {image for _, image, _ in shown if image.endswith(f"i{OWN + OTHERS:02d}")}
    places = [(query, image, "no face found by worn" if image in lost else "") for query, image, _ in shown]
    faces = faces_of(*places, services=tuple(SPREAD))
    people = rows([person(image, subject) for _, image, subject in shown], People)
    she = {f"q{q:02d}" for q in range(QUERIES // 2)}
    told = [(image, who, "pronoun", "she" if who in she else "he", "a") for _, image, who in shown]
    common = faces.loc[faces["face"] != "", ["query", "face"]].drop_duplicates()
    groups = pd.DataFrame({"attribute": "pronoun", "group": ["she" if q in she else "he" for q in sorted(set(
        queries["query"]))], "query": sorted(set(queries["query"]))})  # fmt: skip
    pairs = pairing.pairs(common, groups, 1)
    who = queries.set_index("image")["subject"]
    same = who[pairs["left"]].to_numpy() == who[pairs["right"]].to_numpy()
    hard = who[pairs["left"]].isin(she).to_numpy()
    scored = []
    for name, spread in SPREAD.items():
        middle = np.where(same, np.where(hard & (name == "worn"), 0.55, 0.8), 0.1)
        score = rng.normal(middle, spread)
        scored.append(pd.DataFrame({"service": name, "version": "1", "left": pairs["left"], "right": pairs["right"],
                                    "score": score, "status": ""}))  # fmt: skip
    confidences = rows(pd.concat(scored).to_dict("records"), Confidences)
    return {"queries": queries, "faces": faces, "confidences": confidences, "people": people,
            "copies": empty(QueryCopies), "attributes": rows(told, Attributes)}  # fmt: skip


def rapid_of(made, **changes):
    how = {"names": ["pronoun"], "rapid": HOW, "min_faces": 8, "min_subjects": 10, "bootstraps": 100, "seed": 1}
    return rapid.run(**{**made, **how, **changes})


@pytest.fixture(scope="module")
def found(made):
    return rapid_of(made)


def test_labels_are_held_against_the_truth(found):
    cells = found.agreement.set_index(["hand", "estimated"])["faces"]
    assert cells.sum() == QUERIES * (OWN + OTHERS)
    assert (cells[1, 1] + cells[0, 0]) / cells.drop([(1, -1), (0, -1)]).sum() >= 0.98
    assert cells[1].sum() == QUERIES * OWN and cells[-1].sum() == 0


def test_the_worse_group_of_the_worst_service_is_told_by_labels_and_by_truth(found):
    curves = found.curves[(found.curves["threshold_of"] == "common") & (found.curves["attribute"] == "pronoun")]
    for labels in ("estimated", "annotated"):
        fnmr = curves[curves["labels"] == labels].set_index(["service", "group"])["fnmr"]
        assert fnmr["worn", "she"] > fnmr["worn", "he"] + 0.01
        assert fnmr["good", "she"] == pytest.approx(fnmr["good", "he"], abs=0.01)


def test_queries_of_strangers_are_left_out_of_the_undisputed_rates(made, found):
    """The archive says that the faces of two queries are one person's each; every service finds strangers."""
    wrong = ("q00", "q01")
    scores = made["confidences"]
    strange = scores["left"].str[:3].isin(wrong) & (scores["left"].str[:3] == scores["right"].str[:3])
    told = rapid_of({**made, "confidences": scores.assign(score=scores["score"].mask(strange, 0.1))})
    whole = told.curves[(told.curves["attribute"] == "all") & (told.curves["threshold_of"] == "common")]
    by = whole[whole["service"] == "good"].set_index("labels")
    assert by.loc["annotated", "queries"] == QUERIES and by.loc["undisputed", "queries"] == QUERIES - 2
    assert by.loc["annotated", "fnmr"] > 0.05 and by.loc["undisputed", "fnmr"] < 0.01
    assert coverage.disputed(told.coverage, list(SPREAD)) == 2 and coverage.disputed(found.coverage, list(SPREAD)) == 0


def test_an_earlier_version_is_compared_and_has_no_vote(made, found):
    """`worn` got as good as `good`, and was bad for `she`; what it said before changes nothing but the comparison."""
    then = made["confidences"][made["confidences"]["service"] == "worn"].assign(service="worn_2026")
    hers = (then["left"] < f"q{QUERIES // 2:02d}") & (then["score"] > 0.4)
    then["score"] -= 0.25 * hers
    good = made["confidences"][made["confidences"]["service"] == "good"]
    now = made["confidences"][made["confidences"]["service"] != "worn"]
    every = pd.concat([now, good.assign(service="worn"), then])
    told = rapid_of({**made, "confidences": every}, earlier={"worn": "worn_2026"})
    alone = rapid_of({**made, "confidences": every[every["service"] != "worn_2026"]})
    for name in set(told._fields) - {"changes"}:
        pd.testing.assert_frame_equal(getattr(told, name), getattr(alone, name))
    assert alone.changes.empty and found.changes.empty
    rows = told.changes[told.changes["labels"] == "annotated"].set_index("group")
    assert (rows["before"] == "worn_2026").all() and (rows["after"] == "worn").all()
    assert rows["verdict"].to_dict() == {"all": "fell", "he": "open", "she": "fell"}


def test_an_input_that_the_rule_leaves_empty_doesn_t_take_the_truth_away(made, found):
    """Where nobody was asked, `--hand` is given no file, which reads as a table without rows."""
    told = rapid_of({**made, "hand": empty(HandLabels)})
    pd.testing.assert_frame_equal(told.agreement, found.agreement)
    asked = rapid_of({**made, "hand": empty(HandLabels)}, by_hand=True)
    assert asked.agreement.empty and len(found.agreement)


def test_a_test_without_pairs_of_two_queries_has_no_scale(made):
    of = made["confidences"]
    within = of[of["left"].str[:3] == of["right"].str[:3]]
    assert set(rapid_of({**made, "confidences": within}).services["note"]) == {
        "it has no score of a pair of two queries"
    }
    across = of[of["left"].str[:3] != of["right"].str[:3]]
    assert set(rapid_of({**made, "confidences": across}).services["note"]) == {"it has no score of a pair of one query"}


@pytest.mark.parametrize("rule", ["published", "strangers"])
def test_where_nobody_is_labelled_there_are_reasons_and_no_figures(made, rule):
    """Fewer than five faces of anybody: a minimum that no query reaches."""
    found = rapid_of(made, rapid={**HOW, "rule": rule, "min_positive": 100})
    assert set(found.identities["majority"]) == {-1}
    estimated = found.curves[found.curves["labels"] == "estimated"]
    assert len(estimated) and estimated["fnmr"].isna().all() and (estimated["note"] != "").all()


def test_pairs_that_are_given_both_ways_count_once(made, found):
    of = made["confidences"]
    other = of.rename(columns={"left": "right", "right": "left"})
    both = pd.concat([of.assign(score=of["score"] - 0.01), other.assign(score=of["score"] + 0.01)])
    told = rapid_of({**made, "confidences": both})
    pd.testing.assert_frame_equal(told.curves, found.curves)


def test_missed_pictures_are_counted_in_coverage_alone(found):
    whole = found.coverage[found.coverage["attribute"] == "all"].set_index("reason")
    assert whole.loc["no face found by worn", ["queries", "faces"]].tolist() == [0, QUERIES]
    assert whole["faces"].sum() == QUERIES * (OWN + OTHERS + 1)
    assert found.identities["face"].nunique() == QUERIES * (OWN + OTHERS)


def test_copies_are_counted_as_such_in_coverage(made, found):
    copies = rows([("q03", "q03copy", "q03i00", "face", 4)], QueryCopies)
    told = rapid_of({**made, "copies": copies}).coverage
    whole = told[told["attribute"] == "all"].set_index("reason")
    assert whole.loc["a copy of another picture of its query", ["queries", "faces"]].tolist() == [0, 1]
    assert whole["faces"].sum() == found.coverage.loc[found.coverage["attribute"] == "all", "faces"].sum() + 1


def test_where_no_service_parts_people_coverage_and_the_reason_are_left(made):
    flat = made["confidences"].assign(score=0.5)
    found = rapid_of({**made, "confidences": flat})
    assert set(found.services["note"]) == {"all its scores are equal"}
    assert found.curves.empty and found.identities.empty
    whole = found.coverage[found.coverage["attribute"] == "all"]
    assert "no service could be calibrated" in set(whole["reason"]) and "kept" not in set(whole["reason"])


def test_a_run_without_queries_says_what_to_change(made):
    with pytest.raises(AccordError, match="nobody has 8 released pictures in a shard"):
        rapid_of({name: table[:0] for name, table in made.items()})


def test_faces_that_a_service_did_not_score_are_left_out_under_its_name(made):
    of = made["confidences"]
    lost = (of["service"] == "fair") & of["left"].str.startswith("q00i00") & of["right"].str.startswith("q00")
    told = rapid_of({**made, "confidences": of.assign(score=of["score"].mask(lost))}).coverage
    whole = told[told["attribute"] == "all"].set_index("reason")
    assert whole.loc["no score for a pair by fair", ["queries", "faces"]].tolist() == [0, 1]


def test_scores_of_another_scale_tell_the_same(made, found):
    """0 to 100 instead of 0 to 1: thresholds move with it, nothing else does."""
    told = rapid_of({**made, "confidences": made["confidences"].assign(score=100 * made["confidences"]["score"])})
    same = [name for name in found.curves.columns if name != "threshold"]
    pd.testing.assert_frame_equal(told.curves[same], found.curves[same])
    assert (told.curves["threshold"] / found.curves["threshold"]).dropna().to_numpy() == pytest.approx(100)


def test_of_two_services_both_have_to_say_so_and_a_group_of_one_has_no_figure(made):
    two = made["confidences"][made["confidences"]["service"].isin(["good", "fair"])]
    lone = made["attributes"].copy()
    lone.loc[lone["subject"] == "q23", "value"] = "they"
    found = rapid_of({**made, "confidences": two, "attributes": lone})
    labels = found.identities[found.identities["majority"] != -1].groupby("face")[["label", "majority"]]
    said = labels.agg({"label": "min", "majority": "first"})
    assert len(said) > 100 and (said["label"] == said["majority"]).all()
    alone = found.curves[found.curves["group"] == "they"]
    assert len(alone) and alone["fnmr"].isna().all() and alone["note"].str.startswith("1 query, fewer than 10").all()


def test_one_service_alone_is_tested_too(made):
    alone = made["confidences"][made["confidences"]["service"] == "good"]
    assert set(rapid_of({**made, "confidences": alone}).curves["service"]) == {"good"}
