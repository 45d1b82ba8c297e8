"""Selection: which of the videos that pass are released; the account of all delivered ones."""

from typing import NamedTuple

from pandera.typing import DataFrame

from accord.check_names import LABELS, RELEASE
from accord.checks.deciding.waterfall import waterfall
from accord.checks.tables.findings import VideoWaterfall
from accord.engine.parameter_types import Private
from accord.findings import PASS
from accord.intake.tables import People as Depicted
from accord.privacy.video_waterfall import STEPS
from accord.release.reserve.images import PUBLISHED, RESERVE, is_held
from accord.release.seal import versions
from accord.release.tables import Keys, People, Verdicts
from accord.release.waterfall import RESERVE as HELD

REASON = "held in reserve, with the images of a person in it"


class Account(NamedTuple):
    """One verdict per delivered video, and how many each check stopped."""

    verdicts: DataFrame[Verdicts]
    waterfall: DataFrame[VideoWaterfall]


def run(
    verdicts: DataFrame[Verdicts],
    depicted: DataFrame[Depicted],
    selected: DataFrame[Keys],
    people: DataFrame[People],
    *,
    vault: Private,
    reserve: float,
) -> Account:
    """Privacy's verdicts on videos, who is in them, the selection of images and who is in these -> the final account.

    A video that passes is held back, with the verdict `reserve`, where it shows somebody in the reserve of whom no
    image is released, unless the latest version published it. Nothing replaces a video. `reserve`: share of the
    subjects, as that of images.
    """
    images = selected.loc[selected["state"] == PUBLISHED, "image"]
    released = set(people.loc[people["image"].isin(images), "subject"])
    waiting = {one for one in depicted["subject"].unique() if one not in released and is_held(one, reserve)}
    held = set(depicted.loc[depicted["subject"].isin(waiting), "image"]) - _published(vault)
    rows = (verdicts["verdict"] == PASS) & verdicts["image"].isin(held)
    final = verdicts.copy()
    final.loc[rows, ["verdict", "room", "check", "reason"]] = [RESERVE, RELEASE, HELD, REASON]
    return Account(final, waterfall(final, STEPS | {HELD: LABELS[HELD]}))


def _published(vault: Private) -> set[str]:
    """What the latest version published, by internal ids."""
    latest = versions.latest(vault)
    return set(versions.index(vault, latest)) if latest else set()
