"""The documents of a release: datasheet, changes, protocol, each filled from the run's own figures."""

from collections.abc import Iterable
from string import Template

import pandas as pd

from accord.engine import resources
from accord.imaging.decode import CONVERSIONS
from accord.models.passers_by import recall_sentence
from accord.release.seal.versions import Changes
from accord.text.nouns import counted, images_of

HERE = resources.beside(__name__)
DATASHEET, PROTOCOL = "datasheet.md", "protocol.md"
CAUTION = "**Read this first.** "
PURPOSE = (
    "To evaluate how fairly vision models treat people: finding, delineating and recognising faces and bodies, with "
    "what people said of themselves, and with their consent. It is not for training models that are put to other "
    "purposes, and not for identifying, monitoring or judging anyone."
)
ACQUIRED = {
    "Photographs": "People photographed themselves, or were photographed, for this purpose, and described themselves "
    "and the picture.",
    "Rendered pictures": "People and scenes were rendered by computer: nobody was photographed.",
    "Photographs and rendered pictures": "People photographed themselves, or were photographed, for this purpose, and "
    "described themselves and the picture; {rendered} of the pictures were rendered and show no real person.",
}
"""What a release holds -> how it was acquired."""
RENDERED_CONSENT = "No real person is in the rendered pictures. Their forms were checked as those of photographs are:\n"
VIDEOS = """
**Are there videos?** {held}, under `data/videos/`: mp4 (H.264), upright, without sound and without any metadata
of the delivered file. `data/processed/videos/videos.csv` says who is in which. Nothing else is said of them.
"""
VIDEOS_CHANGED = """Videos were encoded anew from their frames. Everybody in them whose place was not annotated was
painted over with one plain grey, as far as they were found; that was so in {painted} of the videos. Each file was read
again and proven. Videos carry no C2PA claim.

"""
VIDEO_PROTOCOL = """
## Videos

`data/videos/<subject>/<video>.mp4`, in the folder of the primary subject. `data/processed/videos/videos.csv` has a row
per video and subject: size in px, number of frames, length in seconds, frames a second on average (the rate may vary),
and whether anybody was painted over in it. They are no part of the other tables.
"""


def datasheet(facts: dict, about: dict[str, pd.DataFrame], people: pd.DataFrame) -> str:
    """The datasheet (Gebru et al. 2021). `facts`: dataset, version and counts; `about`: tables Waterfall, Edits and
    Conversions; `people`: attribute, value, subjects.
    """
    waterfall, caution = about["waterfall"], facts.get("caution", "")
    pictures = kind_of_pictures(facts)
    kinds = about["edits"].groupby("kind")["region"].nunique()
    converted = about["conversions"]["conversion"].map(CONVERSIONS).value_counts().sort_index()
    told = {
        **{name: f"{value:,}" if isinstance(value, int) else value for name, value in facts.items()},
        "purpose": facts.get("purpose") or PURPOSE,
        "creator": facts.get("creator") or "The team that ran the collection",
        "pictures": pictures,
        "acquired": ACQUIRED[pictures].format(rendered=f"{facts.get('rendered', 0):,}"),
        "rendered_consent": RENDERED_CONSENT if facts.get("rendered") else "",
        "caution": f"\n{CAUTION}{_cell(caution)}\n" if caution else "",
        "size": images_of(facts["images"], facts["subjects"]),
        "several": _several(facts["two_people"]),
        "made": f"{counted(facts['face_crops'], 'face crop')} and {counted(facts['faces_aligned'], 'aligned face')}",
        "delivered": f"{int(waterfall['images_in'].iloc[0]):,}",
        "stopped": _stopped("Images", waterfall),
        "passers_by": recall_sentence(),
        "edits": _table(("What was painted over", "Regions"), kinds.items()),
        "conversions": _table(("What was converted", "Images"), converted.items()),
        "people": _table(("Attribute", "Value", "People"), people.itertuples(index=False)),
        **_of_videos(facts, about),
    }
    return _filled(DATASHEET, told)


