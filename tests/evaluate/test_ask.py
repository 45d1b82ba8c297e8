"""The step that asks in words, with a stub model: which images are asked what, and what becomes of answers."""

import json
import re
from pathlib import Path

import fake_chat
import numpy as np
import pytest
import yaml
from fake_chat import said, serving

from accord import cli
from accord.engine import table
from accord.errors import AccordError
from accord.evaluate import ask
from accord.evaluate.asking import answer_vault, open_questions
from accord.imaging.decode import encode_png
from accord.release.making.terms import REASONS
from accord.release.tables import Attributes, Terms

ROOT = Path(__file__).parents[2]
SHIPPED = ROOT / "config/questions.yaml"
STUB = """
from accord.models.protocols import Answer

class Stub:
    def __init__(self, weights, mode=""):
        self.mode = mode

    def answer(self, pictures, questions):
        if self.mode == "short":
            return []
        return [[self.one(picture, text) for text in texts] for picture, texts in zip(pictures, questions)]

    def one(self, picture, text):
        told = {
            "": Answer(f"{text} {picture[0, 0, 0]}"), "blank": Answer(" \\n"), "surrogate": Answer("a\\ud800"),
            "failed": Answer("", "failed", "timed out"), "mixed": Answer("Error 500", "failed", "timed out"),
            "silent": Answer("", "failed"), "unknown": Answer("yes", "perhaps"),
            "cut": Answer("so", "cut", "30 tokens"),
        }
        return told[self.mode]

class Fewer(Stub):
    def answer(self, pictures, questions):
        return [found[1:] for found in super().answer(pictures, questions)]

class Server(Stub):
    external = True

class Names(Stub):
    only = ("p1",)
    lacks = {"guard": "no label for guard"}
"""
CLASSES = {"classes": ["nurse", "guard"], "reported": ["nurse"], "seed": 1,
           "prompts": {"p1": "[FACET Classes]", "p2": "[FACET class]?"}}  # fmt: skip


def grey(level: int) -> np.ndarray:
    return np.full((20, 30, 3), level, np.uint8)


@pytest.fixture
def asked(shard, tmp_path):
    """A function: Answers as records by (image, question, about), and who was asked. Image a shows x, b shows y and z,
    c nobody, d shows x."""
    for image, level in (("b", 9), ("a", 5), ("c", 7), ("d", 8)):
        shard.picture(image, grey(level))
    for image, subject in (("a", "x"), ("b", "y"), ("b", "z"), ("d", "x")):
        shard.person(image, subject)
    of_classes = [
        ("a", "x", "class1", "nurse", ""),
        ("d", "x", "class1", "pilot", ""),
        ("b", "y", "class1", "guard", ""),
    ]
    given = {"attributes": table.rows(of_classes, Attributes), "class_questions": []}
    given["terms"] = table.rows([("a", False, False), ("b", False, True), ("d", False, True)], Terms)
    given |= shard.inputs()
    (tmp_path / "stub.py").write_text(STUB)
    (tmp_path / "open.yaml").write_text(yaml.safe_dump({"questions": [question("q1"), question("q2")]}))
    (tmp_path / "classes.yaml").write_text(yaml.safe_dump(CLASSES))

    def run(mode: str = "", stub: str = "Stub", service: dict | None = None, **changed):
        entry = {"name": "m", "task": "visual_question", "adapter": f"{tmp_path}/stub.py:{stub}", "weights": {},
                 "batch": 2, "options": {"mode": mode}, **(service or {})}  # fmt: skip
        told = {**given, "questions": [tmp_path / "open.yaml"], **changed}
        made, who = ask.run(**told, model=entry, weights=tmp_path)
        found = {(row.image, row.question, row.about): row for row in made.itertuples(index=False)}
        return found, [tuple(row) for row in who[["image", "subject"]].itertuples(index=False)]

    return run


