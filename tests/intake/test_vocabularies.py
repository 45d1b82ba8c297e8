"""FHIBE's vocabularies, held against facts that its format states in figures."""

import pytest

from accord import vocabularies as v


@pytest.mark.parametrize(
    ("labels", "count", "number", "label"),
    [
        (v.PRONOUNS, 6, 1, "1. He/him/his"),
        (v.ANCESTRIES, 27, 23, "23. Australia and New Zealand"),
        (v.SKIN_COLORS, 6, 2, "2. [164, 131, 103]"),
        (v.SCENES, 16, 12, "12. Indoor: Home or hotel"),
        (v.WEATHERS, 7, 6, "6. Clear"),
        (v.LIGHTINGS, 6, 2, "2. Lighting from in front of the head/face"),
        (v.HAIRSTYLES, 19, 11, "11. Not listed(Medium)"),
        (v.HAIR_TYPES, 7, 4, "4. Kinky-coily"),
        (v.HAIR_COLORS, 13, 5, "5. Light brown to medium brown"),
        (v.EYE_COLORS, 9, 6, "6. Red and violet"),
        (v.FACIAL_MARKS, 11, 7, "7. Face paint"),
        (v.BODY_POSES, 16, 5, "5. Performing martial/fighting arts"),
        (v.OBJECT_INTERACTIONS, 33, 18, "18. Playing with pets/animals"),
        (v.SUBJECT_INTERACTIONS, 15, 11, "11. Hand shaking"),
        (v.KEYPOINTS, 33, 28, "28. Left ankle"),
        (v.SEGMENTS, 28, 23, "23. Sock or legwarmer"),
    ],
)
def test_a_vocabulary_has_its_labels_at_their_numbers(labels, count, number, label):
    assert len(labels) == count
    assert labels[number] == label
    assert [v.number(one) for one in labels] == list(range(count))


def test_every_subregion_belongs_to_one_region():
    assert [v.text(region) for region in v.ANCESTRY_REGIONS] == ["Africa", "Americas", "Asia", "Europe", "Oceania"]
    within = [label for subregions in v.ANCESTRY_REGIONS.values() for label in subregions]
    assert sorted([*within, *v.ANCESTRY_REGIONS]) == sorted(v.ANCESTRIES)
    assert "14. South-eastern Asia" in v.ANCESTRY_REGIONS["11. Asia"]


@pytest.mark.parametrize(
    ("age", "group"),
    [
        (17, None),
        (18, "[18, 30)"),
        (29, "[18, 30)"),
        (30, "[30, 40)"),
        (59, "[50, 60)"),
        (60, "[60, +]"),
        (99, "[60, +]"),
    ],
)
def test_age_groups_are_closed_below_and_open_above(age, group):
    assert v.age_group(age) == group


def test_what_is_only_told_in_aggregate_is_never_public():
    assert set(v.AGGREGATE_ATTRIBUTES) == {
        "relationships", "country_of_residence", "height", "weight", "pregnancy", "disability",
    }  # fmt: skip
    assert not set(v.AGGREGATE_ATTRIBUTES) & set(v.PUBLIC_ATTRIBUTES)


def test_the_darkest_skin_colour_is_fitzpatrick_six():
    assert v.FITZPATRICK["0. [102, 78, 65]"] == "VI"
    assert v.FITZPATRICK["5. [198, 180, 157]"] == "I"
