"""200,000 impostor pairs of a million faces, drawn without making all pairs, against drawing and making them.

Drawing by hand: two faces at random, again and again, until there are enough different pairs of two subjects (sorted,
each once). Making all pairs is measured at sizes that it can do, as public tools do it (a list of pairs, a sample of
it) and as arrays. What it would take at a million is worked out, as the square of the number of faces, from the size
that does best at that, and is printed as such. Ours is measured at all sizes: impostors of two subjects; hard ones
(the same pronoun, skin colours at most one level apart); between a group of a tenth and all others; and all genuine
pairs. CPU seconds, the best of three, and peak memory. Run: python benchmarks/pairs.py
"""

import tracemalloc
from collections.abc import Callable
from itertools import combinations
from time import process_time

import numpy as np

from accord.analyse.faces.pairs import genuine, impostors, impostors_between

PAIRS, IMAGES, MILLION, ROUNDS = 200_000, 5, 1_000_000, 3
LISTS, ARRAYS, OURS = (500, 1_000, 2_000), (2_000, 4_000, 8_000), (3_000, 8_000, 100_000, MILLION)


def main() -> None:
    """Time and weigh both ways, print what the usual one would take, and the ratio."""
    rng = np.random.default_rng(1)
    print("| way | faces | s | MB |\n|---|---|---|---|")
    usual = {"list": told("list of all pairs", LISTS, lambda n: of_list(owners(n), rng))}
    usual["arrays"] = told("arrays of all pairs", ARRAYS, lambda n: of_arrays(owners(n), rng))
    _, by_hand, _ = told("drawn by hand", OURS, lambda n: of_draws(owners(n), rng))[-1]
    _, seconds, peak = told("drawn, two subjects", OURS, lambda n: impostors(owners(n), PAIRS, rng))[-1]
    told("drawn, hard ones", OURS, lambda n: impostors(owners(n), PAIRS, rng, alike(n)))
    told("drawn, across groups", OURS, lambda n: impostors_between(*parts(n), owners(n), PAIRS, rng))
    told("all genuine ones", OURS, lambda n: genuine(owners(n)))
    print(f"drawn by hand: {by_hand / seconds:.1f} times ours")
    for name, rows in usual.items():
        hours, terabytes = (min(row[k] * (MILLION / row[0]) ** 2 for row in rows) for k in (1, 2))
        made = f"{hours / 3600:,.1f} h and {terabytes / 1e6:,.1f} TB, worked out"
        print(f"{name}: a million faces {made}; ours {seconds:.2f} s and {peak:.0f} MB: {hours / seconds:,.0f} x")


def told(way: str, sizes: tuple[int, ...], call: Callable[[int], object]) -> list[tuple[int, float, float]]:
    """Print a line for each size; returns faces, seconds, MB of each."""
    rows = []
    for faces in sizes:
        rows.append((faces, *measured(lambda n=faces: call(n))))
        print(f"| {way} | {faces:,} | {rows[-1][1]:.3f} | {rows[-1][2]:,.0f} |", flush=True)
    return rows


def parts(faces: int) -> tuple[np.ndarray, np.ndarray]:
    """A group of a tenth of the faces, and all others."""
    return np.arange(faces // 10), np.arange(faces // 10, faces)


def owners(faces: int) -> np.ndarray:
    """Whose face each is: five of each subject."""
    return np.arange(faces) // IMAGES


def alike(faces: int) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """Pronouns and skin colours at random, the same for all faces of a subject: which pairs are hard."""
    rng, owner = np.random.default_rng(2), owners(faces)
    pronoun, skin = (rng.integers(0, n, owner[-1] + 1)[owner] for n in (2, 6))
    return lambda left, right: (pronoun[left] == pronoun[right]) & (abs(skin[left] - skin[right]) <= 1)


def of_draws(subjects: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Random pairs of faces of two subjects, until there are PAIRS different ones."""
    faces, found = len(subjects), np.empty(0, np.int64)
    while len(found) < PAIRS:
        left, right = rng.integers(faces, size=(2, PAIRS + PAIRS // 50))
        kept = subjects[left] != subjects[right]
        codes = np.minimum(left, right)[kept] * faces + np.maximum(left, right)[kept]
        codes = np.sort(np.concatenate([found, codes]))
        found = codes[np.append(True, codes[1:] != codes[:-1])]
    return np.stack(np.divmod(np.sort(rng.choice(found, PAIRS, replace=False)), faces), axis=1)


def of_list(subjects: np.ndarray, rng: np.random.Generator) -> list[tuple[int, int]]:
    """A sample of a list of all pairs, as the usual tools draw it."""
    every = [(a, b) for a, b in combinations(range(len(subjects)), 2) if subjects[a] != subjects[b]]
    return [every[k] for k in rng.choice(len(every), min(PAIRS, len(every)), replace=False)]


def of_arrays(subjects: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A sample of all index pairs as arrays."""
    left, right = np.triu_indices(len(subjects), 1)
    kept = np.flatnonzero(subjects[left] != subjects[right])
    chosen = rng.choice(kept, min(PAIRS, len(kept)), replace=False)
    return np.stack([left[chosen], right[chosen]], axis=1)


def measured(call: Callable[[], object]) -> tuple[float, float]:
    """CPU seconds and peak MB of a call: timed first, then weighed in a run of its own, since weighing slows it."""
    spent = []
    for _ in range(ROUNDS):
        start = process_time()
        call()
        spent.append(process_time() - start)
    tracemalloc.start()
    call()
    peak = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    return min(spent), peak


if __name__ == "__main__":
    main()
