"""The documents of a release: datasheet, changes, protocol, each filled from the run's own figures."""

from collections.abc import Iterable
from string import Template

import pandas as pd

from accord.engine import resources
from accord.imaging.decode import CONVERSIONS
from accord.release.seal.versions import Changes
from accord.text.nouns import counted, images_of

HERE = resources.beside(__name__)
DATASHEET, PROTOCOL = "datasheet.md", "protocol.md"


def datasheet(facts: dict, about: dict[str, pd.DataFrame], people: pd.DataFrame) -> str:
    """The datasheet (Gebru et al. 2021). `facts`: dataset, version and counts; `about`: tables Waterfall, Edits and
    Conversions; `people`: attribute, value, subjects.
    """
    waterfall, caution = about["waterfall"], facts.get("caution", "")
    stopped = waterfall[waterfall["stopped"] > 0]
    kinds = about["edits"].groupby("kind")["region"].nunique()
    converted = about["conversions"]["conversion"].map(CONVERSIONS).value_counts().sort_index()
    told = {
        **{name: f"{value:,}" if isinstance(value, int) else value for name, value in facts.items()},
        "caution": f"\n**Read this first.** {_cell(caution)}\n" if caution else "",
        "size": images_of(facts["images"], facts["subjects"]),
        "several": _several(facts["two_people"]),
        "made": f"{counted(facts['face_crops'], 'face crop')} and {counted(facts['faces_aligned'], 'aligned face')}",
        "delivered": f"{int(waterfall['images_in'].iloc[0]):,}",
        "stopped": _table(("Why", "Images"), stopped[["label", "stopped"]].itertuples(index=False)),
        "edits": _table(("What was painted over", "Regions"), kinds.items()),
        "conversions": _table(("What was converted", "Images"), converted.items()),
        "people": _table(("Attribute", "Value", "People"), people.itertuples(index=False)),
    }
    return _filled(DATASHEET, told)


def changes(facts: dict, made: Changes) -> str:
    """What changed since the version before."""
    if not made.previous:
        return f"# Changes\n\n## {facts['version']}\n\nThe first version: {counted(facts['images'], 'image')}.\n"
    lines = [
        f"Since version {made.previous}, which is superseded. All ids are new.\n",
        f"- images removed: {made.removed:,}",
        f"- images added: {made.added:,}",
        f"- images with changed annotations only: {made.changed:,}",
    ]
    if made.removed:
        lines.append("\nPeople may have withdrawn their consent: delete your copies of earlier versions.")
    return f"# Changes\n\n## {facts['version']}\n\n" + "\n".join(lines) + "\n"


def protocol(facts: dict) -> str:
    """How the data were collected, annotated and made: what a user needs to read them."""
    return _filled(PROTOCOL, {name: str(value) for name, value in facts.items()})


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
