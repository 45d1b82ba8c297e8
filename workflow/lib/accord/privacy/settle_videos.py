"""Ask people about a shard's painted videos, and settle what they decided: kept, withheld, or still to be watched."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord.checks.deciding.policies import WORDS, policy_of
from accord.checks.settling.decisions import of_queues
from accord.checks.tables.videos import FramesSeen
from accord.engine import table
from accord.engine.parameter_types import Private
from accord.findings import FAIL, INFO, PASS, REVIEW
from accord.intake.tables import Videos
from accord.privacy.asking import videos as asking
from accord.privacy.tables import Decisions, Findings, Items, Moments, PaintedVideos, Passages
from accord.queues import DISMISS, VIDEOS

SEEN = ": left to whoever watches the video"


class Settled(NamedTuple):
    """What people are asked, what they decided, all findings as that settles them, and moments to look at."""

    review_items: DataFrame[Items]
    decisions: DataFrame[Decisions]
    settled: DataFrame[Findings]
    moments: DataFrame[Moments]


def run(
    videos: DataFrame[Videos],
    painted: DataFrame[PaintedVideos],
    findings: DataFrame[Findings],
    seen: DataFrame[FramesSeen],
    passages: DataFrame[Passages],
    *,
    vault: Private,
    review: str,
    policies: dict,
) -> Settled:
    """Finding video_review of each painted video that nothing fails: what people decided, else the policy.

    videos: those of the shard that passed consent; findings: of checks and privacy, also on others. `review`: as
    asking.videos.items has it; `policies`: queue -> hold, drop, pass. What frames showed is decided with the video.
    """
    own = findings[findings["image"].isin(videos["image"])]
    asked = asking.items(painted, own, review=review)
    decided = of_queues(painted["image"], vault, (VIDEOS,))
    wanted = own["verdict"].eq(REVIEW) & own["image"].isin(asked["image"])
    left = own.assign(
        verdict=own["verdict"].mask(wanted, INFO), reason=own["reason"].mask(wanted, own["reason"] + SEEN)
    )
    watched = table.rows(_watched(painted, own, asked, decided, policies), Findings)
    both = pd.concat([part for part in (left, watched) if len(part)] or [watched])
    made = both.sort_values(["image", "check"], ignore_index=True)
    return Settled(asked, decided, made, asking.moments(seen, passages))


def _watched(
    painted: pd.DataFrame, findings: pd.DataFrame, asked: pd.DataFrame, decided: pd.DataFrame, policies: Mapping
) -> Iterator[tuple]:
    """Rows of Findings: what became of each painted video that no finding fails."""
    stopped = set(findings.loc[findings["verdict"] == FAIL, "image"])
    items = dict(zip(asked["image"], asked.itertuples(), strict=True))
    said = {row.item: row for row in decided.itertuples()}
    for image in sorted(set(painted["image"]) - stopped):
        item = items.get(image)
        if item is None:
            yield image, asking.CHECK, None, None, PASS, "nothing was found in its frames"
        else:
            verdict, why = _outcome(said.get(item.item), policies)
            yield image, asking.CHECK, None, None, verdict, f"{item.reason}: {why}"


def _outcome(said: Any, policies: Mapping[str, str]) -> tuple[str, str]:
    """Verdict and reason of an item by its row of Decisions; None where nobody has decided yet."""
    if said is None:
        return WORDS[policy_of(VIDEOS, policies, has_region=False)]
    if said.decision == DISMISS:
        return PASS, "kept by a person"
    kind = said.kind.replace("_", " ")
    return FAIL, f"withheld by a person{f' ({kind})' if kind else ''}"
