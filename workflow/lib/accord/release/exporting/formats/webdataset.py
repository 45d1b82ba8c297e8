"""WebDataset: tars of `<image>.png` and `<image>.json`, which its loader reads in order.

Format: github.com/webdataset/webdataset. Files that share a name up to the first dot are one sample.
"""

import io
import itertools
import json
import tarfile
from collections.abc import Iterable
from pathlib import Path

from accord.files import PARTIAL
from accord.release.exporting.card import CARD, card
from accord.release.exporting.samples import Sample

PER_SHARD = 1000
NAMES = "shard-*.tar"
OPEN = """\
# How WebDataset opens this folder

    import webdataset

    dataset = webdataset.WebDataset("PATH/OF/THIS/FOLDER/shard-000000.tar", shardshuffle=False).decode("rgb8")
"""


def write(samples: Iterable[Sample], folder: Path, facts: dict[str, str]) -> None:
    """Write shards of 1000 samples and a card into a new folder; the bytes depend on samples and facts alone."""
    (folder / CARD).write_text(card(OPEN, facts["caution"]), encoding="utf-8")
    waiting = iter(samples)
    for number in itertools.count():
        some = list(itertools.islice(waiting, PER_SHARD))
        if some or not number:
            _write_shard(some, folder / f"shard-{number:06d}.tar")
        if len(some) < PER_SHARD:
            return


def prune(folder: Path, gone: frozenset[str]) -> None:
    """Take images out of the tars that hold them."""
    for path in sorted(folder.glob(NAMES)):
        with tarfile.open(path) as given:
            if not any(_key(one.name) in gone for one in given):
                continue
        partial = path.with_name(path.name + PARTIAL)
        with tarfile.open(path) as given, tarfile.open(partial, "w", format=tarfile.USTAR_FORMAT) as made:
            for one in given:
                if one.isfile() and _key(one.name) not in gone:
                    made.addfile(one, given.extractfile(one))
        partial.replace(path)


def _write_shard(samples: Iterable[Sample], path: Path) -> None:
    with tarfile.open(path, "x", format=tarfile.USTAR_FORMAT) as tar:
        for sample in samples:
            _add(tar, f"{sample.image}.png", sample.data())
            _add(tar, f"{sample.image}.json", said(sample).encode())


def said(sample: Sample) -> str:
    """What is said of an image and the people in it, as JSON; polygons are x0, y0, x1, y1, ..."""
    told = {"image_id": sample.image, "width": sample.width, "height": sample.height, **sample.attributes}
    people = [
        person._asdict()
        | {"segments": [dict(zip(("name", "number", "polygon"), s, strict=True)) for s in person.segments]}
        for person in sample.people
    ]
    return json.dumps(told | {"people": people}, sort_keys=True, allow_nan=False)


def _add(tar: tarfile.TarFile, name: str, data: bytes) -> None:
    made = tarfile.TarInfo(name)
    made.size, made.mode = len(data), 0o644
    tar.addfile(made, io.BytesIO(data))


def _key(name: str) -> str:
    return name.partition(".")[0]
