"""Label Studio's JSON: items as tasks with predictions, decisions as annotations, and the interface that shows them.

Format: Label Studio's documentation, "Label Studio JSON format of annotated tasks": coordinates in percent of the
picture's sides; a rectangle turns clockwise by `rotation` degrees about its top left corner.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple
from xml.sax.saxutils import quoteattr

from accord.intake.tables import REGION_KINDS
from accord.queues import AGREEMENT, DECISIONS
from accord.review.database.items import Item
from accord.review.database.outcome import ADJUDICATION, Said
from accord.review.drawn import outlines
from accord.review.drawn.outlines import Region

DECISION, NOTE, PICTURE = "decision", "note", "image"
RECTANGLE, POLYGON = "rectanglelabels", "polygonlabels"


class Handed(NamedTuple):
    """An item as it is handed out: the random name that it goes by, and the size of its picture, px, upright."""

    name: str
    width: int
    height: int


def task(number: int, item: Item, handed: Handed, pictures: list[str], answers: Iterable[dict] = ()) -> dict[str, Any]:
    """An item as a task, its proposed region as a prediction. `pictures`: URLs of its picture and of the other one."""
    asked = {"task": handed.name, "queue": item.queue, "check": item.check, "reason": item.reason}
    seen = dict(zip((PICTURE, "other"), pictures, strict=False))
    proposed = [Region(item.kind, item.polygon)] if item.polygon else []
    guess = {"model_version": item.check, "score": item.score, "result": drawn(proposed, handed)}
    return {
        "id": number,
        "data": {**seen, **asked},
        "predictions": [guess] * bool(proposed),
        "annotations": list(answers),
    }


def annotation(number: int, by: int, said: Said, handed: Handed) -> dict:
    """What somebody, who is a number, said, as a completed annotation; an adjudication is a ground truth."""
    told = [_said(DECISION, "choices", [said.decision]), *([_said(NOTE, "text", [said.note])] if said.note else [])]
    return {
        "id": number,
        "completed_by": by,
        "was_cancelled": False,
        "ground_truth": said.act == ADJUDICATION,
        "result": [*told, *drawn([one for one in outlines.decode(said.regions) if one.polygon], handed)],
    }


def drawn(regions: Iterable[Region], handed: Handed) -> list[dict]:
    """Regions as results: upright rectangles as such, all others as polygons."""
    found = []
    for number, (kind, polygon) in enumerate(regions):
        xs, ys = polygon[::2], polygon[1::2]
        percent = [(100 * x / handed.width, 100 * y / handed.height) for x, y in zip(xs, ys, strict=True)]
        box = [(min(xs), min(ys)), (max(xs), min(ys)), (max(xs), max(ys)), (min(xs), max(ys))]
        of, value = POLYGON, {"points": [list(point) for point in percent], "closed": True, POLYGON: [kind]}
        if list(zip(xs, ys, strict=True)) == box:
            (x, y), (right, bottom) = percent[0], percent[2]
            size = {"width": right - x, "height": bottom - y, "rotation": 0}
            of, value = RECTANGLE, {"x": x, "y": y, **size, RECTANGLE: [kind]}
        sides = {"original_width": handed.width, "original_height": handed.height, "image_rotation": 0}
        found.append(
            {"id": f"region{number}", "type": of, "from_name": of, "to_name": PICTURE, **sides, "value": value}
        )
    return found


def interface(queue: str, kinds: Iterable[str] = REGION_KINDS) -> str:
    """The labelling interface of a queue, to be pasted into a project's settings."""
    labels = "".join(f"<Label value={quoteattr(kind)}/>" for kind in sorted(set(kinds)))
    choices = "".join(f"<Choice value={quoteattr(one)}/>" for one in DECISIONS)
    asked = "Draw what you see" if queue == AGREEMENT else "Is the finding right?"
    return (
        f'<View>\n  <Header value={quoteattr(asked)}/>\n  <Image name="{PICTURE}" value="${PICTURE}" zoom="true"/>\n'
        f'  <RectangleLabels name="{RECTANGLE}" toName="{PICTURE}">{labels}</RectangleLabels>\n'
        f'  <PolygonLabels name="{POLYGON}" toName="{PICTURE}">{labels}</PolygonLabels>\n'
        f'  <Choices name="{DECISION}" toName="{PICTURE}" choice="single" required="true">{choices}</Choices>\n'
        f'  <TextArea name="{NOTE}" toName="{PICTURE}" maxSubmissions="1"/>\n</View>\n'
    )


def _said(name: str, of: str, said: list[str]) -> dict:
    kind = "textarea" if of == "text" else of
    return {"id": name, "type": kind, "from_name": name, "to_name": PICTURE, "value": {of: said}}
