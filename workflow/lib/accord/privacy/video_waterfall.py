"""The account of videos before release: every delivered one, what became of it, and why."""

from typing import NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord.check_names import LABELS, OF_VIDEOS, PRIVACY, room_of
from accord.checks.deciding.judge import delivered, judge
from accord.checks.deciding.waterfall import waterfall
from accord.checks.tables.findings import Verdicts, VideoWaterfall
from accord.engine import table
from accord.findings import FAIL, PASS
from accord.intake.tables import People, Refused, Videos
from accord.privacy.tables import Findings, PaintedVideos

TAKEN = (
    *("intake.known", "intake.path", "intake.missing_file", "intake.sha256", "intake.subject", "intake.copy"),
    *("safety_known", "safety_delivery", "decode"),
)
"""Checks of intake and checks that videos have as images do; consent's are the same."""
STEPS = {check: words for check, words in LABELS.items() if check in TAKEN or room_of(check) == "consent"} | OF_VIDEOS
NO_VIDEO, COPY = "privacy.no_video", "privacy.copy"
PROVEN = (PRIVACY, "proven", "Painted, proven and not withheld")


class Account(NamedTuple):
    """One verdict per delivered video, and how many each check stopped."""

    verdicts: DataFrame[Verdicts]
    waterfall: DataFrame[VideoWaterfall]


def run(
    videos: DataFrame[Videos],
    people: DataFrame[People],
    refused: DataFrame[Refused],
    findings: DataFrame[Findings],
    painted: DataFrame[PaintedVideos],
) -> Account:
    """Videos that intake took, whom they show, and videos that it refused; findings of consent and, as people settled
    them, of checks and privacy, and what was painted, of all shards.

    A video passes that is painted and proven, and that nobody withheld or has yet to watch. One that nothing stopped
    but that isn't painted fails too: none is lost without a reason. So do copies of a file: all of them where they are
    delivered as showing different people, else all but the first. Raises AccordError on findings of videos that were
    never delivered.
    """
    after = judge(judge(delivered(videos, refused), findings), _copies(videos, people))
    final = judge(after, _unpainted(after, painted))
    return Account(final, waterfall(final, STEPS, PROVEN))


def _copies(videos: pd.DataFrame, people: pd.DataFrame) -> pd.DataFrame:
    """Findings on videos of equal bytes, whatever else became of each: a copy of what somebody withdrew stays out."""
    shown = people.groupby("image")["subject"].agg(frozenset).to_dict()
    ordered = videos.sort_values(["vendor", "delivery", "image"])
    stopped = []
    for _, same in ordered[ordered.duplicated("sha256", keep=False)].groupby("sha256"):
        is_disputed = len({shown.get(row.image, frozenset()) | {row.subject} for row in same.itertuples()}) > 1
        reason = "the same file is delivered as showing others" if is_disputed else "the same file was delivered before"
        stopped += [(image, COPY, None, None, FAIL, reason) for image in same["image"].iloc[0 if is_disputed else 1 :]]
    return table.rows(sorted(stopped), Findings)


def _unpainted(verdicts: pd.DataFrame, painted: pd.DataFrame) -> pd.DataFrame:
    missing = sorted(set(verdicts.loc[verdicts["verdict"] == PASS, "image"]) - set(painted["image"]))
    reason = "no painted video was made of it in the privacy steps"
    return table.rows([(image, NO_VIDEO, None, None, FAIL, reason) for image in missing], Findings)
