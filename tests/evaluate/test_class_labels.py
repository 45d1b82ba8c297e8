"""From an answer to a label: exact first, else the nearest by cosine."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.evaluate.labelling.exact import CHOICES, choice_of, class_of, words
from accord.evaluate.labelling.nearest import Wording, nearest

CLASSES = ("nurse", "disk_jockey", "soccer_player", "guard")


@pytest.mark.parametrize(
    ("text", "label"),
    [('"nurse"', "nurse"), ("Nurse.", "nurse"), (" NURSE\n", "nurse"), ("“Disk Jockey”", "disk_jockey"),
     ("disk_jockey", "disk_jockey"), ("`soccer-player`", "soccer_player"), ('The label is "nurse".', "nurse"),
     ("I would say 'guard'!", "guard"), ('"nurse", that is: "Nurse"', "nurse"), ("ｎｕｒｓｅ", "nurse"),
     ("[nurse]", "nurse"),
     ('"nurse" or "guard"', ""), ("nurse, guard", ""), ("a nurse", ""), ("nurses", ""), ("", ""), ('""', ""),
     ("the nurse's 'guard", ""), ("медсестра", ""), ('"doctor"', ""), ("<b>nurse</b>", ""), ("x" * 10_000, ""),
     ('There is no "nurse" in the image', ""), ('not a "nurse"', ""), ('"nurse" is wrong', ""),
     ("This isn’t a “guard”", ""), ('I cannot see a "nurse"', ""), ('There is no doubt: "nurse"', "nurse")],
)  # fmt: skip
def test_a_class_is_the_whole_answer_or_all_that_is_quoted(text, label):
    assert class_of(text, CLASSES) == label


@pytest.mark.parametrize(
    ("text", "label"),
    [("A. Yes", "yes"), ("A", "yes"), ("a.", "yes"), ("(B)", "no"), ("B) No", "no"), ("C: unknown.", "unknown"),
     ("Yes", "yes"), ('"No"', "no"), ("UNKNOWN", "unknown"), ("Yes, there is a nurse.", "yes"),
     ("A. Yes, the person is a guard.", "yes"), ("B. No - nobody", "no"), ("**A. Yes**", "yes"), ("A.Yes", "yes"),
     ("A. Yes, B. No, C. Unknown.", ""), ("Yes and no", ""), ("A. No", ""), ("B. Yes", ""), ("No. Yes.", ""),
     ("A nurse is there", ""), ("Bartender", ""), ("D. Maybe", ""), ("", ""), ("\x00", ""), ("yesterday", ""),
     ("There is no nurse", ""), ("Nobody knows", ""), ("A. Perhaps", ""), ("No-one is", ""), ("C", "unknown"),
     ("Yes (B)", ""), ("No. A", ""), ("A. Yes, B", ""), ("no: A", ""), ("Yes (A)", "yes"), ("No - B.", "no"),
     ("Option A", "yes"), ("Answer: A", "yes"), ("The correct answer is B. No", "no"), ("My choice: (C)", "unknown"),
     ("Answer: yes", "yes"), ("Answer: A. No", ""), ("The answer is unknown", "unknown"), ("Answer", ""),
     ("Option A or B", ""), ("No. 1 nurse", ""), ("no 1", ""), ("Yes, a nurse", "yes"), ("Yes, it is a b-side", "yes")],
)  # fmt: skip
def test_a_choice_is_its_word_or_its_letter(text, label):
    assert choice_of(text) == label


@given(st.text(max_size=50))
def test_any_text_has_a_label_or_none(text):
    assert choice_of(text) in ("", *CHOICES)
    assert class_of(text, CLASSES) in ("", *CLASSES)


@given(st.sampled_from(CLASSES), st.sampled_from(["", '"', "'", "*", "  ", ".", "“"]), st.booleans())
def test_marks_and_case_never_hide_a_class(label, mark, upper):
    shown = label.upper() if upper else label.replace("_", " ")
    assert class_of(f"{mark}{shown}{mark}", CLASSES) == label


def test_words_are_without_marks():
    assert words(" “Disk_Jockey”, \t(twice)! ") == "disk jockey twice"


VECTORS = {"nurse": (1, 0), "guard": (0, 1), "a carer": (0.9, 0.1), "between": (1, 1), "nothing": (0, 0)}


def embed(texts):
    return [np.array(VECTORS[text], float) for text in texts]


def test_the_nearest_label_with_its_cosine():
    ((label, cosine),) = nearest(["a carer"], ["guard", "nurse"], embed, Wording())
    assert label == "nurse"
    assert cosine == pytest.approx(0.9 / np.hypot(0.9, 0.1), abs=1e-6)


def test_of_equally_near_labels_the_first_counts():
    assert nearest(["between"], ["guard", "nurse"], embed, Wording())[0][0] == "guard"
    assert nearest(["between"], ["nurse", "guard"], embed, Wording())[0][0] == "nurse"


def test_a_text_without_a_vector_has_no_label():
    ((label, cosine),) = nearest(["nothing"], ["nurse", "guard"], embed, Wording())
    assert label == "" and np.isnan(cosine)
    assert nearest([], ["nurse"], embed, Wording()) == []


def test_the_encoder_gets_each_text_once_in_the_wording_and_no_more_than_its_first_words():
    seen = []

    def spy(texts):
        seen.append(list(texts))
        return [np.array([len(text), 1.0]) for text in texts]

    nearest(["one two three four", "one  two\nthree", "one {} b"], ["nurse"], spy, Wording("a photo of a {}", 3))
    assert seen == [["a photo of a one two three", "a photo of a one {} b"], ["a photo of a nurse"]]


@given(st.permutations([0, 1, 2, 3]), st.floats(0.1, 100))
def test_order_and_length_of_vectors_change_nothing(order, scale):
    texts = ["nurse", "guard", "a carer", "between"]
    told = nearest(texts, ["nurse", "guard"], embed, Wording())
    again = nearest([texts[n] for n in order], ["nurse", "guard"],
                    lambda some: [scale * vector for vector in embed(some)], Wording())  # fmt: skip
    assert [told[n] for n in order] == again
