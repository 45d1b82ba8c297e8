"""How many crops of a small group cells propose, where the group varies in directions of its own.

    python benchmarks/crops_of_few.py [--pictures 12600]

Pictures are vectors of 320 numbers in five parts. All but a few vary in the first 160 directions, and hardly in others.
Of both kinds 150 whole pictures are nearly what a part of another is: crops, which all with all finds. Each set is
searched with short vectors by plain PCA, and with the step's own, in which those that lose more count more.
"""

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from accord.checks.crops import CANDIDATES, MIN_COSINE
from accord.checks.matching import looks
from accord.checks.matching.index import shorter
from crops import codes, timed, write_some

SIZE, HALF, PLANTED, HARDLY = 320, 160, 150, 0.05
SETS = {
    "a twentieth in 160 other directions": (0.05, np.r_[np.full(HALF, HARDLY), np.ones(HALF)]),
    "a twentieth in 24 other directions": (0.05, np.r_[np.full(SIZE - 24, HARDLY), np.ones(24)]),
    "a hundredth in 160 other directions": (0.01, np.r_[np.full(HALF, HARDLY), np.ones(HALF)]),
    "a twentieth alike, but for 24 directions": (0.05, np.r_[np.full(SIZE - 24, HARDLY), np.full(24, 0.3)]),
    "nobody is different": (0.05, np.r_[np.ones(HALF), np.full(HALF, HARDLY)]),
}


class Made(NamedTuple):
    """(n, 5, d) vectors; (m, 2) sorted pairs of crops and what they are cut from, of most and of the few."""

    vectors: np.ndarray
    of_most: np.ndarray
    of_few: np.ndarray


def main() -> None:
    """Print a line for each set and way."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pictures", type=int, default=12_600)
    count = parser.parse_args().pictures
    rounds = shorter.ROUNDS
    for name, (share, spread) in SETS.items():
        made = pictures(count, share, spread)
        for way, times in (("plain", 0), ("weighed", rounds)):
            shorter.ROUNDS = times
            told(f"{name}, {way}", made)


def pictures(count: int, share: float, spread: np.ndarray) -> Made:
    """Pictures of which a share have standard deviations `spread`."""
    rng = np.random.default_rng(3)
    few = rng.random(count) < share
    deviations = np.where(few[:, None], spread, np.r_[np.ones(HALF), np.full(HALF, HARDLY)]).astype(np.float32)
    parts = rng.normal(size=(count, 1, SIZE)) + 0.7 * rng.normal(size=(count, looks.REGIONS, SIZE))
    parts = parts * deviations[:, None] + 0.6 * rng.normal(size=SIZE)
    parts[:, 0] = parts[:, 1:].mean(axis=1) + 0.5 * parts[:, 0]
    planted = []
    for group in (~few, few):
        ids = rng.permutation(np.flatnonzero(group))[: 2 * min(PLANTED, group.sum() // 2)]
        whole, cut = np.array_split(ids, 2)
        near = 0.35 * rng.normal(size=(len(cut), SIZE)) * deviations[cut]
        parts[cut, 0] = parts[whole, rng.integers(1, looks.REGIONS, len(cut))] + near
        planted.append(np.sort(np.stack([whole, cut], axis=1), axis=1))
    return Made((parts / np.linalg.norm(parts, axis=-1, keepdims=True)).astype(np.float32), *planted)


def told(what: str, made: Made) -> None:
    """Print how many of the planted crops are proposed."""
    ids = [f"i{number:07}" for number in range(len(made.vectors))]
    with TemporaryDirectory() as folder:
        for start in range(0, len(ids), 500):
            write_some(made.vectors[start : start + 500], start, Path(folder))
        paths = sorted(Path(folder).glob("*.parquet"))
        found, spent = timed(lambda: looks.likely(paths, ids, CANDIDATES, MIN_COSINE, 0))
    most, few = (np.isin(codes(of), codes(found.pairs)) for of in (made.of_most, made.of_few))
    shares = ", ".join(f"{one.drawn_from} {one.recall:.3f}" for one in found.recalls)
    crops = f"crops of most {most.sum()} of {len(most)}, of few {few.sum()} of {len(few)}"
    print(f"{what:50}{spent:7.1f} CPU s  {crops}  recall: {shares}", flush=True)


if __name__ == "__main__":
    main()
