"""Who is in which group, and what is said of each."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from analyse_cases import by_shards, members_of, scores_of, verdicts_of
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.analyse import composition, groups, members
from accord.analyse.comparing import intersections as crossing
from accord.analyse.comparing.intersections import intersections
from accord.analyse.tables.scores import Members, Verification
from accord.engine.table import empty
from accord.errors import AccordError
from accord.vocabularies import ANCESTRIES

AFRICA, EASTERN, WESTERN = ANCESTRIES[0], ANCESTRIES[2], ANCESTRIES[5]


def world():
    """Three images: one of two people; an age and an ancestry missing; an image that fails."""
    people = pd.DataFrame(
        [("a", "s", 18), ("a", "t", 64), ("b", "s", None), ("c", "u", 30)], columns=["image", "subject", "age"]
    )
    said = [
        *[("a", "s", "pronoun", "0. She/her/hers"), ("a", "s", "pronoun", "2. They/them/their")],
        *[("a", "t", "pronoun", "1. He/him/his"), ("b", "s", "pronoun", "0. She/her/hers")],
        *[("a", "s", "ancestry", AFRICA), ("a", "t", "ancestry", EASTERN), ("a", "t", "ancestry", WESTERN)],
        *[("a", "", "scene", "12. Indoor: Home or hotel"), ("c", "u", "pronoun", "1. He/him/his")],
    ]
    attributes = pd.DataFrame(said, columns=["image", "subject", "attribute", "value"])
    return people, attributes, verdicts_of("abc", failed="c")


def groups_of(name, most=1, also=()):
    people, attributes, verdicts = world()
    found = members.run(people, attributes, verdicts, names=[name, *also], most=most)
    return set(
        found.loc[found["attribute"].str.startswith(name), ["image", "subject", "group"]].itertuples(
            index=False, name=None
        )
    )


def test_a_person_is_in_every_group_that_they_name():
    assert groups_of("pronoun") == {
        ("a", "s", "0. She/her/hers"),
        ("a", "s", "2. They/them/their"),
        ("a", "t", "1. He/him/his"),
        ("b", "s", "0. She/her/hers"),
    }


def test_ages_come_in_fhibes_groups_and_a_missing_age_in_none():
    assert groups_of("age_group") == {("a", "s", "[18, 30)"), ("a", "t", "[60, +]")}


def test_subregions_count_once_in_their_region():
    assert groups_of("ancestry") == {("a", "s", AFRICA), ("a", "t", AFRICA)}


def test_a_region_counts_in_each_of_its_subregions():
    found = groups_of("ancestry_subregion")
    assert {group for image, subject, group in found if subject == "s"} == set(ANCESTRIES[1:6])
    assert {group for image, subject, group in found if subject == "t"} == {EASTERN, WESTERN}


def test_what_is_said_of_an_image_holds_for_everyone_in_it():
    assert groups_of("scene") == {("a", subject, "12. Indoor: Home or hotel") for subject in "st"}


def test_intersections_are_of_the_values_of_one_person():
    people, attributes, verdicts = world()
    found = members.run(people, attributes, verdicts, names=["pronoun", "ancestry"], most=2)
    crossed = found[found["attribute"] == "pronoun x ancestry"]
    assert set(crossed["group"]) == {
        f"0. She/her/hers x {AFRICA}", f"2. They/them/their x {AFRICA}", f"1. He/him/his x {AFRICA}",
    }  # fmt: skip
    assert len(crossed) == 3


def test_shard_by_shard_all_are_in_the_same_groups(monkeypatch):
    """And what is too much for all shards together is refused, though none alone has it."""
    people, attributes, verdicts = world()
    given = {"people": people, "attributes": attributes, "verdicts": verdicts, "names": ["pronoun", "scene"], "most": 2}
    whole = members.run(**given).reset_index(drop=True)
    pd.testing.assert_frame_equal(whole, by_shards(members.run, **given))
    many = {**given, "verdicts": verdicts_of("abc"), "names": ["pronoun", "ancestry", "age_group"]}
    rows = by_shards(members.run, **many)["attribute"].str.contains(" x ").sum()
    monkeypatch.setattr(crossing, "LARGEST", rows - 1)
    with pytest.raises(AccordError, match="memberships"):
        by_shards(members.run, **many)


@given(st.lists(st.tuples(*[st.sets(st.sampled_from("uvw"), max_size=2)] * 3), min_size=1, max_size=12))
@settings(max_examples=15, deadline=None)
def test_intersections_are_all_combinations_and_never_larger_than_their_parts(drawn):
    key = pd.DataFrame({"image": [str(n) for n in range(len(drawn))], "subject": "s"})
    single = [
        key.assign(attribute=name, group=[sorted(row[k]) for row in drawn]).explode("group").dropna()
        for k, name in enumerate("abc")
    ]
    found = pd.concat([empty(Members), *intersections(single, 3)])
    for names in (["a", "b"], ["a", "c"], ["b", "c"], ["a", "b", "c"]):
        crossed = found[found["attribute"] == " x ".join(names)]
        got = set(crossed[["image", "group"]].itertuples(index=False, name=None))
        expected = {
            (str(n), " x ".join(combination))
            for n, row in enumerate(drawn)
            for combination in product(*[row["abc".index(name)] for name in names])
        }
        assert got == expected and len(crossed) == len(expected)


def test_composition_adds_up_with_those_who_did_not_answer():
    people, attributes, verdicts = world()
    found = members.run(people, attributes, verdicts, names=["pronoun", "age_group"], most=2)
    told = composition.run(people, found, verdicts).set_index(["attribute", "group"])
    assert told.loc[("all", "all")].tolist() == [2, 2, 1.0]
    assert told.loc[("pronoun", "0. She/her/hers")].tolist() == [2, 1, 1.0]
    assert told.loc[("age_group", "not given")].tolist() == [1, 1, 0.5]
    assert not told.index.get_level_values("attribute").str.contains(" x ").any()


def test_figures_of_groups_equal_pandas(rng):
    scores = scores_of(rng.random(90), np.repeat(np.arange(30), 3))
    labels = np.repeat(rng.choice(["a", "b"], 30), 3)
    told = groups.run(scores, members_of(scores, "x", labels), empty(Verification))
    told = told.set_index(["attribute", "group"])
    for name, some in [*scores.groupby(labels), ("all", scores)]:
        row = told.loc[("all" if name == "all" else "x", name)]
        assert (row["images"], row["subjects"]) == (len(some), some["subject"].nunique())
        assert row["mean"] == pytest.approx(some["value"].mean())
        assert row["median"] == pytest.approx(some["value"].median())
        assert row["low"] < row["mean"] < row["high"]


def test_a_group_too_small_is_told_with_its_n_and_why():
    scores = scores_of(np.full(36, 0.5), np.repeat(np.arange(12), 3))
    labels = ["few"] * 27 + ["none"] * 9
    empty_group = pd.DataFrame([("zz", "zz", "x", "nobody scored")], columns=["image", "subject", "attribute", "group"])
    found = pd.concat([members_of(scores, "x", labels), empty_group])
    told = groups.run(scores, found, empty(Verification)).set_index("group")
    assert told.loc["few", "note"] == "9 subjects, fewer than 10" and np.isnan(told.loc["few", "mean"])
    assert (told.loc["few", "images"], told.loc["few", "subjects"]) == (27, 9)
    assert told.loc["nobody scored", "note"] == "0 subjects, fewer than 10"
    assert told.loc["all", "mean"] == 0.5


def test_undefined_scores_are_left_out_and_counted():
    scores = scores_of([0.5] * 30 + [np.nan] * 2, np.arange(32))
    scores.loc[30:, "note"] = "no visible keypoint"
    told = groups.run(scores, members_of(scores, "x", ["a"] * 32), empty(Verification))
    assert set(told["average"]) == {"mean over people in images, 2 undefined: no visible keypoint"}
    assert set(told["images"]) == {30}


def test_each_group_counts_what_its_own_average_leaves_out():
    scores = scores_of([0.5] * 30 + [np.nan] * 3, np.arange(33))
    scores.loc[30:, "note"] = ["no visible keypoint", "no face", "no face"]
    found = members_of(scores, "x", ["a"] * 15 + ["b"] * 15 + ["a", "b", "nobody's"])
    for some in (scores, scores.iloc[::-1]):
        told = groups.run(some, found, empty(Verification)).set_index("group")["average"]
        assert told["a"] == "mean over people in images, 1 undefined: no visible keypoint"
        assert told["b"] == "mean over people in images, 1 undefined: no face"
        assert told["all"] == "mean over people in images, 2 undefined: no face, 1 undefined: no visible keypoint"


def test_a_measure_that_cannot_be_had_tells_why():
    scores = scores_of([np.nan] * 32, np.arange(32)).assign(note="no weights")
    told = groups.run(scores, members_of(scores, "x", ["a"] * 32), empty(Verification))
    assert set(told["note"]) == {"no score, 32 undefined: no weights"}
    assert told["mean"].isna().all()


def test_two_people_in_one_image_are_one_image():
    scores = scores_of(np.full(20, 0.5), np.arange(20))
    scores["image"] = np.repeat(scores["image"].to_numpy()[::2], 2)
    told = groups.run(scores, members_of(scores, "x", ["a"] * 20), empty(Verification))
    assert set(told["images"]) == {10} and set(told["subjects"]) == {20}


def test_rates_of_verification_are_told_at_equal_numbers_of_impostor_pairs():
    at_equal, shared = (1000, 0.7, 0.6, 0.85), (0.6, 0.5, 0.7, 0.002)
    rate = ("m", "x", "a", 12, 36, 36, 1200, 0.4, 0.9, 0.8, 0.95, *at_equal, *shared, "")
    rates = pd.DataFrame([rate], columns=list(Verification.to_schema().columns))
    none = scores_of([], [])
    told = groups.run(none, members_of(none, "x", []), rates, far=0.001)
    assert told.loc[0, ["task", "metric", "mean", "low", "high", "average"]].tolist() == [
        "face_verification", "tar@far=0.001", 0.7, 0.6, 0.85, "share of 36 genuine pairs at 1,000 impostor pairs",
    ]  # fmt: skip
