"""Texts that are no UTF-8 or take long to normalise are refused, in a time that grows with their length."""

import subprocess
import sys
import time
import unicodedata

import pytest

from accord.text import unicode
from accord.text.references import normal, skeleton

MARKS = "\u0344\u0316"


@pytest.mark.parametrize("text", ["", "Ann", "Ân Nguyễn", "e" + "\u0301" * 30, "각", "😀", "หนูที่น้ำ"])
def test_texts_that_are_read(text):
    assert unicode.fault(text) == ""


@pytest.mark.parametrize("mark", ["\u0301", "\u0f73", "\uff9e"])
def test_more_than_thirty_marks_in_a_row_are_refused(mark):
    assert unicode.fault("e" + mark * 31) == unicode.MANY_MARKS
    assert unicode.fault(("e" + mark * 30) * 3) == ""


@pytest.mark.parametrize("text", ["\ud800", "a\udfffb", "S\udcff"])
def test_half_a_surrogate_pair_is_refused(text):
    assert unicode.fault(text) == unicode.NO_UTF_8


def test_texts_are_found_anywhere_in_a_value():
    assert unicode.fault_within({"a": [1, None, {"b": "c"}]}) == ""
    assert unicode.fault_within({"a": [1, {"\ud800": "c"}]}) == unicode.NO_UTF_8
    assert unicode.fault_within([["e" + MARKS * 20]]) == unicode.MANY_MARKS


def test_letters_that_split_into_marks_are_all_known():
    """Those that begin with a mark in NFKD, of which Unicode alone says which they are."""
    found = {
        letter
        for letter in map(chr, range(sys.maxunicode + 1))
        if unicodedata.combining(unicodedata.normalize("NFKD", letter)[0]) and not unicodedata.combining(letter)
    }
    assert found == unicode.SPLIT_INTO_MARKS


def test_no_text_takes_long_to_normalise():
    text, start = "x" + MARKS * 50_000, time.process_time()
    normal(text)
    skeleton(text)
    assert time.process_time() - start < 1


@pytest.mark.parametrize("command", [("consent", "withdraw", "--vendor", "v", "--subject"), ("delivery", "validate")])
def test_a_command_line_that_is_no_text_is_refused(command):
    done = subprocess.run([sys.executable, "-m", "accord", *command, b"S\xff"], capture_output=True, check=False)
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert b"is not valid UTF-8 text" in done.stderr
