"""How many times as often one pronoun is got wrong as another."""

import numpy as np
import pandas as pd

from accord.statistics.describing.ratios import ratio
from accord.statistics.resampling import bootstrap
from accord.statistics.seeds import generator
from accord.text.nouns import fewer


def row(
    she: pd.DataFrame, he: pd.DataFrame, *, min_subjects: int, bootstraps: int, seed: int, names: tuple[str, ...]
) -> dict:
    """Rates of two groups, and their ratio with its 95% interval by subjects.

    she, he: subject, value (0 or 1) of answers. The interval is of the logarithm's bootstrap replicates; draws without
    an error on either side have no ratio, and don't count. A side of fewer than `min_subjects` has no figures.
    """
    counts = {"she_subjects": she["subject"].nunique(), "he_subjects": he["subject"].nunique()}
    blank = dict.fromkeys(("she", "he", "ratio", "low", "high"), np.nan)
    few = [fewer(count, "subject", min_subjects) for count in counts.values() if count < min_subjects]
    if few:
        return counts | blank | {"note": few[0]}
    rates = {"she": float(she["value"].mean()), "he": float(he["value"].mean())}
    if not rates["he"]:
        return counts | blank | rates | {"note": "nobody who is he was misgendered"}
    both = pd.concat([she.assign(side=0), he.assign(side=1)])
    who, everyone = pd.factorize(both["subject"], sort=True)
    drawn = bootstrap.weights(len(everyone), bootstraps, generator(seed, "misgendering", *names))
    shares = [_shares(who[both["side"] == side], both.loc[both["side"] == side, "value"].to_numpy(float), drawn)
              for side in (0, 1)]  # fmt: skip
    replicates = ratio(*shares)
    least = min(counts.values())
    low, high = bootstrap.interval(np.log(np.where(replicates > 0, replicates, np.nan)), least)
    told = {"ratio": rates["she"] / rates["he"], "low": float(np.exp(low)), "high": float(np.exp(high))}
    return counts | rates | told | {"note": ""}


def _shares(who: np.ndarray, values: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """The mean of values in each draw of subjects: (draws,)."""
    subjects = drawn.shape[1]
    return ratio(*(drawn @ np.bincount(who, weights, minlength=subjects) for weights in (values, np.ones(len(who)))))
