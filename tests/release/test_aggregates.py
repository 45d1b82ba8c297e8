"""Counts of what is never told per person, in one release and over several."""

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.release.disclosure import aggregates, memory
from accord.release.disclosure.aggregates import Cell

A, B, C = (("disability", value) for value in "abc")


def people(counts: dict[str, int]) -> dict:
    """So many members of each value."""
    return {("disability", v): frozenset(f"{v}{n}" for n in range(count)) for v, count in counts.items()}


def shown(cells) -> dict[str, int]:
    return aggregates.shown(cells).set_index("value")["subjects"].to_dict()


def first(counts: dict[str, int]) -> dict[str, int]:
    return shown(aggregates.told(people(counts), {}))


def after(*versions: dict[str, int]) -> list[dict[str, int]]:
    """What each version of a population shows."""
    cells, told = {}, []
    for counts in versions:
        cells = aggregates.told(people(counts), cells)
        told.append(shown(cells))
    return told


def test_counts_are_rounded_and_small_ones_hidden():
    assert first({"a": 33, "b": 12, "c": 9, "d": 3}) == {"a": 35, "b": 10}


def test_a_value_that_would_be_hidden_alone_takes_another_with_it():
    assert first({"a": 33, "b": 12, "c": 9}) == {"a": 35}
    assert first({"a": 33, "b": 12}) == {"a": 35, "b": 10}
    assert first({"a": 12, "b": 3}) == {}


def test_few_people_who_would_be_hidden_together_take_another_with_them():
    assert first({"a": 33, "b": 12, "c": 4, "d": 5}) == {"a": 35}


def test_people_are_counted_once_however_many_images():
    rows = pd.DataFrame([("disability", "a", f"s{n}") for n in range(11)], columns=["attribute", "value", "subject"])
    assert shown(aggregates.told(aggregates.members(pd.concat([rows, rows])), {})) == {"a": 10}


def test_without_answers_there_are_no_counts():
    assert first({}) == {} and list(aggregates.shown({}).columns) == ["attribute", "value", "subjects"]


@given(st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 40)))
def test_what_is_hidden_at_first_is_small_or_not_alone(counts):
    found = first(counts)
    hidden = [counts[value] for value in set(counts) - set(found)]
    assert all(counts[value] >= 10 and abs(counts[value] - number) <= 2 for value, number in found.items())
    assert not found or not hidden or (len(hidden) > 1 and sum(hidden) >= 10)


def test_a_cell_is_told_again_unchanged_until_ten_people_differ():
    assert after({"a": 33, "b": 20}, {"a": 24, "b": 20}, {"a": 23, "b": 20}) == [
        {"a": 35, "b": 20},
        {"a": 35, "b": 20},
        {"a": 25, "b": 20},
    ]


def test_people_who_left_and_people_who_came_both_differ():
    before = aggregates.told({A: frozenset(f"x{n}" for n in range(30))}, {})
    half = frozenset(f"x{n}" for n in range(5, 30)) | frozenset(f"y{n}" for n in range(4))
    assert aggregates.told({A: half}, before) == before
    assert aggregates.told({A: half | {"y5"}}, before)[A] == Cell(30, half | {"y5"})


def test_a_hidden_cell_appears_only_when_ten_people_differ():
    assert after({"a": 33, "b": 6, "c": 8}, {"a": 33, "b": 6, "c": 17})[1] == {"a": 35}
    assert after({"a": 33, "b": 6, "c": 8, "d": 7}, {"a": 33, "b": 6, "c": 18, "d": 7})[1] == {"a": 35, "c": 20}


def test_a_hidden_cell_does_not_appear_where_it_would_leave_one_alone_however_large():
    assert after({"a": 33, "b": 12, "c": 9}, {"a": 33, "b": 12, "c": 19})[1] == {"a": 35}


def test_a_value_that_few_people_bring_hides_nothing_that_was_told():
    assert after({"a": 33, "b": 12}, {"a": 33, "b": 12, "c": 1})[1] == {"a": 35, "b": 10}


def test_a_shrunken_cell_that_would_be_hidden_alone_stays_as_it_was_told():
    assert after({"a": 33, "b": 12}, {"a": 33, "b": 1})[1] == {"a": 35, "b": 10}
    assert after({"a": 33, "b": 12}, {"a": 33, "b": 1}, {"a": 50, "b": 1})[2] == {}


