"""Whatever people do in whatever order: what is decided follows from what was said, and nobody sees another's vote."""

from itertools import pairwise

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from review_cases import PASSWORD, PEOPLE, in_memory, some

from accord.errors import AccordError
from accord.queues import DECISIONS
from accord.review.asking.agreement import NO_PAIRS, ONE_VALUE, of
from accord.review.database import accounts, chain, work
from accord.review.drawn.outlines import Region

NAMES, ITEMS = tuple(PEOPLE), ("i00", "i01", "i02")
NEAR, FAR = (10.0, 10.0, 100.0, 10.0, 100.0, 110.0, 10.0, 110.0), (0.0, 0.0, 9.0, 0.0, 9.0, 9.0)
ACTS = st.one_of(
    st.tuples(st.just("assign"), st.lists(st.sampled_from(NAMES), min_size=1, unique=True), st.integers(1, 3)),
    st.tuples(st.just("vote"), st.sampled_from(NAMES), st.sampled_from(ITEMS), st.sampled_from(DECISIONS),
              st.sampled_from([(), (), (NEAR,), (FAR,)])),
    st.tuples(st.just("vote"), st.sampled_from(NAMES), st.sampled_from(ITEMS), st.just("uphold"), st.just(())),
    st.tuples(st.just("adjudicate"), st.sampled_from(NAMES), st.sampled_from(ITEMS), st.sampled_from(DECISIONS)),
    st.tuples(st.just("items"), st.sets(st.sampled_from(range(3))), st.booleans()),
    st.tuples(st.just("leave"), st.sampled_from(NAMES)),
)  # fmt: skip


def do(db, act):
    kind, *rest = act
    if kind == "assign":
        work.assign(db, "logos", *rest)
    elif kind == "vote":
        name, item, decision, drawn = rest
        work.vote(db, name, item, decision, [Region("logo", one) for one in drawn] if decision == "uphold" else [])
    elif kind == "adjudicate":
        work.adjudicate(db, *rest)
    elif kind == "leave":
        accounts.deactivate(db, *rest)
    else:
        kept, moved = rest
        table = some(3, polygon=list(FAR if moved else NEAR))
        work.add_items(db, table[table["item"].isin([f"i{n:02}" for n in kept])], queues=["logos"])


