"""People in whole pictures: boxes, masks, keypoints and parts on the edges of what is defined."""

import numpy as np

from cases import Cases, common

COCO = (
    "Nose", "Left eye", "Right eye", "Left ear", "Right ear", "Left shoulder", "Right shoulder", "Left elbow",
    "Right elbow", "Left wrist", "Right wrist", "Left hip", "Right hip", "Left knee", "Right knee", "Left ankle",
    "Right ankle",
)  # fmt: skip
NUMBERS = (0, 5, 2, 8, 7, 12, 11, 14, 13, 16, 15, 24, 23, 26, 25, 28, 27)
KNUCKLES = {17: "Right pinky knuckle", 20: "Left index knuckle", 22: "Left thumb knuckle"}
SEGMENTS = (
    "0. Face skin",
    "6. Head hair",
    "11. Nose",
    "15. Left shoe",
    "19. Eyewear",
    "20. Upper body clothes",
    "26. Glove",
)
PARTS = ("Face", "Hand", "Nose", "Head hair", "Left shoe", "Eyewear", "Upper body clothes", "Glove", "Bag")
PRONOUNS = ("0. She/her/hers", "1. He/him/his")
ABSENT = [-999.0, -999.0]
PROBABILITIES = (0.0, 0.49, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.951, 1.0)
"""All thresholds as decimals, which sums of 0.05 do not always reach."""
OUTLINES = (
    [[3.9, 2.2], [40.7, 9.99], [35.1, 50.5], [-4.6, 44.4]],  # rotated, over the left edge
    [[10.999, 10.999], [30.001, 10.999], [30.001, 30.5], [10.999, 30.5]],  # cut, not rounded
    [[5, 5], [45, 45], [45, 5], [5, 45]],  # crosses itself
    [[20.4, 3.3], [20.9, 58.8], [21.2, 3.3]],  # thinner than a pixel
    [[8, 8], [50, 30]],  # two points
    [[33.3, 44.4]],  # one point
    [[70, 20], [130, 25.5], [110, 200], [-30.5, 140.2]],  # over all edges
    [[-50, -50], [-10, -50], [-10, -20]],  # outside
    [[0.5, 0.5], [-0.5, 20.5], [20.5, 20.5]],  # negative and cut towards zero
    [[12, 12], [40, 12], [40, 40], [30, 40], [30, 22], [22, 22], [22, 40], [12, 40]],  # a bay
    [[15, 15], [35, 15], [35, 35], [15, 35], [15, 15], [20, 20], [20, 30], [30, 30], [30, 20], [20, 20]],  # a hole
)


def make() -> Cases:
    rng, rows, outputs = np.random.default_rng(7), [], {task: {} for task in ENTRIES}
    for number, picture in enumerate(_pictures(rng)):
        primary, image = f"s{number:03d}a", f"i{number:03d}"
        path = f"data/raw/fhibe_downsampled/{primary}/{image}/main_{image}.png"
        for place, person in enumerate(picture["people"]):
            rows.append(_row(len(rows), image, path, f"s{number:03d}{'ab'[place]}", place == 0, picture, person))
        for task, entry in ENTRIES.items():
            outputs[task][path] = entry(picture)
    return Cases(rows, outputs)


def _pictures(rng: np.random.Generator) -> list[dict]:
    """Pictures of 60 x 90 px with one or two people, drawn at random and by hand."""
    drawn = [_picture(rng, [_person(rng, rng.choice(len(OUTLINES), 3)) for _ in range(1 + n % 2)]) for n in range(14)]
    single = [_picture(rng, [_person(rng, [outline])]) for outline in range(len(OUTLINES))]
    return [*drawn, *single, *_by_hand(rng)]


