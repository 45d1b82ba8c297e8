"""A network that several models share is run once for one picture."""

import numpy as np
import pytest

from accord.models.adapters.nets import litert
from accord.models.adapters.nets.remembered import Remembered


class Counted:
    """A function of an array that counts its calls."""

    def __init__(self):
        self.calls = 0

    def __call__(self, values: np.ndarray) -> list[np.ndarray] | None:
        self.calls += 1
        return [values * 2.0] if values.any() else None


def test_only_the_same_bytes_of_the_same_form_are_remembered():
    asked = Counted()
    remembered = Remembered(asked)
    values = np.arange(6, dtype=np.float32)
    for shown in (values, values.copy(), values.reshape(2, 3), values.view(np.int32), values + 1, values[::-1]):
        np.testing.assert_array_equal(remembered(shown)[0], shown * 2.0)
    assert asked.calls == 5
    assert remembered(np.zeros(3)) is remembered(np.zeros(3)) is None
    assert asked.calls == 6


def test_only_the_last_ones_are_held():
    asked = Counted()
    remembered = Remembered(asked, last=2)
    for number in (1, 2, 1, 3, 2, 3, 1):
        assert remembered(np.full(2, number))[0][0] == 2 * number
    assert asked.calls == 4


def test_what_was_shown_may_change_and_answers_may_not():
    remembered, values = Remembered(Counted()), np.ones(2)
    [answer] = remembered(values)
    values[:] = 7
    assert remembered(values)[0].tolist() == [14, 14]
    with pytest.raises(ValueError, match="read-only"):
        answer += 1


def test_models_with_one_file_share_its_network_and_say_what_they_say_alone(adapter, photo, monkeypatch):
    """Both look through the same detector at the same picture."""
    names, picture = ("blazepeople_boxes", "blazepeople_masks", "blazepose"), photo("P001", "amateur_posture")

    def say() -> list:
        boxes, masks, pose = map(adapter, names)
        whole = np.array([0, 0, *picture.shape[1::-1]], float)
        return [*boxes.detect([picture]), *masks.parse([picture])[0], *pose.estimate([picture], [whole])]

    def run(last: int) -> tuple[list, int]:
        runs = []

        def remembered(network):
            return Remembered(lambda values: runs.append(0) or network(values), last)

        monkeypatch.setattr(litert, "Remembered", remembered)
        litert._network.cache_clear()
        adapter.cache_clear()
        return say(), len(runs)

    try:
        (together, few), (alone, many) = run(8), run(0)
    finally:
        litert._network.cache_clear()
        adapter.cache_clear()
    for one, other in zip(together, alone, strict=True):
        for ours, theirs in zip(one, other, strict=True):
            np.testing.assert_array_equal(ours, theirs)
    assert few < many
