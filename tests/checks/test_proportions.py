"""Intervals of rates, against statsmodels, against enumeration, and in simulation; sizes of samples."""

from fractions import Fraction
from math import comb, inf, isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import hypergeom
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

from accord.checks import estimate_command
from accord.errors import AccordError
from accord.statistics.describing import proportions
from accord.statistics.describing.proportions import (
    allocation,
    effective,
    exact_finite,
    sample_size,
    stratified,
    wilson_finite,
)


def test_the_published_figure():
    """14 of 400, FHIBE's people who were found online: 3.5% [2.1, 5.8]; the paper prints 3.5 +- 1.7."""
    assert [round(100 * bound, 1) for bound in proportions.wilson(14 / 400, 400)] == [2.1, 5.8]


@given(trials=st.integers(1, 500), share=st.floats(0, 1))
def test_wilson_is_that_of_statsmodels(trials, share):
    hits = round(share * trials)
    assert proportions.wilson(hits / trials, trials) == pytest.approx(
        proportion_confint(hits, trials, method="wilson"), abs=1e-12
    )


@given(st.integers(1, 60), st.floats(0, 1), st.integers(1, 60), st.floats(0, 1))
def test_newcombe_is_that_of_statsmodels(n, p, m, q):
    hits, others = round(n * p), round(m * q)
    asked = confint_proportions_2indep(hits, n, others, m, method="newcomb", compare="diff")
    assert proportions.newcombe(hits, n, others, m) == pytest.approx(asked, abs=1e-12)


def test_the_variance_of_a_sample_is_that_of_its_effective_trials():
    for population, hits, sampled in ((50, 7, 20), (400, 100, 399), (10, 5, 1)):
        rate = hits / population
        variance = hypergeom.var(population, hits, sampled) / sampled**2
        assert rate * (1 - rate) / effective(sampled, population) == pytest.approx(variance)
    assert effective(30, 30) == inf


def test_a_census_leaves_no_doubt_and_nothing_seen_no_figure():
    assert wilson_finite(3, 30, 30) == exact_finite(3, 30, 30) == (0.1, 0.1)
    assert all(map(isnan, (*wilson_finite(0, 0, 30), *exact_finite(0, 0, 30))))


@given(population=st.integers(1, 80), data=st.data())
def test_exact_bounds_are_those_of_all_counts_tried(population, data):
    sampled = data.draw(st.integers(1, population))
    hits = data.draw(st.integers(0, sampled))

    def tail(real, wanted):
        ways = sum(comb(real, k) * comb(population - real, sampled - k) for k in wanted if k <= real)
        return Fraction(ways, comb(population, sampled))

    kept = [
        real
        for real in range(hits, population - sampled + hits + 1)
        if tail(real, range(hits, sampled + 1)) > Fraction(1, 40) and tail(real, range(hits + 1)) > Fraction(1, 40)
    ]
    assert exact_finite(hits, sampled, population) == (kept[0] / population, kept[-1] / population)