def _by_hand(rng: np.random.Generator) -> list[dict]:
    square = {"people": [_person(rng, [1])]}
    boxed = {"person_bbox": [0.0, 0.0, 10.0, 10.0], "face_bbox": [10.0, 10.0, 30.0, 40.0]}
    made = []
    # Boxes and masks that overlap by exactly 6, 6.5 ... 9.5 tenths: on the very thresholds.
    for tenths in (5, 5.5, 6, 6.5, 7, 7.5, 8, 8.5, 9, 9.5, 10):
        person = _person(rng, []) | boxed | {"segments": [_segment(0, [[0, 0], [19, 0], [19, 0], [0, 0]])]}
        cut = np.zeros((60, 90), bool)
        cut[0, : int(2 * tenths)] = True
        made.append(
            _picture(rng, [person]) | {"boxes": [[0.0, 0.0, 10.0, tenths], [70.0, 50.0, 80.0, 55.0]], "masks": [cut]}
        )
    # Nothing is found; nothing is annotated; a box without width.
    made.append(_picture(rng, [_person(rng, [0])]) | {"boxes": [], "masks": []})
    made.append(_picture(rng, [_person(rng, []) | {"keypoints": {}, "segments": []}]))
    made.append(_picture(rng, [_person(rng, []) | {"segments": []}]))
    made.append(
        _picture(rng, [_person(rng, [2]) | {"person_bbox": [5.0, 0.0, 0.0, 10.0], "face_bbox": [5.0, 0.0, 0.0, 10.0]}])
        | {"boxes": [[0.0, 0.0, 10.0, 20.0]]}
    )
    # Three of five keypoints are right and two not predicted: an OKS of 0.6 and a bit; half of the diagonal, exactly.
    places = [[12.0, 14.0], [20.0, 14.0], [28.0, 14.0], [20.0, 30.0], [24.0, 33.0]]
    five = {f"{NUMBERS[k]}. {COCO[k]}": [*places[k], 1] for k in range(5)} | {"16. Left wrist": [50.0, 50.0, 0]}
    person = _person(rng, [1]) | boxed | {"keypoints": five}
    made.append(_picture(rng, [person]) | {"poses": [[*places[:3], *[ABSENT] * 14]]})
    shifted = [[x + 15.0, y + 20.0] for x, y in places]
    made.append(_picture(rng, [person]) | {"poses": [[*shifted, *[ABSENT] * 12]]})
    made.append(
        _picture(rng, [person])
        | {
            "poses": [
                [
                    *[[x + 0.1 * 50, y] for x, y in places[:2]],
                    *[[x + 0.3 * 50, y] for x, y in places[2:]],
                    *[ABSENT] * 12,
                ]
            ]
        }
    )
    # So large a face that what is not predicted, at (-999, -999), lies within 0.8 of its diagonal.
    large = {
        "face_bbox": [0.0, 0.0, 1200.0, 1600.0],
        "keypoints": {"0. Nose": [10.0, 12.0, 1], "5. Left eye": [900.0, 800.0, 1]},
    }
    wide = [_segment(0, [[10, 10], [1400, 30], [1300, 1900], [20.5, 1800.7]])]
    made.append(
        _picture(rng, [_person(rng, [0]) | large | {"segments": wide}], height=2048, width=1536)
        | {"poses": [[ABSENT, [905.0, 801.0], *[ABSENT] * 15]]}
    )
    return [*made, _picture(rng, square["people"]) | {"boxes": [[1.0, 2.0, 30.0, 40.0]] * 3}]


def _person(rng: np.random.Generator, outlines) -> dict:
    x, y = rng.uniform(0, 40, 2)
    face = [float(x), float(y), float(rng.uniform(8, 30)), float(rng.uniform(8, 30))]
    body = [float(x) - 0.3, float(y) - 0.7, float(rng.uniform(20, 50)), float(rng.uniform(20, 50))]
    seen = [k for k in range(17) if rng.random() < 0.6] or [0]
    points = {
        f"{NUMBERS[k]}. {COCO[k]}": [float(rng.uniform(0, 90)), float(rng.uniform(0, 60)), int(rng.random() < 0.7)]
        for k in seen
    }
    first = next(iter(points))
    points[first][2] = 1
    points |= {
        f"{n}. {name}": [1.0, 2.0, int(rng.random() < 0.3)] for n, name in KNUCKLES.items() if rng.random() < 0.5
    }
    segments = [_segment(rng.integers(len(SEGMENTS)), OUTLINES[int(one)], num + 1) for num, one in enumerate(outlines)]
    return {"face_bbox": face, "person_bbox": body, "keypoints": points, "segments": segments}


