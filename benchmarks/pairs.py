"""3,000 impostor pairs of 3,000 faces, drawn without making all pairs, against making them; then of a million faces.

Prints seconds, peak memory and ratios. Run: python benchmarks/pairs.py
"""

import tracemalloc
from itertools import combinations
from time import perf_counter

import numpy as np

from accord.analyse.pairs import impostors

PAIRS = 3_000


def main() -> None:
    """Time and weigh both ways, then ours alone on a million faces."""
    rng = np.random.default_rng(1)
    fast, light = measured(lambda: impostors(np.repeat(np.arange(1_000), 3), PAIRS, rng))
    slow, heavy = measured(lambda: of_all(np.repeat(np.arange(1_000), 3), rng))
    print(
        f"3,000 faces: {fast * 1000:.0f} ms, {light:.0f} MB against {slow:.1f} s, {heavy:.0f} MB: {slow / fast:.0f} x"
    )
    fast, light = measured(lambda: impostors(np.repeat(np.arange(200_000), 5), PAIRS, rng))
    print(f"1,000,000 faces: {fast * 1000:.0f} ms, {light:.0f} MB")


def of_all(subjects: np.ndarray, rng: np.random.Generator) -> list[tuple[int, int]]:
    """A sample of a list of all pairs, as the usual tools draw it."""
    every = [(a, b) for a, b in combinations(range(len(subjects)), 2) if subjects[a] != subjects[b]]
    return [every[k] for k in rng.choice(len(every), PAIRS, replace=False)]


def measured(call) -> tuple[float, float]:
    """Seconds and peak MB of a call: timed first, then weighed in a second run, since weighing slows it."""
    start = perf_counter()
    call()
    seconds = perf_counter() - start
    tracemalloc.start()
    call()
    peak = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    return seconds, peak


if __name__ == "__main__":
    main()
