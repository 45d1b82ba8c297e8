"""What people decided about painted regions of a shard's images, taken from the vault; who and when stay there."""

from pandera.typing import DataFrame

from accord.checks.settling.decisions import of_queues
from accord.engine.parameter_types import Private
from accord.intake.tables import Images
from accord.privacy.tables import Decisions
from accord.queues import INPAINTING


def run(images: DataFrame[Images], *, vault: Private) -> DataFrame[Decisions]:
    """The settled decisions on painted regions of the images; none without a vault of reviews."""
    return of_queues(images["image"], vault, (INPAINTING,))
