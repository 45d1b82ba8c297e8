"""What the model that paints regions out can't do with a delivery: told to the vendor, as a run would refuse it."""

from accord.delivery.judging.faults import IMAGE, Fault
from accord.intake.delivered.delivery import DESCRIPTION, Delivery
from accord.intake.delivered.place import Place
from accord.intake.shard import Intake
from accord.privacy.painting.chosen import EMBEDDED

WHAT = "has regions to inpaint, but the configured model (privacy.model: embedded) is only for rendered pictures"
HINT = "set `rendered: true` if no person or scene was photographed; otherwise choose another privacy.model"


def faults(opened: Delivery, taken: Intake, painter: str) -> list[Fault]:
    """What stops images with regions of a delivery that is not marked as rendered. painter: `privacy.model`."""
    painted = taken.images["image"].isin(taken.regions["image"])
    images = tuple(sorted(taken.images.loc[painted, "source"]))
    if painter != EMBEDDED or opened.rendered or not images:
        return []
    return [Fault(IMAGE, WHAT, HINT, Place(DESCRIPTION, column="rendered"), images)]
