"""What breaks a rule of publication among videos: pure functions over what rooms before release say of them."""

from collections.abc import Iterator
from typing import NamedTuple

import pandas as pd

from accord.findings import PASS
from accord.privacy.videos.proofs import PROOFS
from accord.release.disclosure import gatekeepers
from accord.release.disclosure.gatekeepers import Violation
from accord.release.making.exported import PAIR

CONSENT, PROOF = "video_consent", "video_proof"
GATES = (CONSENT, PROOF)


class Said(NamedTuple):
    """What rooms say of the videos that pass: who is in them, permits and findings of consent, the videos that consent
    let pass, the findings of privacy, and the painted files."""

    depicted: pd.DataFrame
    permits: pd.DataFrame
    findings: pd.DataFrame
    taken: pd.DataFrame
    proofs: pd.DataFrame
    painted: pd.DataFrame


def violations(videos: set[str], said: Said) -> pd.DataFrame:
    """gate, what, image: one row per violation."""
    told = Said(*(rows[rows["image"].isin(videos)] for rows in said))
    found = [*_consent(videos, told), *_proof(videos, told)]
    return pd.DataFrame(found, columns=Violation._fields)


def _consent(videos: set[str], said: Said) -> Iterator[Violation]:
    permits = frozenset(said.permits[[*PAIR, "scope"]].itertuples(index=False, name=None))
    yield from gatekeepers.unpermitted(videos, said.depicted[PAIR], permits, said.findings, CONSENT, "video")


def _proof(videos: set[str], said: Said) -> Iterator[Violation]:
    """Each proof was made and holds, of one file, which was painted over the one that consent let pass."""
    proofs = said.proofs[said.proofs["check"].isin(PROOFS)]
    proven = proofs[proofs["verdict"] == PASS].groupby("image")["check"].agg(set)
    for image in sorted(set(proofs.loc[proofs["verdict"] != PASS, "image"])):
        yield Violation(PROOF, "the privacy steps stopped the video", image)
    for image in sorted(image for image in videos if PROOFS - proven.get(image, set())):
        yield Violation(PROOF, "the privacy steps didn't prove the video", image)
    origin = dict(zip(said.taken["image"], said.taken["sha256"], strict=True))
    made = dict(zip(said.painted["image"], said.painted["source_sha256"], strict=True))
    for image in sorted(videos - made.keys()):
        yield Violation(PROOF, "there is no painted file of the video", image)
    for image in sorted(image for image in made if made[image] != origin.get(image)):
        yield Violation(PROOF, "the painted file was made from another one than consent let pass", image)
