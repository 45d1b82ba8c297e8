"""Recalls of classes and their differences between groups, against tables counted by hand and statsmodels."""

import numpy as np
import pandas as pd
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

from accord.analyse import recalls
from accord.analyse.scoring.class_answers.gaps import CHOSEN
from accord.analyse.scoring.metrics import direction
from accord.analyse.tables.scores import Members
from accord.engine.table import rows
from accord.evaluate.tables.labels import AnswerLabels
from accord.evaluate.tables.predictions import Evaluated
from accord.release.tables import Attributes, People, Verdicts

CLASSES = ["nurse", "singer", "guard"]
GROUPS = {"i1": ("nurse", "female"), "i2": ("nurse", "female"), "i3": ("nurse", "male"), "i4": ("singer", "male"),
          "i5": ("singer", "unknown"), "i6": ("guard", "male")}  # fmt: skip
"""Image -> class and gender of its only person; guard is not reported."""


@pytest.fixture
def questions(tmp_path):
    path = tmp_path / "questions.yaml"
    prompts = {"p1": "[FACET Classes]", "p2": "[FACET class]", "p3": "[FACET class] ?"}
    document = {"classes": CLASSES, "reported": ["nurse", "singer"], "prompts": prompts, "seed": 1}
    path.write_text(yaml.safe_dump(document))
    return path


def label(image, question, said, about="", status="said", encoder="", model="m"):
    """An answer that was read, about the person of that image."""
    return (model, question, image, f"s-{image}", about, encoder, said, np.nan, said != "", status)


def people_of(images) -> pd.DataFrame:
    columns = list(People.to_schema().columns)
    known = {"is_primary": True}
    made = [{**dict.fromkeys(columns), **known, "image": one, "subject": f"s-{one}"} for one in images]
    return pd.DataFrame(made, columns=columns)


def told(labels, questions, groups=GROUPS, people=None, failed=(), min_subjects=1, unasked=()) -> recalls.Recalled:
    said = [(i, f"s-{i}", "class1", name, "annotators") for i, (name, _) in groups.items()]
    members = [(i, f"s-{i}", "gender", gender) for i, (_, gender) in groups.items()]
    verdicts = [(i, f"s-{i}", "fail" if i in failed else "pass", "", "", "") for i in groups]
    models = sorted({row[0] for row in labels})
    asked = [(model, "visual_question", i, f"s-{i}") for model in models for i in groups if i not in unasked]
    return recalls.run(
        rows(labels, AnswerLabels), rows(asked, Evaluated), people_of(groups) if people is None else people,
        rows(said, Attributes), rows(members, Members), rows(verdicts, Verdicts), questions, min_subjects=min_subjects,
    )  # fmt: skip


DIRECT = [label("i1", "p1", "nurse"), label("i2", "p1", "guard"), label("i3", "p1", "nurse"),
          label("i4", "p1", "singer"), label("i5", "p1", "", status="failed"), label("i6", "p1", "nurse")]  # fmt: skip


def cell(table, name, group, question="p1", attribute=None):
    attribute = attribute or ("all" if group == "all" else "gender")
    here = (table["class"] == name) & (table["group"] == group) & (table["question"] == question)
    (found,) = table[here & (table["attribute"] == attribute)].to_dict("records")
    return found


def test_direct_questions_counted_by_hand(questions):
    table = told(DIRECT, questions).recalls
    counts = ["images", "subjects", "right", "unknown", "no", "failed"]
    assert {
        (name, group): tuple(cell(table, name, group)[one] for one in counts)
        for name, group in [("nurse", "all"), ("nurse", "female"), ("nurse", "male"), ("singer", "unknown"),
                            ("guard", "male"), ("all", "all"), ("all", "male"), ("singer", "female")]
    } == {
        ("nurse", "all"): (3, 3, 2, 0, 1, 0), ("nurse", "female"): (2, 2, 1, 0, 1, 0),
        ("nurse", "male"): (1, 1, 1, 0, 0, 0), ("singer", "unknown"): (1, 1, 0, 0, 0, 1),
        ("guard", "male"): (1, 1, 0, 0, 1, 0), ("all", "all"): (5, 5, 3, 0, 1, 1), ("all", "male"): (2, 2, 2, 0, 0, 0),
        ("singer", "female"): (0, 0, 0, 0, 0, 0),
    }  # fmt: skip
    assert cell(table, "all", "all")["recall"] == 3 / 5
    low, high = proportion_confint(3, 5, method="wilson")
    assert (cell(table, "all", "all")["low"], cell(table, "all", "all")["high"]) == pytest.approx((low, high))


