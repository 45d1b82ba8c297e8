"""Products of bytes are whole numbers, exact up to the largest."""

import numpy as np
import pytest

from accord.checks.matching import byte_products as module
from accord.checks.matching.byte_products import byte_products

KERNELS = {signed: module._Kernels(module._session(signed), signed) for signed in (False, True)}


@pytest.mark.parametrize(("rows", "columns", "length"), [(1, 1, 128), (7, 300, 128), (300, 213, 128), (5, 4, 3)])
def test_products_of_bytes_are_exact(rows, columns, length):
    rng = np.random.default_rng(rows)
    left, right = (rng.integers(0, 256, (count, length), dtype=np.uint8) for count in (rows, columns))
    left[0] = right[0] = 255
    made = byte_products(left, right)
    assert made.dtype == np.int32
    assert np.array_equal(made, left.astype(np.int64) @ right.astype(np.int64).T)


@pytest.mark.parametrize("signed", [signed for signed, kernels in KERNELS.items() if module._exact(kernels)])
def test_kernels_that_are_taken_for_exact_are_exact(signed):
    rng = np.random.default_rng(3)
    left, right = rng.choice(np.array([0, 1, 127, 128, 254, 255], np.uint8), (2, 300, 128))
    for rows in (1, 2, 33, 300):
        made = KERNELS[signed].products(left[:rows], right)
        assert np.array_equal(made, left[:rows].astype(np.int64) @ right.astype(np.int64).T)


def test_kernels_without_signs_are_exact_anywhere():
    assert module._exact(KERNELS[False])


@pytest.mark.parametrize("most", [32_767, 65_025])
def test_sums_that_are_cut_off_are_not_taken_for_exact(most):
    """As processors do that have no instructions for products of bytes: two products are added in 16 bits."""

    class Cut:
        def products(self, left, right):
            pairs = left.astype(int).reshape(len(left), -1, 2)[:, None] * right.astype(int).reshape(len(right), -1, 2)
            return np.minimum(pairs.sum(axis=-1), most).sum(axis=-1)

    assert not module._exact(Cut())
