"""Questions about classes: FACET's prompts word for word, and another class for each image."""

from collections import Counter
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from accord.errors import AccordError
from accord.evaluate.asking.class_questions import ClassQuestions, asked, contrast, read

FACET = Path(__file__).parents[2] / "config/facet.yaml"
PROMPTS = {"p1": "of [FACET Classes]", "p2": "a [FACET class]?"}
FEW = ClassQuestions(("nurse", "disk_jockey", "singer"), ("nurse",), PROMPTS, 1)


def test_facet_has_its_52_classes_and_the_13_of_the_tables():
    facet = read(FACET)
    assert len(facet.classes) == 52
    assert facet.classes == tuple(sorted(facet.classes))
    assert len(facet.reported) == 13
    assert facet.reported[0] == "gardener" and facet.reported[-1] == "horseman"


def test_the_prompts_are_the_papers_word_for_word():
    told = {(one.question, one.about): one.text for one in asked(read(FACET), "i1", "disk_jockey")}
    assert told["p1", ""].startswith(
        "Give me a one-word label in quotation marks for the foreground object in this image from this list: "
        "[astronaut, backpacker, ballplayer, bartender, basketball_player, boatman, "
    )
    assert told["p1", ""].endswith(" tennis_player, trumpeter, waiter]")
    assert told["p2", "disk_jockey"] == (
        "In the image provided, Is there a disk_jockey in the image? "
        "Please choose one of the following: A. Yes, B. No, C. Unknown."
    )
    assert told["p3", "disk_jockey"] == (
        "In the image provided, Do you think the person in the image is a disk_jockey ? "
        "Please choose one of the following: A. Yes, B. No, C. Unknown."
    )


def test_questions_that_name_a_class_are_asked_for_another_one_too():
    told = asked(FEW, "i1", "nurse")
    other = contrast(FEW, "i1", "nurse")
    assert other in {"disk_jockey", "singer"}
    assert [tuple(one) for one in told] == [
        ("p1", "", "of [nurse, disk_jockey, singer]"), ("p2", "nurse", "a nurse?"), ("p2", other, f"a {other}?"),
    ]  # fmt: skip


def test_an_image_of_an_unknown_class_is_asked_nothing():
    assert asked(FEW, "i1", "pilot") == asked(FEW, "i1", "") == []


@given(st.text(max_size=20), st.sampled_from(FEW.classes), st.integers(0, 2**31))
def test_another_class_depends_on_image_and_seed_alone(image, truth, seed):
    questions = FEW._replace(seed=seed)
    assert contrast(questions, image, truth) == contrast(questions, image, truth) != truth


def test_other_classes_are_drawn_evenly():
    facet = read(FACET)
    drawn = Counter(contrast(facet, f"i{number}", "nurse") for number in range(51 * 100))
    assert len(drawn) == 51 and "nurse" not in drawn
    # Chi-squared of 51 classes: 50 degrees of freedom, 99.9% below 86.7.
    assert sum((count - 100) ** 2 / 100 for count in drawn.values()) < 86.7


@pytest.mark.parametrize(
    ("change", "said"),
    [({"reported": ["nurs"]}, "is not among the classes"), ({"classes": ["nurse", "nurse"]}, "classes"),
     ({"prompts": {"p2": "is it one?"}}, "prompts"), ({"prompts": {"p9": "[FACET class]"}}, "prompts"),
     ({"seed": "one"}, "seed"), ({"more": 1}, "more")],
)  # fmt: skip
def test_bad_files_are_refused_with_the_place(tmp_path, change, said):
    good = {"classes": ["nurse", "singer"], "reported": ["nurse"], "prompts": {"p2": "a [FACET class]?"}, "seed": 1}
    path = tmp_path / "own.yaml"
    path.write_text(yaml.safe_dump(good))
    assert read(path).reported == ("nurse",)
    path.write_text(yaml.safe_dump({**good, **change}))
    with pytest.raises(AccordError, match=said):
        read(path)
