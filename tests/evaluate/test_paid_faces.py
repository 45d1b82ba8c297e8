"""Paid face services: replayed, limited, stopped where they die or change, erased by either picture; the algorithm for
those that find no faces."""

import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.errors import AccordError
from accord.evaluate.asking import answer_vault, paid, paid_account
from accord.evaluate.asking.answer_vault import Limits
from accord.evaluate.services import by_vault, paid_faces, without_detection
from accord.evaluate.services.paid_faces import PaidFaces, Shown
from accord.models.protocols import Answer, PaidAnswer

MODEL = {"name": "amazon", "adapter": "rekognition:Client", "options": {"region": "eu-west-1"}}
FREE = Limits(setting="rapid")


def shown(name, grey):
    return Shown(name, f"{grey:064x}", lambda: np.full((4, 4, 3), grey, np.uint8))


A, B, C, D = (shown(name, grey) for grey, name in enumerate("abcd"))
PAIRS = [(A, B), (A, C), (B, C)]


class Service:
    """Answers with how far the greys are apart; `dies`: after so many calls; `moved`: added to each score."""

    external, cost_per_call = True, 0.5

    def __init__(self, *, version="", dies=10**9, moved=0.0):
        self.asked, self.version, self.dies, self.moved = 0, version, dies, moved
        self.lock = threading.Lock()

    def ask(self, picture, question):
        with self.lock:
            self.asked += 1
        if self.asked > self.dies:
            return PaidAnswer(Answer("", "failed", "status 503"), "")
        if len(picture) == 1:
            return PaidAnswer(Answer("[]"), self.version)
        left, right = (int(one[0, 0, 0]) for one in picture)
        return PaidAnswer(Answer(repr(0.9 - abs(left - right) / 10 + self.moved)), self.version)


def compare(vault, service, pairs=PAIRS, limits=FREE, model=MODEL, parallel=1):
    with answer_vault.opened(vault, model) as store:
        return [float(one.text or "nan") for one in PaidFaces(store, service, limits, parallel).compared(pairs)]


def test_a_pair_is_paid_once_and_replayed(tmp_path):
    service = Service()
    assert compare(tmp_path, service) == pytest.approx([0.8, 0.7, 0.8]) and service.asked == 3
    assert compare(tmp_path, service, parallel=3) == pytest.approx([0.8, 0.7, 0.8]) and service.asked == 3
    renamed = {**MODEL, "options": {**MODEL["options"], "secret": "OTHER", "token": "NEW"}}
    assert compare(tmp_path, service, model=renamed) == pytest.approx([0.8, 0.7, 0.8]) and service.asked == 3
    later = {**MODEL, "options": {**MODEL["options"], "version": "2027"}}
    compare(tmp_path, service, model=later)
    assert service.asked == 6
    with answer_vault.opened(tmp_path, MODEL) as store:
        assert [one.text for one in PaidFaces(store, service, FREE).detected([A, B])] == ["[]", "[]"]


def test_an_earlier_version_says_what_it_said_and_is_asked_nothing(tmp_path):
    """Neither a service that is asked now, nor its budget, has a part in it."""
    service = Service()
    compare(tmp_path, service, PAIRS[:2])
    gone = Service(moved=0.4)
    calls = paid_faces.calls_of([A], PAIRS)
    with by_vault.asking(gone, {**MODEL, "replayed": True}, tmp_path, {"max_calls": 0}, calls) as told:
        said, [found] = told.compared(PAIRS), told.detected([A])
    assert [one.text for one in said] == ["0.8", "0.7", ""] and gone.asked == 0
    assert {said[2].reason, found.reason} == {"an earlier version gave no answer that is kept"}
    assert said[2].status == found.status == "failed"


