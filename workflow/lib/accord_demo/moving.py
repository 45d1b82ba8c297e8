"""Records of copied pictures: the original's annotations, moved along with its pixels."""

from accord_demo.planting.files import MOVED, Move, size_after

Point = tuple[float, float]


def moved(record: dict, how: str) -> dict:
    """The record of a picture that was copied in a way (`planting.files`)."""
    if how not in MOVED:
        return record
    width, height = size_after(how, record["width"], record["height"])
    mover = _Mover(MOVED[how], record["width"], record["height"], width, height)
    people = [_person(person, mover) for person in record["people"]]
    regions = [{**region, "polygon": [[*mover(x, y)] for x, y in region["polygon"]]} for region in record["regions"]]
    return {**record, "people": people, "regions": regions, "width": width, "height": height}


class _Mover:
    """Where a point of the original is in the copy, px; points beyond the frame come to lie on it."""

    def __init__(self, move: Move, old_width: int, old_height: int, width: int, height: int):
        self.scale, self.width, self.height = move.scale, width, height
        self.left, self.top = round(old_width * move.cut), round(old_height * move.cut)

    def raw(self, x: float, y: float) -> Point:
        return round((x - self.left) * self.scale, 1), round((y - self.top) * self.scale, 1)

    def holds(self, x: float, y: float) -> bool:
        x, y = self.raw(x, y)
        return 0 <= x < self.width and 0 <= y < self.height

    def __call__(self, x: float, y: float) -> Point:
        x, y = self.raw(x, y)
        return min(max(x, 0), self.width), min(max(y, 0), self.height)


def _person(person: dict, mover: _Mover) -> dict:
    segments = [
        {**s, "polygon": [dict(zip("xy", mover(p["x"], p["y"]), strict=True)) for p in s["polygon"]]}
        for s in person["segments"]
    ]
    keypoints = {n: [*mover.raw(x, y), v] for n, (x, y, v) in person["keypoints"].items() if mover.holds(x, y)}
    boxes = {name: _box(person[name], mover) for name in ("face_bbox", "person_bbox") if person[name]}
    return {**person, **boxes, "keypoints": keypoints, "segments": segments}


def _box(box: list[float], mover: _Mover) -> list[float]:
    x, y, w, h = box
    (left, top), (right, bottom) = mover(x, y), mover(x + w, y + h)
    return [left, top, round(right - left, 1), round(bottom - top, 1)]