def kind_of_pictures(facts: dict) -> str:
    """What the pictures are. `facts`: the numbers of images, and of rendered ones, if there are any."""
    rendered = facts.get("rendered", 0)
    if rendered and rendered == facts["images"]:
        return "Rendered pictures"
    return "Photographs and rendered pictures" if rendered else "Photographs"


def caution_of(text: str) -> str:
    """What the readers of a datasheet are told first; "" for nothing. It stands before the first heading of a part."""
    lines = text.partition("\n## ")[0].splitlines()
    return next((line.removeprefix(CAUTION).replace("\\|", "|") for line in lines if line.startswith(CAUTION)), "")


def _of_videos(facts: dict, about: dict[str, pd.DataFrame]) -> dict[str, str]:
    """The passages on videos, which are empty where there are none."""
    if not facts.get("videos"):
        return dict.fromkeys(("videos", "videos_changed", "videos_stopped"), "")
    account = about["video_waterfall"]
    held = f"{counted(facts['videos'], 'video')} of {counted(facts['video_subjects'], 'person')}"
    delivered = counted(int(account["images_in"].iloc[0]), "video")
    return {
        "videos": VIDEOS.format(held=held),
        "videos_changed": VIDEOS_CHANGED.format(painted=f"{facts['painted_videos']:,}"),
        "videos_stopped": f"\nOf {delivered} delivered, these were left out:\n\n{_stopped('Videos', account)}\n",
    }


def _stopped(noun: str, account: pd.DataFrame) -> str:
    """What each check stopped of a Waterfall, as far as it stopped anything."""
    rows = account[account["stopped"] > 0]
    return _table(("Why", noun), rows[["label", "stopped"]].itertuples(index=False))


def changes(facts: dict, made: Changes) -> str:
    """What changed since the version before. `facts`: also how many videos that one had, as `videos_before`."""
    videos = facts.get("videos", 0)
    if not made.previous:
        size = counted(facts["images"], "image") + (f" and {counted(videos, 'video')}" if videos else "")
        return f"# Changes\n\n## {facts['version']}\n\nThe first version: {size}.\n"
    things = "images and videos" if videos or facts.get("videos_before") else "images"
    lines = [
        f"Since version {made.previous}, which is superseded. All ids are new.\n",
        f"- {things} removed: {made.removed:,}",
        f"- {things} added: {made.added:,}",
        f"- {things} with changed annotations only: {made.changed:,}",
    ]
    if not (made.removed or made.added or made.changed):
        lines.append("- documents, annotators or aggregate figures changed")
    if made.removed:
        lines.append("\nPeople may have withdrawn their consent: delete your copies of earlier versions.")
    return f"# Changes\n\n## {facts['version']}\n\n" + "\n".join(lines) + "\n"


def protocol(facts: dict) -> str:
    """How the data were collected, annotated and made: what a user needs to read them."""
    text = _filled(PROTOCOL, {name: str(value) for name, value in facts.items()})
    return text + (VIDEO_PROTOCOL if facts.get("videos") else "")


def _several(images: int) -> str:
    """How many images show more than one person."""
    return f"{images:,} of the images {'shows' if images == 1 else 'show'} more than one of them"


def _filled(name: str, facts: dict) -> str:
    return Template((HERE / name).read_text(encoding="utf-8")).substitute(facts)


def _table(head: tuple[str, ...], rows: Iterable) -> str:
    lines = [f"| {' | '.join(_cell(value) for value in row)} |" for row in rows]
    if not lines:
        return "None."
    return "\n".join([f"| {' | '.join(head)} |", f"|{'---|' * len(head)}", *lines])


def _cell(value: object) -> str:
    text = f"{value:,}" if isinstance(value, int) else str(value)
    return text.replace("|", "\\|").replace("\n", " ")
