"""The audit of paid answers: a damaged or foreign vault, answers that differ, calls, versions, cost."""

import sqlite3
from pathlib import Path

import pandas as pd
import pytest

from accord.audit.evidence import lineage
from accord.audit.records import paid_answers
from accord.audit.targets.places import Places
from accord.audit.telling import reading
from accord.audit.telling.checks import FAIL, NOT_APPLICABLE, PASS, WARN
from accord.engine import table
from accord.errors import AccordError
from accord.evaluate.asking import answer_vault
from accord.evaluate.asking.answer_vault import Call, Limits
from accord.evaluate.tables.answers import Answers
from accord.evaluate.tables.services import Confidences
from accord.models.protocols import Answer, PaidAnswer

MODEL = {"name": "gpt", "adapter": "accord.evaluate.adapters.openai_compatible:Client", "weights": {},
         "options": {"model": "gpt-1", "cost_per_call": 0.5}}  # fmt: skip
RECORD = {"step": "evaluate.ask", "code": "c", "params": {"model": MODEL}, "inputs": {}}
TABLE, VAULT = Path("results/evaluate/00/gpt.parquet"), Path("vault/answers.sqlite")
SAID = {"i1": "A nurse.", "i2": "  ", "i3": "No."}


@pytest.fixture
def places(tmp_path, monkeypatch):
    """Three images of a delivery, of each of which a service was asked; one answer is blank, one call failed."""
    monkeypatch.chdir(tmp_path)
    lineage.forget()
    reading.forget()
    with answer_vault.opened(Path("vault"), MODEL) as store:
        store.reserve(4, 0.5, Limits())
        for image, text in SAID.items():
            store.keep(Call(image, "ab", "Who?"), PaidAnswer(Answer(text), "gpt-1-a"))
    used(SAID | {"i4": ""})
    delivered = Path("results/intake/00/images.parquet")
    delivered.parent.mkdir(parents=True)
    pd.DataFrame({"image": ["i1", "i2", "i3", "i4"]}).to_parquet(delivered)
    return Places()


def used(said: dict[str, str]) -> None:
    TABLE.parent.mkdir(parents=True, exist_ok=True)
    rows = [("gpt", "q", image, "s", "", text.strip(), *(("said", "") if text.strip() else ("empty", "x")))
            for image, text in said.items()]  # fmt: skip
    table.write(table.rows(rows, Answers), Answers, TABLE, RECORD)
    reading.forget()


def told(places, record=RECORD):
    return {(one.name, one.verdict, one.what) for one in paid_answers.checks(places, [record], [TABLE]).checks}


def changed(*statements: str) -> None:
    with sqlite3.connect(VAULT) as db:
        for statement in statements:
            db.execute(statement)
    db.close()


def test_a_sound_vault_that_has_all_answers_passes(places):
    assert told(places) == {
        ("vault", PASS, "sound; 3 answers"),
        ("answers", PASS, "the vault has all answers in the results"),
        ("versions", PASS, "each model answered as one version"),
        ("images", PASS, "all are about images of the deliveries"),
        ("spent", PASS, "within the limits of the configuration"),
    }
    found = paid_answers.checks(places, [RECORD], [TABLE])
    assert found.sections[0].rows == [("gpt", "gpt-1-a", 4, "2.00")]
    assert "A nurse" not in str(found)


