"""What a second version of a release takes on the disk: pictures shared with the first, and all of them copied.

The first version has the images that are asked for; in the second one of a hundred has left, one is new, and all ids
are new, as in every version. An image has a picture of 400 KB, a crop, an aligned face, 16 masks and two texts, random
bytes of the sizes that the demo's have. Prints MB that the second version adds to the disk.

Run: python benchmarks/versions.py [--images 1000]
"""

import argparse
import os
import random
from pathlib import Path
from tempfile import TemporaryDirectory

from accord.release.tree.tree import Tree, fresh, settle

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
    settle(written(fresh(releases, "1.0.0"), range(images)), releases / "1.0.0")
    before = on_disk(releases)
    leaving = max(images // 100, 1)
    settle(written(fresh(releases, "2.0.0", previous), range(leaving, images + leaving)), releases / "2.0.0")
    return on_disk(releases) - before


def written(tree: Tree, images: range) -> Tree:
    """A version with these images."""
    ids = random.Random(tree.root.name)
    for image in images:
        place, content = f"data/{ids.randbytes(16).hex()}", random.Random(image)
        for name, size in SIZES.items():
            tree.write(f"{place}/{name}.png", content.randbytes(size))
        for name in ("main", "aligned"):
            tree.write(f"{place}/{name}.json", ids.randbytes(TEXT))
    tree.close()
    return tree


def on_disk(folder: Path) -> int:
    """Bytes that the files below a folder take, each file once whatever names it has."""
    found = [os.lstat(f"{above}/{name}") for above, _, names in os.walk(folder) for name in names]
    return sum({(status.st_dev, status.st_ino): status.st_blocks * 512 for status in found}.values())


if __name__ == "__main__":
    main()
