"""Images of a subject within days: clothes, place, time of day, on made pictures; and what people are asked."""

from datetime import datetime

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.checks import queue
from accord.checks.deciding import apply_decisions
from accord.checks.files.pixels import shown
from accord.checks.looking import clothes
from accord.checks.matching import garments
from accord.checks.matching.keypoints import packed
from accord.checks.matching.likeness import hours_apart
from accord.checks.settling import occasions
from accord.checks.tables.findings import Decisions, Findings, Items, Looks, Occasions, Pairs
from accord.engine import table
from accord.intake.tables import Attributes, Segments

RULE = {"days": 7, "alike": 0, "clothes": 5.0, "metres": 50, "hours": 1.0}
LIMITS = {"min_inliers": 15, "max_distance": 31}
RED, BLUE = (180, 40, 40), (40, 60, 160)
SHIRT = (200, 150, 440, 150, 440, 460, 200, 460)
HOME, STREET = "12. Indoor: Home or hotel", "3. Outdoor: Man-made elements"


def wall(seed: int) -> np.ndarray:
    """(480, 640, 3) uint8: tiles of many sizes, in which keypoints are found; the same for a seed."""
    import cv2

    rng = np.random.default_rng(seed)
    made = np.full((480, 640, 3), 128, np.uint8)
    for x, y, side in zip(rng.integers(0, 600, 150), rng.integers(0, 440, 150), rng.integers(8, 60, 150), strict=True):
        made[y : y + side, x : x + side] = rng.integers(0, 256, 3)
    return cv2.GaussianBlur(made, (0, 0), 1.5)


def dressed(background: np.ndarray, colour) -> np.ndarray:
    """Somebody before a background, of whom a shirt is seen, with the noise of a sensor."""
    picture = background.copy()
    noise = np.random.default_rng(sum(colour)).normal(0, 3, (310, 240, 3))
    picture[150:460, 200:440] = np.clip(np.array(colour) + noise, 0, 255)
    return picture


@pytest.fixture
def compared(shard, jpeg, prints, findings):
    """What is said of shots: name -> (time, seed of the background, colour of the shirt, scene, columns)."""

    def make(shots: dict, rule=None, stopped=(), outlined=True, same_file=()):
        files = {
            name: (jpeg(dressed(wall(seed), colour)), {"captured_at": time, **more})
            for name, (time, seed, colour, _, more) in shots.items()
        }
        images, bundle = shard(files)
        said = [(name, "", "scene", shot[3], "") for name, shot in shots.items() if shot[3]]
        drawn = [(name, "s1", 20, 1, list(SHIRT), "") for name in shots] if outlined else []
        equal = {name: {"pixels": "f" * 64, "pdq": "1" * 64} for name in same_file}
        marked = prints(*({"image": name, **equal.get(name, {})} for name in shots))
        worn = clothes.run(images, bundle, table.rows(drawn, Segments), 10_000_000)
        return occasions.run(
            images, looks(images, bundle), worn, table.rows(said, Attributes), marked,
            findings(*((name, "decode", "fail") for name in stopped)), occasions={**RULE, **(rule or {})}, **LIMITS,
        )  # fmt: skip

    return make


def looks(images, bundle) -> pd.DataFrame:
    """Table Looks of pictures, with no embedder's vectors."""
    vector = np.zeros(5, np.float32)
    rows = shown(images, bundle, 10_000_000)
    made = [{"image": row.image, "subject": "s1", "vector": vector, **packed(seen.keypoints)} for row, seen in rows]
    return table.rows(made, Looks)


def verdicts(made) -> dict:
    return dict(zip(made.findings["image"], made.findings["verdict"], strict=True))


HERE, THERE = ({"gps_latitude": 52.5, "gps_longitude": east} for east in (13.40, 13.41))
MORNING, EVENING, LATER = "2024-05-01T09:00:00", "2024-05-03T18:30:00", "2024-05-08T09:30:00"


@pytest.mark.parametrize(
    ("second", "same", "verdict"),
    [
        ((EVENING, 2, BLUE, STREET, THERE), "", "pass"),
        ((EVENING, 2, RED, STREET, THERE), "clothes", "review"),
        ((EVENING, 2, BLUE, HOME, HERE), "place", "review"),
        ((EVENING, 2, BLUE, HOME, THERE), "", "pass"),
        ((EVENING, 2, BLUE, STREET, HERE), "", "pass"),
        ((EVENING, 1, BLUE, STREET, THERE), "place", "review"),
        (("2024-05-04T09:59:00", 2, BLUE, STREET, THERE), "time of day", "review"),
        (("2024-05-02T09:20:00", 1, RED, HOME, HERE), "clothes, place, time of day", "review"),
    ],
)  # fmt: skip
def test_clothes_place_and_time_of_day_must_differ_within_days(compared, second, same, verdict):
    made = compared({"a": (MORNING, 1, RED, HOME, HERE), "b": second})
    assert verdicts(made) == {"a": "pass", "b": verdict}
    pair = made.pairs.iloc[0]
    assert (pair["left"], pair["right"], pair["same"], pair["asked"]) == ("a", "b", same, verdict == "review")


