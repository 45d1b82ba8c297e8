"""What it takes to put a large video into a release: copied and digested in one pass, or linked to the version before.

Against the usual way: shutil.copyfile, then sha256sum's digest of the copy (hashlib.file_digest). Prints CPU seconds,
their ratio, and by how much the memory of the process grew at most.

Run: python benchmarks/large_files.py [--mib 1024]
"""

import argparse
import hashlib
import resource
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from accord.imaging.bundle import Window
from accord.release.format import videos
from accord.release.tree.previous import Previous
from accord.release.tree.tree import Tree, settle, unfinished

MIB = 1 << 20


def main() -> None:
    """Write a file of zeros, once by each way, and print a line for each."""
    made = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    made.add_argument("--mib", type=int, default=1024)
    size = made.parse_args().mib * MIB
    with TemporaryDirectory() as name:
        folder = Path(name)
        bundle = folder / "videos.tar"
        with bundle.open("wb") as file:
            file.truncate(size)
        digest, usual = timed(lambda: by_hand(bundle, folder / "copy.mp4"))
        window, path = Window(bundle, 0, size), videos.place("subject", "video")
        for version, previous in (("1.0.0", ""), ("2.0.0", "1.0.0")):
            releases = folder / "releases"
            tree = Tree(unfinished(releases, version), Previous(releases / previous) if previous else None)
            before = peak()
            _, ours = timed(lambda tree=tree: tree.copy(path, window, digest))
            grown = (peak() - before) / MIB
            way = "linked" if previous else "copied"
            print(f"{size // MIB:,} MiB {way}: {ours:.2f} CPU s, {ours / usual:.2f} of the usual, {grown:.0f} MiB more")
            tree.close()
            settle(tree, releases / version)


def by_hand(source: Path, target: Path) -> str:
    """Copy a file and digest the copy."""
    shutil.copyfile(source, target)
    with target.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def timed(job: Callable[[], str]) -> tuple[str, float]:
    """What a job returns, and its CPU seconds."""
    start = time.process_time()
    return job(), time.process_time() - start


def peak() -> int:
    """The most memory that this process has had, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


if __name__ == "__main__":
    main()
