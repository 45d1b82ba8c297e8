"""Run lengths from outside: what pycocotools would write and read, and nothing that would lead its C code astray."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from pycocotools import mask as coco

from accord.models import rle

SIZES = st.tuples(st.integers(1, 40), st.integers(1, 40))
MASKS = SIZES.flatmap(lambda size: arrays.arrays(bool, size))
WAVES = st.tuples(SIZES, st.integers(1, 60), st.integers(1, 60)).map(
    lambda w: np.fromfunction(lambda y, x: (y * w[1] + x * x * w[2]) % 61 < 20, w[0])
)


def by_hand(text: str) -> list[int]:
    """The format's definition, number by number."""
    numbers, at = [], 0
    while at < len(text):
        value, shift, more = 0, 0, True
        while more:
            code = ord(text[at]) - 48
            value |= (code & 31) << shift
            more, at, shift = bool(code & 32), at + 1, shift + 5
            if not more and code & 16:
                value -= 1 << shift
        numbers.append(value + (numbers[-2] if len(numbers) > 2 else 0))
    return numbers


@settings(max_examples=60, deadline=None)
@given(st.one_of(MASKS, WAVES))
@pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")  # of pycocotools 2.0.11
def test_every_mask_comes_back_in_all_forms(mask):
    height, width = mask.shape
    text = rle.encode(mask)
    np.testing.assert_array_equal(coco.decode({"size": [height, width], "counts": text.encode()}), mask)
    np.testing.assert_array_equal(rle.decode(text, height, width), mask)
    runs = rle.lengths(text)
    assert runs.tolist() == by_hand(text)
    wanted = (text, int(mask.sum()))
    for value in ({"size": [height, width], "counts": text}, {"size": [height, width], "counts": runs.tolist()}):
        assert rle.checked(value, height, width) == wanted
    assert rle.checked(mask.tolist(), height, width) == wanted
    assert rle.checked(mask.astype(int).tolist(), height, width) == wanted


@settings(max_examples=80, deadline=None)
@given(st.one_of(st.text(st.characters(min_codepoint=40, max_codepoint=120), max_size=30), st.text(max_size=20)))
def test_a_text_is_refused_or_fills_the_picture(text):
    try:
        counts, pixels = rle.checked({"size": [9, 7], "counts": text}, 9, 7)
    except ValueError:
        return
    assert coco.area({"size": [9, 7], "counts": counts.encode()}) == pixels
    assert sum(by_hand(text)) == 63


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"size": [4, 3], "counts": "<"}, "a size that is not"),
        ({"size": [3, 4], "counts": "o"}, "truncated"),
        ({"size": [3, 4], "counts": "\x00"}, "invalid character"),
        ({"size": [3, 4], "counts": "é"}, "invalid character"),
        ({"size": [3, 4], "counts": "o" * 9 + "0"}, "more than 35 bits"),
        ({"size": [3, 4], "counts": ""}, "do not fill 3 x 4 pixels"),
        ({"size": [3, 4], "counts": "O="}, "do not fill"),  # -1 and 13: they sum to 12
        ({"size": [3, 4], "counts": [-1, 13]}, "neither a text nor a list of lengths"),
        ({"size": [3, 4], "counts": [5, 6]}, "do not fill"),
        ({"size": [3, 4], "counts": [True, 11]}, "neither a text nor"),
        ({"size": [3, 4], "counts": [10**30, 12]}, "neither a text nor"),
        ({"size": [3, 4]}, "neither a text nor"),
        ([[True]], "a mask of 1 x 1 for a picture of 3 x 4"),
        ([[True] * 4, [True], []], "rows of different lengths"),
        ([["a"] * 4] * 3, "pixels are not true and false"),
        ([[2] * 4] * 3, "pixels are not true and false"),
        ([[0.5] * 4] * 3, "pixels are not true and false"),
        ("mask", "neither run lengths nor rows"),
        (None, "neither run lengths nor rows"),
    ],
)
def test_what_is_no_mask_of_the_picture_is_told(value, message):
    with pytest.raises(ValueError, match=message):
        rle.checked(value, 3, 4)
