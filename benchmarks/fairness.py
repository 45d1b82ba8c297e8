"""AI-Face's group metrics at 330,000 faces, against the usual ways, in one run. Prints CPU ms of one core and ratios.

F_MEO, F_DP with its floor, F_OAE and F_EO of ten skin tones, the same figures from each: counts of category codes
(ours), the same from text, a crosstab of pandas, NumPy's masks, scikit-learn's confusion_matrix of each group, and
fairlearn's MetricFrame (`pip install -e '.[benchmarks]'`; left out where it isn't installed).
Run: python benchmarks/fairness.py
"""

from collections.abc import Callable
from time import process_time

import numpy as np
import pandas as pd
from sklearn.metrics import confusion_matrix

from accord.analyse.scoring.fairness import Confusion, confusion, fairness

FACES, TONES, REPEATS = 330_000, 10, 9


def main() -> None:
    """All ways on the same faces; each must give the same figures."""
    rng = np.random.default_rng(1)
    names = np.array([f"Monk {tone:02}" for tone in range(1, TONES + 1)], object)
    groups, labels = names[rng.integers(0, TONES, FACES)], rng.integers(0, 2, FACES)
    said, codes = (rng.random(FACES) < 0.2 + 0.6 * labels).astype(int), pd.Categorical(groups)
    ours, expected = timed(lambda: fairness(confusion(labels, said, codes)))
    print(f"codes: {1000 * ours:.2f} ms")
    ways = {"text": lambda: fairness(confusion(labels, said, groups)),
            "NumPy, masks of codes": lambda: masks(labels, said, codes.codes, names),
            "pandas, crosstab of codes": lambda: crosstab(labels, said, codes),
            "pandas, groupby of codes": lambda: groupby(labels, said, codes),
            "scikit-learn, confusion_matrix": lambda: matrices(labels, said, codes.codes, names)}  # fmt: skip
    for name, way in ways.items():
        told(name, ours, way, expected)
    try:
        import fairlearn.metrics  # noqa: F401
    except ImportError:
        print("fairlearn is not installed")
        return
    told("fairlearn, MetricFrame of codes", ours, lambda: metric_frame(labels, said, codes), expected)


def masks(labels: np.ndarray, said: np.ndarray, codes: np.ndarray, names: np.ndarray) -> tuple:
    """Counts of four comparisons a group."""
    counts = [[[np.count_nonzero((codes == k) & (labels == y) & (said == q)) for q in (0, 1)] for y in (0, 1)]
              for k in range(len(names))]  # fmt: skip
    return fairness(Confusion(np.array(counts), tuple(names)))


def crosstab(labels: np.ndarray, said: np.ndarray, codes: pd.Categorical) -> tuple:
    """pandas' table of counts."""
    found = pd.crosstab(codes, [labels, said])
    return fairness(Confusion(found.to_numpy().reshape(-1, 2, 2), tuple(found.index)))


def groupby(labels: np.ndarray, said: np.ndarray, codes: pd.Categorical) -> tuple:
    """pandas' sizes of groups."""
    rows = pd.DataFrame({"group": codes, "label": labels, "said": said})
    found = rows.groupby(["group", "label", "said"], observed=False).size()
    return fairness(Confusion(found.to_numpy().reshape(-1, 2, 2), tuple(codes.categories)))


def matrices(labels: np.ndarray, said: np.ndarray, codes: np.ndarray, names: np.ndarray) -> tuple:
    """scikit-learn's confusion matrix of each group."""
    counts = [confusion_matrix(labels[codes == k], said[codes == k], labels=(0, 1)) for k in range(len(names))]
    return fairness(Confusion(np.array(counts), tuple(names)))


def metric_frame(labels: np.ndarray, said: np.ndarray, codes: pd.Categorical) -> tuple:
    """fairlearn's rates of each group, and what they make."""
    from fairlearn.metrics import MetricFrame, count, false_positive_rate, selection_rate, true_positive_rate

    metrics = {"fpr": false_positive_rate, "tpr": true_positive_rate, "selected": selection_rate, "n": count,
               "accuracy": lambda y, p: (y == p).mean(), "fakes": lambda y, p: y.mean()}  # fmt: skip
    frame = MetricFrame(metrics=metrics, y_true=labels, y_pred=said, sensitive_features=codes)
    apart, each = frame.difference(), frame.by_group
    odds = sum(float((each[name] - frame.overall[name]).abs().sum()) for name in ("fpr", "tpr"))
    return odds, apart["accuracy"], apart["selected"], apart["fakes"], max(apart["fpr"], apart["tpr"])


def timed(way: Callable[[], tuple]) -> tuple[float, tuple]:
    """The median of CPU seconds, and what it gives."""
    took = []
    for _ in range(REPEATS):
        start = process_time()
        found = way()
        took.append(process_time() - start)
    return float(np.median(took)), found


def told(name: str, ours: float, way: Callable[[], tuple], expected: tuple) -> None:
    """Print a way's time over ours, after its figures were found to be the same."""
    took, found = timed(way)
    np.testing.assert_allclose(found[:5], expected[:5], rtol=1e-9)
    print(f"{name}: {1000 * took:.1f} ms, {took / ours:.1f} x", flush=True)


if __name__ == "__main__":
    main()