def test_a_class_without_images_of_a_group_is_undefined_with_n(questions):
    made = told(DIRECT, questions)
    nobody = cell(made.recalls, "singer", "female")
    assert nobody["images"] == 0 and nobody["note"] == "no image" and np.isnan(nobody["recall"])
    gap = made.disparities[(made.disparities["class"] == "singer") & (made.disparities["pair"] == "male - female")]
    assert gap["note"].tolist() == ["no image of female"]
    assert (gap["first_images"].item(), gap["second_images"].item()) == (1, 0) and gap["difference"].isna().all()


def test_differences_are_first_less_second_with_newcombes_interval(questions):
    made = told(DIRECT, questions).disparities
    gap = made[(made["class"] == "nurse") & (made["pair"] == "male - female")].iloc[0]
    assert (gap["first"], gap["second"], gap["difference"]) == ("male", "female", 0.5)
    asked = confint_proportions_2indep(1, 1, 1, 2, compare="diff", method="newcomb")
    assert (gap["low"], gap["high"]) == pytest.approx(asked, abs=1e-12)
    extreme = made[(made["class"] == "all") & (made["pair"] == "max - min")].iloc[0]
    assert (extreme["first"], extreme["second"], extreme["difference"]) == ("male", "female", 0.5)
    assert extreme["note"] == CHOSEN


def test_unknown_is_no_group_of_a_difference_and_small_groups_no_extreme(questions):
    made = told(DIRECT, questions, min_subjects=3).disparities
    extremes = made[made["pair"] == "max - min"]
    assert extremes["difference"].isna().all()
    assert set(extremes["note"]) == {"0 groups, fewer than 2 with 3 people or more"}
    assert "unknown" not in set(told(DIRECT, questions).disparities[["first", "second"]].to_numpy().ravel())


def test_of_equal_groups_the_extremes_are_two_of_them(questions):
    same = [label(image, "p1", name) for image, (name, _) in GROUPS.items()]
    made = told(same, questions).disparities
    extreme = made[(made["class"] == "all") & (made["pair"] == "max - min")].iloc[0]
    assert {extreme["first"], extreme["second"]} == {"female", "male"} and extreme["difference"] == 0


def choice(image, said, other, question="p2", **more):
    """Answers of an image when asked for its class, and for another."""
    name = GROUPS[image][0]
    about = next(one for one in CLASSES if one != name)
    return [label(image, question, said, name, **more), label(image, question, other, about, **more)]


CHOSEN_BY_HAND = [*choice("i1", "yes", "no"), *choice("i2", "yes", "yes"), *choice("i3", "unknown", "no"),
                  *choice("i4", "no", "unknown"), *choice("i5", "yes", "")]  # fmt: skip


def test_choices_count_yes_and_the_other_class_apart(questions):
    made = told(CHOSEN_BY_HAND, questions)
    whole = cell(made.recalls, "all", "all", "p2")
    assert [whole[one] for one in ("images", "right", "unknown", "no", "failed")] == [5, 3, 1, 1, 0]
    other = cell(made.false_yes, "all", "all", "p2")
    assert [other[one] for one in ("images", "false_yes", "unknown", "no", "failed")] == [5, 1, 1, 2, 1]
    assert (whole["recall"], other["false_yes_rate"]) == (0.6, 0.2)
    assert other["balanced_accuracy"] == (3 / 5 + 2 / 5) / 2
    assert other["balanced_low"] < other["balanced_accuracy"] < other["balanced_high"]


def test_who_always_says_yes_has_recall_1_and_balanced_accuracy_a_half(questions):
    made = told([one for image in GROUPS for one in choice(image, "yes", "yes")], questions)
    assert cell(made.recalls, "all", "all", "p2")["recall"] == 1
    assert cell(made.false_yes, "all", "all", "p2")["false_yes_rate"] == 1
    assert cell(made.false_yes, "all", "all", "p2")["balanced_accuracy"] == 0.5


