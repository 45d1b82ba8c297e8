"""Which scores are shown, in which order, and what is said where a name fits nothing."""

import look_cases
import pytest
from consent_cases import ANN, BOB

from accord.errors import AccordError
from accord.look.failures import worst


def order(house, **how):
    return [(one.image, one.subject) for one in worst.find(house.folder / "results", "yunet", **how).failures]


def test_the_worst_come_first(house):
    assert order(house) == [("i2", ANN), ("i3", BOB), ("i2", BOB), ("i1", ANN)]
    assert order(house, most=1) == [("i2", ANN)]


def test_of_a_distance_the_highest_is_the_worst(house):
    rows = [{"task": "face_encoding", "model": "yunet", "metric": "lpips", "image": image, "subject": subject,
             "value": value} for (image, subject), value in look_cases.VALUES.items()]  # fmt: skip
    look_cases.write(house.folder / "results/analyse/scores/face_encoding.parquet", rows)
    assert order(house, metric="lpips")[0] == ("i1", ANN)


@pytest.mark.parametrize("group", ["ancestry=0. Africa", "ancestry=Africa", "Africa", "afri"])
def test_a_group_is_found_by_its_name(house, group):
    found = worst.find(house.folder / "results", "yunet", groups=[group])
    assert [one.subject for one in found.failures] == [ANN, ANN] and found.groups == ("ancestry: 0. Africa",)
    assert worst.title("yunet", found) == "yunet: average recall of boxes, ancestry: 0. Africa"


def test_people_of_several_groups_belong_to_all_of_them(house):
    assert order(house, groups=["Africa", "Asia"]) == []


@pytest.mark.parametrize(("how", "said"), [
    ({"groups": ["Afrika"]}, "did you mean 'Africa'?"),
    ({"groups": ["a"]}, "fits several groups"),
    ({"groups": ["ancestry="]}, "is not a group of this run"),
    ({"metric": "ar_iuo"}, "did you mean 'ar_iou'?"),
])  # fmt: skip
def test_a_name_that_fits_nothing_is_told_with_what_was_meant(house, how, said):
    with pytest.raises(AccordError) as raised:
        worst.find(house.folder / "results", "yunet", **how)
    assert said in str(raised.value)


def test_a_model_without_scores_is_told_with_what_was_meant(house):
    with pytest.raises(AccordError, match="did you mean 'yunet'"):
        worst.find(house.folder / "results", "yunett")


def test_scores_that_are_missing_are_no_failures(house):
    look_cases.write(house.folder / "results/analyse/scores/face_localization.parquet", [
        {"task": "t", "model": "yunet", "metric": "ar_iou", "image": "i1", "subject": ANN, "value": float("nan")},
        {"task": "t", "model": "yunet", "metric": "ar_iou", "image": "i3", "subject": BOB, "value": 1.0},
    ])  # fmt: skip
    assert order(house) == [("i3", BOB)]
