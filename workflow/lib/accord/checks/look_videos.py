"""Look at frames of a shard's videos: for known abuse material first, then for what people have to look at."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord.abuse import hash_lists
from accord.checks.looking import filmed, known, logos
from accord.checks.looking.every import sums
from accord.checks.looking.filmed import Seen
from accord.checks.looking.frames import How
from accord.checks.personal import offensive
from accord.checks.tables.findings import Findings
from accord.checks.tables.videos import FramesSeen
from accord.engine import kept, table
from accord.engine.parameter_types import Folder, Former, Private
from accord.findings import FAIL
from accord.imaging.bundle import window
from accord.intake.tables import Videos


class Looked(NamedTuple):
    """The videos that privacy may open, what was seen in their frames, and the findings on all."""

    videos: DataFrame[Videos]
    seen: DataFrame[FramesSeen]
    findings: DataFrame[Findings]


class Past(NamedTuple):
    """What the last run saw and found."""

    seen: kept.Memory
    findings: kept.Memory

    @classmethod
    def of(cls, former: Former) -> Past:
        """As far as it is there."""
        return cls(kept.memory(former, "seen", FramesSeen), kept.memory(former, "findings", Findings))

    def held(self, made_from: dict[str, str]) -> set[str]:
        """The videos that would be seen as they were."""
        return {image for image, digest in made_from.items() if all(memory.holds(image, digest) for memory in self)}


def run(
    videos: DataFrame[Videos],
    bundle: Path,
    lists: list[Path],
    words: list[Path],
    gallery: list[Path],
    brands: Path,
    former: Former,
    *,
    video_frames: int,
    text_side: int,
    min_text_score: float,
    max_nudity: float,
    logo_score: float,
    models: dict,
    weights: Folder,
    vault: Private,
) -> Looked:
    """Findings decode, safety_known, safety_nudity, safety_text, personal_data and logo of each video.

    `video_frames` frames of each, at fixed times, are looked at one by one, as pictures are. What is on one of the
    `lists` of known abuse material (the file, or a frame), or can't be decoded, is looked at no further, and no later
    step opens it; a match is in the vault before anything else happens, and takes out all videos of its subject. What
    else is seen waits for a person. What of a video would be seen again is taken over from the `former` outputs. lists,
    words, gallery, brands: files of the user's; models: `logo`, an entry of models.yaml, or none. Raises AccordError
    where the bundle is not as it was written, a list or a model is broken.
    """

    @cache
    def how() -> How:
        by = logos.detectors(gallery, brands, logo_score, weights, models["logo"])
        return How(offensive.read(words), by, text_side, min_text_score, max_nudity)

    limits = [video_frames, text_side, min_text_score, max_nudity, logo_score, models["logo"]]
    basis = kept.basis("checks.looking.filmed", [limits, *map(sums, (lists, words, gallery, [brands]))])
    made_from = {row.image: kept.digest(basis, row.sha256) for row in videos.itertuples()}
    listed, past = known.listed(hash_lists.read(lists)), Past.of(former)
    new = videos[~videos["image"].isin(past.held(made_from))]
    looked = []
    for row in new.sort_values("image").itertuples(index=False):
        looked.append(filmed.look(row.image, window(bundle, row), listed, how, video_frames))
        known.record(looked[-1].matches, videos, vault)
    matches = [match for one in looked for match in one.matches]
    of_known = known.findings_of(videos, matches, are_listed=bool(lists), vault=vault)
    return _looked(videos, past, made_from, looked, of_known)


def _looked(
    videos: pd.DataFrame, past: Past, made_from: dict[str, str], looked: list[Seen], of_known: pd.DataFrame
) -> Any:
    """The tables, of videos that were looked at and of those that are taken over."""
    held = past.held(made_from)
    former = past.findings.rows[past.findings.rows["image"].isin(held) & (past.findings.rows["check"] != known.CHECK)]
    new = table.rows([finding for one in looked for finding in one.findings], Findings)
    findings = _joined([former, new, of_known], Findings).sort_values(["image", "check"], ignore_index=True)
    stopped = _stopped(findings)
    cleared = videos[~videos["image"].isin(stopped)].sort_values("image", ignore_index=True)
    # What is on a list, or of somebody who is, is looked at again: what was seen in it is in no table.
    own = {image: digest for image, digest in made_from.items() if image not in _stopped(of_known)}
    sights = [sight for one in looked for sight in one.sights if sight.image not in stopped]
    return Looked(
        cleared,
        kept.joined(past.seen.only(held), FramesSeen, own, sights),
        kept.joined(past.findings.only(()), Findings, own, [findings]),
    )


def _stopped(findings: pd.DataFrame) -> set[str]:
    return set(findings.loc[findings["verdict"] == FAIL, "image"])


def _joined(parts: list[pd.DataFrame], model: type[table.Table]) -> pd.DataFrame:
    filled = [part for part in parts if len(part)]
    return pd.concat(filled, ignore_index=True) if filled else table.empty(model)