def test_prompts_models_and_encoders_are_never_pooled(questions):
    labels = [*DIRECT, *CHOSEN_BY_HAND, *choice("i1", "no", "no", "p3"), label("i1", "p1", "guard", model="other"),
              label("i1", "p1", "guard", encoder="e")]  # fmt: skip
    whole = told(labels, questions).recalls.query("`class` == 'nurse' and attribute == 'all'")
    found = {(r["model"], r["question"], r["encoder"]): (r["images"], r["right"]) for r in whole.to_dict("records")}
    assert found == {
        ("m", "p1", ""): (3, 2), ("m", "p2", ""): (3, 2), ("m", "p3", ""): (1, 0), ("other", "p1", ""): (1, 0),
        ("m", "p1", "e"): (1, 0),
    }  # fmt: skip


def test_a_refusal_is_an_abstention_and_a_failed_call_is_not(questions):
    labels = [label("i1", "p1", "", status="refused"), label("i2", "p1", "", status="failed"),
              label("i3", "p1", "", status="empty")]  # fmt: skip
    found = cell(told(labels, questions).recalls, "nurse", "all")
    assert (found["images"], found["unknown"], found["failed"], found["right"]) == (3, 1, 2, 0)


def test_only_released_images_of_one_person_of_a_known_class_count(questions):
    both = pd.concat([people_of(GROUPS), people_of(["i1"]).assign(subject="s-else", is_primary=False)])
    strange = {**GROUPS, "i3": ("pilot", "male")}
    found = told(DIRECT, questions, strange, people=both, failed=("i4",)).recalls
    assert cell(found, "all", "all")["images"] == 2
    assert cell(found, "nurse", "all")["images"] == 1


def test_an_image_that_a_model_may_not_be_given_is_no_miss(questions):
    found = cell(told(DIRECT, questions, unasked=("i2",)).recalls, "nurse", "all")
    assert (found["images"], found["right"], found["no"]) == (2, 2, 0)


def test_outcomes_are_scores_of_people(questions):
    made = told([*DIRECT, *CHOSEN_BY_HAND], questions).scores
    values = {(row.metric, row.image): row.value for row in made.itertuples()}
    assert values["class_recall@p1", "i1"] == 1 and values["class_recall@p1", "i5"] == 0
    assert values["class_recall@p2", "i3"] == 0 and values["false_yes@p2", "i2"] == 1
    assert np.isnan(values["class_recall@p1", "i6"])
    assert set(made["task"]) == {"visual_question"}
    assert set(made[made["value"].isna()]["note"]) == {"a class that figures aren't pooled over"}
    assert direction("false_yes@p2") == -1 and direction("class_recall@p3") == 1


def test_without_answers_all_tables_are_empty(questions):
    assert [len(table) for table in told([], questions)] == [0, 0, 0, 0, 0]


def test_how_answers_were_read_adds_up(questions):
    near = (*label("i2", "p1", "guard")[:7], 0.5, False, "said")
    labels = [label("i1", "p1", "nurse"), near, label("i3", "p1", "", status="refused"),
              label("i4", "p1", "", status="failed"), label("i5", "p1", "")]  # fmt: skip
    (found,) = told(labels, questions).readings.to_dict("records")
    assert found == {"model": "m", "question": "p1", "encoder": "", "answers": 5, "exact": 1, "nearest": 1,
                     "refused": 1, "unread": 2, "cosine": 0.5}  # fmt: skip


@settings(max_examples=10, deadline=None)
@given(st.data())
def test_counts_add_up_and_pooled_recall_weighs_images(data):
    import tempfile
    from pathlib import Path

    said = {image: data.draw(st.sampled_from([*CLASSES, ""])) for image in GROUPS}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "questions.yaml"
        path.write_text(yaml.safe_dump(
            {"classes": CLASSES, "reported": ["nurse", "singer"], "prompts": {"p1": "[FACET Classes]"}, "seed": 1}
        ))  # fmt: skip
        table = told([label(image, "p1", one) for image, one in said.items()], path).recalls
    assert (table[["right", "unknown", "no", "failed"]].sum(axis=1) == table["images"]).all()
    parts = [cell(table, name, "all") for name in ("nurse", "singer")]
    weighed = sum(part["recall"] * part["images"] for part in parts) / sum(part["images"] for part in parts)
    assert cell(table, "all", "all")["recall"] == pytest.approx(weighed)
    by_group = table[(table["class"] == "all") & (table["attribute"] == "gender")]
    assert by_group["right"].sum() == cell(table, "all", "all")["right"]
