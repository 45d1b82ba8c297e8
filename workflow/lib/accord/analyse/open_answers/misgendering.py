"""How many times as often one pronoun is got wrong as another."""

import numpy as np
import pandas as pd

from accord.statistics.cohort import cohort
from accord.statistics.describing.mean_intervals import mean_intervals, ratio_interval
from accord.text.nouns import fewer


def row(she: pd.DataFrame, he: pd.DataFrame, *, min_subjects: int) -> dict:
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
    low, high = ratio_interval(rates["she"], rates["he"], *mean_intervals(groups, bounded=True))
    return counts | rates | {"ratio": rates["she"] / rates["he"], "low": low, "high": high, "note": ""}
