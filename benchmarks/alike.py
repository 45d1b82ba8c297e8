"""What the checks of sameness find of faults made from the pictures of a finished run, with Wilson 95% intervals.

    python benchmarks/alike.py RESULTS [--pictures 60] [--config config/config.yaml config/demo.yaml]

RESULTS: the results of a run, or of its rooms intake, consent and checks. From pictures that its checks let through are
made: turned and mirrored copies (re-encoded, halved), crops, and pictures pasted into another; each is held against all
pictures of the run as the steps do it. One person under two ids: every subject with two or more faces is split in two,
one after the other, and found or not. What is found among the untouched pictures themselves is the false alarms.
"""

import argparse
import io
from pathlib import Path

import cv2
import numpy as np
import pandas as pd
import yaml
from PIL import Image

from accord.checks.crops import CANDIDATES, MIN_COSINE
from accord.checks.matching.copies import MIN_QUALITY, TURNED_RADIUS, turned_forms
from accord.checks.matching.keypoints import keypoints
from accord.checks.matching.looks import likely_pairs, regions
from accord.checks.matching.matches import match
from accord.checks.matching.strangers import alike_subjects
from accord.checks.matching.verified import APART, Limits, agreeing
from accord.imaging import bundle
from accord.imaging.decode import decode
from accord.imaging.fingerprint import fingerprint, thumbnail
from accord.imaging.hamming import distances, words
from accord.models import loading, registry

SCHEMA = Path("workflow/schemas/models.schema.yaml")
TURNS = {
    "quarter turn": lambda p: np.rot90(p), "half turn": lambda p: np.rot90(p, 2), "mirrored": lambda p: p[:, ::-1],
    "mirrored, quarter turn": lambda p: np.rot90(p[:, ::-1]),
}  # fmt: skip


