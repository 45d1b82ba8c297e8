"""A shelf is the list of all things of its parts, of which one part is in memory."""

import gc
import weakref

from hypothesis import given
from hypothesis import strategies as st

from accord.engine.shelf import Shelf


class Thing:
    """What a part consists of."""

    def __init__(self, number: int):
        self.number = number


@given(st.lists(st.lists(st.integers(), max_size=4), max_size=5), st.randoms())
def test_a_shelf_is_a_list(parts, order):
    plain = [one for part in parts for one in part]
    places = list(range(-len(plain), len(plain)))
    order.shuffle(places)
    with Shelf(iter(parts)) as shelf:
        assert [shelf[place] for place in places] == [plain[place] for place in places]
        assert list(shelf) == plain and len(shelf) == len(plain) and shelf[1:3] == plain[1:3]


def test_of_a_part_that_was_asked_for_before_nothing_stays():
    with Shelf([[Thing(1), Thing(2)], [], [Thing(3)]]) as shelf:
        held = weakref.ref(shelf[1])
        assert held().number == 2 and shelf[0] is shelf[0]
        assert shelf[2].number == 3
        gc.collect()
        assert held() is None
