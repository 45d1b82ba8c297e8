"""Casual Conversations: types of skin by votes, the mini set, and precision of models of age and gender on it."""

from pathlib import Path
from typing import NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.casual import outcomes, predictions, published, votes
from accord.analyse.casual.cells import How
from accord.analyse.casual.mini_set import mini_set
from accord.analyse.casual.precision import precisions
from accord.analyse.casual.scales import FITZPATRICK, SCALES
from accord.analyse.casual.skin_types import of_types, skin_types
from accord.analyse.casual.tables import (
    FramePredictions,
    MiniCounts,
    MiniSet,
    Precision,
    SkinTypes,
    VideoLooks,
    VoteAgreement,
)
from accord.analyse.casual.video_looks import video_looks
from accord.analyse.casual.vote_agreement import vote_agreement
from accord.analyse.scoring.instances import released
from accord.analyse.tables.scores import Members, Scores
from accord.checks.tables.findings import Verdicts
from accord.engine.parameter_types import Count, Private, Seed
from accord.engine.table import check, empty
from accord.evaluate.tables.videos import Looks
from accord.grouping import KEY, groups_of
from accord.release.archives import shared
from accord.release.tables import Attributes, People
from accord.review.tables import Items

LIGHTING, RANGES = "lighting", "age_range"


class Videos(NamedTuple):
    """Voted types and how far raters agree (empty without votes); the groups that they make; the mini set and its
    counts; what models said of its videos, as scores too, and their precision (empty without predictions)."""

    types: DataFrame[SkinTypes]
    agreement: DataFrame[VoteAgreement]
    members: DataFrame[Members]
    mini: DataFrame[MiniSet]
    counts: DataFrame[MiniCounts]
    looks: DataFrame[VideoLooks]
    scores: DataFrame[Scores]
    precision: DataFrame[Precision]


def run(
    people: DataFrame[People],
    attributes: DataFrame[Attributes],
    members: DataFrame[Members],
    verdicts: DataFrame[Verdicts],
    references: list[Path],
    voted: Path | None = None,
    predicted: list[Path] | None = None,
    looked: DataFrame[Looks] | None = None,
    asked: DataFrame[Items] | None = None,
    *,
    vault: Private | None = None,
    scale: str = FITZPATRICK.name,
    min_subjects: Count = 10,
    bootstraps: Count = 1000,
    seed: Seed = 1,
) -> Videos:
    """All tables of a dataset whose images are videos; docs/casual-conversations-votes.md.

    voted: a file of subject, rater, type, uncertain; asked: items of whose people raters voted on the review page,
    into `vault`; scale: fitzpatrick or monk; predicted: files of frames, video, gender, age.
    looked: what models of the run said of frames; members: further groups that precision is told of. Raises AccordError
    with all that is wrong in a file.
    """
    everyone, how = released(people, verdicts), How(min_subjects, bootstraps, seed)
    printed, values = published.read(references), SCALES[scale]
    types, agreement, groups = empty(SkinTypes), empty(VoteAgreement), empty(Members)
    given = None
    if asked is not None and vault is not None:
        given = votes.of_page(vault, values, {*asked["subject"]} & {*everyone["subject"]})
    if voted is not None:
        given = votes.read(voted, values, {*everyone["subject"]})
    if given is not None:
        types = skin_types(given, values, everyone["subject"])
        agreement = vote_agreement(given, values, **how._asdict())
        groups = check(everyone[KEY].merge(of_types(types, values), on="subject"), Members, "voted groups")
    known = _known(everyone, attributes)
    mini = mini_set(known[["subject", "video", LIGHTING]], printed)
    said = predictions.read(predicted, {*everyone["image"]}) if predicted else empty(FramePredictions)
    if looked is not None:
        said = predictions.together(said, looked)
    looks = video_looks(said, known.merge(mini.videos[["subject", "video"]], on=["subject", "video"]))
    figures = precisions(looks, pd.concat([members, groups]), printed, how)
    return Videos(types, agreement, groups, *mini, looks, outcomes.of_looks(looks), figures)


def _known(everyone: pd.DataFrame, attributes: pd.DataFrame) -> pd.DataFrame:
    """video, subject, gender, age_range, lighting of each person in a video; "" for what isn't known, or not one."""
    found = everyone[KEY]
    for name in (shared.GENDER, RANGES, LIGHTING):
        said = groups_of(everyone, attributes, name)
        once = said[~said.duplicated(KEY, keep=False) & (said["group"] != shared.UNKNOWN)]
        found = found.merge(once[[*KEY, "group"]].rename(columns={"group": name}), on=KEY, how="left")
    return found.fillna("").rename(columns={"image": "video"})
