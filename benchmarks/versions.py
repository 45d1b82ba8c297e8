"""What a second version of a release takes on the disk: pictures shared with the first, and all of them copied.

The first version has the images that are asked for; in the second one of a hundred has left, one is new, and all ids
are new, as in every version. An image has a picture of 400 KB, a crop, an aligned face, 16 masks and two texts, random
bytes of the sizes that the demo's have. Prints MB that the second version adds to the disk.

Run: python benchmarks/versions.py [--images 1000]
"""

import argparse
import os
import random
import uuid
from pathlib import Path
from tempfile import TemporaryDirectory

from accord.release.tree.previous import Previous
from accord.release.tree.tree import Tree, settle, unfinished

SIZES = {"main": 400_000, "crop": 60_000, "aligned": 250_000, **{f"mask{number}": 1_500 for number in range(16)}}
TEXT = 3_000


def main() -> None:
    """Write both versions twice, and print a line for each way."""
    made = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    made.add_argument("--images", type=int, default=1_000)
    images = made.parse_args().images
    with TemporaryDirectory() as folder:
        for way, previous in (("copied", ""), ("shared", "1.0.0")):
            added = measured(Path(folder) / way, images, previous)
            print(f"{images:,} images, pictures {way}: {added / 1e6:,.1f} MB more on the disk")


def measured(releases: Path, images: int, previous: str) -> int:
    """Bytes on the disk that a second version adds."""
    old, leaving = ids("1.0.0", range(images)), max(images // 100, 1)
    new = ids("2.0.0", range(leaving, images + leaving))
    write(Tree(unfinished(releases, "1.0.0")), old, releases / "1.0.0")
    before = on_disk(releases)
    names = {new[image]: old[image] for image in new.keys() & old.keys()}
    earlier = Previous(releases / previous, names) if previous else None
    write(Tree(unfinished(releases, "2.0.0"), earlier), new, releases / "2.0.0")
    return on_disk(releases) - before


def ids(version: str, images: range) -> dict[int, str]:
    """Image -> its id in a version."""
    return {image: str(uuid.UUID(bytes=random.Random(f"{version} {image}").randbytes(16))) for image in images}


def write(tree: Tree, images: dict[int, str], folder: Path) -> None:
    """A version with these images."""
    for image, name_of in images.items():
        place, content = f"data/{name_of}", random.Random(image)
        for name, size in SIZES.items():
            tree.write(f"{place}/{name}.png", content.randbytes(size))
        for name in ("main", "aligned"):
            tree.write(f"{place}/{name}.json", random.Random(f"{place} {name}").randbytes(TEXT))
    tree.close()
    settle(tree, folder)


def on_disk(folder: Path) -> int:
    """Bytes that the files below a folder take, each file once whatever names it has."""
    found = [os.lstat(f"{above}/{name}") for above, _, names in os.walk(folder) for name in names]
    return sum({(status.st_dev, status.st_ino): status.st_blocks * 512 for status in found}.values())


if __name__ == "__main__":
    main()
