"""Let images pass that no check inside their shard stopped."""

import pandas as pd
from pandera.typing import DataFrame

from accord.checks.tables.findings import Findings, Images
from accord.engine import table
from accord.findings import FAIL


def run(images: DataFrame[Images], findings: DataFrame[Findings]) -> DataFrame[Images]:
    """The images without a failed finding. Those that wait for a review go on: the release holds them back."""
    return unstopped(images, findings).sort_values("image", ignore_index=True)


def unstopped(images: pd.DataFrame, findings: pd.DataFrame) -> pd.DataFrame:
    """The rows of images without a failed finding."""
    return images[~table.is_in(images["image"], findings.loc[findings["verdict"] == FAIL, "image"])]
