"""What is left of a difference between groups when another column of the table is held fixed."""

from collections.abc import Collection, Mapping

import pandas as pd

from accord.analyse import conditioning
from accord.analyse.explaining.encoded import encoded
from accord.analyse.plain.found import by_strength
from accord.analyse.scoring.metrics import direction
from accord.analyse.tables.causes import Conditioned, Features
from accord.engine.table import empty
from accord.statistics.cohort import KEY, PERSON, TEST, numbered, tests


def features(single: Mapping[str, pd.DataFrame], numbers: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """A table like Features. single: attribute -> its Members; numbers: column -> image, subject, number."""
    names = {"attribute": "feature", "group": "label"}
    labels = [part.rename(columns=names).assign(kind="category", number=float("nan")) for part in single.values()]
    known = [part.assign(feature=name, kind="number", label="") for name, part in numbers.items()]
    parts = [*labels, *(part.dropna(subset="number") for part in known)]
    return pd.concat(parts, ignore_index=True) if parts else empty(Features)


def measured(key: pd.DataFrame, numbers: Mapping[str, pd.Series]) -> dict[str, pd.DataFrame]:
    """Column -> image, subject, number; of a long table each once. key: image, subject of each row."""
    (each,) = numbered(key)
    once = ~each.duplicated(PERSON)
    return {
        name: each.loc[once, [*KEY, PERSON]].assign(number=values.to_numpy()[once]) for name, values in numbers.items()
    }


def held_fixed(
    scores: pd.DataFrame,
    members: pd.DataFrame,
    disparities: pd.DataFrame,
    known: pd.DataFrame,
    lower: Collection[str],
    *,
    min_subjects: int,
    bootstraps: int,
    seed: int,
) -> pd.DataFrame:
    """A table like Conditioned: of each test the strongest difference that is claimed, as it is and with each column of
    `known` (like Features) held fixed by matching and by standardising.

    Every column is tried, so that what takes a difference away is a guess, and `accord` calls it one.
    """
    first = by_strength(disparities).drop_duplicates(list(TEST))
    if first.empty:
        return empty(Conditioned)
    turned = scores["metric"].isin([name for name in lower if direction(name) > 0])
    better = scores.assign(value=scores["value"].where(~turned, -scores["value"]))
    causes = [
        dict(zip(TEST, test, strict=True)) | {"feature": name, "claimed": True, "side": ""}
        for test, some in tests(better) for name in encoded(some, known, min_subjects).names
    ]  # fmt: skip
    tried = pd.DataFrame(causes, columns=[*TEST, "feature", "claimed", "side"]).astype({"claimed": bool})
    how = {"resamples": bootstraps, "min_subjects": min_subjects, "seed": seed}
    return conditioning.run(better, known, members, first, tried, **how)