def question(name: str, **changed) -> dict:
    return {"id": name, "tone": "neutral", "text": f"{name}?", "answers": "reason", **changed}


def test_every_image_of_one_person_is_asked_every_question(asked):
    found, who = asked()
    assert {key: row.text for key, row in found.items() if row.status == "said"} == {
        ("a", "q1", ""): "q1? 5", ("a", "q2", ""): "q2? 5", ("d", "q1", ""): "q1? 8", ("d", "q2", ""): "q2? 8",
    }  # fmt: skip
    assert [found["a", "q1", ""].subject, found["d", "q1", ""].subject] == ["x", "x"]
    assert who == [("a", "x"), ("d", "x")]


def test_images_of_nobody_or_of_several_have_rows_with_the_reason(asked):
    found, _ = asked()
    several, nobody = found["b", "q1", ""], found["c", "q2", ""]
    assert (several.status, several.text, several.subject) == ("failed", "", "")
    assert several.reason == "the image shows 2 people: questions are about one person"
    assert (nobody.status, nobody.subject) == ("failed", "") and "nobody is annotated" in nobody.reason
    assert len(found) == 4 * 2


def test_images_of_a_known_class_are_asked_for_it_too(asked, tmp_path):
    found, _ = asked(class_questions=[tmp_path / "classes.yaml"])
    told = {key: row.text for key, row in found.items() if key[1].startswith("p")}
    assert told == {
        ("a", "p1", ""): "[nurse, guard] 5", ("a", "p2", "nurse"): "nurse? 5", ("a", "p2", "guard"): "guard? 5",
    }  # fmt: skip
    alone, _ = asked(class_questions=[tmp_path / "classes.yaml"], questions=[])
    assert set(alone) == set(told)


def test_a_model_that_knows_but_some_classes_is_asked_about_these_alone(asked, tmp_path):
    classes = {**CLASSES, "classes": ["nurse", "guard", "pilot"]}
    (tmp_path / "classes.yaml").write_text(yaml.safe_dump(classes))
    found, who = asked(stub="Names", class_questions=[tmp_path / "classes.yaml"])
    assert {key: (row.status, row.reason) for key, row in found.items()} == {
        ("a", "p1", ""): ("said", ""), ("d", "p1", ""): ("said", ""),
    }  # fmt: skip
    classes["classes"] = ["guard", "nurse"]
    (tmp_path / "stub.py").write_text(
        STUB.replace('"guard": "no', '"nurse": "no').replace("no label for guard", "none")
    )
    (tmp_path / "classes.yaml").write_text(yaml.safe_dump(classes))
    found, who = asked(stub="Names", class_questions=[tmp_path / "classes.yaml"])
    assert {key: (row.status, row.reason) for key, row in found.items()} == {("a", "p1", ""): ("failed", "none")}
    assert who == []


def test_a_server_of_somebody_else_gets_only_pictures_whose_terms_allow_it(asked):
    found, who = asked(stub="Server")
    assert who == [("d", "x")]
    assert found["d", "q1", ""].text == "q1? 8"
    refused = found["a", "q1", ""]
    assert (refused.status, refused.text, refused.reason) == ("failed", "", REASONS["external"])
    assert refused.subject == "x"
    assert "2 people" in found["b", "q1", ""].reason


