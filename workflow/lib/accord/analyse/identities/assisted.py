"""What hand labels of some faces are worth: how far FNMR by estimated labels is from FNMR by hand labels alone."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np

from accord.analyse.faces.rates import negatives_needed, threshold_at
from accord.analyse.identities.scored_pairs import ScoredPairs
from accord.statistics.seeds import generator

FRACTIONS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0)
FEWEST_VOTERS = 3


def voters(names: Sequence[str]) -> list[tuple[str, ...]]:
    """Every set of at least three services, the smallest first; all of them where there are fewer."""
    least = min(FEWEST_VOTERS, len(names))
    return [some for size in range(least, len(names) + 1) for some in combinations(sorted(names), size)]


def order(labels: np.ndarray, z: np.ndarray, seed: int) -> np.ndarray:
    """The order in which people label faces: (faces,) int. First those without a label (at random), then those with
    one, the least clear first: by |z - 0.5| rising, z the mean over services. Ties by face."""
    left_out = np.nonzero(labels == -1)[0]
    known = np.nonzero(labels != -1)[0]
    unclear = np.argsort(np.abs(z[known] - 0.5), kind="stable")
    return np.concatenate([generator(seed, "left out").permutation(left_out), known[unclear]]).astype(int)


def helped(labels: np.ndarray, hand: np.ndarray, turn: np.ndarray, fraction: float) -> np.ndarray:
    """Labels of which the first `fraction` of faces, by their turn, is replaced by hand labels: (faces,) int."""
    some = turn[: round(fraction * len(turn))]
    made = labels.copy()
    made[some] = hand[some]
    return made


def deltas(
    name: str,
    pairs: ScoredPairs,
    labels: np.ndarray,
    hand: np.ndarray,
    z: np.ndarray,
    fmr: Sequence[float],
    fractions: Sequence[float] = FRACTIONS,
    seed: int = 1,
) -> Iterator[dict]:
    """Rows of `Assisted` of one service, without who votes: |FNMR by labels - FNMR by hand labels| at each FMR."""
    turn, truth = order(labels, z, seed), {rate: _fnmr(pairs, hand, rate) for rate in fmr}
    for fraction in fractions:
        made = helped(labels, hand, turn, fraction)
        for rate in fmr:
            delta = abs(_fnmr(pairs, made, rate) - truth[rate])
            note = "" if delta == delta else f"too few pairs for an FMR of {rate}"
            yield {"fraction": fraction, "service": name, "fmr": rate, "delta": delta, "note": note}


def agreement(labels: np.ndarray, hand: np.ndarray) -> Mapping[tuple[int, int], int]:
    """(hand label, estimated label) -> faces, of 1, 0 and -1 each."""
    values = (1, 0, -1)
    return {(y, z): int(((hand == y) & (labels == z)).sum()) for y in values for z in values}


def _fnmr(pairs: ScoredPairs, labels: np.ndarray, fmr: float) -> float:
    positive, known = labels == 1, ~np.isnan(pairs.scores)
    usable = positive[pairs.left] & positive[pairs.right] & known
    genuine, impostor = (pairs.scores[usable & some] for some in (pairs.within, ~pairs.within))
    if not len(genuine) or len(impostor) < negatives_needed(fmr):
        return float("nan")
    return float((genuine < threshold_at(impostor, fmr)).mean())
