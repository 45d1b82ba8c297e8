"""Pairs, thresholds and rates of verification, against brute force and statsmodels."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from analyse_cases import asked_of, by_shards, verdicts_of
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from accord.analyse import verification
from accord.analyse.faces import pairs
from accord.analyse.faces.neighbours import kindred
from accord.analyse.faces.rates import negatives_needed, position, threshold_at, thresholds_at, wilson
from accord.vocabularies import PRONOUNS, SKIN_COLORS

TASK = "face_verification"


@pytest.mark.parametrize(("hits", "trials"), [(0, 5), (5, 5), (1, 3), (14, 400), (970, 1000)])
def test_wilson_equals_statsmodels(hits, trials):
    assert wilson(hits, trials) == pytest.approx(proportion_confint(hits, trials, method="wilson"), abs=1e-12)


def test_wilson_of_nothing_is_undefined():
    assert np.isnan(wilson(0, 0)).all()


@pytest.mark.parametrize("far", [0.01, 0.03])
@pytest.mark.parametrize("count", [100, 250, 999])
def test_the_threshold_is_hazens_quantile(rng, count, far):
    negatives = rng.normal(size=count)
    assert threshold_at(negatives, far) == pytest.approx(np.quantile(negatives, 1 - far, method="hazen"), abs=1e-12)


@pytest.mark.parametrize("decimals", [0, 1, 2])
def test_equal_scores_are_refused_where_not_all_of_them_may_be_accepted(rng, decimals):
    """At most half a pair more than FAR allows is accepted; a threshold one score lower would accept more than that."""
    negatives = np.round(rng.normal(size=250), decimals)
    threshold = threshold_at(negatives, 0.03)
    lower = negatives[negatives < threshold].max()
    assert (negatives >= threshold).sum() <= 0.03 * 250 + 0.5 < (negatives >= lower).sum()


def test_thresholds_by_hand():
    """Of 10 negatives and FAR 0.2: position 2.5, so half way from the second to the third score."""
    assert threshold_at(np.array([9, 8, 5, 4, 3, 2, 1, 1, 1, 0.0]), 0.2) == 6.5
    assert threshold_at(np.array([9, 5, 5, 5, 3, 2, 1, 1, 1, 0.0]), 0.2) == 9 - 4 * 1.5 / 3
    assert threshold_at(np.array([9, 9, 9, 5, 3, 2, 1, 1, 1, 0.0]), 0.2) == np.nextafter(9, np.inf)
    assert threshold_at(np.array([9, 8, *[-np.inf] * 8]), 0.2) == 8


def test_tar_does_not_lean_where_few_impostor_pairs_set_the_threshold(rng):
    """The true rate of N(3, 1) against N(0, 1) at FAR 0.001 is 0.464; 6,000 samples know TAR to 0.002.

    The last score that FAR allows leaned by -0.053, -0.095 and -0.027 with so many negatives.
    """
    truth = stats.norm.sf(stats.norm.isf(0.001) - 3)
    for count in (1000, 1500, 2000):
        top = -np.sort(-rng.normal(size=(2000, count)), axis=1)[:, :5]
        made = [thresholds_at(-row, np.arange(1, 6), np.array([position(count, 0.001)]))[0] for row in top]
        assert abs(stats.norm.sf(np.array(made) - 3).mean() - truth) < 0.016


def test_one_in_a_thousand_needs_a_thousand_and_is_counted_as_a_decimal():
    assert negatives_needed(0.001) == 1000 and negatives_needed(0.003) == 334
    assert threshold_at(np.arange(3000.0), 0.003) == 2990.5
    with pytest.raises(ValueError, match=r"999 negatives can't resolve a false accept rate of 0\.001"):
        threshold_at(np.arange(999.0), 0.001)


def test_genuine_pairs_are_all_pairs_of_a_subject(rng):
    subjects = rng.integers(0, 9, 40)
    expected = [(a, b) for a, b in combinations(range(40), 2) if subjects[a] == subjects[b]]
    assert pairs.genuine(subjects).tolist() == [list(pair) for pair in expected]
    assert pairs.genuine(np.arange(5)).shape == (0, 2)


@pytest.mark.parametrize("most", [10_000, 400, 30])
def test_impostor_pairs_are_all_or_a_sample_of_those_allowed(rng, most):
    subjects = rng.integers(0, 9, 40)
    every = {(a, b) for a, b in combinations(range(40), 2) if subjects[a] != subjects[b] and (a + b) % 3}
    got = pairs.impostors(subjects, most, rng, lambda a, b: (a + b) % 3 != 0)
    drawn = set(map(tuple, got.tolist()))
    assert drawn <= every and len(drawn) == len(got) == min(most, len(every))
    assert got.tolist() == sorted(got.tolist())


def test_no_face_or_one_face_makes_no_pair(rng):
    for count in (0, 1):
        assert pairs.impostors(np.arange(count), 10, rng).shape == (0, 2)


def test_every_impostor_pair_is_as_likely(rng):
    """66 pairs of 12 faces, 5 drawn 3,000 times: chi-square by hand stays under its 99.9% quantile, about 107."""
    counts = np.zeros((12, 12))
    for _ in range(3000):
        drawn = pairs.impostors(np.arange(12), 5, rng)
        counts[drawn[:, 0], drawn[:, 1]] += 1
    seen, expected = counts[np.triu_indices(12, 1)], 3000 * 5 / 66
    assert ((seen - expected) ** 2 / expected).sum() < 107


@pytest.mark.parametrize("faces", [3, 1_000_000, 90_000_001])
def test_numbers_of_pairs_are_exact_for_millions_of_faces(faces):
    numbers = np.array([0, faces - 2, faces - 1, faces * (faces - 1) // 2 - 1])
    left, right = pairs._rows(numbers, faces)
    assert list(zip(left, right, strict=True)) == [(0, 1), (0, faces - 1), (1, 2), (faces - 2, faces - 1)]


def test_every_number_is_its_pair():
    left, right = pairs._rows(np.arange(57 * 56 // 2), 57)
    assert list(zip(left, right, strict=True)) == list(combinations(range(57), 2))


@pytest.mark.parametrize("most", [10_000, 300, 30])
def test_pairs_between_groups_are_all_or_a_sample(rng, most):
    subjects, inside, outside = rng.integers(0, 9, 60), np.arange(0, 60, 3), np.arange(1, 60, 2) // 2 * 2 + 1
    outside = np.setdiff1d(outside, inside)
    every = {(a, b) for a in inside for b in outside if subjects[a] != subjects[b]}
    got = pairs.impostors_between(inside, outside, subjects, most, rng)
    drawn = set(map(tuple, got.tolist()))
    assert drawn <= every and len(drawn) == len(got) == min(most, len(every))
    assert pairs.impostors_between(inside, outside[:0], subjects, most, rng).shape == (0, 2)


def test_whole_set_negatives_share_a_pronoun_and_are_near_in_skin_colour():
    faces = pd.DataFrame({"image": list("abcde"), "subject": list("abcde")})
    said = [
        *[(s, "pronoun", PRONOUNS[0]) for s in "abd"], ("b", "pronoun", PRONOUNS[1]), ("c", "pronoun", PRONOUNS[1]),
        *[(s, "natural_skin_color", SKIN_COLORS[k]) for s, k in zip("abcd", (0, 1, 2, 3), strict=True)],
    ]  # fmt: skip
    attributes = pd.DataFrame(
        [(s, s, name, value) for s, name, value in said], columns=["image", "subject", "attribute", "value"]
    )
    left, right = map(np.array, zip(*combinations(range(5), 2), strict=True))
    allowed = kindred(faces, attributes)(left, right)
    got = {f"{'abcde'[a]}{'abcde'[b]}" for a, b, ok in zip(left, right, allowed, strict=True) if ok}
    assert got == {"ab", "bc"}


def case(rng, subjects=30, images=3, missing=()):
    """Embeddings of one model, all in one group `g`; faces by number in `missing` have none."""
    owner = np.repeat(np.arange(subjects), images)
    vectors = rng.normal(size=(subjects, 16))[owner] + rng.normal(size=(len(owner), 16))
    vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    keys = [(f"i{n:03d}", f"s{s:03d}") for n, s in enumerate(owner)]
    frame = pd.DataFrame(keys, columns=["image", "subject"]).assign(model="m", vector=list(vectors))
    members = frame[["image", "subject"]].assign(attribute="x", group="g")
    said = frame[["image", "subject"]]
    attributes = pd.concat(
        [
            said.assign(attribute=n, value=v)
            for n, v in (("pronoun", PRONOUNS[0]), ("natural_skin_color", SKIN_COLORS[1]))
        ]
    )
    verdicts = verdicts_of([image for image, _ in keys])
    return frame.drop(index=list(missing)), asked_of("m", TASK, keys), members, attributes, verdicts, vectors, owner


def brute_tar(vectors, owner, missing, far):
    """TAR by all pairs and a double loop; a face in `missing` is never accepted."""
    positive, negative = [], []
    for a, b in combinations(range(len(owner)), 2):
        cosine = -np.inf if {a, b} & set(missing) else float(np.dot(vectors[a].astype(float), vectors[b].astype(float)))
        (positive if owner[a] == owner[b] else negative).append(cosine)
    threshold = np.quantile(negative, 1 - far, method="hazen")
    return threshold, np.mean(np.array(positive) >= threshold), len(positive), len(negative)


@pytest.mark.parametrize("missing", [(), (0, 7, 8)])
def test_tar_equals_brute_force(rng, missing):
    *tables, vectors, owner = case(rng, missing=missing)
    rates = verification.run(*tables, far=0.001).rates.set_index("attribute")
    threshold, tar, positives, negatives = brute_tar(vectors, owner, missing, 0.001)
    for name in ("all", "x"):
        row = rates.loc[name]
        assert (row["positives"], row["negatives"]) == (positives, negatives) == (90, 3915)
        assert row["threshold"] == pytest.approx(threshold, abs=1e-9) and row["tar"] == pytest.approx(tar)
        low, high = wilson(round(tar * 90), 90)
        # Three pairs of each subject tell less than as many independent ones.
        assert row["low"] < low < tar < high < row["high"]


def test_fewer_than_a_thousand_negatives_are_told_not_interpolated(rng):
    *tables, _, _ = case(rng, subjects=12)
    row = verification.run(*tables).rates.set_index("attribute").loc["x"]
    assert row["negatives"] == 594 and np.isnan(row["tar"])
    assert row["note"] == "594 impostor pairs, fewer than the 1,000 that resolve a FAR of 0.001"


def test_too_few_subjects_or_single_pictures_are_told(rng):
    *tables, _, _ = case(rng, subjects=9)
    assert set(verification.run(*tables).rates["note"]) == {"9 subjects, fewer than 10"}
    *tables, _, _ = case(rng, subjects=60, images=1)
    assert set(verification.run(*tables).rates["note"]) == {"no subject has two pictures"}


def test_genuine_similarity_is_the_mean_cosine_with_the_subjects_other_faces(rng):
    *tables, vectors, owner = case(rng, subjects=5, missing=(0,))
    got = verification.run(*tables).scores["value"].to_numpy()
    for face in range(15):
        others = [k for k in range(15) if owner[k] == owner[face] and k != face]
        cosines = [0 if 0 in (face, k) else max(0, np.dot(vectors[face].astype(float), vectors[k])) for k in others]
        assert got[face] == pytest.approx(np.mean(cosines), abs=1e-6)


def test_a_subject_with_one_picture_has_no_genuine_similarity(rng):
    *tables, _, _ = case(rng, subjects=3, images=1)
    got = verification.run(*tables).scores
    assert got["value"].isna().all() and set(got["note"]) == {"no second picture of the subject"}


def test_images_that_do_not_pass_take_no_part(rng):
    *tables, _, _ = case(rng)
    tables[-1].loc[:8, "verdict"] = "fail"
    row = verification.run(*tables).rates.set_index("attribute").loc["x"]
    assert (row["subjects"], row["images"], row["positives"]) == (27, 81, 81)


def test_shard_by_shard_all_is_told_as_of_all_at_once(rng):
    *tables, _, _ = case(rng, missing=(0, 7, 8))
    given = dict(zip(("predictions", "asked", "members", "attributes", "verdicts"), tables, strict=True))
    for one, other in zip(verification.run(**given), by_shards(verification.run, **given), strict=True):
        pd.testing.assert_frame_equal(one.reset_index(drop=True), other.reset_index(drop=True))


def test_people_who_share_images_are_drawn_together(rng):
    """The same faces, of 30 people alone, and of five clusters: figures are the same, intervals those of five."""
    predictions, asked, members, attributes, verdicts, _, owner = case(rng)
    shared = {f"i{n:03d}": f"c{s // 6}/{n % 3}" for n, s in enumerate(owner)}
    renamed = [table.assign(image=table["image"].map(shared)) for table in (predictions, asked, members, attributes)]
    alone, together = (
        verification.run(*tables, far=0.001).rates.set_index("attribute").loc["x"]
        for tables in (
            (predictions, asked, members, attributes, verdicts),
            (*renamed, verdicts_of(sorted(set(shared.values())))),
        )
    )
    assert together[["subjects", "positives", "negatives"]].tolist() == [30, 90, 3915]
    assert together["tar"] == pytest.approx(alone["tar"]) and together["low"] < alone["low"] < alone["high"]
    assert together["high"] - together["low"] > 1.2 * (alone["high"] - alone["low"])