def test_answers_of_a_service_are_told_ahead_paid_once_and_erased(asked, tmp_path, capsys):
    with serving(lambda document, number: said(f"{fake_chat.question(document)} {number}")) as (address, sent):
        service = {"adapter": "openai_compatible:Client", "options": {"address": address, "model": "t"}}
        limits = {"max_calls": 4, "max_cost": None, "parallel": 1}
        first, _ = asked(service=service, vault=tmp_path / "vault", external=limits)
        again, _ = asked(service=service, vault=tmp_path / "vault", external=limits)
        assert {key: row.text for key, row in first.items() if row.status == "said"} == {
            ("a", "q1", ""): "q1? 0", ("a", "q2", ""): "q2? 1", ("d", "q1", ""): "q1? 2", ("d", "q2", ""): "q2? 3",
        }  # fmt: skip
        assert again == first and len(sent) == 4
        told = capsys.readouterr().err.splitlines()
        assert told[0] == (
            "m: 4 questions: 0 are answered already, 4 are asked now, for 0.00 (more if calls fail); "
            "0 calls were made before"
        )
        assert answer_vault.forget(tmp_path / "vault", ["d"]) == 2
        with pytest.raises(AccordError) as error:
            asked(service=service, vault=tmp_path / "vault", external=limits)
    assert error.value.problems[0].what == "needs 2 calls, and 0 of evaluate.external.max_calls are left"
    assert len(sent) == 4


@pytest.mark.parametrize(
    ("mode", "expected"),
    [("blank", ("", "empty", "the model said nothing")), ("failed", ("", "failed", "timed out")),
     ("cut", ("so", "cut", "30 tokens")), ("surrogate", ("a?", "said", ""))],
)  # fmt: skip
def test_what_is_no_full_answer_keeps_its_row(asked, mode, expected):
    found, who = asked(mode)
    row = found["a", "q1", ""]
    assert (row.text, row.status, row.reason) == expected
    assert ("a", "x") in who


@pytest.mark.parametrize(
    ("mode", "stub", "message"),
    [("mixed", "Stub", "gave a failed call a text, or no reason"), ("silent", "Stub", "gave a failed call a text"),
     ("unknown", "Stub", "an answer of status 'perhaps'"), ("short", "Stub", "0 answers for 2 pictures"),
     ("", "Fewer", "1 answers to 2 questions")],
)  # fmt: skip
def test_answers_that_can_not_be_right_stop_the_job(asked, mode, stub, message):
    with pytest.raises(AccordError, match=message):
        asked(mode, stub)


def test_the_shipped_questions_are_two_of_each_tone():
    tones = [one.tone for one in open_questions.read(SHIPPED)]
    assert tones == ["positive", "positive", "neutral", "neutral", "negative", "negative"]


def test_all_mistakes_in_a_file_of_questions_are_told_at_once(tmp_path):
    path = tmp_path / "own.yaml"
    wrong = [question("Bad id"), question("p1"), question("q", tone="posh"), question("r", text=" ", more=1)]
    path.write_text(yaml.safe_dump({"questions": wrong}))
    with pytest.raises(AccordError) as raised:
        open_questions.read(path)
    places = "\n".join(str(problem) for problem in raised.value.problems)
    for place in ("questions.0.id", "questions.1.id", "questions.2.tone", "questions.3.text", "questions.3.more"):
        assert place in places
    path.write_text(yaml.safe_dump({"questions": [question("q"), question("q"), question("r", text="q?")]}))
    with pytest.raises(AccordError, match="id: q") as raised:
        open_questions.read(path)
    assert "text: q?" in str(raised.value)


def test_the_documentations_own_model_answers_when_it_is_tried(tmp_path, monkeypatch, capsys):
    text = (ROOT / "docs/foundation-asking.md").read_text()
    [code] = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    entry = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)[-1]
    monkeypatch.chdir(tmp_path)
    for name, content in (("config/talker.py", code), ("config/models.yaml", entry)):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(content)
    for name, level in (("dark.png", 20), ("bright.png", 200)):
        Path(name).write_bytes(encode_png(grey(level)))
    assert cli.main(["try", "talker", "dark.png", "bright.png"]) == 0
    dark, bright = map(json.loads, capsys.readouterr().out.splitlines())
    asked = len(open_questions.read(SHIPPED))
    assert dark == {"picture": "dark.png", "answers": [{"text": "dark", "status": "said", "reason": ""}] * asked}
    assert [one["text"] for one in bright["answers"]] == ["bright"] * asked