def test_from_seven_days_on_nothing_is_asked(compared):
    """2024-05-08 09:00 is 7 days later, to the second; one second less is not."""
    for time, verdict in (("2024-05-08T09:00:00", "pass"), ("2024-05-08T08:59:59", "review")):
        made = compared({"a": (MORNING, 1, RED, HOME, HERE), "b": (time, 1, RED, HOME, HERE)})
        assert verdicts(made) == {"a": "pass", "b": verdict}
    assert len(made.pairs) == 1


def test_what_cannot_be_told_is_no_pass(compared):
    made = compared({"a": (MORNING, 1, RED, "", {}), "b": (EVENING, 2, RED, "", {})}, outlined=False)
    assert verdicts(made)["b"] == "info"
    assert made.pairs.iloc[0]["untold"] == "clothes, place"
    assert "unknown: clothes, place" in made.findings["reason"].tolist()[1]
    assert verdicts(compared({"a": ("", 1, RED, "", {})})) == {"a": "info"}


def test_more_may_be_allowed(compared):
    shots = {"a": (MORNING, 1, RED, HOME, HERE), "b": (EVENING, 2, RED, STREET, THERE)}
    assert verdicts(compared(shots, rule={"alike": 1}))["b"] == "pass"


def test_copies_and_stopped_images_are_not_compared(compared):
    shots = dict.fromkeys("ab", (MORNING, 1, RED, HOME, HERE))
    assert len(compared(shots, same_file="ab").pairs) == 0
    assert verdicts(compared(shots, stopped="a")) == {"b": "pass"}


def test_the_one_with_most_in_common_is_asked_about(compared):
    first, second = (MORNING, 1, RED, HOME, HERE), ("2024-05-02T12:00:00", 2, BLUE, STREET, THERE)
    made = compared({"a": first, "b": second, "c": ("2024-05-04T12:30:00", 3, RED, HOME, HERE)})
    asked = made.pairs[made.pairs["asked"]]
    assert asked[["left", "right", "same"]].values.tolist() == [["a", "c", "clothes, place"]]


def test_clothes_by_hand():
    """Black against white: 100 units of L*; a dress against trousers: no colours to compare."""
    black, white = (garments.worn({20: np.full((900, 3), value, np.uint8)}) for value in (0, 255))
    assert garments.apart(black, white) == pytest.approx(100, abs=0.1)
    assert garments.apart(black, black) == 0
    few = garments.worn({20: np.zeros((10, 3), np.uint8)})
    assert np.isnan(garments.apart(few, black))
    dress, trousers = (garments.worn({name: np.zeros((900, 3), np.uint8)}) for name in (22, 21))
    assert garments.apart(dress, trousers) == garments.OTHER_KIND


@given(*[st.integers(0, 24 * 60 - 1)] * 2)
def test_hours_of_the_day_go_round(one, other):
    left, right = (datetime(2024, 5, day, minute // 60, minute % 60) for day, minute in ((1, one), (9, other)))
    assert hours_apart(left, right) == hours_apart(right, left) <= 12
    assert min(abs(one - other), 1440 - abs(one - other)) == pytest.approx(60 * hours_apart(left, right))


def test_people_see_both_images_and_only_the_later_one_goes(images, findings):
    """Of b they say that it is of a's occasion: b goes, a stays."""
    pairs = table.rows([("a", "b", 1.0, "clothes", "", 1, True), ("a", "c", 2.0, "", "", 0, False)], Occasions)
    found = findings(("a", "same_occasion", "pass"), ("b", "same_occasion", "review"), ("c", "same_occasion", "pass"))
    three = images(*({"image": name} for name in "abc"))
    asked = queue.run(three, found, table.empty(Pairs), pairs, table.empty(Items), table.empty(Decisions))
    assert asked[["image", "other", "queue"]].values.tolist() == [["b", "a", "patterns"]]
    both = table.rows([*found.assign(verdict=["review", "review", "pass"]).to_dict("records")], Findings)
    decided = pd.DataFrame({"item": asked["item"], "decision": "uphold", "polygon": [[]]})
    after = apply_decisions.settled(both, asked, decided, {}, dict.fromkeys("abc", "s1")).set_index("image")["verdict"]
    assert (after["a"], after["b"]) == ("review", "fail")
