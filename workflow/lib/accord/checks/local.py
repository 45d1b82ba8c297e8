"""Let images pass that no check inside their shard stopped."""

from pandera.typing import DataFrame

from accord.checks.tables import Findings, Images
from accord.findings import FAIL


def run(images: DataFrame[Images], findings: DataFrame[Findings]) -> DataFrame[Images]:
    """The images without a failed finding. Those that wait for a review go on: the release holds them back."""
    stopped = set(findings.loc[findings["verdict"] == FAIL, "image"])
    return images[~images["image"].isin(stopped)].sort_values("image", ignore_index=True)
