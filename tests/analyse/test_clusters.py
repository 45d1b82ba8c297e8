"""People who are in images together are one unit: of tests, intervals, resamples, comparisons, verification."""

import numpy as np
import pandas as pd
import pytest
from analyse_cases import cohort_of

from accord.analyse import analyse, compared
from accord.statistics.clusters import company, joined
from accord.statistics.cohort import cohort, numbered_people, unit_count
from accord.statistics.exchangeable_items import items_of


def families(seed: int, *, same_group: bool, size: int = 5, count: int = 24, gap: float = 0.0) -> pd.DataFrame:
    """Families in three images each, whose light all share (sd 0.15; people 0.05); of one group, or at random."""
    rng = np.random.default_rng([5, seed])
    family = np.repeat(np.arange(count), size)
    group = rng.integers(0, 2, count)[family] if same_group else rng.integers(0, 2, len(family))
    own, parts = rng.normal(0, 0.05, len(family)), []
    for image in range(3):
        score = 0.6 + rng.normal(0, 0.15, count)[family] + own + rng.normal(0, 0.03, len(family)) - gap * group
        parts.append(pd.DataFrame({"image": [f"i{f}/{image}" for f in family], "score": score, "group": group}))
    return pd.concat([part.assign(person=[f"p{n}" for n in range(len(family))]) for part in parts], ignore_index=True)


def found_in(table: pd.DataFrame):
    table = table.assign(group=table["group"].map("g{}".format), score=table["score"].clip(0, 1))
    how = {"score": "score", "subject": "person", "image": "image", "attributes": ["group"]}
    return analyse(table, **how, bootstraps=100)


def test_who_is_joined_by_images_directly_or_through_others_is_one_cluster():
    images, subjects = np.array([0, 0, 1, 1, 2, 3, 3]), np.array([4, 1, 1, 2, 0, 5, 3])
    assert joined(images, subjects).tolist() == [1, 1, 1, 1, 0, 2, 2]


def test_where_no_image_is_shared_clusters_are_the_subjects_by_the_same_numbers():
    subjects = np.array([3, 0, 1, 1, 2])
    assert joined(np.arange(5), subjects) is subjects


def test_company_are_those_who_are_in_exactly_the_same_images():
    images, subjects = np.array([0, 0, 0, 1, 1, 2]), np.array([0, 1, 2, 0, 1, 2])
    of = company(images, subjects)
    assert (of[[0, 1, 3, 4]] == of[0]).all() and of[0] >= 0 and of[2] == of[5] == -1


def test_items_are_clusters_and_in_them_who_may_exchange():
    """Two pairs and two people alone: 4 units, and the four people of the pairs about their pair's mean."""
    scores = pd.DataFrame({"image": list("aabbcd"), "subject": list("stuvwx"), "value": [1.0, 0, 0.5, 1, 0, 1]})
    members = scores[["image", "subject"]].assign(attribute="a", group=list("xyxxyx"))
    of = cohort(scores, members)
    assert of.units.tolist() == [0, 0, 1, 1, 2, 3] and of.subject_counts.tolist() == [4, 2]
    assert of.unit_counts.tolist() == [3, 2] and of.people.tolist() == [2, 2, 1, 1]
    items = items_of(of, of.values)
    assert items.values == pytest.approx([0.5, 0.75, 0, 1, 0.5, -0.5, -0.25, 0.25])
    assert [(items.strata == stratum).sum() for stratum in np.unique(items.strata)] == [2, 2, 2, 2]
    assert items.members(of).toarray().tolist() == [[1, 1], [2, 0], [0, 1], [1, 0], [1, 0], [0, 1], [1, 0], [1, 0]]


def test_without_shared_images_items_are_the_subjects(rng):
    of = cohort_of(rng.random(30), np.arange(30) // 3, np.repeat(["a", "b"], 15))
    assert len(items_of(of, of.values).values) == 10 and of.units is of.subjects


def test_families_in_one_light_are_no_evidence():
    """Without clusters 27 of 58 such tables claimed a difference that isn't there; at most 5% may."""
    claims = sum(found_in(families(seed, same_group=True)).disparities["claimed"].any() for seed in range(24))
    assert claims <= 3


def test_of_people_in_the_same_light_a_difference_is_found_that_light_would_hide():
    claims = sum(
        found_in(families(seed, same_group=False, size=2, count=60, gap=0.08)).disparities["claimed"].any()
        for seed in range(12)
    )
    assert claims >= 6


def test_a_real_difference_between_families_is_found_and_their_number_told():
    found = found_in(families(1, same_group=True, gap=0.35))
    row = found.disparities.iloc[0]
    assert row["claimed"] and "120 people count as 24, since some share images" in row["note"]
    assert found.groups.loc[0, ["subjects", "clusters"]].tolist() == [120, 24]
    assert "72 images of 120 subjects in 24 clusters" in repr(found) and "in 24 clusters" in found.to_html()


def test_intervals_of_families_hold_the_truth():
    """The mean is 0.6, of scores that are cut at 1 a little less."""
    held = []
    for seed in range(30):
        table = families(seed, same_group=True)
        light = np.random.default_rng([6, seed]).normal(0, 0.1, 24)  # and what all images of a family share
        table["score"] += light[table["person"].str[1:].astype(int) // 5]
        groups = found_in(table).groups
        held += ((groups["low"] <= 0.598) & (groups["high"] >= 0.598)).tolist()
    assert np.mean(held) >= 0.93


def test_too_few_clusters_are_told_as_such():
    """A column that looks like images and names one file: everyone is one cluster."""
    table = families(1, same_group=False)
    said = found_in(table).remarks
    assert "120 people count as 24, since some share images ('image')." in "".join(said) and "too few" not in "".join(
        said
    )
    found = found_in(table.assign(image="all.csv").drop_duplicates(["image", "person"]))
    assert found.groups.loc[0, ["subjects", "clusters"]].tolist() == [120, 1]
    assert "count as 1, since some share images ('image'). These are too few to compare groups." in "".join(
        found.remarks
    )
    assert found.groups.loc[0, "note"] == "no interval: all images are of one cluster of people who share images"
    assert not found.disparities["claimed"].any()


def test_rows_without_an_image_are_of_an_image_each():
    table = families(1, same_group=True)
    found = found_in(table.assign(image=["one", *[None, ""] * (len(table) // 2)][: len(table)]))
    assert found.groups.loc[0, ["images", "subjects", "clusters"]].tolist() == [360, 120, 120]


def scores_of(table: pd.DataFrame) -> pd.DataFrame:
    made = table.rename(columns={"person": "subject", "score": "value"})
    return made[["image", "subject", "value"]].assign(task="t", model="m", metric="x", note="")


def test_comparing_versions_takes_families_for_one():
    """The light of each picture changes between versions, and that of a family is one: nothing else does."""
    claims = 0
    for seed in range(40):
        before, after = (scores_of(families(2 * seed + turn, same_group=True)) for turn in (0, 1))
        row = compared.run(before, after).iloc[0]
        assert row["subjects"] == 120 and row["note"] == "120 people count as 24, since some share images"
        claims += row["p_changed"] < 0.05
    assert claims <= 6


def test_units_are_numbered_alike_whatever_the_order_of_rows():
    table = families(3, same_group=False, size=2, count=5).rename(columns={"person": "subject"})
    assert unit_count(table) == unit_count(table.sample(frac=1, random_state=1)) == 5
    subjects, units = numbered_people(table)
    assert len(set(zip(subjects.tolist(), units.tolist(), strict=True))) == 10
