"""Large JSON, entry by entry: as json reads it, and bounded where it is hostile."""

import json
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.evaluate.exchange import json_stream

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=12,
)  # fmt: skip


def read(tmp_path, data: bytes, **limits) -> list:
    path = tmp_path / "file.json"
    path.write_bytes(data)
    return list(json_stream.entries(path, **limits))


@settings(max_examples=80, deadline=None)
@given(st.dictionaries(st.text(max_size=6), VALUES, max_size=6), st.integers(1, 40), st.sampled_from([None, 2]))
def test_whatever_the_pieces_it_reads_what_json_reads(tmp_path_factory, content, chunk, indent):
    path = tmp_path_factory.mktemp("entries") / "file.json"
    path.write_text(json.dumps(content, indent=indent, ensure_ascii=False), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_stream, "CHUNK", chunk)
        assert list(json_stream.entries(path)) == list(content.items())


def test_equal_keys_come_as_often_as_they_are_there(tmp_path):
    assert read(tmp_path, b'{"a": 1, "a": [2]}') == [("a", 1), ("a", [2])]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is truncated or damaged"),
        (b"[1]", "is not a JSON object"),
        (b'{"a": 1', "is truncated or damaged"),
        (b'{"a": [1, 2', "is truncated or damaged"),
        (b'{"a" 1}', "is not a JSON object"),
        (b"{1: 2}", "has a key that is not text"),
        (b'{"a": 1} {}', "continues after the end of its object"),
        (b'{"a": NaN}', "contains NaN, which is not a number"),
        (b'{"a": [-Infinity]}', "contains -Infinity, which is not a number"),
        (b'{"a": "\xff"}', "is not valid UTF-8"),
        ('{"a": 1}'.encode("utf-16"), "is not valid UTF-8"),
        (b'{"a": ' + b"[" * 300_000 + b"]" * 300_000 + b"}", "is nested too deeply"),
        (b'{"a": ' + b"9" * 6000 + b"}", "limit"),
    ],
)
def test_what_is_no_such_object_is_told(tmp_path, data, message):
    with pytest.raises(ValueError, match=message):
        read(tmp_path, data)


def test_an_entry_that_is_too_long_is_refused_before_it_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(json_stream, "CHUNK", 1000)
    data = b'{"a": [' + b"1," * 2_000_000 + b"1]}"
    tracemalloc.start()
    with pytest.raises(ValueError, match="has an entry of more than 5000 characters"):
        read(tmp_path, data, longest=5000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_000_000


def test_memory_is_that_of_an_entry_not_of_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr(json_stream, "CHUNK", 1 << 17)
    path = tmp_path / "file.json"
    entry = json.dumps([0.123456789] * 20_000)
    path.write_text("{" + ",".join(f'"{n}": {entry}' for n in range(25)) + "}")
    tracemalloc.start()
    assert sum(len(value) for _, value in json_stream.entries(path)) == 25 * 20_000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < path.stat().st_size / 2
