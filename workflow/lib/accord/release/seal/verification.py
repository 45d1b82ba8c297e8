"""Verification of a release: needs its folder and the publisher's public key, and nothing else.

Every file, every leaf, the root and the signature are checked; all that is wrong is told at once. Where leaves were
erased, a signed revocation in the release must say so. Names in the folder are never followed out of it: files are
found by walking it, links are problems.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from accord.engine.provenance import sha256
from accord.errors import AccordError, Collector, Problem
from accord.release.seal import held, leaves, revocations, seal, signed
from accord.release.seal.signed import FORGED
from accord.release.tree import tree
from accord.sealing import merkle, signing


class Verdict(NamedTuple):
    """The outcome: problems; the signed statement, if it holds; the key; figures of what was checked.

    `proven`: the key was given from outside, so that origin is proven, not integrity alone.
    """

    problems: list[Problem]
    statement: dict[str, Any] | None
    key: str
    proven: bool
    leaves: int
    erased: int
    files: int


class _Read(NamedTuple):
    """What the leaves say: hashes in order, their root, what the live ones claim, hash -> receipt of those erased."""

    hashes: list[bytes]
    root: str
    claimed: held.Said
    erased: dict[str, str]


def verify(folder: Path, key: Path | None = None) -> Verdict:
    """Verify a release's folder, with the publisher's key, else its own. Raises AccordError where it is no folder."""
    if not folder.is_dir():
        hint = "give a release's folder, the one with release.dsse.json"
        raise AccordError(Problem(str(folder), "no such folder", hint))
    problems = Collector()
    there = held.files(folder, problems)
    public = signed.public_key(there, key, problems)
    statement = signed.statement(there, public, problems) if public else None
    revoked = list(signed.revocations(there, public, problems)) if public else []
    read = _read(there, problems)
    entries = held.entries(there, read.claimed, problems)
    _hold_root(read, statement, problems)
    _hold_manifest(there, entries, read, statement, problems)
    _hold_erased(read, revoked, problems)
    fingerprint = signing.fingerprint(public) if public else ""
    proven = key is not None
    return Verdict(list(problems), statement, fingerprint, proven, len(read.hashes), len(read.erased), len(there))


def _read(there: dict[str, str], problems: Collector) -> _Read:
    """The leaves, read in one pass; records are kept as digests only."""
    hashes: list[bytes] = []
    erased: dict[str, str] = {}
    if leaves.NAME not in there:
        problems.add(leaves.NAME, "is missing", FORGED)
    claimed = held.said(_live(there, hashes, erased, problems), problems)
    return _Read(hashes, merkle.root(hashes).hex(), claimed, erased)


def _live(there: dict[str, str], hashes: list, erased: dict, problems: Collector) -> Iterator[leaves.Leaf]:
    for number, line in enumerate(signed.lines(there, leaves.NAME, problems)):
        try:
            leaf = leaves.parse(line)
        except ValueError as error:
            problems.add(f"{leaves.NAME}, line {number + 1}", str(error), FORGED)
            continue
        if leaf.index != number:
            problems.add(f"{leaves.NAME}, line {number + 1}", f"is leaf {leaf.index}, not leaf {number}", FORGED)
        hashes.append(leaf.hash)
        if leaf.record is None:
            erased[leaf.hash.hex()] = leaf.receipt
        else:
            yield leaf


def _hold_root(read: _Read, statement: dict[str, Any] | None, problems: Collector) -> None:
    if statement is None:
        return
    if len(read.hashes) != statement["leaves"]:
        problems.add(leaves.NAME, f"has {len(read.hashes)} leaves; {statement['leaves']} were signed", FORGED)
    if read.root != statement["root"]:
        problems.add(leaves.NAME, "its root differs from the signed one", FORGED)
    if read.claimed.files.get(seal.TERMS) != statement["terms_sha256"]:
        problems.add(seal.TERMS, "differs from the signed one", FORGED)


def _hold_manifest(there: dict, entries: list, read: _Read, statement: dict | None, problems: Collector) -> None:
    """The manifest must be the one that the files have; and, where nothing was erased, the signed one."""
    if tree.MANIFEST not in there:
        problems.add(tree.MANIFEST, "is missing", FORGED)
        return
    if Path(there[tree.MANIFEST]).read_bytes() != tree.manifest(entries):
        problems.add(tree.MANIFEST, "does not match the files", FORGED)
    changed = statement and sha256(Path(there[tree.MANIFEST])) != statement["manifest_sha256"]
    if changed and not read.erased:
        problems.add(tree.MANIFEST, "differs from the signed one", FORGED)


def _hold_erased(read: _Read, revoked: list[revocations.Revocation], problems: Collector) -> None:
    """Each tombstone needs a signed revocation of this release that names its leaf; each revoked leaf a tombstone."""
    hashes = {digest.hex() for digest in read.hashes}
    granted = {(one.receipt, leaf) for one in revoked if one.root == read.root for leaf in one.leaves}
    for leaf, receipt in read.erased.items():
        if (receipt, leaf) not in granted:
            what = "was erased without a signed revocation"
            problems.add(f"leaf {leaf[:16]}", what, "content was removed: download the release again")
    fallen = {leaf for _, leaf in granted}
    if left := len(fallen & (hashes - read.erased.keys())):
        problems.add(leaves.NAME, f"{left} leaf(s) are revoked but not erased", "erase them: run `accord prune`")
    if [one for one in revoked if one.root != read.root]:
        problems.add(revocations.NAME, "contains a revocation of another release", FORGED)
