"""What is left of a person: painting out beside blurring and classical inpainting.

    python benchmarks/privacy.py [--results results] [--people 40] [--model embedded]

Stand-ins for bystanders are the subjects of a finished run, of whom the truth is known: their whole outline is removed
from an image, as a bystander's would be. The gallery has everybody's face from another image of theirs, and everybody's
body in the clothes of the same image, mirrored, on grey. Then, with Wilson's 95% intervals:

- detected: a face or person detector finds somebody where the person was (accord.models.detectors);
- face, body: rank-1 identification among all people of the gallery (chance is 1 / people), and the share of true
  pairs at or above the threshold at which 1 in 100 false pairs is. Face: SFace, aligned by where the face's points
  were before; body: EfficientNet-Lite0 of the person's box. An attacker thus knows where to look, and the clothes;
- seam, CPU s: median seam score (accord.privacy.fitting.seam), and CPU seconds for a picture.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import pandas as pd

from accord.analyse.faces.rates import threshold_at, wilson
from accord.imaging import bundle
from accord.imaging.decode import decode
from accord.imaging.masks import rasterise
from accord.imaging.regions import grown, window_around
from accord.models import detectors
from accord.privacy.fitting import seam, texture
from accord.privacy.painting import painters
from accord.privacy.painting.diffusion import SIDE
from accord.privacy.proof import faces

FAR = 0.01
PROMPT, NEGATIVE, GUIDANCE, STEPS = "background, nobody, empty scene", "person, people, face", 14.0, 20
LEAST_FACE = 24
MARGIN = 0.03


class Person(NamedTuple):
    """A subject: their face and body in the gallery; an image, what to remove from it, their face and box in it."""

    face: np.ndarray
    body: np.ndarray
    pixels: np.ndarray
    hole: np.ndarray
    points: np.ndarray
    box: tuple[int, int, int, int]


def main() -> None:
    """Remove everybody by every method and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--results", type=Path, default=Path("results"))
    parser.add_argument("--people", type=int, default=40)
    parser.add_argument("--model", default="embedded")
    chosen = parser.parse_args()
    embed = body_embedder()
    people = [person for _, person in zip(range(chosen.people), gallery(chosen.results, embed), strict=False)]
    print(f"{len(people)} people; chance of rank 1: {1 / len(people):.3f}")
    print("| method | detected | face rank 1 | face TAR | body rank 1 | body TAR | seam | CPU s |\n|" + "---|" * 8)
    for name, fill in methods(chosen.model).items():
        print(line(name, fill, people, embed), flush=True)


def line(name: str, fill: Callable, people: list[Person], embed: Callable) -> str:
    """A row of the table: a method's figures over all people."""
    started = time.process_time()
    after = [removed(person, fill) for person in people]
    seconds = (time.process_time() - started) / len(people)
    nobody = [np.zeros_like(person.hole) for person in people]
    found = [bool(detectors.left_over(a, p.hole, n)) for a, p, n in zip(after, people, nobody, strict=True)]
    seen = np.stack([faces.embed(faces.aligned(a, p.points)) for a, p in zip(after, people, strict=True)])
    bodies = np.stack([embed(a, p.box) for a, p in zip(after, people, strict=True)])
    seams = [seam.score(a, p.hole, n) for a, p, n in zip(after, people, nobody, strict=True)]
    told = [share(found)]
    for probes, known in ((seen, [p.face for p in people]), (bodies, [p.body for p in people])):
        told += identified(cosines(probes, np.stack(known)))
    return f"| {name} | {' | '.join(told)} | {np.median(seams):.2f} | {seconds:.2f} |"


