"""Rows that are taken over from a former output are what a run from nothing makes; others are made anew."""

import json
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pandera.typing import DataFrame

from accord.engine import kept, step, table
from accord.engine.parameter_types import Former, Kept


class Words(table.Table):
    image: str
    number: int
    score: float = table.pa.Field(nullable=True)
    vector: object = table.pa.Field(metadata=table.FLOAT_VECTOR)


class Given(table.Table):
    image: str = table.pa.Field(unique=True)
    count: int


MADE: list[str] = []
KILLED_AT: list[int] = []
"""How many images are made before the step dies, where it does."""


def words(given: DataFrame[Given], former: Former, *, factor: int) -> DataFrame[Words]:
    """As many rows as an image has words, made only where they were not."""
    memory = kept.memory(former, "out", Words)
    own, basis = kept.by_item(given), kept.basis("room.words", factor)
    digests = {image: kept.digest(basis, own[image]) for image in given["image"]}
    made = []
    for row in given.itertuples():
        if not memory.holds(row.image, digests[row.image]):
            MADE.append(row.image)
            if len(MADE) in KILLED_AT:
                raise KeyboardInterrupt
            made += [_word(row.image, number, factor) for number in range(row.count)]
    return kept.joined(memory, Words, digests, made)


def _word(image: str, number: int, factor: int) -> tuple:
    offset = len(kept.source.digest("room.words"))  # the code says something, too
    score = np.nan if number == 1 else number * factor / 3 + offset
    return image, number, score, np.array([number, factor], np.float32)


def run(monkeypatch, counts: dict[str, int], factor: int, out: Path, code: str = "c0de") -> bytes:
    rows = pd.DataFrame({"image": list(counts), "count": list(counts.values())})
    table.write(table.rows(rows.to_dict("records"), Given), Given, Path("given.parquet"))
    monkeypatch.setattr(step, "load", lambda name: words)
    monkeypatch.setattr(kept.source, "digest", lambda name: code)
    MADE.clear()
    step.run_step("room.words", ["--given", "given.parquet", "--factor", str(factor), "--out", str(out)])
    return out.read_bytes()


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


class Day(NamedTuple):
    """What a run finds: image -> its words, in the order of the deliveries; a setting; the code. What happens to it:
    killed before that image is made, none where 0; afterwards its output is cut to that share, whole where 1."""

    counts: dict[str, int]
    factor: int
    code: str
    killed: int
    left: float


counts = st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 3), max_size=6)
ordered = st.tuples(counts, st.randoms()).map(lambda drawn: dict(drawn[1].sample([*drawn[0].items()], len(drawn[0]))))
days = st.builds(
    Day,
    ordered,
    st.integers(1, 2),
    st.sampled_from(["old", "newer"]),
    st.integers(0, 4),
    st.sampled_from([1, 1, 0.9, 0]),
)


@settings(max_examples=20, deadline=None)
@given(st.lists(days, min_size=1, max_size=4))
def test_after_any_days_a_table_is_byte_for_byte_what_a_run_from_nothing_gives(tmp_path_factory, days):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("days"))
        out, new = Path("kept.parquet"), Path("new.parquet")
        for day in days:
            _killed(patch, day, out)
            again = run(patch, day.counts, day.factor, out, day.code)
            new.unlink(missing_ok=True)
            assert again == run(patch, day.counts, day.factor, new, day.code)
            assert sorted(MADE) == sorted(day.counts)
            out.write_bytes(again[: int(day.left * len(again))])


def _killed(patch, day: Day, out: Path) -> None:
    """A run that may die in the middle: what lay there before still does."""
    before = out.read_bytes() if out.exists() else b""
    KILLED_AT[:] = [day.killed]
    try:
        if day.killed:
            run(patch, day.counts, day.factor, out, day.code)
    except KeyboardInterrupt:
        assert (out.read_bytes() if out.exists() else b"") == before
    finally:
        KILLED_AT.clear()


def test_only_what_changed_is_made_and_nothing_is_kept_of_who_left(monkeypatch):
    out = Path("kept.parquet")
    run(monkeypatch, {"a": 2, "b": 0, "c": 1}, 1, out)
    run(monkeypatch, {"a": 2, "b": 0, "d": 1}, 1, out)
    assert MADE == ["d"]
    assert set(kept.digests(out)) == {"a", "b", "d"}
    assert b'"c"' not in out.read_bytes()
    run(monkeypatch, {"a": 3, "b": 0, "d": 1}, 1, out)
    assert MADE == ["a"]
    run(monkeypatch, {"a": 3, "b": 0, "d": 1}, 2, out)
    assert MADE == ["a", "b", "d"]


@pytest.mark.parametrize("harm", ["cut", "flip", "model", "plain"])
def test_an_output_that_is_not_whole_is_not_believed(monkeypatch, harm):
    out = Path("kept.parquet")
    whole = run(monkeypatch, {"a": 3, "b": 3}, 1, out)
    if harm == "cut":
        out.write_bytes(whole[: len(whole) // 2])
    elif harm == "flip":
        middle = whole.index(b"PAR1") + 60
        out.write_bytes(whole[:middle] + bytes([whole[middle] ^ 255]) + whole[middle + 1 :])
    elif harm == "model":
        table.write(table.rows([("a", 1)], Given), Given, out, None, {"a": "0" * 32})
    else:
        table.write(table.read(out, Words), Words, out)
    assert run(monkeypatch, {"a": 3, "b": 3}, 1, out) == whole
    assert MADE == ["a", "b"]


def test_a_digest_tells_values_apart():
    rows = pd.DataFrame({"image": ["a"], "x": [0.1], "v": [np.array([1.0, 2.0])]})
    same = [kept.digest(rows), kept.digest(rows.copy())]
    others = [
        kept.digest(rows.assign(x=0.2)), kept.digest(rows.assign(x=np.nan)), kept.digest(rows.rename(columns={"x": 1})),
        kept.digest(pd.concat([rows, rows])), kept.digest(rows.assign(v=[np.array([1.0, 2.5])])), kept.digest("a", "b"),
        kept.digest("ab"), kept.digest(["a", "b"], 1),
    ]  # fmt: skip
    assert same[0] == same[1]
    assert len({*same, *others}) == len(others) + 1
    with pytest.raises(TypeError, match="Path has no digest"):
        kept.digest(Path("a"))


def test_code_and_settings_are_part_of_what_rows_are_made_from():
    assert kept.basis("checks.looking.texts", {"a": 1}) == kept.basis("checks.looking.texts", {"a": 1})
    assert len({kept.basis("checks.looking.texts", {"a": 1}), kept.basis("checks.looking.texts", {"a": 2}),
                kept.basis("checks.looking.safety", {"a": 1})}) == 3  # fmt: skip


def test_the_footer_tells_of_items_without_rows():
    out = Path("some.parquet")
    table.write(table.empty(Words), Words, out, {"step": "x"}, {"a": "0" * 32})
    assert kept.digests(out) == {"a": "0" * 32}
    assert json.loads(table.pq.read_schema(out).metadata[b"provenance"]) == {"step": "x"}
    assert isinstance(kept.joined(kept.memory(Former(), "out", Words), Words, {}, []), Kept)
