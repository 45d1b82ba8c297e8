"""What `accord delivery validate` prints: how many images can be published, which can't, and why."""

import json
from pathlib import Path

from accord.delivery.judging.faults import LOOK, PART, WHOLE, Group, document, grouped, problem, shown
from accord.delivery.judging.judge import Judged

TITLES = {
    WHOLE: "The whole delivery is refused until this is fixed:",
    "image": "Why images can't be published:",
    PART: "Left out; the images stay unless something else stops them:",
    LOOK: "Warnings; nothing is left out:",
}
NAMED = 10


def text(path: Path, judged: Judged) -> str:
    """For people: values are quoted, as they are the vendor's own."""
    lines, groups = [f"{path}: {summary(judged)}"], grouped(judged.faults)
    for effect, title in TITLES.items():
        same = [group for group in groups if group.effect == effect]
        lines += [f"\n{title}", *(_told(group) for group in same)] if same else []
    return "\n".join(lines)


def as_json(judged: Judged) -> str:
    """For machines: each problem with all of its places."""
    told = {
        "valid": is_valid(judged),
        "images": len(judged.images),
        "publishable": len(judged.passing),
        "publishable_but_for_the_whole": len(judged.apart),
        "not_publishable": list(judged.stopped),
        "unread": list(judged.unread),
        "problems": [document(group) for group in grouped(judged.faults)],
    }
    return json.dumps(told, indent=1)


def is_valid(judged: Judged) -> bool:
    """Whether there is an image or a video, and all can be published as they were delivered."""
    return judged.valid and bool(judged.images)


def summary(judged: Judged) -> str:
    """How many images can be published, and which can't."""
    total, out = len(judged.images), judged.stopped
    if judged.valid and not total:
        return "no image or video is delivered: there is nothing to publish"
    if judged.valid:
        return f"all {total} images can be published"
    names = ", ".join(shown(image) for image in out[:NAMED])
    rest = f" and {len(out) - NAMED} more" if len(out) > NAMED else ""
    cant = f"; {len(out)} can't: {names}{rest}" if out else ""
    if judged.unread:
        return f"nothing can be published before {', '.join(judged.unread)} can be read; what could is unknown{cant}"
    if judged.passing != judged.apart or not total:
        apart = f"{len(judged.apart)} could be once it is accepted"
        return f"0 of {total} images can be published as delivered; {apart}{cant}"
    return f"{len(judged.passing)} of {total} images can be published{cant}"


def _told(group: Group) -> str:
    return f"  - {problem(group)}"
