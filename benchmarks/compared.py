"""The same erasure with BagIt, OCFL, DVC, git-annex and Accord: one file of a past version, which others hold, goes.

Two versions of a thousand small files are made with each tool, the second without one file. Then that file is erased
from the first version, in the way that the tool has for it, or by making the version anew without it. Printed: seconds
(wall clock) to erase; whether the tool finds the first version valid; whether it is still the one that was published
(what others noted of it: a digest, a commit, a signed root); whether the file's name and a hash of it are found in any
file, path or git object. Tools that are not on the PATH are told as absent.

Run: python benchmarks/compared.py [FOLDER OF MORE COMMANDS]
"""

import hashlib
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from git_keepers import VICTIM, out
from keepers import KEEPERS, Keeper

FILES, SIZE = 1_000, 10_000
WHO = {f"GIT_{role}_{what}": "n" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
WHEN = dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), "2026-01-01T00:00:00Z")
"""Fixed, so that a commit that differs differs in what it holds."""


def main() -> None:
    """Print a table, and what was absent."""
    os.environ["PATH"] = os.pathsep.join([*sys.argv[1:2], os.environ["PATH"]])
    print("| tool | how | erased in | it finds the version valid | it is the published one | name left | hash left |")
    print("|---|---|---|---|---|---|---|")
    for keeper in KEEPERS:
        if keeper.version and not shutil.which(keeper.version[0]):
            print(f"| {keeper.name} | absent: no `{keeper.version[0]}` on the PATH |")
            continue
        for how in keeper.erase:
            with TemporaryDirectory() as folder:
                print(row(keeper, how, Path(folder)), flush=True)


def row(keeper: Keeper, how: str, folder: Path) -> str:
    """A line of the table: make two versions, erase, look."""
    os.environ.update(WHO | WHEN | {"HOME": str(folder), "DVC_NO_ANALYTICS": "1"})
    place, first, second = folder / "kept", folder / "first", folder / "second"
    content = write(first, second)
    keeper.make(place, first, second)
    noted = keeper.noted(place)
    if not keeper.valid(place) or not all(left(place, content)):
        raise RuntimeError(f"{keeper.name}: before anything is erased, the version isn't valid, or can't be searched")
    shutil.rmtree(first)
    start = perf_counter()
    keeper.erase[how](place, content)
    seconds = perf_counter() - start
    told = [keeper.valid(place), keeper.noted(place) == noted, *left(place, content)]
    name = f"{keeper.name} {shown(keeper.version)}".strip()
    return f"| {name} | {how} | {seconds:.2f} s | {' | '.join('yes' if one else 'no' for one in told)} |"


def write(first: Path, second: Path) -> bytes:
    """Write the files of both versions; returns the content of the one that the second lacks."""
    made, lacking = random.Random(1), b""
    for number in range(FILES):
        data, name = made.randbytes(SIZE), f"picture-{number:04}.png"
        lacking = data if name == VICTIM else lacking
        for folder in (first, second) if name != VICTIM else (first,):
            path = folder / "pictures" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    return lacking


def left(folder: Path, content: bytes) -> tuple[bool, bool]:
    """Whether the name of the erased file, and a plain hash of it, are anywhere."""
    digests = [hashlib.new(kind, content).hexdigest().encode() for kind in ("md5", "sha1", "sha256", "sha512")]
    name = digest = False
    for text in texts(folder):
        name |= VICTIM.encode() in text
        digest |= any(word in text for word in digests)
    return name, digest


def texts(folder: Path) -> Iterator[bytes]:
    """All that could hold a word: paths (also without slashes, for caches in folders), files, objects of git."""
    for path in folder.rglob("*"):
        inside = path.relative_to(folder).as_posix()
        yield f"{inside} {inside.replace('/', '')}".encode()
        if path.is_symlink():
            yield str(path.readlink()).encode()
        elif path.is_file():
            yield path.read_bytes()
    if (folder / ".git").is_dir():
        yield out(folder, "git", "cat-file", "--batch", "--batch-all-objects")


def shown(command: tuple[str, ...]) -> str:
    """The version that a command prints, its last word of the first line."""
    if not command:
        return ""
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return (done.stdout or done.stderr).splitlines()[0].split()[-1]


if __name__ == "__main__":
    main()
