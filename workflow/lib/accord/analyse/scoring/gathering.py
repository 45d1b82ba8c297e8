"""Tables of all shards as one."""

import pandas as pd


def gathered(parts: list[pd.DataFrame], by: list[str]) -> pd.DataFrame:
    """The rows of `parts`, sorted; they are taken out of it, and column by column, so that none is in memory twice."""
    whole = pd.concat(parts, ignore_index=True)
    parts.clear()
    order = whole[by].sort_values(by, kind="stable").index.to_numpy()
    return pd.DataFrame({name: whole.pop(name).take(order).reset_index(drop=True) for name in [*whole.columns]})