@settings(max_examples=12, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(acts=st.lists(ACTS, max_size=18))
def test_any_sequence_keeps_the_invariants(acts):
    with in_memory() as db:
        for name, role in PEOPLE.items():
            accounts.add(db, name, role, PASSWORD)
        work.add_items(db, some(3, polygon=list(NEAR)))
        records = [_records(db)]
        settled = {}
        for act in [("assign", ["ada", "bob"], 2), *acts]:
            try:
                do(db, act)
            except AccordError:
                assert _records(db) == records[-1]  # what is refused leaves nothing
            records.append(_records(db))
            now = {row.item: row.decision for row in work.decided(db).itertuples()}
            _follows(db, now)
            if act[0] != "adjudicate":
                assert now.items() >= settled.items()  # what is settled stays, but for an adjudicator
            settled = now
        assert all(new[: len(old)] == old for old, new in pairwise(records))  # nothing is overwritten
        assert chain.verify(db) == []


def test_votes_on_a_question_that_is_asked_again_count_again():
    with in_memory() as db:
        for name in ("ada", "bob"):
            accounts.add(db, name, "reviewer", PASSWORD)
        work.add_items(db, some(1, polygon=list(NEAR)))
        work.assign(db, "logos", ["ada", "bob"], 2)
        work.vote(db, "ada", "i00", "dismiss")
        for asked, waiting in ((FAR, {"logos": 1}), (NEAR, {})):
            work.add_items(db, some(1, polygon=list(asked)))
            assert chain.verify(db) == [] and work.waiting(db, "ada") == waiting
        work.vote(db, "bob", "i00", "dismiss")
        assert list(work.decided(db)["decision"]) == ["dismiss"]


def _records(db):
    return db.execute("SELECT * FROM vote ORDER BY seq").fetchall()


def _follows(db, now):
    """What is settled was adjudicated, or all who were asked, as many as were asked for, said the same."""
    who = {one.id: one.name for one in accounts.reviewers(db)}
    for item, votes, state, asked in db.execute("SELECT item, votes, state, asked FROM item").fetchall():
        asked_of = "SELECT reviewer, act, decision FROM vote WHERE item = ? AND asked = ? ORDER BY seq"
        said = db.execute(asked_of, (item, asked)).fetchall()
        people = {reviewer for (reviewer,) in db.execute("SELECT reviewer FROM assignment WHERE item = ?", (item,))}
        last = {reviewer: decision for reviewer, act, decision in said if act == "vote" and reviewer in people}
        ruled = [decision for _, act, decision in said if act == "adjudication"]
        complete = len(last) >= max(votes, len(people), 1)
        decided = now.get(item)
        assert (state == "settled") == (decided is not None)
        if decided and ruled:
            assert decided == ruled[-1]
        elif decided:
            assert complete and set(last.values()) == {decided}
        else:
            assert not ruled
            assert (state == "disputed") <= complete
            assert not complete or len(set(last.values())) > 1 or set(last.values()) == {"uphold"}
        voters = {who[reviewer] for reviewer, act, _ in said if act == "vote"}
        assert not voters & {who[reviewer] for reviewer, act, _ in said if act == "adjudication"}


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(said=st.lists(st.tuples(st.sampled_from(ITEMS), st.sampled_from(DECISIONS), st.text(max_size=20)), max_size=6))
def test_nothing_of_anothers_vote_is_in_what_one_is_given(said):
    with in_memory() as db:
        for name in ("ada", "bob"):
            accounts.add(db, name, "reviewer", PASSWORD)
        work.add_items(db, some(3))
        work.assign(db, "logos", ["ada", "bob"], 2)
        before = [work.take(db, "bob", "logos", after) for after in ("", *ITEMS)], work.waiting(db, "bob")
        for item, decision, note in said:
            try:
                work.vote(db, "ada", item, decision, note=note)
            except AccordError as error:
                assert "note" in str(error)
        assert ([work.take(db, "bob", "logos", after) for after in ("", *ITEMS)], work.waiting(db, "bob")) == before


def test_alpha_of_the_example_in_the_literature():
    """Krippendorff, K. (2011): Computing Krippendorff's Alpha-Reliability, example C: four observers, twelve units."""
    coders = ("123321412...", "1233224125.3", ".3332342251.", "12332441251.")
    units = [[value for value in unit if value != "."] for unit in zip(*coders, strict=True)]
    found = of(({value: unit.count(value) for value in unit}, 1) for unit in units)
    assert found.alpha == pytest.approx(0.743, abs=0.0005)
    assert found.items == 11


def test_agreement_that_is_undefined_says_why():
    assert of([({"uphold": 1}, 7)]) == (None, None, 0, NO_PAIRS)
    assert of([({"uphold": 2}, 7)]) == (100, None, 7, ONE_VALUE)
    assert of([({"uphold": 2}, 1), ({"drop": 2}, 1)]) == (100, 1, 2, "")
    # Of one unit alone, its own pairs are all pairs that there are: it can't agree better than by chance.
    assert of([({"uphold": 2, "drop": 2}, 1)]).alpha == pytest.approx(0)


@given(units=st.lists(st.lists(st.sampled_from("abc"), min_size=2, max_size=4), min_size=1, max_size=8))
def test_alpha_is_its_definition_over_all_pairs(units):
    """Summed over pairs of single values, as the definition says, without any shortcut."""

    def differing(values):
        return sum(one != other for i, one in enumerate(values) for j, other in enumerate(values) if i != j)

    values = [value for unit in units for value in unit]
    expected = differing(values) / (len(values) * (len(values) - 1))
    observed = sum(differing(unit) / (len(unit) - 1) for unit in units) / len(values)
    found = of(({value: unit.count(value) for value in unit}, 1) for unit in units).alpha
    assert found == (pytest.approx(1 - observed / expected) if expected else None)