def test_without_services_there_is_nothing_to_look_at(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    here = {**RECORD, "params": {"model": {**MODEL, "adapter": "config/talker.py:Talker"}}}
    other = {"step": "evaluate.masked", "params": {"model": MODEL}}
    odd = [{"step": "evaluate.ask", "params": {"model": odd}} for odd in ("{}", {"name": "x"}, {**MODEL, "options": 3})]
    found = paid_answers.checks(Places(), [here, other, *odd], [])
    assert [(one.name, one.verdict) for one in found.checks] == [("vault", NOT_APPLICABLE)]


def test_a_vault_that_is_gone_or_another_models_is_told(places):
    other = {**RECORD, "params": {"model": {**MODEL, "options": {"model": "gpt-2"}}}}
    assert ("vault", FAIL, "was asked, and the vault has none of its calls") in told(places, other)
    VAULT.unlink()
    assert told(places) == {("vault", FAIL, "was asked, and the vault has none of its calls")}


def cut() -> None:
    VAULT.write_bytes(VAULT.read_bytes()[:6000])


def garbled() -> None:
    data = bytearray(VAULT.read_bytes())
    data[4096:4300] = b"\xff" * 204
    VAULT.write_bytes(bytes(data))


def no_database() -> None:
    VAULT.write_bytes(b"answers\n" * 900)


def empty() -> None:
    VAULT.write_bytes(b"")


@pytest.mark.parametrize("harm", [cut, garbled, no_database])
def test_a_damaged_file_fails(places, harm):
    harm()
    [(name, verdict, what)] = told(places)
    assert (name, verdict) == ("vault", FAIL)
    assert "damaged" in what or "can't be used" in what


@pytest.mark.parametrize(
    "statement",
    ["CREATE TABLE more (x)", "CREATE TRIGGER t AFTER DELETE ON answers BEGIN SELECT 1; END", "DROP TABLE secret",
     "CREATE VIEW v AS SELECT * FROM answers", "ALTER TABLE answers ADD COLUMN x"],
)  # fmt: skip
def test_another_database_fails(places, statement):
    changed(statement)
    assert told(places) == {("vault", FAIL, "is another database, or was changed by another program")}


def test_an_empty_file_is_another_database(places):
    empty()
    assert told(places) == {("vault", FAIL, "is another database, or was changed by another program")}


def test_a_vault_of_before_versions_were_refused_is_sound(places):
    changed("DROP TABLE refused")
    assert ("vault", PASS, "sound; 3 answers") in told(places)


@pytest.mark.parametrize("who", ["vault", "results"])
def test_an_answer_that_was_changed_fails(places, who):
    if who == "vault":
        changed("UPDATE answers SET text = 'A doctor.' WHERE image = 'i1'")
    else:
        used(SAID | {"i1": "A doctor."})
    assert ("answers", FAIL, "has 1 answers that the vault doesn't have") in told(places)


def test_answers_that_nobody_asked_for_fail(places):
    changed("UPDATE models SET calls = 2")
    assert ("vault", FAIL, "has 3 answers of 2 calls") in told(places)


def test_a_version_that_changed_is_told(places):
    with answer_vault.opened(Path("vault"), MODEL) as store, pytest.raises(AccordError):
        store.keep(Call("i1", "ab", "Why?"), PaidAnswer(Answer("Yes."), "gpt-1-b"))
    assert ("versions", WARN, "answered as gpt-1-b after gpt-1-a; this was refused") in told(places)


def test_answers_of_before_an_erasure_that_were_copied_back_are_told(places):
    copy = VAULT.read_bytes()
    answer_vault.forget(Path("vault"), ["i1"])
    pd.DataFrame({"image": ["i2", "i3", "i4"]}).to_parquet("results/intake/00/images.parquet")
    used({"i2": "", "i3": "No."})
    assert all(verdict == PASS for _, verdict, _ in told(places))
    VAULT.write_bytes(copy)
    assert ("images", WARN, "has 1 answers about images that no delivery has") in told(places)


def test_what_was_spent_is_held_against_the_limits(places):
    limits = {"evaluate": {"external": {"max_calls": 3, "max_cost": 2.0}}}
    assert ("spent", WARN, "was called 4 times, over max_calls: 3") in told(places._replace(config=limits))
    limits = {"evaluate": {"external": {"max_calls": 4, "max_cost": 1.5}}}
    assert ("spent", WARN, "cost up to 2.00, over max_cost: 1.5") in told(places._replace(config=limits))


def test_scores_of_a_face_service_are_held_against_its_vault(places):
    service = {"name": "far", "adapter": "accord.evaluate.adapters.facepp:Client", "weights": {}, "options": {}}
    record = {"step": "evaluate.service_comparisons", "code": "c", "params": {"service": service}, "inputs": {}}
    with answer_vault.opened(Path("vault"), service) as store:
        store.reserve(1, 0.5, Limits())
        store.keep(Call("i1", "ab", "compare cd", "i2"), PaidAnswer(Answer("0.25"), "x"))
    path = Path("results/evaluate/far.confidences.parquet")
    for score, problem in ((0.25, "the vault has all answers in the results"),
                           (0.5, "has 1 answers that the vault doesn't have")):  # fmt: skip
        rows = [("far", "v", "i1", "i2", score, ""), ("far", "v", "i1", "i3", None, "no face in one of the pictures")]
        table.write(table.rows(rows, Confidences), Confidences, path, record)
        reading.forget()
        assert problem in {one.what for one in paid_answers.checks(places, [record], [path]).checks}
