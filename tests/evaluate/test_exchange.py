"""Entries that anybody may have written: each is read as rows of its table, or refused in words."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.engine.table import rows
from accord.evaluate.exchange import formats
from accord.evaluate.exchange.names import Picture, key, shown

PICTURE = Picture("image", "subject", 3, 4, ("one", "two"))
NAMES = ["detections", "scores", "labels", "bboxes", "masks", "keypoints", "embeddings", "detections_rle"]
NUMBERS = st.integers(-3, 20) | st.floats(width=32) | st.sampled_from([1e308, -1e308, 2**70, -999])
LEAVES = st.none() | st.booleans() | NUMBERS | st.text(max_size=3)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["size", "counts", "Face", "Hand", "0", "1", "19"]), inner, max_size=2)
    ),
    max_leaves=12,
)
POINTS = st.lists(st.lists(st.tuples(NUMBERS, NUMBERS).map(list), min_size=17, max_size=17), min_size=2, max_size=2)
RUNS = st.fixed_dictionaries({"size": st.just([4, 3]), "counts": st.text(max_size=4) | st.lists(st.integers(0, 12))})
LISTS = VALUES | POINTS | st.lists(st.lists(NUMBERS, min_size=4, max_size=4), max_size=2) | st.lists(RUNS, max_size=2)
SCORES = VALUES | st.lists(st.lists(NUMBERS, min_size=17, max_size=17), min_size=2, max_size=2) | st.lists(NUMBERS)
ENTRIES = st.dictionaries(st.sampled_from(NAMES), LISTS | RUNS, max_size=3) | st.fixed_dictionaries(
    {"detections": LISTS, "scores": SCORES}
)


@pytest.mark.parametrize("task", formats.FORMATS)
@settings(max_examples=60, deadline=None)
@given(entry=ENTRIES)
def test_an_entry_is_rows_of_its_table_or_is_refused(task, entry):
    form = formats.FORMATS[task]
    try:
        found = list(form.read(entry, PICTURE))
    except ValueError as error:
        assert str(error).split()[0] in ("has", "must", "assigns", "is", "names")
        return
    table = rows([("model", *row) for row in found], form.table)
    assert len(table) == len(found)
    assert set(table["image"]) <= {"image"}
    # What was read can be written, and read again.
    again = list(form.read(form.write(table, PICTURE), PICTURE))
    assert len(again) == len(found)


@given(st.text(max_size=200))
@settings(max_examples=60, deadline=None)
def test_what_a_message_shows_of_a_path_is_a_short_printable_name(path):
    said = shown(path)
    assert said.isprintable() and 0 < len(said) <= 1000
    assert "/" not in said


def test_a_picture_is_known_by_the_name_of_its_file():
    for path in ("main_a.png", "x/y/main_a.png", "C:\\data\\main_a.png", "/a.png", "a"):
        assert key(path) == "a"
    assert key("d/faces_crop_and_align_a_s.png") == "a_s"
