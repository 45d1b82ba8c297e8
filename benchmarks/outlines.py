"""Outlines of the people in the photographs of tests/data/photographs: boxes, keypoints, face and silhouette, by the
models that are shipped and GrabCut (Rother, Kolmogorov and Blake 2004). Look at them before you keep them.

python benchmarks/outlines.py tests/data/photographs/people.json --look FOLDER
"""

import argparse
import json
import sys
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from accord.models import loading, tasks
from accord.models import registry as models
from accord.models.adapters.declaring.geometry import Window, cut
from accord.models.adapters.facemesh import OUTLINES
from accord.vocabularies import KEYPOINTS, text

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests/flow"))

import photographs  # noqa: E402

SIDE = 512
"""Px of the longer side at which GrabCut works."""
ROUNDS = 4
SURE, UNSURE = 0.02, 0.03
"""How far from a model's outline the person, and what is none, are certain: shares of the longer side."""
TOLERANCE = 1.5
"""Px by which a polygon may leave the mask."""
VISIBLE = 0.5
MESH = {
    "Nose": 4, "Right eye outer": 33, "Right eye inner": 133, "Left eye inner": 362, "Left eye outer": 263,
    "Mouth right": 61, "Mouth left": 291,
}  # fmt: skip
EYES = {"Right eye": "r_eye", "Left eye": "l_eye"}
"""Points of MediaPipe's face mesh."""


@cache
def model(name: str):
    """A model of config/models.yaml."""
    registry = models.read(
        {"models": str(ROOT / "config/models.yaml"), "run": [name]}, ROOT / "workflow/schemas/models.schema.yaml"
    )
    spec = json.loads(registry.spec(name))
    return loading.load(spec, ROOT / "weights", tasks.method_of(spec["task"]))


def outlined(picture: np.ndarray) -> dict:
    """Of the largest person of a picture, in px: face and person box (x, y, width, height), keypoints with whether
    they are seen, polygons of the face and of all of the person."""
    face = largest(model("yunet").detect([picture])[0].boxes)
    body = silhouette(picture, face)
    rows, columns = np.flatnonzero(body.any(axis=1)), np.flatnonzero(body.any(axis=0))
    box = np.array([columns[0], rows[0], columns[-1] + 1, rows[-1] + 1], float)
    points = mesh(picture, face)
    return {
        "face_bbox": sides(face),
        "person_bbox": sides(box),
        "keypoints": keypoints(picture, box) | features(points),
        "face": [corners(points[list(OUTLINES["skin"])])],
        "person": polygons(body),
    }


def largest(boxes: np.ndarray) -> np.ndarray:
    return boxes[np.argmax((boxes[:, 2:] - boxes[:, :2]).prod(axis=1))]


def sides(box: np.ndarray) -> list[float]:
    return [round(float(v), 1) for v in (*box[:2], *(box[2:] - box[:2]))]


def silhouette(picture: np.ndarray, face: np.ndarray) -> np.ndarray:
    """(height, width) bool: all of the person whose face is given."""
    height, width = picture.shape[:2]
    middle = ((face[:2] + face[2:]) / 2).astype(int)
    masks = [mask.mask for mask in model("blazepeople_masks").parse([picture])[0]]
    masks = [mask for mask in masks if mask[middle[1], middle[0]]]
    first = max(masks, key=np.sum) if masks else model("selfie_mask").parse([picture])[0][0].mask
    scale = SIDE / max(height, width)
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    seen = cv2.resize(first.astype(np.uint8), small.shape[1::-1], interpolation=cv2.INTER_NEAREST)
    labels = np.where(grown(seen, UNSURE), cv2.GC_PR_BGD, cv2.GC_BGD).astype(np.uint8)
    labels[seen > 0] = cv2.GC_PR_FGD
    labels[grown(1 - seen, SURE) == 0] = cv2.GC_FGD
    cv2.setRNGSeed(1)
    kept = np.zeros((1, 65)), np.zeros((1, 65))
    cv2.grabCut(np.ascontiguousarray(small[..., ::-1]), labels, None, *kept, ROUNDS, cv2.GC_INIT_WITH_MASK)
    found = np.isin(labels, (cv2.GC_FGD, cv2.GC_PR_FGD)).astype(np.uint8)
    found = cv2.morphologyEx(found, cv2.MORPH_OPEN, disc(3))
    _, parts, stats, _ = cv2.connectedComponentsWithStats(found)
    found = (parts == 1 + np.argmax(stats[1:, cv2.CC_STAT_AREA])).astype(np.float32)
    return cv2.resize(cv2.GaussianBlur(found, (0, 0), 1), (width, height), interpolation=cv2.INTER_LINEAR) > 0.5