@pytest.mark.parametrize(("population", "sampled"), [(100, 40), (500, 100), (130, 40)])
def test_coverage_in_finite_populations(population, sampled):
    """Enumerated, for every number of hits in the population: exact 95% or more, Wilson 95% on average,
    and 91% or more where five hits and five misses are to be expected."""
    bounds = [(wilson_finite(k, sampled, population), exact_finite(k, sampled, population)) for k in range(sampled + 1)]
    covered = []
    for real in range(population + 1):
        chances = hypergeom.pmf(range(sampled + 1), population, real, sampled)
        share = real / population
        inside = [[low - 1e-12 <= share <= high + 1e-12 for low, high in pair] for pair in bounds]
        covered.append(chances @ np.array(inside))
    covered = np.array(covered)
    assert covered[:, 1].min() >= 0.95 - 1e-9
    assert 0.94 < covered[:, 0].mean() < 0.97
    often = slice(5 * population // sampled, population - 5 * population // sampled)
    assert covered[often, 0].min() > 0.91


def test_one_stratum_is_no_stratum():
    assert stratified([14], [400], [2017]) == pytest.approx((0.035, *wilson_finite(14, 400, 2017)))
    assert stratified([14], [400], [2017], finite=False)[1:] == pytest.approx(proportions.wilson(0.035, 400))


def test_strata_by_hand():
    """Weights 3/4 and 1/4 of 10% and 50%: 20%."""
    rate, low, high = stratified([4, 10], [40, 20], [300, 100])
    assert rate == pytest.approx(0.2)
    assert low < 0.2 < high
    assert all(map(isnan, stratified([1, 0], [10, 0], [30, 5])))
    assert stratified([3, 2], [30, 20], [30, 20])[1:] == pytest.approx((0.1, 0.1))


def test_coverage_in_strata():
    """2,000 draws from three unequal strata, proportional and Neyman's: 95% within the simulation's error."""
    rng = np.random.default_rng(2)
    populations, real = [600, 200, 100], [12, 30, 40]
    truth = sum(real) / sum(populations)
    for rates in (None, [r / n for r, n in zip(real, populations, strict=True)]):
        sizes = allocation(populations, 150, rates)
        hits = [rng.hypergeometric(r, n - r, k, 2000) for r, n, k in zip(real, populations, sizes, strict=True)]
        bounds = [stratified(some, sizes, populations)[1:] for some in np.transpose(hits).tolist()]
        covered = np.mean([low <= truth <= high for low, high in bounds])
        assert covered > 0.935


@given(st.lists(st.integers(0, 200), min_size=1, max_size=6), st.integers(0, 400))
def test_allocations_add_up_and_fit(sizes, total):
    given = allocation(sizes, total)
    assert sum(given) == min(total, sum(sizes))
    assert all(n <= size for n, size in zip(given, sizes, strict=True))
    if total >= 2 * len(sizes):
        assert all(n >= min(2, size) for n, size in zip(given, sizes, strict=True))


def test_neyman_is_the_allocation_of_least_variance():
    sizes, rates = [90, 60, 30], [0.02, 0.3, 0.5]

    def variance(given):
        return sum(n**2 * p * (1 - p) / k for n, p, k in zip(sizes, rates, given, strict=True))

    best = min(
        ((a, b, 30 - a - b) for a in range(2, 27) for b in range(2, 29 - a) if 2 <= 30 - a - b <= 30), key=variance
    )
    assert variance(allocation(sizes, 30, rates)) == pytest.approx(variance(best), rel=0.005)
    assert allocation(sizes, 30) == [15, 10, 5]


@given(rate=st.floats(0, 1), half=st.floats(0.02, 0.4), population=st.none() | st.integers(5, 3000))
def test_a_sample_of_the_size_is_narrow_enough_and_one_less_is_not(rate, half, population):
    size = sample_size(rate, half, population)

    def width(n):
        low, high = proportions.wilson(rate, n if population is None else effective(n, population))
        return high - low

    assert width(size) <= 2 * half + 1e-12
    assert size == 1 or width(size - 1) > 2 * half - (1e-12 if population is None else 0.2 * half)


def test_the_command(capsys):
    assert estimate_command.main(["rate", "14", "400", "--of", "2017"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "14 of 400: 3.5% [2.1%, 5.8%], Wilson 95%"
    estimate_command.main(["size", "0.035", "0.02"])
    assert capsys.readouterr().out.startswith(f"{sample_size(0.035, 0.02)} for an interval of 3.50%")


@pytest.mark.parametrize("words, told", [
    (["rate", "500", "400"], ["hits: 500 is more than the sample size 400"]),
    (["rate", "-1", "400", "--of", "9"],
     ["hits: -1 is less than 0", "--of: 9 is less than 400, the minimum"]),
    (["rate", "5", "0", "--of", "0"], ["sampled: 0 is less than 1", "--of: 0 is less than 1, the minimum"]),
    (["size", "3.5", "1", "--of", "0"],
     ["rate: 3.5 must be between 0 and 1", "half_width: 1.0 must be above 0 and below", "--of: 0 is less than 1"]),
])  # fmt: skip
def test_the_command_tells_all_wrong_arguments_at_once(words, told):
    with pytest.raises(AccordError) as error:
        estimate_command.main(words)
    assert len(error.value.problems) == len(told)
    assert all(one in str(error.value) for one in told)


@pytest.mark.parametrize(
    ("table", "interval"),
    [((36, 12, 2, 0), (0.0569, 0.3404)), ((89, 82, 21, 8), (0.2118, 0.3911))],
)  # fmt: skip
def test_newcombe_of_pairs_as_published(table, interval):
    """The first pair of rates correlates negatively, and so does the second: 48 to 38 of 50, 171 to 110 of 200."""
    assert proportions.newcombe_paired(*table) == pytest.approx(interval, abs=5e-5)


@given(st.tuples(*[st.integers(0, 40)] * 4).filter(any))
def test_newcombe_of_pairs_holds_the_difference_and_turns_with_it(table):
    both, first, second, neither = table
    low, high = proportions.newcombe_paired(both, first, second, neither)
    difference = (first - second) / sum(table)
    assert -1 - 1e-9 <= low <= difference + 1e-9 and difference - 1e-9 <= high <= 1 + 1e-9
    assert proportions.newcombe_paired(both, second, first, neither) == pytest.approx((-high, -low))


def test_newcombe_of_pairs_without_correlation_is_that_of_independent_rates():
    assert proportions.newcombe_paired(10, 10, 10, 10) == pytest.approx(proportions.newcombe(20, 40, 20, 40))
    assert all(map(isnan, proportions.newcombe_paired(0, 0, 0, 0)))
