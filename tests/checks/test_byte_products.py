"""Products of bytes are whole numbers, exact up to the largest."""

import numpy as np
import pytest

from accord.checks.matching.byte_products import byte_products


@pytest.mark.parametrize(("rows", "columns", "length"), [(1, 1, 128), (7, 300, 128), (300, 213, 128), (5, 4, 3)])
def test_products_of_bytes_are_exact(rows, columns, length):
    rng = np.random.default_rng(rows)
    left, right = (rng.integers(0, 256, (count, length), dtype=np.uint8) for count in (rows, columns))
    left[0] = right[0] = 255
    made = byte_products(left, right)
    assert made.dtype == np.int32
    assert np.array_equal(made, left.astype(np.int64) @ right.astype(np.int64).T)