def test_what_it_may_cost_is_told_before_and_enforced(tmp_path):
    service, told = Service(), []
    limits = Limits(max_calls=4, max_cost=1.0, setting="rapid")
    with answer_vault.opened(tmp_path, MODEL) as store:
        calls = paid_faces.calls_of([A, B, C], PAIRS)
        with pytest.raises(AccordError) as error:
            paid.announce(store, calls, service, limits, told.append)
    assert told == [
        "6 questions: 0 are answered already, 6 are asked now, for 3.00 (more if calls fail); 0 calls were made before"
    ]
    assert [problem.what for problem in error.value.problems] == [
        "needs 6 calls, and 4 of rapid.max_calls are left",
        "may cost 3.00, and 1.00 of rapid.max_cost are left",
    ]
    assert service.asked == 0
    with pytest.raises(AccordError, match=r"rapid\.max_calls"):
        compare(tmp_path, service, limits=Limits(max_calls=2, setting="rapid"))
    assert service.asked == 2


def test_a_version_that_changes_in_the_middle_stops_with_one_sentence(tmp_path):
    compare(tmp_path, Service(version="1"), PAIRS[:1])
    with pytest.raises(AccordError) as error:
        compare(tmp_path, Service(version="2"))
    assert [p.what for p in error.value.problems] == ["the server answers as 2, and answered as 1 before"]


def test_a_change_that_nobody_told_is_seen_by_asking_again(tmp_path):
    compare(tmp_path, Service(), PAIRS[:1])
    service = Service(moved=0.05)
    with pytest.raises(AccordError) as error:
        compare(tmp_path, service)
    assert [p.what for p in error.value.problems] == [
        "gives a pair another score than before: its version changed in the middle"
    ]
    assert service.asked == 1
    assert compare(tmp_path, Service(moved=0.001))[1:] == pytest.approx([0.701, 0.801])
    with answer_vault.opened(tmp_path, MODEL) as store:
        assert store.calls == 5


def test_a_service_that_dies_stops_with_one_sentence_and_what_was_paid_stays(tmp_path):
    pairs = [(shown(f"l{n}", n), shown(f"r{n}", 1)) for n in range(3 * paid_faces.DEAD)]
    service = Service(dies=5)
    with pytest.raises(AccordError) as error:
        compare(tmp_path, service, pairs)
    assert [p.what for p in error.value.problems] == ["gave no answer to 10 calls in a row (status 503)"]
    assert service.asked == 5 + paid_faces.DEAD
    again = Service()
    compare(tmp_path, again, pairs)
    assert again.asked == len(pairs) - 5 + paid_faces.CHECKED


def test_a_change_that_shows_between_the_ceilings_alone_is_seen(tmp_path):
    """Scores of 0.9 and of 0 stay as they were; those between move."""
    pairs = [(shown(f"l{n}", n), shown("r", 0)) for n in range(10)]
    compare(tmp_path, Service(), pairs[:-1])

    class Bent(Service):
        def ask(self, picture, question):
            found = super().ask(picture, question)
            score = float(found.answer.text)
            return found._replace(answer=found.answer._replace(text=repr(score - 0.02 * (0.15 < score < 0.85))))

    bent = Bent()
    with pytest.raises(AccordError, match="its version changed in the middle"):
        compare(tmp_path, bent, pairs)
    assert bent.asked <= paid_faces.CHECKED


def test_a_check_that_fails_once_is_made_with_another_pair_and_no_answer_at_all_stops(tmp_path):
    pairs = [(shown(f"l{n}", n), shown("r", 0)) for n in range(10)]
    compare(tmp_path, Service(), pairs[:-1])

    class Failing(Service):
        def ask(self, picture, question):
            found = super().ask(picture, question)
            return PaidAnswer(Answer("", "failed", "status 503"), "") if self.asked <= self.fails else found

    once = Failing(moved=0.3)
    once.fails = 1
    with pytest.raises(AccordError, match="its version changed in the middle"):
        compare(tmp_path, once, pairs)
    never = Failing()
    never.fails = 100
    with pytest.raises(AccordError, match="can't be told"):
        compare(tmp_path, never, pairs)
    assert never.asked == paid_faces.CHECKED


