"""GB per second of the scan for a person over made-up trees, and recall by kind of leak over many seeds.

Run: python benchmarks/scan.py [SEEDS]. Seconds are of CPU time of one process.
"""

import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np

from accord.scan.dossier import FILE, Value
from accord.scan.inspection import Inspector
from accord.scan.planted import picture_leaks, recall
from accord.scan.walk import walk

MB = 1_000_000
VALUES = 1_000


def main() -> None:
    """Print speeds, then recall and false accusations."""
    rng = np.random.default_rng(1)
    speeds(rng)
    recalls(int(sys.argv[1]) if len(sys.argv) > 1 else 10)


def speeds(rng: np.random.Generator) -> None:
    """Search of bytes, of text, of pictures, for a dossier of a thousand digests more."""
    known = picture_leaks.person(rng).dossier()
    digests = {Value(FILE, rng.bytes(32).hex()) for _ in range(VALUES)}
    known = known._replace(values=known.values | digests)
    line = b"2026-03-01 image 5f0c9a11 of shard 1a done in 1.52 s\n"
    pictures = [picture_leaks.encoded(picture_leaks.made_up(rng, 768, 640), "JPEG", quality=90) for _ in range(60)]
    for name, files in {
        "random bytes": [rng.bytes(100 * MB) for _ in range(3)],
        "log text": [line * (100 * MB // len(line))] * 3,
        "pictures of 768 x 640 px": pictures,
    }.items():
        with TemporaryDirectory() as folder:
            for number, data in enumerate(files):
                Path(folder, f"{number}").write_bytes(data)
            inspector, start = Inspector(known), process_time()
            walk([Path(folder)], inspector)
            seconds, size = process_time() - start, sum(map(len, files))
        print(f"{name:26} {size / 1e9 / seconds:7.3f} GB/s, {len(files) / seconds:7.1f} files/s")


def recalls(seeds: int) -> None:
    """Recall by kind, and findings in the leaks of strangers."""
    hits, accused = Counter(), 0
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        wanted, stranger = picture_leaks.person(rng), picture_leaks.person(rng)
        with TemporaryDirectory() as folder:
            paths = recall.planted(Path(folder, "theirs"), wanted, rng)
            seen, _ = recall.found(Path(folder, "theirs"), wanted, paths)
            others = recall.planted(Path(folder, "others"), stranger, rng)
            accused += sum(recall.found(Path(folder, "others"), wanted, others)[0].values())
        hits.update(kind for kind, found in seen.items() if found)
    for kind in recall.ALL:
        print(f"{kind:26} {hits[kind]}/{seeds}")
    total = seeds * len(recall.ALL)
    print(f"{'all ' + str(len(recall.ALL)) + ' kinds':26} {hits.total()}/{total}; strangers accused {accused}/{total}")


if __name__ == "__main__":
    main()
