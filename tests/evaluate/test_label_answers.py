"""The step that reads labels of answers: exact, by an encoder, or none; every answer keeps its row."""

import numpy as np
import pytest
import yaml

from accord.engine import provenance
from accord.engine.table import rows
from accord.evaluate import label_answers
from accord.evaluate.tables.answers import Answers

ENCODER = '''
import numpy as np

class Letters:
    """Counts of letters: near is what is spelt alike."""

    def __init__(self, weights):
        pass

    def embed_texts(self, texts):
        assert all(text.startswith("a ") for text in texts)
        return [np.array([text.lower().count(chr(code)) for code in range(97, 123)], float) for text in texts]
'''


@pytest.fixture
def questions(tmp_path):
    path = tmp_path / "questions.yaml"
    prompts = {"p1": "[FACET Classes]", "p2": "[FACET class]"}
    classes = ["nurse", "guard", "singer"]
    path.write_text(yaml.safe_dump({"classes": classes, "reported": classes, "prompts": prompts, "seed": 1}))
    return path


@pytest.fixture
def encoder(tmp_path):
    (tmp_path / "letters.py").write_text(ENCODER)
    entry = {"name": "letters", "task": "text_embedding", "adapter": f"{tmp_path}/letters.py:Letters", "weights": {},
             "batch": 1, "options": {}, "code": provenance.sha256(tmp_path / "letters.py")}  # fmt: skip
    return {"entry": entry, "template": "a {}", "words": 3}


def answer(image, question, text, about="", status="said"):
    return ("m", question, image, "s", about, text, status, "")


SAID = [
    answer("i1", "p1", '"Nurse"'), answer("i2", "p1", "nursery"), answer("i3", "p1", "", status="failed"),
    answer("i4", "p1", "guard", status="refused"), answer("i5", "p1", "guar", status="cut"),
    answer("i1", "p2", "A. Yes", "nurse"), answer("i1", "p2", "n0, n0, o", "guard"), answer("i6", "p1", " \n"),
    answer("i1", "of another file", "nurse"),
]  # fmt: skip


def labels(questions, encoders, tmp_path):
    made = label_answers.run(rows(SAID, Answers), questions, encoders=encoders, weights=tmp_path)
    return {
        (row.encoder, row.question, row.image, row.about): (row.label, row.exact) for row in made.itertuples()
    }, made


def test_answers_are_exact_or_nearest_or_none(questions, encoder, tmp_path):
    found, made = labels(questions, [encoder], tmp_path)
    assert found == {
        ("letters", "p1", "i1", ""): ("nurse", True), ("letters", "p1", "i2", ""): ("nurse", False),
        ("letters", "p1", "i3", ""): ("", False), ("letters", "p1", "i4", ""): ("", False),
        ("letters", "p1", "i5", ""): ("guard", False), ("letters", "p2", "i1", "nurse"): ("yes", True),
        ("letters", "p2", "i1", "guard"): ("no", False), ("letters", "p1", "i6", ""): ("", False),
    }  # fmt: skip
    cosines = made.set_index(["question", "image", "about"])["cosine"]
    assert np.isnan(cosines["p1", "i1", ""]) and 0 < cosines["p1", "i2", ""] < 1
    assert made["status"].tolist() == [row[6] for row in SAID[:8]]


def test_without_an_encoder_only_exact_answers_have_labels(questions, tmp_path):
    found, _ = labels(questions, [], tmp_path)
    assert {key[1:]: label for key, (label, _) in found.items() if label} == {
        ("p1", "i1", ""): "nurse", ("p2", "i1", "nurse"): "yes",
    }  # fmt: skip
    assert {key[0] for key in found} == {""}


def test_each_encoder_has_its_rows_the_first_one_first(questions, encoder, tmp_path):
    second = {**encoder, "entry": {**encoder["entry"], "name": "again"}}
    _, made = labels(questions, [encoder, second], tmp_path)
    assert list(dict.fromkeys(made["encoder"])) == ["letters", "again"]
    assert len(made) == 16


def test_where_all_is_exact_no_encoder_is_loaded(questions, tmp_path):
    missing = {"entry": {"name": "none"}, "template": "{}", "words": 5}
    made = label_answers.run(rows(SAID[:1], Answers), questions, encoders=[missing], weights=tmp_path)
    assert made["label"].tolist() == ["nurse"]