def test_who_withdraws_takes_the_answers_of_both_sides_of_a_pair(tmp_path):
    compare(tmp_path, Service(), [*PAIRS, (D, A)])
    with answer_vault.opened(tmp_path, MODEL) as store:
        PaidFaces(store, Service(), FREE).detected([C])
    assert answer_vault.forget(tmp_path, ["c"]) == 3
    account = paid_account.read(tmp_path)
    assert sorted(image for image, *_ in account.answers) == ["a", "d"]
    assert answer_vault.forget(tmp_path, ["a", "x"]) == 2 and paid_account.read(tmp_path).answers == []
    service = Service()
    compare(tmp_path, service)
    assert service.asked == 3


def test_pairs_come_in_an_order_of_the_seed_alone():
    first = without_detection.pairs_of(["c", "a", "b", "d"], 1)
    assert sorted(first) == [("a", "b"), ("a", "c"), ("a", "d"), ("b", "c"), ("b", "d"), ("c", "d")]
    assert first == without_detection.pairs_of(["d", "b", "a", "c", "a"], 1)
    assert len({tuple(without_detection.pairs_of("abcd", seed)) for seed in range(9)}) > 1


def service_without_detection(single):
    return lambda left, right: 0.5 if {left, right} <= single else None


def test_the_algorithm_by_hand():
    """x shows two faces. The first pair with it settles nothing, since nothing is known of `a` yet."""
    compare = service_without_detection({"a", "b"})
    found = without_detection.settled([("a", "x"), ("a", "b"), ("x", "y"), ("b", "x"), ("x", "z")], compare)
    assert found.scores == {("a", "b"): 0.5}
    assert found.valid == {"a", "b"} and found.invalid == {"x"} and found.unsettled == {"y", "z"}


@given(st.sets(st.sampled_from("abcdefg")), st.integers(0, 1000))
def test_no_picture_of_one_face_is_called_invalid(single, seed):
    pairs = without_detection.pairs_of("abcdefg", seed)
    found = without_detection.settled(pairs, service_without_detection(single))
    assert found.valid <= single and not found.invalid & single
    assert not found.valid & found.invalid and found.valid | found.invalid | found.unsettled == set("abcdefg")
    assert found.unsettled == set("abcdefg") if len(single) < 2 else single == found.valid
    assert all({left, right} <= found.valid for left, right in found.scores)


def test_a_service_that_contradicts_itself_takes_no_validity_back():
    answers = iter([0.5, None, None])
    found = without_detection.settled([("a", "b"), ("a", "b"), ("b", "a")], lambda *_: next(answers))
    assert found.valid == {"a", "b"} and not found.invalid


def test_a_call_without_an_answer_says_nothing_of_its_pictures():
    answers = iter([0.5, float("nan"), float("nan"), 0.7])
    found = without_detection.settled([("a", "b"), ("a", "c"), ("c", "d"), ("b", "c")], lambda *_: next(answers))
    assert found.scores == {("a", "b"): 0.5, ("b", "c"): 0.7} and not found.invalid and found.unsettled == {"d"}


@given(st.sets(st.sampled_from("abcdefgh")), st.integers(0, 1000))
def test_queries_that_are_asked_together_are_settled_as_alone(single, seed):
    queries = {
        name: without_detection.pairs_of(some, seed) for name, some in {"q": "abcd", "r": "efgh", "s": "a"}.items()
    }
    compare, rounds = service_without_detection(single), []

    def together(some):
        rounds.append(some)
        return [compare(*pair) for pair in some]

    found = without_detection.settled_together(queries, together)
    assert found == {name: without_detection.settled(some, compare) for name, some in queries.items()}
    assert all(len({pair[0] in "abcd" for pair in some}) == len(some) for some in rounds)
    assert without_detection.settled_together({}, together) == {}


def test_a_pair_that_was_known_is_asked_again_once_though_others_come_later(tmp_path):
    compare(tmp_path, Service(), PAIRS[:1])
    service = Service()
    with answer_vault.opened(tmp_path, MODEL) as store:
        asked = PaidFaces(store, service, FREE)
        for pair in (*PAIRS, (D, A)):
            asked.compared([pair])
    assert service.asked == 4
