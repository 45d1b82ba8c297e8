"""Products of descriptors of a picture with those of four others, beside other exact ways: CPU µs and ratios.

Sums of 128 products of bytes are whole numbers that float32 holds, so that products of real numbers are exact, too.
Run: python benchmarks/byte_products.py [--keypoints 300]
"""

import argparse
from collections.abc import Callable
from time import process_time

import numpy as np
import torch

from accord.checks.matching import byte_products as ours

LENGTH, TOGETHER, REPEATS, TIMES = 128, 4, 200, 9


def main() -> None:
    """All ways on the same descriptors; each must give the same products."""
    made = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    made.add_argument("--keypoints", type=int, default=300)
    count = made.parse_args().keypoints
    torch.set_num_threads(1)
    rng = np.random.default_rng(1)
    left, right = (rng.integers(0, 256, (n, LENGTH), np.uint8) for n in (TOGETHER * count, count))
    unsigned = ours._Kernels(ours._session(signed=False), signed=False)
    ways: dict[str, Callable[[], np.ndarray]] = {
        "accord": lambda: ours.byte_products(left, right),
        "onnxruntime, without signs": lambda: unsigned.products(left, right),
        "NumPy, float32": lambda: left.astype(np.float32) @ right.astype(np.float32).T,
        "torch, float32": lambda: (torch.from_numpy(left).float() @ torch.from_numpy(right).float().T).numpy(),
    }
    expected, least = left.astype(int) @ right.astype(int).T, {}
    for name, way in ways.items():
        if not np.array_equal(way(), expected):
            raise SystemExit(f"{name}: other products")
        least[name] = min(spent(way) for _ in range(TIMES))
    print(f"signed kernels are exact here: {ours._kernels().signed}")
    for name, seconds in least.items():
        print(f"{name:28}{1e6 * seconds:8.0f}{seconds / least['accord']:8.2f}")


def spent(way: Callable[[], np.ndarray]) -> float:
    """CPU s of one call, on average."""
    start = process_time()
    for _ in range(REPEATS):
        way()
    return (process_time() - start) / REPEATS


if __name__ == "__main__":
    main()