def grown(mask: np.ndarray, share: float) -> np.ndarray:
    return cv2.dilate(mask, disc(2 * round(share * max(mask.shape)) + 1))


def disc(side: int) -> np.ndarray:
    return cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))


def features(points: np.ndarray) -> dict[str, list[float]]:
    """Eyes, nose and mouth by a face mesh: BlazePose's are coarse in close-ups."""
    at = {name: points[index] for name, index in MESH.items()}
    at |= {name: points[list(OUTLINES[part])].mean(axis=0) for name, part in EYES.items()}
    return {label: [*corners(at[text(label)]), 1] for label in KEYPOINTS if text(label) in at}


def keypoints(picture: np.ndarray, box: np.ndarray) -> dict[str, list[float]]:
    pose = model("blazepose").estimate([picture], [box])[0]
    height, width = picture.shape[:2]
    found = {}
    for number, (x, y), score in zip(pose.keypoints, pose.points, pose.scores, strict=True):
        if 0 <= x < width and 0 <= y < height and score >= VISIBLE:
            found[KEYPOINTS[number]] = [round(float(x), 1), round(float(y), 1), 1]
    return found


def mesh(picture: np.ndarray, face: np.ndarray) -> np.ndarray:
    """(468, 2) px: the face mesh of a face box x0, y0, x1, y1."""
    net = model("facemesh")
    middle, side = (face[:2] + face[2:]) / 2, float((face[2:] - face[:2]).max()) * 1.6
    window = Window(*map(float, middle), side, 0.0)
    points = net.mesh(cut(picture, window, 512))
    return window.to_picture(points / 512)


def polygons(mask: np.ndarray) -> list[list[list[float]]]:
    contours, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return [corners(cv2.approxPolyDP(contour, TOLERANCE, True)[:, 0]) for contour in contours]


def corners(points: np.ndarray) -> list:
    return np.asarray(points, float).round(1).tolist()


def looked_at(picture: np.ndarray, found: dict) -> np.ndarray:
    """The picture with all that was found drawn into it."""
    canvas = picture.copy()
    for name, colour in (("person", (255, 0, 0)), ("face", (255, 255, 0))):
        for points in found[name]:
            cv2.polylines(canvas, [np.round(np.array(points)).astype(np.int32)], True, colour, 2)
    for x, y, _ in found["keypoints"].values():
        cv2.circle(canvas, (round(x), round(y)), 4, (0, 255, 255), -1)
    for x, y, width, height in (found["face_bbox"], found["person_bbox"]):
        cv2.rectangle(canvas, (round(x), round(y)), (round(x + width), round(y + height)), (0, 255, 0), 2)
    return canvas


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--look", type=Path, help="folder for pictures with the outlines drawn in")
    flags = parser.parse_args()
    said = {}
    for name in photographs.SOURCES:
        picture = photographs.opened(name)
        said[name] = outlined(picture)
        if flags.look:
            flags.look.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(flags.look / f"{name.replace('/', '-')}.jpg"), looked_at(picture, said[name])[..., ::-1])
    flags.out.write_text(json.dumps(said, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
