"""C2PA claims (version 2.x) in pictures of which regions were painted over: that it was done, and by what means.

A claim holds no thumbnail, no ingredient, no time, and nothing of the picture before: only the sha256 that binds it to
the picture that it is in. Signing is never twice the same (salts are random), so what was signed is kept in the vault,
by image, and put into the same picture again: `<vault>/c2pa/<image>/`.
"""

import hashlib
import io
import json
import shutil
import struct
import zlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from accord.errors import AccordError, Problem
from accord.files import keep_private
from accord.release.claims import c2pa_keys
from accord.release.format.geometry import Size, moved

FOLDER = "c2pa"
CHUNK = b"caBX"
HEAD = 33
"""Bytes of a PNG's signature and IHDR; the claim comes next."""

BY_HAND = {"membrane", "nothing to paint"}
"""Methods of edits without a model; all others are models that learnt from pictures."""
SOURCES = "http://cv.iptc.org/newscodes/digitalsourcetype/"
BY_MODEL, BY_RULE = f"{SOURCES}compositeWithTrainedAlgorithmicMedia", f"{SOURCES}algorithmicallyEnhanced"
"""IPTC's digital source types: parts made by a trained model; changed by an algorithm without one."""

SAID = "Bystanders or personal data in the photograph were painted over."
SETTINGS = {
    "builder": {"thumbnail": {"enabled": False}},
    "verify": {"remote_manifest_fetch": False, "ocsp_fetch": False},
}
MARGIN, SHARE = 2.0, 0.03
"""By what a region was grown before it was painted: px, and of its longer side."""


class Claims(NamedTuple):
    """Puts claims into pictures. `edits`: image -> its rows of privacy's Edits, of regions with painted pixels."""

    vault: Path
    edits: dict[str, pd.DataFrame]

    def of_whole(self, image: str) -> pd.DataFrame | None:
        """The edits that a claim in a whole picture tells of; None where no region was painted over."""
        return self.edits.get(image)

    def of_part(self, image: str, homography: np.ndarray, size: Size) -> pd.DataFrame | None:
        """Those that reach into a part of a picture; None where none does.

        `homography`: from px of the original to px of the part.
        """
        theirs = self.edits.get(image)
        if theirs is None:
            return None
        theirs = theirs[[_reaches(polygon, homography, size) for polygon in theirs["polygon"]]]
        return theirs if len(theirs) else None

    def claimed(self, image: str, data: bytes, edits: pd.DataFrame) -> bytes:
        """A PNG of a picture, or a part of it, with a claim that tells of its edits."""
        kept = self.vault / FOLDER / image / f"{hashlib.sha256(data).hexdigest()[:32]}.jumbf"
        if not kept.exists():
            keep_private(kept, _signed(data, BY_MODEL if set(edits["method"]) - BY_HAND else BY_RULE, self.vault))
        return with_claim(data, kept.read_bytes())


def claims(vault: Path, edits: pd.DataFrame) -> Claims:
    """The claims that a table of Edits gives rise to."""
    return Claims(vault, dict(iter(edits[edits["painted"] > 0].groupby("image"))))


def make_keys(vault: Path) -> None:
    """Make what claims are signed with, if the vault has none: before several jobs would."""
    c2pa_keys.signing(vault)


def forget(vault: Path, images: Iterable[str]) -> int:
    """Delete what was kept of images; returns of how many. Versions that hold them can't be restored any more."""
    folders = [folder for image in images if (folder := vault / FOLDER / image).is_dir()]
    for folder in folders:
        shutil.rmtree(folder)
    return len(folders)


def with_claim(data: bytes, claim: bytes) -> bytes:
    """A PNG with a claim in the chunk that C2PA keeps for it."""
    check = zlib.crc32(CHUNK + claim)
    return data[:HEAD] + struct.pack(">I4s", len(claim), CHUNK) + claim + struct.pack(">I", check) + data[HEAD:]


def without_claim(data: bytes) -> tuple[bytes, bytes]:
    """A PNG without its claim, and the claim; empty where it has none."""
    length, name = struct.unpack(">I4s", data[HEAD : HEAD + 8])
    if name != CHUNK:
        return data, b""
    return data[:HEAD] + data[HEAD + 12 + length :], data[HEAD + 8 : HEAD + 8 + length]


def _reaches(polygon: Any, homography: np.ndarray, size: Size) -> bool:
    """Whether the box around what was painted reaches into a part."""
    points = np.reshape(polygon, (-1, 2))
    low, high = points.min(axis=0), points.max(axis=0)
    low, high = (corner + sign * (MARGIN + SHARE * (high - low).max()) for corner, sign in ((low, -1), (high, 1)))
    corners = moved(np.array([low, [low[0], high[1]], high, [high[0], low[1]]]), homography)
    return bool((corners.min(axis=0) < size).all() and (corners.max(axis=0) > 0).all())


def _signed(data: bytes, source: str, vault: Path) -> bytes:
    """The claim of a picture."""
    import c2pa

    context, info = _tools(vault)
    result = io.BytesIO()
    with c2pa.Signer.from_info(info) as signer, c2pa.Builder.from_json(json.dumps(_manifest(source)), context) as made:
        made.sign(signer, "image/png", io.BytesIO(data), result)
    plain, claim = without_claim(result.getvalue())
    if plain != data:
        raise AccordError(Problem("a C2PA claim", "is not where it was expected", "use the pinned c2pa-python"))
    return claim


@cache
def _tools(vault: Path):
    import c2pa

    algorithm, chain, key = c2pa_keys.signing(vault)
    return c2pa.Context.from_dict(SETTINGS), c2pa.C2paSignerInfo(algorithm.encode(), chain, key, None)


def _manifest(source: str) -> dict[str, Any]:
    """What is claimed. Nothing can be named as the picture before, so the first action is that it was created."""
    actions = [
        {"action": "c2pa.created", "digitalSourceType": source},
        {"action": "c2pa.edited", "description": SAID, "digitalSourceType": source},
    ]
    generator = [{"name": "Accord"}]
    return {
        "claim_generator_info": generator,
        "assertions": [{"label": "c2pa.actions.v2", "data": {"actions": actions}}],
    }
