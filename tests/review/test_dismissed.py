"""The rate of false positives of a queue, as people found them."""

from accord.engine import table
from accord.review.asking.dismissed import rate
from accord.review.tables import Decisions


def decided(*rows, queue="web"):
    common = {"queue": queue, "image": "i", "region": "", "kind": "web_match", "polygon": [], "entry": "0" * 64}
    return table.rows([{**common, "item": i, "number": n, "decision": d} for i, n, d in rows], Decisions)


def test_it_is_that_of_the_decided_items():
    """14 of 400, as in FHIBE, gives 3.5% [2.1, 5.8] (Wilson); the paper prints 3.5 +- 1.7."""
    told = rate(decided(*((f"web{n}", 0, "dismiss" if n < 14 else "uphold") for n in range(400))), "web")
    assert (told.dismissed, told.decided, told.rate) == (14, 400, 0.035)
    assert (round(told.low, 3), round(told.high, 3)) == (0.021, 0.058)


def test_of_nothing_it_is_none_and_an_item_of_several_regions_counts_once():
    several = decided(("a", 0, "dismiss"), ("a", 1, "uphold"), ("b", 0, "dismiss"), queue="logos")
    assert rate(several, "web") == (0, 0, None, None, None)
    assert rate(several, "logos")[:3] == (1, 2, 0.5)
