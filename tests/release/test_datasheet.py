"""A datasheet says what its tables and its terms say, in sentences that agree with their numbers."""

import json
from pathlib import Path

import pandas as pd

from accord.release.disclosure import kanonymity
from accord.release.papers import datasheet, terms
from accord.release.seal.versions import Changes

FACTS = {
    "dataset": "tiny", "version": "1.0.0", "images": 3, "subjects": 2, "two_people": 1, "face_crops": 4,
    "faces_aligned": 1, "anonymity": "",
}  # fmt: skip
PEOPLE = pd.DataFrame([("pronoun", "1. He/him/his", 2)], columns=["attribute", "value", "subjects"])
ABOUT = {
    "waterfall": pd.DataFrame([("Near duplicate", 5, 1), ("Held in reserve", 4, 1)],
                              columns=["label", "images_in", "stopped"]),
    "edits": pd.DataFrame({"kind": ["card"], "region": ["r"]}),
    "conversions": pd.DataFrame({"conversion": pd.Series(dtype=str)}),
}  # fmt: skip


def said(**facts):
    return " ".join(datasheet.datasheet(FACTS | facts, ABOUT, PEOPLE).split())


def test_counts_agree_with_their_nouns():
    assert "3 images of 2 people; 1 of the images shows more than one of them. From them, 4 face crops and 1" in said()
    one = said(images=1, subjects=1, two_people=0, face_crops=1, faces_aligned=0)
    assert "1 image of 1 person; 0 of the images show more" in one
    assert "1 face crop and 0 aligned faces were made" in one
    assert "The first version: 1 image." in datasheet.changes(FACTS | {"images": 1}, Changes("", 0, 0, 0))


def test_what_must_be_read_first_is_there_only_where_it_is_said():
    assert "Read this first" not in said()
    assert "**Read this first.** People are rendered. ## Motivation" in said(caution="People are rendered.")


def test_it_forbids_no_training_that_the_terms_allow():
    allowed = json.loads(Path(terms.__file__).with_name(terms.SOURCE).read_text())[0]["text"]
    assert "train models that are put to other purposes" in allowed
    assert "not for training models that are put to other purposes" in said()


def test_images_in_reserve_are_not_told_as_faulty():
    assert "**What was left out?**" in said()
    assert "Images held in reserve passed every check" in said()


def test_k_anonymity_is_told_in_whole_sentences():
    found = pd.DataFrame({"group": ["a", "b", "c"], "subjects": [1, 4, 7]})
    assert kanonymity.paragraph(found, ["pronoun", "age_group"]) == (
        "By pronoun and age group together, 12 people fall into 3 groups; the smallest has k = 1. 8% of the people are "
        "alone in their group, 42% are in a group of fewer than 5 and 100% are in a group of fewer than 10. Faces are "
        "visible, so this figure only covers what the tables reveal."
    )


def test_it_says_how_many_passers_by_are_found():
    """As measured by benchmarks/passers_by.py, and by eye in four photographs."""
    assert "Detectors miss passers-by whom nobody annotated." in said()
    assert "1 of 40 at 5%, 32 of 37 at 8%, 30 of 30 at 12%" in said()
    assert "turned away, 2 of at least 20." in said()


def test_it_claims_no_consent_of_bystanders():
    assert "Everyone whom the tables describe signed a form" in said()
    assert "Every person in every image" not in said() and "Bystanders signed none" in said()
