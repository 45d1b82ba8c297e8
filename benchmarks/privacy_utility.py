"""What removing bystanders costs the subjects: models on the images before and after, a paired test for each task.

    python benchmarks/privacy_utility.py [--results results] [--margin 0.05]

Images of a finished run in which something was painted out; the subjects in them are what is scored, by the models of
the evaluate room: faces and people by average recall over IoU, keypoints by PCK at half a head's length, pixels by IoU
of the subjects' segments. Before: the image as delivered; after: as the run painted it, or the same regions blurred,
pixelated, greyed, filled with a membrane. Tests are of subjects (accord.statistics.testing.equivalence): `p same` below
0.05 shows that the mean changed by less than the margin, `p changed` below 0.05 / rows that it changed at all. With
--out the score tables are written, before.parquet and one for each method, for `accord compare`.
"""

import argparse
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import pandas as pd
import yaml

from accord.analyse.pose import HEAD_SHARE
from accord.analyse.tables.scores import Scores
from accord.engine import table
from accord.imaging import bundle
from accord.imaging.decode import decode
from accord.imaging.keypoints import BLAZEPOSE, pck
from accord.imaging.masks import rasterise
from accord.imaging.overlap import iou
from accord.imaging.recall import average_recall
from accord.imaging.regions import region_mask, window_around
from accord.models import loading
from accord.privacy.painting.painters import membrane_fill
from accord.statistics.testing.equivalence import paired

MODELS = ("yunet", "blazeface", "mtcnn", "blazepeople_boxes", "blazepose", "selfie_mask")
METHOD_OF = {
    "face_localization": "detect",
    "person_localization": "detect",
    "keypoint_estimation": "estimate",
    "person_parsing": "parse",
}
METRIC_OF = {
    "face_localization": "ar_iou",
    "person_localization": "ar_iou",
    "keypoint_estimation": "pck@0.5",
    "person_parsing": "iou",
}


class Case(NamedTuple):
    """An image before and as painted, uint8 (H, W, 3); the holes; its subjects: rows of People, keypoints, masks."""

    before: np.ndarray
    painted: np.ndarray
    holes: list[np.ndarray]
    people: list[tuple]
    points: dict[str, tuple[np.ndarray, np.ndarray]]
    bodies: dict[str, np.ndarray]


def main() -> None:
    """Score every model before and after and print a line for each method."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--results", type=Path, default=Path("results"))
    parser.add_argument("--margin", type=float, default=0.05)
    parser.add_argument("--out", type=Path, help="folder for the score tables")
    chosen = parser.parse_args()
    seen = [
        case for folder in sorted((chosen.results / "privacy").glob("[0-9]*")) for case in cases(chosen.results, folder)
    ]
    keys = pd.DataFrame([(p.image, p.subject) for case in seen for p in case.people], columns=["image", "subject"])
    print(f"{len(seen)} images, {keys['subject'].nunique()} subjects; margin {chosen.margin}")
    print("| task, model | method | before | change [90%] | p changed | p same |\n|" + "---|" * 6)
    entries, tables = yaml.safe_load(Path("config/models.yaml").read_text("utf-8")), defaultdict(list)
    for name in MODELS:
        before, *others = scored(name, entries[name], seen, keys)
        tables["before"].append(before[1])
        for method, after in others:
            print(line(name, method, before[1], after, chosen.margin), flush=True)
            tables[method.lower()].append(after)
    for name, parts in tables.items() if chosen.out else ():
        chosen.out.mkdir(parents=True, exist_ok=True)
        table.write(pd.concat(parts), Scores, chosen.out / f"{name}.parquet")


def scored(name: str, entry: dict, seen: list[Case], keys: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """The scores of a model: before first, then with each method."""
    score, task = scorer(name, entry), entry["task"]
    told = {"task": task, "model": name, "metric": METRIC_OF[task], "note": ""}
    yield "before", keys.assign(**told, value=np.concatenate([score(case, case.before) for case in seen]))
    for method, change in METHODS.items():
        values = np.concatenate([score(case, changed(case, change)) for case in seen])
        yield method, keys.assign(**told, value=values)


def line(name: str, method: str, before: pd.DataFrame, after: pd.DataFrame, margin: float) -> str:
    """A line of the table that is printed."""
    values = before["value"].to_numpy()
    told = paired(values, after["value"].to_numpy(), before["subject"].to_numpy(), margin)
    interval = f"{told.mean:+.3f} [{told.low:+.3f}, {told.high:+.3f}]"
    figures = f"{np.nanmean(values):.3f} | {interval} | {told.p_changed:.3f} | {told.p_same:.3f}"
    return f"| {before['task'].iloc[0].replace('_', ' ')}, {name} | {method} | {figures} |"


METHODS: dict[str, Callable | None] = {
    "painted": None,
    "Gaussian": lambda crop, hole: cv2.GaussianBlur(crop, (0, 0), 0.05 * max(crop.shape[:2])),
    "pixels": lambda crop, hole: cv2.resize(
        cv2.resize(crop, (12, 12), interpolation=cv2.INTER_AREA), crop.shape[1::-1], interpolation=cv2.INTER_NEAREST
    ),
    "grey": lambda crop, hole: np.full_like(crop, 128),
    "membrane": membrane_fill,
}


def changed(case: Case, change: Callable | None) -> np.ndarray:
    """The image as painted, or with its holes changed."""
    if change is None:
        return case.painted
    after = case.before.copy()
    for hole in case.holes:
        window = window_around(hole, 128)
        part, crop = window.of(hole), window.of(after).copy()
        window.of(after)[part] = change(crop, part)[part]
    return after


def scorer(name: str, entry: dict) -> Callable[[Case, np.ndarray], np.ndarray]:
    """Function of (case, picture) that returns one score for each subject; NaN where there is no truth."""
    task = entry["task"]
    model = loading.load({"name": name, "options": {}, **entry}, Path("weights"), METHOD_OF[task])
    if METHOD_OF[task] == "detect":
        return lambda case, picture: found(model, case, picture, task.split("_")[0])
    if METHOD_OF[task] == "estimate":
        return lambda case, picture: np.array([posed(model, case, picture, person) for person in case.people])
    return lambda case, picture: parsed(model, case, picture)


def found(model, case: Case, picture: np.ndarray, part: str) -> np.ndarray:
    """Average recall of each subject's face or person box."""
    boxes = model.detect([picture])[0].boxes.reshape(-1, 4)
    scores = []
    for box in (corners(person, part) for person in case.people):
        best = iou(np.tile(box, (len(boxes), 1)), boxes).max(initial=0.0)
        scores.append(np.nan if np.isnan(box).any() else float(average_recall(np.array(best))))
    return np.array(scores)


