"""Permits: whose rows may be used for what."""

import numpy as np
import pandas as pd


def having(scope: str, rows: pd.DataFrame, permits: pd.DataFrame) -> pd.DataFrame:
    """The rows (image, subject, ...) of people who consent to a scope in that image, by table Permits."""
    agreed = permits.loc[permits["scope"] == scope, ["image", "subject"]]
    allowed = set(agreed.itertuples(index=False, name=None))
    return rows[np.array([pair in allowed for pair in zip(rows["image"], rows["subject"], strict=True)], bool)]
