"""Small archives of sources of made and real faces, written by hand in AI-Face's format."""

import csv

import numpy as np

from accord import shards
from accord.engine.parameter_types import Former, Kept
from accord.engine.table import check
from accord.imaging.decode import encode_png
from accord.release import import_ai_face, list_sources
from accord.release.source_tables import Listed

SOURCES = """
ages: [0, 1, 2, 3, 4]
sources:
- {subset: FF++, category: real, method: none, folder: real/FF++, people: '{person}/*', terms: {train: true, external: false}}
- {subset: FF++, category: deepfake, method: FaceSwap, folder: fake/FaceSwap, people: '{target}_{source}/*', terms: {train: true, external: false}}
- {subset: StyleGAN2, category: gan, method: StyleGAN2, folder: fake/StyleGAN2, terms: {train: false, external: true}}
"""  # noqa: E501
COLUMNS = ("Image Path", "Gender", "Age", "Skin Tone", "Intersection", "Target")
ROWS = {
    "real/FF++/000/1.png": (1, 2, 2, 3, 0),
    "real/FF++/003/1.png": (0, 0, 9, 2, 0),
    "real/FF++/007/1.png": (0, 4, 5, 1, 0),
    "fake/FaceSwap/000_003/1.png": (1, 2, 2, 3, 1),
    "fake/StyleGAN2/1.png": (1, 3, 4, 4, 1),
}
"""Picture -> gender, age, tone, intersection, target."""


def noise(seed, side=64):
    """A picture that looks like no other one."""
    coarse = np.random.default_rng(seed).integers(0, 256, (8, 8, 3))
    return np.kron(coarse, np.ones((side // 8, side // 8, 1))).astype(np.uint8)


def write(root, rows=ROWS, *, sources=SOURCES, columns=COLUMNS, pictures=True):
    """An archive: its table, its sources and a picture of noise for each row. Returns its folder."""
    root.mkdir(parents=True, exist_ok=True)
    (root / "sources.yaml").write_text(sources)
    write_table(root / "annotations.csv", rows, columns)
    for seed, path in enumerate(rows if pictures else ()):
        put(root / path, noise(seed))
    return root


def write_table(file, rows, columns=COLUMNS):
    with file.open("w", newline="") as opened:
        csv.writer(opened).writerows([columns, *((path, *cells) for path, cells in rows.items())])


def put(path, pixels):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encode_png(pixels))


def lists(root, count=1, *, cut=False):
    """Shard -> its table Listed."""
    made = list_sources.run([], archive=root, shards=count, cut=cut)
    return {name: check(made[f"{name}/listed.parquet"].rows, Listed, name) for name in shards.names(count)}


def imported(root, tmp_path, count=1, terms=None):
    """Imported of each shard, from nothing."""
    given = {"archive": root, "terms": terms or {}, "former": Former()}
    some = lists(root, count).items()
    return [plain(import_ai_face.run(listed, files=tmp_path / f"{name}.tar", **given)) for name, listed in some]


def plain(made):
    """What a step returns, its tables without what they were made from."""
    return made._replace(**{name: one.rows for name, one in made._asdict().items() if isinstance(one, Kept)})