def _segment(kind: int, outline: list, num: int = 1) -> dict:
    return {"class_name": SEGMENTS[int(kind)], "num": num, "polygon": [{"x": x, "y": y} for x, y in outline]}


def _picture(rng: np.random.Generator, persons: list[dict], height: int = 60, width: int = 90) -> dict:
    """A picture with its people and what a model answers: boxes and masks near theirs and elsewhere, one pose each."""
    boxes = [_moved(rng, person[name]) for person in persons for name in ("person_bbox", "face_bbox")]
    boxes.append([1.5, 2.5, 80.0, 50.0])
    masks = [_blob(rng, height, width) for _ in range(1 + len(persons))]
    poses = [[_point(rng, person, name) for name in COCO] for person in persons]
    parts = [dict(zip(PARTS, rng.choice(PROBABILITIES, len(PARTS)).tolist(), strict=True)) for _ in persons]
    return {
        "people": persons,
        "height": height,
        "width": width,
        "boxes": boxes,
        "masks": masks,
        "poses": poses,
        "parts": parts,
    }


def _moved(rng: np.random.Generator, box: list[float]) -> list[float]:
    x, y, width, height = box
    dx, dy, dw, dh = rng.uniform(-2, 2, 4).tolist()
    return [x + dx, y + dy, x + dx + max(width + dw, 1), y + dy + max(height + dh, 1)]


def _blob(rng: np.random.Generator, height: int, width: int) -> np.ndarray:
    rows, columns = np.mgrid[:height, :width]
    y, x = rng.uniform(10, 40, 2)
    return (rows - y) ** 2 + (columns - x) ** 2 < rng.uniform(10, 30) ** 2


def _point(rng: np.random.Generator, person: dict, name: str) -> list[float]:
    """Near where it is, or not predicted; a point that is not annotated anywhere."""
    known = {key.partition(". ")[2]: value for key, value in person["keypoints"].items()}
    if rng.random() < 0.15:
        return ABSENT
    at = known.get(name, [30.0, 30.0, 0])[:2]
    return [float(c + rng.choice([0.0, 0.5, 3.0, 12.0]) * rng.normal()) for c in at]


def _row(number: int, image: str, path: str, subject: str, primary: bool, picture: dict, person: dict) -> dict:
    return {
        **common(number), "image_id": image, "filepath": path, "json_path": path, "subject_id": subject,
        "is_primary": primary, "image_height": picture["height"], "image_width": picture["width"],
        "pronoun": repr([PRONOUNS[number % 2]]),
        **{name: repr(person[name]) for name in ("keypoints", "segments", "face_bbox", "person_bbox")},
    }  # fmt: skip


def _found(picture: dict, empty) -> dict:
    return {"detections": picture["boxes"] or empty, "scores": [0.9] * len(picture["boxes"]) or empty}


def _masks(picture: dict) -> dict:
    from pycocotools import mask as coco

    told = [coco.encode(np.asfortranarray(mask, np.uint8)) for mask in picture["masks"]]
    told = [{"size": list(map(int, one["size"])), "counts": one["counts"].decode()} for one in told]
    return {"detections": told or None, "scores": [0.9] * len(told) or None}


ENTRIES = {
    "person_localization": lambda picture: _found(picture, None),
    "face_localization": lambda picture: _found(picture, []),
    "person_parsing": _masks,
    "keypoint_estimation": lambda picture: {
        "detections": picture["poses"],
        "scores": [[0.9] * 17 for _ in picture["poses"]],
    },
    "body_parts_detection": lambda picture: {"detections": picture["parts"]},
}