def cosines(probes: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Of probes and gallery, (n, n), about the gallery's mean: what all have in common tells nobody apart."""
    sides = [features - known.mean(0) for features in (probes, known)]
    left, right = (side / np.maximum(np.linalg.norm(side, axis=1, keepdims=True), 1e-9) for side in sides)
    return left @ right.T


def identified(likeness: np.ndarray) -> list[str]:
    """Rank-1 share and true accept rate at FAR of a matrix of cosines: probes x gallery, the same order."""
    own = np.diag(likeness)
    others = likeness[~np.eye(len(likeness), dtype=bool)]
    return [share(likeness.argmax(1) == np.arange(len(likeness))), share(own >= threshold_at(others, FAR))]


def share(hits) -> str:
    """`0.25 [0.14, 0.40]`."""
    low, high = wilson(int(np.sum(hits)), len(hits))
    return f"{np.mean(hits):.2f} [{low:.2f}, {high:.2f}]"


def removed(person: Person, fill: Callable) -> np.ndarray:
    """The picture with the person removed, everything outside the hole as it was."""
    window = window_around(person.hole, SIDE)
    hole, crop = window.of(person.hole), window.of(person.pixels).copy()
    after = person.pixels.copy()
    window.of(after)[hole] = fill(crop, hole)[hole]
    return after


def methods(model: str) -> dict[str, Callable]:
    """Name -> function of (crop, hole) that returns the crop with its hole changed."""
    painter = painters.load(model)
    request = painters.Request(PROMPT, NEGATIVE, GUIDANCE, 1, STEPS)
    return {
        "nothing": lambda crop, hole: crop,
        "Gaussian, sigma 2% of the window": lambda crop, hole: blurred(crop, 0.02),
        "Gaussian, sigma 5% of the window": lambda crop, hole: blurred(crop, 0.05),
        "pixels, 32 to the window": lambda crop, hole: pixelated(crop, 32),
        "pixels, 12 to the window": lambda crop, hole: pixelated(crop, 12),
        "grey": lambda crop, hole: np.full_like(crop, 128),
        "Telea": lambda crop, hole: cv2.inpaint(crop, hole.astype(np.uint8), 5, cv2.INPAINT_TELEA),
        "membrane": painters.membrane_fill,
        "pieces": pieces,
        "model": lambda crop, hole: painter.paint_all([painters.Job(crop, hole, request)])[0],
    }


def blurred(crop: np.ndarray, sigma: float) -> np.ndarray:
    return cv2.GaussianBlur(crop, (0, 0), sigma * max(crop.shape[:2]))


def pixelated(crop: np.ndarray, count: int) -> np.ndarray:
    small = cv2.resize(crop, (count, count), interpolation=cv2.INTER_AREA)
    return cv2.resize(small, crop.shape[1::-1], interpolation=cv2.INTER_NEAREST)


def pieces(crop: np.ndarray, hole: np.ndarray) -> np.ndarray:
    """Patches of the surroundings, along the layout of a membrane: what the embedded model does without diffusion."""
    small, hidden = texture.shrink(crop, hole, SIDE)
    return texture.fit_with_pieces(painters.membrane_fill(small, hidden), crop, hole, hidden)


def gallery(results: Path, embed: Callable) -> Iterator[Person]:
    """People with two images of their own in which YuNet finds their face, by id."""
    for folder in sorted((results / "checks").glob("[0-9]*")):
        images = pd.read_parquet(folder / "images.parquet")
        tables = [
            pd.read_parquet(results / "intake" / folder.name / f"{name}.parquet") for name in ("people", "segments")
        ]
        people, segments = (dict(iter(table.groupby("image"))) for table in tables)
        alone = images[[len(people.get(image, ())) == 1 for image in images["image"]]]
        for _, theirs in alone.groupby("subject"):
            seen = [one for row in theirs.itertuples() if (one := view(results, folder.name, row, people, segments))]
            if len(seen) > 1:
                (known, _, there, _, _), (pixels, hole, points, box, body) = seen[:2]
                worn = np.where(body[..., None], pixels, np.uint8(128))
                face = faces.embed(faces.aligned(known, there))
                yield Person(face, embed(worn, box, mirrored=True), pixels, hole, points, box)


def view(results: Path, shard: str, row, people: dict, segments: dict) -> tuple | None:
    """Pixels, hole, face, box and outline of the one person of an image; None where their face is not found."""
    if row.image not in segments:
        return None
    pixels = decode(bundle.read(results / "intake" / shard / "images.tar", row))
    person = next(people[row.image].itertuples())
    if not person.face_width >= LEAST_FACE:
        return None
    body = rasterise(segments[row.image]["polygon"], pixels.shape[:2])
    hole = grown(body, 2 + MARGIN * person.person_height)
    left, top = max(0, round(person.person_x)), max(0, round(person.person_y))
    box = (left, top, left + round(person.person_width), top + round(person.person_height))
    middle = person.face_x + person.face_width / 2, person.face_y + person.face_height / 2
    inside = [f for f in faces.find(pixels) if f[0] < middle[0] < f[0] + f[2] and f[1] < middle[1] < f[1] + f[3]]
    return (pixels, hole, inside[0], box, body) if inside else None


def body_embedder() -> Callable:
    """Function of (pixels, box) that returns EfficientNet-Lite0's 1,280 numbers, of length 1."""
    import yaml

    from accord.models import loading

    entry = yaml.safe_load(Path("config/models.yaml").read_text("utf-8"))["efficientnet"]
    net = loading.load({"name": "efficientnet", "options": {}, **entry}, Path("weights"), "embed")

    def embed(pixels: np.ndarray, box: tuple[int, int, int, int], mirrored: bool = False) -> np.ndarray:
        left, top, right, bottom = box
        crop = pixels[top:bottom, left:right]
        features = net.embed([np.ascontiguousarray(crop[:, ::-1] if mirrored else crop)])[0]
        return features / np.linalg.norm(features)

    return embed


if __name__ == "__main__":
    main()
