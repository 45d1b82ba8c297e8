"""Paid answers: kept one by one, replayed, limited, and erased."""

import random
import secrets
import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from fake_chat import serving

from accord.erase.executing.effects import Effects
from accord.errors import AccordError
from accord.evaluate.asking import answer_vault, paid
from accord.evaluate.asking.answer_vault import Call, Limits
from accord.models.http_service import Service
from accord.models.protocols import Answer, PaidAnswer

MODEL = {"name": "talker", "adapter": "openai_compatible:Client", "options": {"model": "talker", "side": 64}}
PICTURE = np.zeros((4, 4, 3), np.uint8)
FREE = Limits()
REFUSED = AccordError("the server refuses the key")


class Talker:
    """Answers with how often it was asked; `fails`: questions of which it makes an error."""

    def __init__(self, *, version="talker-1", cost_per_call=0.5, fails=(), error=REFUSED):
        self.asked, self.version, self.cost_per_call, self.fails = [], version, cost_per_call, fails
        self.error = error
        self.lock = threading.Lock()

    def ask(self, picture, question):
        with self.lock:
            self.asked.append(question)
        if question in self.fails:
            raise self.error
        if question == "busy?":
            return PaidAnswer(Answer("", "failed", "status 500"), "")
        return PaidAnswer(Answer(f"{question} {len(self.asked)}"), self.version)


def calls(*questions, image="i1", sha256="ab" * 32):
    return [Call(image, sha256, question) for question in questions]


def ask(vault, talker, some, limits=FREE, model=MODEL, parallel=1):
    with answer_vault.opened(vault, model) as store:
        return paid.answered(store, talker, some, [PICTURE] * len(some), limits, parallel)


def test_an_answer_is_paid_once_and_replayed(tmp_path):
    talker, some = Talker(), calls("a?", "b?")
    first = ask(tmp_path, talker, some)
    assert first == [Answer("a? 1"), Answer("b? 2")]
    assert ask(tmp_path, talker, [*some, *calls("c?")]) == [*first, Answer("c? 3")]
    assert talker.asked == ["a?", "b?", "c?"]
    changed = {**MODEL, "options": {**MODEL["options"], "side": 32}}
    priced = {**MODEL, "options": {**MODEL["options"], "cost_per_call": 9.0, "timeout": 1.0, "key": "OTHER"}}
    assert ask(tmp_path, talker, some, model=priced) == first
    assert ask(tmp_path, talker, calls("a?"), model=changed) == [Answer("a? 4")]
    assert ask(tmp_path, talker, calls("a?", sha256="cd" * 32)) == [Answer("a? 5")]


def test_the_same_question_is_asked_once_and_a_failed_call_again(tmp_path):
    talker = Talker()
    assert len(set(ask(tmp_path, talker, calls("a?", "a?")))) == 1
    assert ask(tmp_path, talker, calls("busy?"))[0].status == "failed"
    assert ask(tmp_path, talker, calls("busy?"))[0].status == "failed"
    assert talker.asked == ["a?", "busy?", "busy?"]


def test_limits_are_told_before_anything_is_sent(tmp_path):
    talker, told = Talker(), []
    ask(tmp_path, talker, calls("a?"))
    with answer_vault.opened(tmp_path, MODEL) as store:
        paid.announce(store, calls("a?", "b?", "c?"), talker, Limits(3, 1.5), told.append)
        with pytest.raises(AccordError) as error:
            paid.announce(store, calls("a?", "b?", "c?"), talker, Limits(2, 1.0), told.append)
    assert told[0] == (
        "3 questions: 1 are answered already, 2 are asked now, for 1.00 (more if calls fail); 1 calls were made before"
    )
    assert [problem.what for problem in error.value.problems] == [
        "needs 2 calls, and 1 of evaluate.external.max_calls are left",
        "may cost 1.00, and 0.50 of evaluate.external.max_cost are left",
    ]
    assert talker.asked == ["a?"]


def test_a_limit_reached_on_the_way_keeps_what_was_paid(tmp_path):
    talker = Talker()
    with pytest.raises(AccordError):
        ask(tmp_path, talker, calls("a?", "b?", "busy?", "c?"), Limits(max_calls=3))
    assert talker.asked == ["a?", "b?", "busy?"]
    assert ask(tmp_path, talker, calls("a?", "b?"), Limits(max_calls=3)) == [Answer("a? 1"), Answer("b? 2")]


def test_another_version_of_the_model_stops_the_run(tmp_path):
    ask(tmp_path, Talker(), calls("a?"))
    with pytest.raises(AccordError) as error:
        ask(tmp_path, Talker(version="talker-2"), calls("b?"))
    assert error.value.problems[0].what == "the server answers as talker-2, and answered as talker-1 before"
    assert ask(tmp_path, Talker(), calls("a?")) == [Answer("a? 1")]


def test_half_a_pair_of_code_units_is_replaced_and_not_paid_again(tmp_path):
    class Odd(Talker):
        def ask(self, picture, question):
            self.asked.append(question)
            return PaidAnswer(Answer("a\ud83d"), "")

    talker = Odd()
    ask(tmp_path, talker, calls("a?"))
    assert ask(tmp_path, talker, calls("a?")) == [Answer("a?")] and talker.asked == ["a?"]