def test_erased_people_differ_though_nobody_knows_who_they_were():
    cells = aggregates.told(people({"a": 30, "b": 20}), {})
    erased = aggregates.forgotten(cells, frozenset({"a0", "a1", "b0"}))
    assert (erased[A].erased, erased[B].erased) == (2, 1)
    assert not {"a0", "a1", "b0"} & (erased[A].members | erased[B].members)
    left = {A: people({"a": 30})[A] - {"a0", "a1"}, B: people({"b": 20})[B] - {"b0"}}
    assert aggregates.told(left, erased) == erased
    fewer = left | {A: left[A] - {f"a{n}" for n in range(2, 10)}}
    assert shown(aggregates.told(fewer, erased)) == {"a": 20, "b": 20}


populations = st.lists(
    st.dictionaries(st.integers(0, 60), st.sampled_from("abcde"), min_size=1, max_size=60), min_size=1, max_size=4
)


def dealt(population: dict[int, str]) -> dict:
    """Person -> value, as cells."""
    return {("x", v): frozenset(str(p) for p, value in population.items() if value == v) for v in population.values()}


@settings(max_examples=300)
@given(populations)
def test_whatever_changes_ten_people_differ_and_telling_twice_is_telling_once(versions):
    cells = {}
    for population in versions:
        now = dealt(population)
        new = aggregates.told(now, cells)
        for key in {*new, *cells}:
            was = cells.get(key, aggregates.UNKNOWN)
            if new.get(key, aggregates.UNKNOWN).told != was.told:
                assert len(now.get(key, frozenset()) ^ was.members) >= 10
        assert aggregates.told(now, new) == new
        assert all(cell.told is None or (cell.told % 5 == 0 and cell.size >= 10) for cell in new.values())
        cells = new


@settings(max_examples=50)
@given(populations, st.text(min_size=1))
def test_patience_is_secret_at_least_ten_and_never_makes_a_second_telling_differ(versions, key):
    cells, patience = {}, memory.drawn(key)
    for population in versions:
        new = aggregates.told(dealt(population), cells, patience)
        assert aggregates.told(dealt(population), new, patience) == new
        cells = new
    assert all(10 <= patience(key, cell) <= 14 for key, cell in cells.items())


def test_patience_differs_between_cells_and_vaults():
    drawn = [memory.drawn(f"{n}")(A, Cell(20, frozenset("ab"))) for n in range(60)]
    assert set(drawn) == {10, 11, 12, 13, 14}


def test_the_memory_is_private_whole_and_forgets(tmp_path):
    told = memory.retold(tmp_path, people({"a": 30, "b": 20}))
    assert not (tmp_path / memory.NAME).exists()
    memory.keep(tmp_path, told)
    assert memory.read(tmp_path) == told and memory.retold(tmp_path, people({"a": 30, "b": 20})) == told
    assert (tmp_path / memory.NAME).stat().st_mode & 0o777 == 0o600
    assert memory.forget(tmp_path, frozenset({"a0", "b1", "z"})) == 2
    assert '"a0"' not in (tmp_path / memory.NAME).read_text()
    assert memory.read(tmp_path).cells[A] == Cell(30, told.cells[A].members - {"a0"}, 1)
    assert memory.forget(tmp_path, frozenset({"a0", "b1", "z"})) == 0


@pytest.mark.slow
@pytest.mark.parametrize("crash", [False, True])
def test_a_release_tells_what_it_told_when_few_people_withdraw(house, tiny, monkeypatch, crash):
    cast = {f"img-{n}": ("small", [tiny.Person(f"sub-{n}")]) for n in range(12)}
    house.publish(cast)
    table = "data/aggregated_results/aggregates.csv"
    before = house.bytes_of("1.0.0")[table].decode()
    assert before == "attribute,value,subjects\nheight,181,10\npregnancy,yes,10\n"
    if crash:
        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr("accord.release.seal.versions.record", _interrupted)
            house.publish(cast, failing=("img-1", "img-2", "img-3"))
    house.publish(cast, failing=("img-1", "img-2", "img-3"))
    assert house.bytes_of("2.0.0")[table].decode() == before
    assert house.publish(cast, failing=("img-1", "img-2", "img-3"))["version"] == "2.0.0"


def _interrupted(*_):
    raise KeyboardInterrupt
