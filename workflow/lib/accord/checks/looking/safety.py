"""Look for what nobody should publish unlooked at: nudity, and offensive words in free text."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd
from pandera.typing import DataFrame

from accord.checks.deciding.limits import Finding, at_most, passed
from accord.checks.files.pixels import Shown, pictures
from accord.checks.personal import free_text, offensive
from accord.checks.tables.findings import Findings, Images, Texts
from accord.engine import table
from accord.findings import FAIL, REVIEW
from accord.intake.tables import Attributes
from accord.text.listed_words import Words, holds

FREE_TEXT = ("source", "manufacturer", "model", "software", "location_country_given", "location_region")
"""What vendors and devices may write of an image as they like."""


def run(
    images: DataFrame[Images],
    attributes: DataFrame[Attributes],
    texts: DataFrame[Texts],
    bundle: Path | Shown,
    *,
    max_nudity: float,
    max_pixels: int,
    words: list[Path],
) -> DataFrame[Findings]:
    """Findings safety_nudity and safety_text of each image; what is over the limit waits for a person.

    Nudity: the probability that open_nsfw gives. Text: what was delivered with the image and may be any text, and what
    was read in the picture, against our own list of words and `words`, lists of the user's. Its reason names the free
    text that is left out of releases (`free_text`).
    """
    from accord.models import nudity

    if images.empty:
        return table.empty(Findings)
    scorer, listed = nudity.scorer(), offensive.read(words)
    said = dict(_said(images, attributes))
    read = texts.groupby("image")["text"].apply(list).to_dict() if len(texts) else {}
    findings = []
    for row, _, pixels in pictures(images, bundle, max_pixels):
        score = scorer.score(pixels)
        findings.append(_asked(at_most(row.image, "safety_nudity", score, max_nudity, "is its nudity score")))
        withheld = free_text.unfit(row._asdict())
        findings.append(_text(row.image, [*said[row.image], *read.get(row.image, [])], listed, withheld))
    return table.rows(findings, Findings)


def _said(images: pd.DataFrame, attributes: pd.DataFrame) -> Iterator[tuple[str, list[str]]]:
    """(image, all free text of it)."""
    values = attributes.groupby("image")["value"].apply(list).to_dict() if len(attributes) else {}
    for row in images.itertuples():
        yield row.image, [*(getattr(row, column) for column in FREE_TEXT), *values.get(row.image, [])]


def _asked(finding: Finding) -> Finding:
    return finding._replace(verdict=REVIEW) if finding.verdict == FAIL else finding


def _text(image: str, texts: list[str], words: Words, withheld: Sequence[str]) -> Finding:
    not_published = f"; not published, since free text is unrestricted: {', '.join(withheld)}" if withheld else ""
    count = sum(holds(text, words) for text in texts if text)
    if not count:
        return passed(image, "safety_text", f"no listed word in its text{not_published}")
    reason = f"a listed word in {count} field(s) or line(s) of text{not_published}"
    return Finding(image, "safety_text", float(count), 0.0, REVIEW, reason)
