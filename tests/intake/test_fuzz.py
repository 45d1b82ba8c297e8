"""No bytes make a parser of deliveries fail otherwise than it says, or take long.

`make fuzz` tries far more of them: FUZZ=20000 examples of each parser, other ones each time.
"""

import os
import time
from contextlib import suppress

import fuzz
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

EXAMPLES = int(os.environ.get("FUZZ", "25"))
MOST_SECONDS = 5


@pytest.mark.parametrize("name", fuzz.PARSERS)
@settings(max_examples=EXAMPLES, derandomize="FUZZ" not in os.environ, database=None)
@given(data=st.data())
def test_a_parser_ends_as_it_says(name, data):
    parser = fuzz.PARSERS[name]
    given_bytes, start = data.draw(fuzz.mixed(parser.seeds)), time.process_time()
    with suppress(parser.raises):
        parser.call(given_bytes)
    assert time.process_time() - start < MOST_SECONDS


def test_the_seeds_are_read():
    assert all(parser.seeds for parser in fuzz.PARSERS.values())
    for name in ("description", "annotation", "images.csv", "picture", "path"):
        parser = fuzz.PARSERS[name]
        parser.call(parser.seeds[0])
