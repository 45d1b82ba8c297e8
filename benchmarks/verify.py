"""Sealing and verification of releases of 10,000 and 100,000 leaves: seconds of one core, peak memory, size.

Half of the leaves are small files, half are rows of a table. Files lie alone in their folders, and four in a folder, as
a picture, its annotation and two faces do. Prints also what the disk's part of a verification costs (listing all
folders, reading all files), and what proofs cost: one of inclusion, one of consistency.
Run: python benchmarks/verify.py
"""

import hashlib
import os
import tracemalloc
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from accord.release.erasing.prune import prune
from accord.release.format import fhibe
from accord.release.seal import leaves, seal
from accord.release.seal.revocations import revoke
from accord.release.seal.verification import verify
from accord.release.tree.tree import Tree
from accord.sealing import merkle
from accord.sealing.signing import signing_key

SIZES = (10_000, 100_000)


def main() -> None:
    """Print a block for each size."""
    for size in SIZES:
        for each in (1, 4):
            with TemporaryDirectory() as folder:
                measure(Path(folder), size, each)


def measure(folder: Path, size: int, each: int) -> None:
    """Seal a release of so many leaves, verify it, erase a hundredth, verify again; `each`: files of a folder."""
    tree, vault = made(folder / "release", size, each), folder / "vault"
    facts = {"dataset": "benchmark", "version": "1.0.0"}
    seconds, sealed = timed(lambda: seal.seal(tree, facts, None, vault, vault / "releases" / "1.0.0"))
    weight = sum((tree.root / name).stat().st_size for name in sealed.sealed) / 1e6
    print(f"{sealed.leaves:,} leaves, {each} to a folder: sealed in {seconds:.2f} s, {weight:.1f} MB")
    seconds, verdict = timed(lambda: verify(tree.root))
    weight = peak(lambda: verify(tree.root))
    print(f"  verified in {seconds:.2f} s, {weight:.0f} MB at most: {len(verdict.problems)} problems")
    listing, names = timed(lambda: listed(tree.root))
    reading, _ = timed(lambda: [read(name) for name in names])
    print(f"  of this, the disk's part alone: {listing:.2f} s to list folders, {reading:.2f} s to open and read files")
    hashes = [leaves.parse(line).hash for line in (tree.root / leaves.NAME).read_bytes().splitlines()]
    for name, call in (("inclusion", merkle.inclusion), ("consistency", merkle.consistency)):
        seconds, proof = timed(lambda call=call: call(hashes, size // 3))
        print(f"  a proof of {name}: {len(proof)} hashes, made in {seconds * 1000:.0f} ms")
    envelope = revoke(verdict.statement, hashes[::100], signing_key(vault))
    seconds, fallen = timed(lambda: prune(tree.root, envelope))
    left = len(verify(tree.root).problems)
    print(f"  {fallen:,} leaves erased in {seconds:.2f} s; {left} problems under the old signature")


def made(root: Path, size: int, each: int) -> Tree:
    """A release of so many leaves, with so many files in a folder."""
    tree = Tree(root)
    for number in range(size // 2):
        place, name = (hashlib.sha256(b"%d" % one).hexdigest() for one in (number // each * each, number))
        tree.write(f"{fhibe.RAW}/{place[:8]}/{place[8:24]}/main_{name}.json", name.encode() * 4)
    rows = (b"%064x,%s\n" % (number, b"x" * 200) for number in range(size - size // 2))
    tree.write(fhibe.WHOLE_TABLE, rows)
    return tree


def listed(root: Path) -> list[str]:
    """Every file, with nothing else asked of the disk."""
    return [os.path.join(folder, name) for folder, _, names in os.walk(root) for name in names]  # noqa: PTH118


def read(name: str) -> bytes:
    """A small file."""
    place = os.open(name, os.O_RDONLY)
    try:
        return os.read(place, 1 << 16)
    finally:
        os.close(place)


def timed(call) -> tuple[float, object]:
    """Seconds of one core that a call takes, and what it returns."""
    start = process_time()
    found = call()
    return process_time() - start, found


def peak(call) -> float:
    """Peak MB that a call allocates, in a run of its own, since weighing slows it."""
    tracemalloc.start()
    call()
    weight = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    return weight


if __name__ == "__main__":
    main()
