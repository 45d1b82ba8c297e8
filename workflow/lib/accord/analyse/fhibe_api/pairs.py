"""The pairs of faces that FHIBE's public Evaluation API compares, drawn without making the others.

It lists all pairs by the paths of their files, draws at most 3,000 of one person and 3,000 of two with Python's own
generator (seed 7789), and shuffles them (seed 11). Drawing numbers of pairs gives the same ones.
"""

import random

import numpy as np

MOST, SEED, ORDER = 3000, 7789, 11


def pairs(subjects: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The pairs of faces that are compared: (n, 2) numbers of faces, left < right, and (n,) whether of one subject.

    subjects: (faces,) int, ascending, of faces in the order of their paths. In the order in which they are folded.
    """
    ends = np.searchsorted(subjects, subjects, side="right")
    places = np.arange(len(subjects))
    draw = random.Random(SEED)
    same = _drawn(places + 1, ends, draw)
    others = _drawn(ends, np.full(len(subjects), len(subjects)), draw)
    order = list(range(len(same) + len(others)))
    random.Random(ORDER).shuffle(order)
    return np.concatenate([same, others])[order], (np.arange(len(order)) < len(same))[order]


def _drawn(starts: np.ndarray, ends: np.ndarray, draw: random.Random) -> np.ndarray:
    """At most 3,000 pairs (left, right) of all with starts[left] <= right < ends[left], in the order of the draws."""
    reached = np.cumsum(ends - starts)
    total = int(reached[-1]) if len(reached) else 0
    numbers = np.array(draw.sample(range(total), min(MOST, total)), np.int64)
    left = np.searchsorted(reached, numbers, side="right")
    return np.stack([left, starts[left] + numbers - np.append(0, reached)[left]], axis=1)
