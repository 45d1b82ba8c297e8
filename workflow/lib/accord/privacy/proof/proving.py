"""The proof of copies as they are written: each is looked at in the file, or what was found in it is taken over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from accord.engine import kept
from accord.engine.parameter_types import Kept
from accord.findings import Findings
from accord.imaging import bundle as bundles
from accord.imaging.decode import decode
from accord.privacy.fitting.flaws import Flaws
from accord.privacy.painting.copies import Copy, Shard
from accord.privacy.proof import verify


class Proven(NamedTuple):
    """A copy, without its pixels; records of Findings on it, None where they are taken over; digest: of all that they
    were made from, None where that is not all its own."""

    copy: Copy
    findings: list[dict] | None
    digest: str | None


def proven(
    written: Iterable[Copy], shard: Shard, limits: Flaws, memory: kept.Memory, writer: bundles.BundleWriter
) -> Iterator[Proven]:
    """Look at each copy as soon as it is written; memory: of the findings that were made the last time."""
    basis = kept.basis("privacy.proof.verify", list(limits))
    for copy in written:
        digest = kept.digest(basis, copy.digest) if copy.digest else None
        is_known = copy.is_kept and digest is not None and memory.holds(copy.row.image, digest)
        found = None if is_known else _found(copy, shard, limits, writer)
        yield Proven(copy._replace(before=None), found, digest)


def findings(proofs: Iterable[Proven], memory: kept.Memory) -> Kept:
    """The table Findings of all copies."""
    proofs = list(proofs)
    digests = {proof.copy.row.image: proof.digest for proof in proofs if proof.digest}
    known = {proof.copy.row.image for proof in proofs if proof.findings is None}
    made = [finding for proof in proofs for finding in proof.findings or []]
    return kept.joined(memory.only(known), Findings, digests, made)


def _found(copy: Copy, shard: Shard, limits: Flaws, writer: bundles.BundleWriter) -> list[dict]:
    wanted, before = shard.wanted.get(copy.row.image), None
    if wanted is not None:
        before = verify.Before(_original(copy, shard), wanted.regions, wanted.people)
    return verify.findings(copy.row.image, writer.written(copy.member), before, copy.edits, limits)


def _original(copy: Copy, shard: Shard) -> np.ndarray:
    """The pixels of the original: as they were painted, or from its file where the copy was made before."""
    return decode(bundles.read(shard.bundle, copy.row)) if copy.before is None else copy.before
