"""Each of the thirteen detectors, narrow, on the demo's grid and low-resolution forgeries at 64 px: AUC of each kind on
other people, and seconds to train.

ViT-B/16, UnivFD and CLIP+MLP begin with weights that know no forgeries (`whitened`), read as a user's own are; the
others begin at random. Then the same detector on labels that say nothing, each time others, for a sixth of the epochs:
of each kind of picture half are called fake, so that no kind tells a label. Their mean is 0.5 but for chance.
Run: python -m accord_demo.forgeries build/many --each 12
     OMP_NUM_THREADS=1 python benchmarks/detectors.py build/many [names]
"""

import sys
import tempfile
from hashlib import blake2b
from pathlib import Path
from time import process_time
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import yaml
from sklearn.metrics import roc_auc_score

import whitened
from accord.engine import provenance
from accord.imaging import decode
from accord.imaging.bundle import BundleWriter
from accord.models import weights
from accord.train.learning.plan import of_epochs
from accord.train.learning.training import in_process
from accord.train.models.predicting import Trained
from accord.train.pictures.reading import Place
from accord.train.planning import models, pretrained

SIDE = 64
REAL = "none"
SHUFFLES = 4
KINDS = {"grid": "fake/grid", "low resolution": "fake/coarse"}
"""Kind of fakes -> its folder."""
SETTINGS = {"side": SIDE, "batch": 32, "epochs": 6, "rate": 0.05, "decay": 0.0005, "schedule": "cosine", "every": 1000}
NARROW = {"width": 1 / 16, "middle": 1}
TINY = {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4,
        "image_size": SIDE, "patch_size": 8}  # fmt: skip
CLIP = {**TINY, "hidden_size": 256, "intermediate_size": 512, "num_attention_heads": 128, "projection_dim": 256}
"""Many heads, so that what is seen at many places is told apart."""
FIRST = {"ViT-B/16": (whitened.vit, TINY), "UnivFD": (whitened.clip, CLIP), "CLIP+MLP": (whitened.clip, CLIP)}
"""Detector -> what writes the weights that it begins with, and their network's options."""
OF = {
    "EfficientB4": {"options": {"width_coefficient": 0.2, "depth_coefficient": 0.2, "hidden_dim": 256,
                                "drop_connect_rate": 0.0, "batch_norm_momentum": 0.1, "dropout_rate": 0.0},
                    "epochs": 12},
    "ViT-B/16": {"options": TINY, "epochs": 18, "rate": 0.01},
    "F3Net": {"options": {**NARROW, "side": SIDE}, "epochs": 12},
    "UnivFD": {"options": CLIP},
    "CLIP+MLP": {"options": {**CLIP, "hidden": [64, 64]}},
    "DAW-FDD": {"rate": 0.02}, "DAG-FDD": {"rate": 0.02}, "SRM": {"rate": 0.01},
    "UCF": {"rate": 0.01}, "PG-FDD": {"rate": 0.01},
}  # fmt: skip
"""Detector -> what is other than SETTINGS and NARROW of it."""
WEIGHTS, SCHEMA = "whitened", Path("workflow/schemas/models.schema.yaml")


def main() -> None:
    """Train each on true labels and on shuffled ones, and print what it does on people that it hasn't seen."""
    faces, names = Path(sys.argv[1]), sys.argv[2:] or list(models.published())
    with tempfile.TemporaryDirectory() as folder:
        shown, where, seen = pictures(faces, Path(folder))
        mine = shown["split"] == "train"
        print(f"{mine.sum()} pictures to learn, {(~mine).sum()} of others", flush=True)
        for name in names:
            began = process_time()
            model = trained(name, shown, where, Path(folder), "true")
            took = process_time() - began
            told = [f"{kind} {auc(model, shown, seen, kind):.3f}" for kind in KINDS]
            chance = [auc(by_chance(name, shown, where, Path(folder), n), shown, seen, *KINDS) for n in range(SHUFFLES)]
            error = np.std(chance, ddof=1) / SHUFFLES**0.5
            told.append(f"shuffled {np.mean(chance):.3f} (standard error {error:.3f})")
            print(f"{name}: {', '.join(told)}; {took:.0f} s", flush=True)


