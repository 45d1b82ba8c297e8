"""Corrections for many tests, against statsmodels."""

import gc
from itertools import combinations

import numpy as np
import pytest
from analyse_cases import cohort_of
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

from accord.analyse.comparing.family import family
from accord.statistics.testing.correction import METHODS, corrected

THEIRS = {"bonferroni": "bonferroni", "holm": "holm", "bh": "fdr_bh"}


@pytest.fixture(autouse=True, scope="module")
def as_it_is():
    """statsmodels collects all garbage of the process in each call: tests of a minute where others ran before."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gc, "collect", lambda: 0)
        yield


@pytest.mark.parametrize("method", METHODS)
@given(st.lists(st.floats(0, 1) | st.sampled_from([0.0, 0.01, 0.01, 1.0]), min_size=1, max_size=30))
@settings(max_examples=25, deadline=None)
def test_corrected_as_statsmodels_corrects(method, p):
    assert corrected(p, method) == pytest.approx(multipletests(p, method=THEIRS[method])[1], rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("method", METHODS)
@given(st.lists(st.floats(0, 1) | st.just(np.nan), min_size=1, max_size=12))
@settings(max_examples=25, deadline=None)
def test_what_was_not_tested_stays_so_and_is_not_counted(method, p):
    tested = ~np.isnan(p)
    expected = np.array(p)
    if tested.any():
        expected[tested] = multipletests(expected[tested], method=THEIRS[method])[1]
    assert corrected(p, method) == pytest.approx(expected, rel=1e-12, abs=1e-15, nan_ok=True)


@pytest.mark.parametrize("method", METHODS)
def test_nothing_to_correct(method):
    assert corrected([], method).tolist() == []


def test_another_method_is_refused():
    with pytest.raises(ValueError, match="'none' is not one of bonferroni, holm, bh"):
        corrected([0.1], "none")


@pytest.mark.parametrize("method", METHODS)
def test_pairs_of_a_family_are_corrected_as_chosen(rng, method):
    """Five groups whose means climb: ten pairs, as scipy tests and statsmodels corrects them."""
    labels = np.repeat(list("abcde"), 40)
    values = np.round(rng.normal(0, 1, 200) + np.repeat([0, 0.3, 0.5, 0.7, 0.9], 40), 2)
    found = family(("t", "m", "s"), "x", cohort_of(values, range(200), labels), 10, (), method)
    upper = np.triu_indices(5, 1)
    of = {name: values[labels == name] for name in "abcde"}
    p = [stats.mannwhitneyu(of[a], of[b]).pvalue for a, b in combinations("abcde", 2)]
    rejected, expected = multipletests(p, method=THEIRS[method])[:2]
    assert found.corrected[upper] == pytest.approx(expected)
    told = {tuple(sorted((pair.worst, pair.best))) for pair in found.significant()}
    assert told == {pair for pair, is_so in zip(zip(*upper, strict=True), rejected, strict=True) if is_so}
    assert found.smallest_p == pytest.approx(min(expected))
