"""How many times as often one pronoun is got wrong as another."""

import numpy as np
import pandas as pd

from accord.statistics.cohort import cohort
from accord.statistics.resampling import bootstrap
from accord.statistics.resampling.mean_intervals import mean_intervals
from accord.statistics.seeds import generator
from accord.text.nouns import fewer


def row(
    she: pd.DataFrame, he: pd.DataFrame, *, min_subjects: int, bootstraps: int, seed: int, names: tuple[str, ...]
) -> dict:
    """Rates of two groups, and their ratio with its 95% interval by subjects.

    she, he: subject, value (0 or 1) of answers. The interval follows from those of both rates; where his may be 0,
    there is no upper bound. A side of fewer than `min_subjects` has no figures.
    """
    counts = {"she_subjects": she["subject"].nunique(), "he_subjects": he["subject"].nunique()}
    blank = dict.fromkeys(("she", "he", "ratio", "low", "high"), np.nan)
    few = [fewer(count, "subject", min_subjects) for count in counts.values() if count < min_subjects]
    if few:
        return counts | blank | {"note": few[0]}
    rates = {"she": float(she["value"].mean()), "he": float(he["value"].mean())}
    if not rates["he"]:
        return counts | blank | rates | {"note": "nobody who is he was misgendered"}
    sides = [some.assign(group=name) for name, some in (("0", she), ("1", he))]
    both = pd.concat(sides, ignore_index=True).assign(image=lambda some: [f"{row:09}" for row in range(len(some))])
    groups = cohort(both, both)
    drawn = bootstrap.resampled(groups.subjects.max() + 1, bootstraps, generator(seed, "misgendering", *names))
    low, high = of_ratio(rates["she"], rates["he"], *mean_intervals(groups, drawn))
    return counts | rates | {"ratio": rates["she"] / rates["he"], "low": low, "high": high, "note": ""}


def of_ratio(first: float, second: float, of_first: np.ndarray, of_second: np.ndarray) -> tuple[float, float]:
    """The 95% interval of first / second, neither below 0, from theirs: (low, high) each.

    High is NaN where the second may be 0.
    Donner and Zou (2012); Newcombe (2016), MOVER-R: what both intervals say of independent figures together.
    """
    product, (below, above), (least, most) = first * second, of_first, of_second
    down = np.sqrt(max(product**2 - below * most * (2 * first - below) * (2 * second - most), 0))
    up = np.sqrt(max(product**2 - above * least * (2 * first - above) * (2 * second - least), 0))
    # The lower bound's formula by its conjugate, which never divides by nothing.
    low = below * (2 * first - below) / (product + down) if below > 0 else 0.0
    return float(low), float((product + up) / (least * (2 * second - least))) if least > 0 else np.nan