def by_chance(name: str, shown: pd.DataFrame, where: list[Place], folder: Path, number: int) -> Path:
    """A detector of labels that say nothing: of each kind of picture half are called fake, others for each detector."""
    rng = np.random.default_rng([number, *name.encode()])
    mine, shuffled = shown["split"] == "train", shown.copy()
    halves = shown[mine].groupby("method")["label"].transform(lambda some: rng.permutation(len(some)) % 2)
    shuffled.loc[mine, "label"] = halves
    epochs = {**SETTINGS, **OF.get(name, {})}["epochs"] // 6
    return trained(name, shuffled, where, folder, f"shuffled{number}", epochs=epochs, seed=number)


def trained(name: str, shown: pd.DataFrame, where: list[Place], folder: Path, labels: str, **other: int) -> Path:
    """The file of a detector, trained as OF and SETTINGS have it, but for `other` settings. labels: which ones."""
    own = folder / blake2b(name.encode(), digest_size=8).hexdigest()
    model = own / labels / "model.safetensors"
    model.parent.mkdir(parents=True)
    entry = {"detector": name, **SETTINGS, "options": NARROW, **OF.get(name, {}), **other}
    spec, first = begun(entry, own) if name in FIRST else (specified(entry, {}), None)
    plan = of_epochs(spec, int((shown["split"] == "train").sum()))
    in_process(shown, where, spec, plan, name, model, 10_000, first)
    return model


def specified(entry: dict[str, Any], known: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """All that a training depends on. known: weights by name."""
    return models.specs({"models": {"small": entry}, "experiments": []}, known)["small"]


def begun(entry: dict[str, Any], folder: Path) -> tuple[dict[str, Any], Path]:
    """The spec of a detector that begins with weights of FIRST, and their file: written once, listed in a models.yaml,
    found and checked as a run does."""
    writes, options = FIRST[entry["detector"]]
    published, path = specified(entry, {}), folder / "first.safetensors"
    if not path.exists():
        writes(path, options, published["mean"], published["std"])
    file = {"path": path.name, "sha256": provenance.sha256(path)}
    told = {"task": "backbone", "weights": {"model": file}, "licence": "none", "source": "benchmarks/whitened.py"}
    (folder / "models.yaml").write_text(yaml.safe_dump({WEIGHTS: told}))
    named = {**entry, "weights": WEIGHTS}
    config = {"train": {"models": {"small": named}},
              "evaluate": {"models": [str(folder / "models.yaml")], "weights": str(folder)}}  # fmt: skip
    known = pretrained.read(config, SCHEMA)
    return specified(named, known), weights.find(WEIGHTS, known[WEIGHTS]["files"], folder)[pretrained.FILE]


def auc(model: Path, shown: pd.DataFrame, seen: list[np.ndarray], *kinds: str) -> float:
    """Of other people's real faces, and their fakes of some kinds."""
    judged = (shown["split"] != "train") & shown["method"].isin([REAL, *kinds])
    some = np.flatnonzero(judged)
    parts, asked = np.array_split(some, 1 + len(some) // 64), Trained(model)
    scores = [score for part in parts for score in asked.score([seen[place] for place in part])]
    return float(roc_auc_score(shown["label"].to_numpy()[some], scores))


def pictures(faces: Path, folder: Path) -> tuple[pd.DataFrame, list[Place], list[np.ndarray]]:
    """Real faces (half of each person's) and fakes, by person: 6 of 10 people to learn from, the others to watch by. A
    fake of two people who are apart is in neither."""
    told = pd.read_csv(faces / "annotations.csv").set_index("Image Path")
    people = sorted(path.name for path in (faces / "real").iterdir())
    learnt = set(people[: len(people) * 6 // 10])
    files = [path for who in people for path in sorted((faces / "real" / who).glob("*.png"))[::2]]
    files += [path for part in KINDS.values() for path in sorted((faces / part).glob("*/*.png"))]
    rows, where, seen = [], [], []
    with BundleWriter(folder / "files.tar") as writer:
        for path in files:
            sides = {who in learnt for who in path.parent.name.split("_")}
            if len(sides) > 1:
                continue
            kind = next((name for name, part in KINDS.items() if part in path.as_posix()), REAL)
            gender = told.loc[path.relative_to(faces).as_posix(), "Gender"]
            name, split = str(len(rows)), "train" if sides == {True} else "validation"
            rows.append((name, int(kind != REAL), kind, split, f"{gender}"))
            member = writer.add(f"{name}.png", path.read_bytes())
            where.append(Place(folder / "files.tar", SimpleNamespace(**member._asdict())))
            seen.append(decode.decode(path.read_bytes()))
    return pd.DataFrame(rows, columns=["image", "label", "method", "split", "group"]), where, seen


if __name__ == "__main__":
    main()
