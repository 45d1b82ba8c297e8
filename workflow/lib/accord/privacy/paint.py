"""Rebuilds every picture from its pixels, paints bystanders and personal data out of it, and proves it on the file.

Then it says what people are to look at, settles what they did look at, and coarsens what is said of images.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord.checks.settling.decisions import of_queues
from accord.checks.tables.findings import Regions
from accord.engine import kept
from accord.engine.parameter_types import Folder, Former, Kept, Private, Sink
from accord.findings import FAIL, Findings
from accord.imaging import bundle as bundles
from accord.intake.tables import Attributes, Images, People, Segments
from accord.privacy import permitted
from accord.privacy.asking.items import items
from accord.privacy.asking.settle import settle
from accord.privacy.fitting.flaws import Flaws
from accord.privacy.painting import copies, painters, repaint
from accord.privacy.painting.inpaint import Settings, Wanted
from accord.privacy.painting.prompts import OTHER, Prompts
from accord.privacy.proof.proving import findings, proven
from accord.privacy.protecting import people as annotated
from accord.privacy.protecting.people import Person
from accord.privacy.publishing.coarsen import coarsened
from accord.privacy.tables import Conversions, Decisions, Edits, Items, Pictures, PublicImages
from accord.queues import INPAINTING


class Painted(NamedTuple):
    """What people decided; all pictures, what was painted in them, and what was done to them as a whole; of those that
    passed the proof the pictures, and what was found in all; what people are asked; findings as they settle them; what
    may be said of images in public."""

    decisions: DataFrame[Decisions]
    painted: DataFrame[Pictures]
    edits: DataFrame[Edits]
    conversions: DataFrame[Conversions]
    pictures: DataFrame[Pictures]
    findings: DataFrame[Findings]
    review_items: DataFrame[Items]
    settled: DataFrame[Findings]
    public: DataFrame[PublicImages]


def run(
    images: DataFrame[Images],
    attributes: DataFrame[Attributes],
    people: DataFrame[People],
    segments: DataFrame[Segments],
    regions: DataFrame[Regions],
    bundle: Path,
    prompts: Path,
    files: Sink,
    former: Former,
    *,
    vault: Private,
    model: str,
    guidance: list[float],
    steps: int,
    attempts: int,
    candidates: int,
    batch: int,
    max_seam: float,
    max_detail: float,
    max_outline: float,
    review: str,
    columns: list[str],
    policies: dict,
    entry: dict | None = None,
    weights: Folder | None = None,
) -> Painted:
    """PNGs of all images in the bundle `files`; regions are painted out as FHIBE describes it, and looked at again.

    Diffusion inpainting with a prompt and a negative prompt, guidance drawn from U(*guidance), DDIM, eta 0, the seed
    from the image and region. Of `candidates` the best is kept. A region in which a detector finds somebody is painted
    again with other seeds, after `attempts` with a plain membrane. No pixel outside the regions changes, and none of a
    subject's segments or face but where people outlined a region over them; no piece is copied from anybody. `batch`:
    images that are painted side by side, and crops in one call on a GPU. Decisions of people, from `vault`, say what is
    painted again (accord.privacy.painting.repaint). `model`: what it is called; `entry`: what models.yaml says of it,
    none for `embedded` and a folder; `weights`: where its files lie. max_...: flaws above which people look; `review`:
    as `review_items` has it; `columns`: as `coarsened`; `policies`: as `settle`. Copies of the last run are taken over
    as accord.privacy.painting.copies says. Raises AccordError, before anything is painted, where `permitted.check`
    does.
    """
    decided = of_queues(images["image"], vault, (INPAINTING,))
    wanted = repaint.planned(regions[regions["image"].isin(images["image"])], decided, model)
    permitted.check(images, wanted["image"], model, entry, weights)
    public, limits = coarsened(images, columns=columns), Flaws(max_seam, max_detail, max_outline)
    words, painter = Prompts.read(prompts), cache(lambda: painters.load(model, batch, entry, weights))
    settings = Settings(words, (guidance[0], guidance[1]), steps, attempts, candidates, batch, painter)
    drawn = (rows[rows["image"].isin(wanted["image"])] for rows in (people, segments))
    shard = copies.Shard(images, bundle, _by_image(wanted, annotated.by_image(*drawn), words.scenes_of(attributes)))
    identity = painters.identity(model, entry) if len(wanted) else None
    tables, found = _written(shard, settings, identity, limits, files, former)
    pictures = tables["painted"].rows
    passing = pictures[~pictures["image"].isin(found.rows.loc[found.rows["verdict"] == FAIL, "image"])]
    asked = items(images, regions, tables["edits"].rows, found.rows, review=review, model=model, limits=limits)
    settled = settle(found.rows, asked, decided, policies=policies)
    made = {"pictures": passing, "findings": found, "review_items": asked, "settled": settled, "public": public}
    return Painted(decisions=decided, **tables, **made)


def _written(
    shard: copies.Shard, settings: Settings, model: Any, limits: Flaws, files: Path, former: Former
) -> tuple[dict[str, Kept], Kept]:
    """The tables of the copies by name, and what was found in them, once they are written."""
    past, memory = copies.Past.of(former), kept.memory(former, "findings", Findings)
    made_from = copies.digests(shard, settings, model)
    with bundles.BundleWriter(files) as writer:
        written = copies.written(shard, settings, made_from, past, writer)
        proofs = list(proven(written, shard, limits, memory, writer))
    return copies.tables([proof.copy for proof in proofs], past), findings(proofs, memory)


def _by_image(regions: pd.DataFrame, people: dict[str, list[Person]], places: dict[str, str]) -> dict[str, Wanted]:
    """Image -> what is to be painted in it, of images that have anything."""
    ordered = regions.sort_values("region").groupby("image")
    theirs = {image: list(rows.itertuples()) for image, rows in ordered}
    return {image: Wanted(rows, people.get(image, []), places.get(image, OTHER)) for image, rows in theirs.items()}