def posed(model, case: Case, picture: np.ndarray, person) -> float:
    """PCK at half a head's length of one subject."""
    points, visible = case.points[person.subject]
    pose = model.estimate([picture], [corners(person, "person")])[0]
    guess = np.full((33, 2), np.inf)
    guess[pose.keypoints] = pose.points
    length = HEAD_SHARE * np.hypot(person.face_width, person.face_height)
    with np.errstate(invalid="ignore"):
        distance = np.linalg.norm(guess - points, axis=1)[list(BLAZEPOSE)]
    return float(pck(distance[None], np.array([length]), visible[list(BLAZEPOSE)][None], (0.5,))[0])


def parsed(model, case: Case, picture: np.ndarray) -> np.ndarray:
    """IoU of all subjects' pixels with the best of the masks that are found."""
    truth = np.logical_or.reduce(list(case.bodies.values()))
    masks = [one.mask for one in model.parse([picture])[0]]
    best = max(((mask & truth).sum() / (mask | truth).sum() for mask in masks), default=0.0)
    return np.full(len(case.people), best)


def corners(person, part: str) -> np.ndarray:
    left, top = getattr(person, f"{part}_x"), getattr(person, f"{part}_y")
    size = getattr(person, f"{part}_width"), getattr(person, f"{part}_height")
    return np.array([left, top, left + size[0], top + size[1]], float)


def cases(results: Path, folder: Path) -> Iterator[Case]:
    """Images of a shard in which something was painted, by id."""
    edits, pictures = (pd.read_parquet(folder / f"{name}.parquet") for name in ("edits", "painted"))
    intake = results / "intake" / folder.name
    images = pd.read_parquet(results / "checks" / folder.name / "images.parquet")
    sources = {row.image: row for row in images.itertuples()}
    tables = {name: pd.read_parquet(intake / f"{name}.parquet") for name in ("people", "keypoints", "segments")}
    after = {row.image: row for row in pictures.itertuples()}
    for image, theirs in edits[edits["painted"] > 0].groupby("image"):
        before = decode(bundle.read(intake / "images.tar", sources[image]))
        own = {name: table[table["image"] == image] for name, table in tables.items()}
        shape = before.shape[:2]
        bodies = {s: rasterise(rows["polygon"], shape) for s, rows in own["segments"].groupby("subject")}
        everybody = np.logical_or.reduce([np.zeros(shape, bool), *bodies.values()])
        holes = [region_mask(polygon, shape) & ~everybody for polygon in theirs["polygon"]]
        painted = decode(bundle.read(folder / "images.tar", after[image]))
        people = [row for row in own["people"].itertuples() if row.subject in bodies]
        points = {row.subject: annotated(own["keypoints"], row.subject) for row in people}
        yield Case(before, painted, [hole for hole in holes if hole.any()], people, points, bodies)


def annotated(keypoints: pd.DataFrame, subject: str) -> tuple[np.ndarray, np.ndarray]:
    """Places (33, 2) and visibility (33,) of a subject's keypoints."""
    points, visible = np.full((33, 2), np.nan), np.zeros(33, bool)
    theirs = keypoints[keypoints["subject"] == subject]
    points[theirs["keypoint"]] = theirs[["x", "y"]].to_numpy()
    visible[theirs["keypoint"]] = theirs["visible"]
    return points, visible


if __name__ == "__main__":
    main()