def main() -> None:
    """Make the faults, look for them, and print a line for each kind."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=Path)
    parser.add_argument("--pictures", type=int, default=60)
    parser.add_argument(
        "--config", type=Path, nargs="*", default=[Path("config/config.yaml"), Path("config/demo.yaml")]
    )
    asked = parser.parse_args()
    config = {k: v for path in asked.config for k, v in yaml.safe_load(path.read_text())["checks"].items()}
    pictures = survivors(asked.results)
    rng = np.random.default_rng(1)
    chosen = sorted(rng.permutation(sorted(pictures))[: asked.pictures])
    of_copies(pictures, chosen, config["max_distance"])
    of_crops(pictures, chosen, config, rng)
    of_faces(asked.results, config)


def survivors(results: Path) -> dict[str, np.ndarray]:
    """Thumbnails of the images that the last check lets through, by id."""
    found, wanted = {}, passing(results)
    for path in sorted(results.glob("intake/*/images.parquet")):
        rows = pd.read_parquet(path)
        for row in rows[rows["image"].isin(wanted)].itertuples():
            found[row.image] = thumbnail(decode(bundle.read(path.with_name("images.tar"), row)))
    return found


def passing(results: Path) -> set[str]:
    """The images that the last check lets through."""
    verdicts = pd.read_parquet(results / "checks/verdicts.parquet")
    return set(verdicts.loc[verdicts["verdict"] == "pass", "image"])


def of_copies(pictures: dict, chosen: list[str], radius: int) -> None:
    """Turned copies, and how far the untouched pictures are from each other. Hashes that say little are compared with
    none."""
    hashed = pd.DataFrame([fingerprint(pixels)._asdict() for pixels in pictures.values()], index=list(pictures))
    own, known = words(hashed.loc[chosen, "pdq"]), hashed["pdq_quality"] >= MIN_QUALITY
    few, some = (~known).sum(), (~known[chosen]).sum()
    print(f"{few} of {len(known)} pictures have a hash that says little, {some} of those chosen")
    for name, turn in {"as it is": lambda p: p, **TURNS}.items():
        for change, changed in CHANGES.items():
            made = pd.DataFrame([fingerprint(changed(turn(pictures[image])))._asdict() for image in chosen])
            both = known[chosen].to_numpy() & (made["pdq_quality"] >= MIN_QUALITY).to_numpy()
            plain = distances(own, words(made["pdq"])) <= radius
            turned = np.min([distances(own, form) for form in turned_forms(made)], axis=0) <= min(radius, TURNED_RADIUS)
            told(f"copy, {name}, {change}", int(((plain | turned) & both).sum()), len(own))
    hashed = hashed[known]
    hashes = words(hashed["pdq"])
    nearest = min(
        int(distances(hashes[i], form[np.arange(len(hashes)) != i]).min())
        for i in range(len(hashes))
        for form in (hashes, *turned_forms(hashed))
    )
    print(f"closest two of {len(hashes)} untouched pictures, in any form: {nearest} bits")


def of_crops(pictures: dict, chosen: list[str], config: dict, rng: np.random.Generator) -> None:
    """Crops and pastes: found where the original is among the likely ones and holds."""
    net = _model(config["picture_model"], "maps")
    ids = list(pictures)
    seen = np.stack([regions(net.maps([pixels])[0]) for pixels in pictures.values()])
    points = {image: keypoints(pixels) for image, pixels in pictures.items()}
    limits = Limits(config["min_inliers"], config["min_correlation"])
    kinds = {f"crop to {share:.0%} of the sides": ("crop", share) for share in (0.9, 0.7, 0.5, 0.4, 0.3)}
    kinds |= {f"pasted, {share:.0%} of the sides": ("paste", share) for share in (0.9, 0.7, 0.6, 0.5, 0.4)}
    kinds |= {f"framed in grey, {share:.0%}": ("frame", share) for share in (0.9, 0.7, 0.5)}
    kinds = {f"copy, {name}": (name, 1) for name in CHANGES} | kinds
    for name, (kind, share) in kinds.items():
        likely = held = 0
        for place, image in enumerate(chosen):
            pixels = pictures[image]
            ground = pictures[chosen[place - 1]] if kind == "paste" else np.full_like(pixels, 128)
            made = CHANGES[kind](pixels) if kind in CHANGES else placed(kind, pixels, ground, share, rng)
            vectors = np.concatenate([seen, regions(net.maps([made])[0])[None]])
            pairs = likely_pairs(vectors, CANDIDATES, MIN_COSINE)
            if (pairs == [ids.index(image), len(ids)]).all(axis=1).any():
                likely += 1
                both = points[image], keypoints(made)
                held += agreeing(*both, match(*both, limits.inliers), limits) != APART
        told(name, held, len(chosen), f"; {likely} were likely")


def of_faces(results: Path, config: dict) -> None:
    """Subjects split in two: found where any of the first half's faces is like one of the second half's."""
    read = [pd.read_parquet(path) for path in sorted(results.glob("checks/*/faces.parquet"))]
    faces = pd.concat(read, ignore_index=True)
    faces = faces[faces["image"].isin(passing(results))]
    good = faces[(faces["side"] >= config["min_face_side"]) & (faces["sharpness"] >= config["min_face_sharpness"])]
    good = good[good["brightness"] >= config["min_face_brightness"]].sort_values(["subject", "image"])
    found = asked = 0
    for _, own in good.groupby("subject"):
        if len(own) >= 2:
            split = own.assign(subject=["one" if place % 2 else "two" for place in range(len(own))])
            asked += 1
            found += len(alike_subjects(split, split[["image", "subject"]], config["cross_subject_cosine"])) > 0
    told("one person under two ids", found, asked)
    alarms = alike_subjects(good, good[["image", "subject"]], config["cross_subject_cosine"])
    subjects = good["subject"].nunique()
    doubted = good.loc[good["image"].isin(alarms["image"]), "subject"].nunique()
    print(f"untouched: {doubted} of {subjects} subjects in doubt; {len(good)} of {len(faces)} faces good enough")


def told(name: str, found: int, asked: int, more: str = "") -> None:
    """Print a rate with its Wilson interval."""
    share, spread = found / asked, 1.959964**2
    middle = (share + spread / 2 / asked) / (1 + spread / asked)
    half = (spread * (share * (1 - share) / asked + spread / 4 / asked**2)) ** 0.5 / (1 + spread / asked)
    print(f"{name:44}{found:4} of {asked:4} {share:7.1%} [{middle - half:.1%}, {middle + half:.1%}]{more}")


def encoded(pixels: np.ndarray) -> np.ndarray:
    """The picture after a bad JPEG."""
    buffer = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(pixels)).save(buffer, "JPEG", quality=40)
    return decode(buffer.getvalue())


def halved(pixels: np.ndarray) -> np.ndarray:
    """The picture at half its size."""
    return cv2.resize(np.ascontiguousarray(pixels), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)


def cut_slightly(pixels: np.ndarray) -> np.ndarray:
    """The picture without 1% at each side."""
    y, x = pixels.shape[0] // 100, pixels.shape[1] // 100
    return np.ascontiguousarray(pixels[y : -y or None, x : -x or None])


CHANGES = {"JPEG 40": encoded, "half size": halved, "1% cut off": cut_slightly}


def cropped(pixels: np.ndarray, share: float, rng: np.random.Generator) -> np.ndarray:
    """Some part of the picture, its sides so much shorter."""
    height, width = (round(side * share) for side in pixels.shape[:2])
    y, x = rng.integers(0, pixels.shape[0] - height + 1), rng.integers(0, pixels.shape[1] - width + 1)
    return np.ascontiguousarray(pixels[y : y + height, x : x + width])


def placed(kind: str, pixels: np.ndarray, ground: np.ndarray, share: float, rng: np.random.Generator) -> np.ndarray:
    """A crop, or the picture in another."""
    return cropped(pixels, share, rng) if kind == "crop" else pasted(pixels, ground, share, rng)


def pasted(pixels: np.ndarray, ground: np.ndarray, share: float, rng: np.random.Generator) -> np.ndarray:
    """The picture anywhere in another, its sides at most so long as the other's."""
    made = ground.copy()
    scale = share * min(ground.shape[0] / pixels.shape[0], ground.shape[1] / pixels.shape[1])
    small = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    y, x = rng.integers(0, made.shape[0] - small.shape[0] + 1), rng.integers(0, made.shape[1] - small.shape[1] + 1)
    made[y : y + small.shape[0], x : x + small.shape[1]] = small
    return made


def _model(name: str, method: str):
    import json

    listed = registry.read({"models": "config/models.yaml", "run": [name]}, SCHEMA)
    return loading.load(json.loads(listed.spec(name)), Path("weights"), method)


if __name__ == "__main__":
    main()