@pytest.mark.parametrize("error", [REFUSED, ValueError("whatever")])
def test_of_calls_side_by_side_an_error_loses_none(tmp_path, error):
    talker = Talker(fails=("a?",), error=error)
    with pytest.raises(type(error)):
        ask(tmp_path, talker, calls("a?", "b?", "c?"), parallel=3)
    kept = Talker()
    ask(tmp_path, kept, calls("b?", "c?"))
    assert kept.asked == []


def test_answers_about_an_image_are_erased_from_the_file(tmp_path):
    ask(tmp_path, Talker(), [*calls("a?"), *calls("a?", image="i2")])
    file = tmp_path / answer_vault.NAME
    assert file.stat().st_mode & 0o777 == 0o600 and b"i1" in file.read_bytes()
    assert answer_vault.forget(tmp_path, ["i1", "i9"]) == 1
    assert answer_vault.forget(tmp_path, ["i1"]) == 0 and b"a? 1" not in file.read_bytes()
    talker = Talker()
    assert ask(tmp_path, talker, calls("a?", image="i2")) == [Answer("a? 2")] and talker.asked == []
    assert answer_vault.forget(tmp_path / "none", ["i1"]) == 0


def test_no_copy_of_an_erased_answer_stays_where_rows_moved_between_pages(tmp_path, monkeypatch):
    """Of answers of all lengths, most of them erased: SQLite's secure_delete alone leaves some."""
    rng = random.Random(2)
    monkeypatch.setattr(secrets, "token_bytes", rng.randbytes)  # keys decide which rows lie side by side
    with answer_vault.opened(tmp_path, MODEL) as store:
        store._db.execute("PRAGMA synchronous = OFF")
        store.reserve(1, 0.0, FREE)
        store._db.execute("BEGIN")
        for number in range(1500):
            image = f"image{rng.randrange(20):02}"
            text = f"<{image}>" + "x" * rng.choice((3, 40, 300, 2000, 9000)) + f"</{image}>"
            store.keep(Call(image, "ab", f"{number % 1200}"), PaidAnswer(Answer(text), "v"))
        store._db.execute("COMMIT")
    gone = [f"image{number:02}" for number in range(20) if number not in (3, 8, 11)]
    answer_vault.forget(tmp_path, gone)
    left = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert [name for name in gone if name.encode() in left] == []
    assert b"<image03>" in left


def test_an_erasure_that_was_stopped_before_the_file_was_written_anew_is_done_again(tmp_path):
    ask(tmp_path, Talker(), calls("a?"))
    with sqlite3.connect(tmp_path / answer_vault.NAME) as db:
        db.execute("PRAGMA secure_delete = OFF")
        db.execute("DELETE FROM answers")
    db.close()
    file = tmp_path / answer_vault.NAME
    assert b"a? 1" in file.read_bytes()
    assert answer_vault.forget(tmp_path, ["i1"]) == 0
    assert b"a? 1" not in file.read_bytes()


def test_an_erasure_forgets_them(tmp_path):
    ask(tmp_path, Talker(), [*calls("a?"), *calls("a?", image="i2")])
    assert Effects().forget(tmp_path, frozenset({"i1"}), frozenset({"s1"})) == 1
    assert b"a? 1" not in (tmp_path / answer_vault.NAME).read_bytes()


KILLED = """
import os, signal, sys
sys.path.insert(0, {tests!r})
from pathlib import Path
from test_answer_vault import Talker, ask, calls
class Killed(Talker):
    def ask(self, picture, question):
        if question == "c?":
            os.kill(os.getpid(), signal.SIGKILL)
        return super().ask(picture, question)
ask(Path({vault!r}), Killed(), calls("a?", "b?", "c?"))
"""


def test_a_kill_pays_nothing_twice(tmp_path):
    code = KILLED.format(tests=str(Path(__file__).parent), vault=str(tmp_path))
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -signal.SIGKILL
    talker = Talker()
    assert ask(tmp_path, talker, calls("a?", "b?", "c?"))[:2] == [Answer("a? 1"), Answer("b? 2")]
    assert talker.asked == ["c?"]


class Failing(Talker):
    """A server that fails, and is asked again as a service is: six times, as often as is allowed."""

    def __init__(self, address):
        super().__init__(cost_per_call=1.0)
        self.service = Service(address, {}, timeout=1, attempts=6, where="failing", sleep=lambda _: None)

    def ask(self, picture, question):
        return PaidAnswer(Answer("", "failed", f"status {self.service.post({'messages': question}).status}"), "")


def test_calls_that_fail_and_are_made_again_count_and_stay_within_the_limits(tmp_path):
    some = calls("a?", "b?", "c?", "d?")
    with serving(lambda *_: (500, {}, b"")) as (address, asked):
        found = ask(tmp_path, Failing(address), some, limits=Limits(9, None), parallel=4)
        assert len(asked) == 9 and {one.status for one in found} == {"failed"}
        with pytest.raises(AccordError, match="and 0 of"):
            ask(tmp_path, Failing(address), some, limits=Limits(9, None))
    assert len(asked) == 9


def test_what_is_known_is_replayed_whatever_the_limits_are_by_now(tmp_path):
    some = calls("a?", "b?")
    first = ask(tmp_path, Talker(), some)
    with answer_vault.opened(tmp_path, MODEL) as vault:
        paid.announce(vault, some, Talker(cost_per_call=9.0), Limits(1, 1.0), lambda _: None)
    assert ask(tmp_path, Talker(cost_per_call=9.0), some, limits=Limits(1, 1.0)) == first
