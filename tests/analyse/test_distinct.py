"""Distinct values and their places are those that NumPy finds."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from accord.analyse.explaining import strata
from accord.analyse.explaining.encoded import encoded
from accord.statistics import distinct as module
from accord.statistics.distinct import coded, distinct, distinct_pairs

WHOLE = st.sampled_from([np.int8, np.int32, np.int64, np.uint8, np.uint64])


@pytest.mark.parametrize("least", [1, 1_000])
@given(data=st.data())
def test_distinct_values_and_places_are_those_of_numpy(data, least):
    dtype = data.draw(WHOLE)
    limits = np.iinfo(dtype)
    near = st.integers(max(int(limits.min), -3), 9) | st.integers(int(limits.min), int(limits.max))
    far = st.integers(int(limits.max) - 3, int(limits.max)) | st.integers(int(limits.min), int(limits.min) + 3)
    elements = data.draw(st.sampled_from([near, far]))
    values = data.draw(arrays.arrays(dtype, st.integers(0, 30), elements=elements))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(module, "LEAST", least)
        found, of = coded(values)
        once = distinct(values)
    told, places = np.unique(values, return_inverse=True)
    assert once.tolist() == found.tolist() == told.tolist() and of.tolist() == places.tolist()
    assert once.dtype == found.dtype == told.dtype and of.dtype == places.dtype


@pytest.mark.parametrize(
    "values", [np.array(["b", "a", "b"]), pd.Series(["b", "a", "b"]), [2.5, 1.0, 2.5], [True, False]]
)
def test_texts_fractions_and_series_too(values):
    told, places = np.unique(values, return_inverse=True)
    assert distinct(values).tolist() == told.tolist()
    assert [part.tolist() for part in coded(values)] == [told.tolist(), places.tolist()]


@given(
    arrays.arrays(
        st.sampled_from([np.int32, np.int64]),
        st.tuples(st.integers(0, 20), st.just(2)),
        elements=st.integers(0, 9) | st.integers(0, 2**31 - 1),
    )
)
def test_distinct_pairs_are_the_rows_that_numpy_finds(pairs):
    assert distinct_pairs(pairs).tolist() == np.unique(pairs, axis=0).tolist()


def test_strata_of_a_category_are_the_rows_whose_labels_are_the_same():
    rng = np.random.default_rng(1)
    keys = pd.DataFrame({"image": [f"i{n}" for n in range(400)], "subject": [f"s{n % 90}" for n in range(400)]})
    told = keys.iloc[rng.integers(400, size=900)].assign(label=rng.choice(list("abcde"), 900))
    features = told.drop_duplicates().assign(feature="worn", kind="category", number=np.nan)
    made = encoded(keys, features, 2)
    columns = made.matrix[:, made.columns_of(0)]
    assert strata.feature_strata(made, 0).tolist() == np.unique(columns, axis=0, return_inverse=True)[1].tolist()
    assert len(np.unique(strata.feature_strata(made, 0))) > 10
