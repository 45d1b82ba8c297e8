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

    she, he: subject, value (0 or 1) of answers. The interval is of bootstrap replicates; where those without an
    error about him are too many for an upper bound, there is none. A side of fewer than `min_subjects` has no figures.
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
    shown = [_shares(who[both["side"] == side], both.loc[both["side"] == side, "value"].to_numpy(float), drawn)
             for side in (0, 1)]  # fmt: skip
    low, high = _interval(shown[0], shown[1], min(counts.values()))
    told = {"ratio": rates["she"] / rates["he"], "low": low, "high": high}
    return counts | rates | told | {"note": ""}


def _interval(she: np.ndarray, he: np.ndarray, subjects: int) -> tuple[float, float]:
    """95% interval of the ratio of two shares from their draws, those infinite counting as above all others."""
    known = ~np.isnan(she) & ~np.isnan(he)
    ratios = np.divide(she[known], he[known], out=np.full(known.sum(), np.inf), where=he[known] > 0)
    if subjects < 2 or not len(ratios):
        return np.nan, np.nan
    below, above = bootstrap.quantile_levels(subjects)
    low, high = np.quantile(ratios, below, method="lower"), np.quantile(ratios, above, method="higher")
    return float(low), float(high) if np.isfinite(high) else np.nan


def _shares(who: np.ndarray, values: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """The mean of values in each draw of subjects: (draws,)."""
    subjects = drawn.shape[1]
    return ratio(*(drawn @ np.bincount(who, weights, minlength=subjects) for weights in (values, np.ones(len(who)))))
