"""Draw who is looked for by hand, whose annotations are drawn again, and which are looked at, for estimates that have
intervals."""

from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pyarrow.compute as pc
from pandera.typing import DataFrame

from accord.checks.settling.items import item_id
from accord.checks.settling.local import unstopped
from accord.checks.tables.findings import Items
from accord.checks.tables.summary import AGREEMENT, REMAINING, Annotated, Drawn, Strata
from accord.checks.tables.views import Ages, Answers, OfVendors, Stopping
from accord.engine import table
from accord.grouping import DERIVED, groups_of
from accord.queues import AGREEMENT as AGREEMENT_QUEUE
from accord.queues import ANNOTATIONS as ANNOTATIONS_QUEUE
from accord.queues import WEB
from accord.review.drawn.drawings import ANNOTATIONS
from accord.statistics.describing.sampling import draw, number

SAMPLED, AGREED, WRONG = "sampled", "agreement", "annotation_wrong"
"""Checks that the items are of."""
REGION = "sample"
"""What items of the sample have for a region, so that they are not taken for matches on the web."""
DRAWN_AGAIN = ("face_box", "person_mask")
"""What reviewers draw of a person: the face's box, and the outline of all that belongs to the person."""
LOOK = "drawn at random: search for this person elsewhere; uphold if found"
NOT_GIVEN = "not given"
ON = ["image", "subject"]
DRAWN = ["sample", "stratum", "image", "subject"]


class Sample(NamedTuple):
    """What people are asked, which images were drawn for it, and of how many."""

    review_items: DataFrame[Items]
    drawn: DataFrame[Drawn]
    strata: DataFrame[Strata]


def run(
    images: DataFrame[OfVendors],
    people: DataFrame[Ages],
    attributes: list[Path],
    annotated: DataFrame[Annotated],
    findings: DataFrame[Stopping],
    *,
    sample: dict,
) -> Sample:
    """Items drawn as a sample for the queues web, agreement and annotations.

    web: one image of each of `subjects` subjects, by vendor; agreement: what `reviewers` reviewers draw, each without
    seeing the others, in `images` images, by vendor and group of the attribute `by`; annotations: `annotations`
    drawings of each type, by vendor and group of the person that they are of.

    images: those let through; attributes: tables Attributes; findings: of gathers that stop some of the images.
    sample: the setting checks/sample. The same settings draw the same; a subject that joins or leaves moves few others.
    """
    left = unstopped(images, findings)
    seed = sample["seed"]
    chosen, sizes = draw(_subjects(left), sample["subjects"], seed, REMAINING, sample["rates"])
    source = DERIVED.get(sample["by"], (sample["by"], None))[0]
    said = table.read(attributes, Answers, pc.field("attribute") == source)
    strata = _strata(left, people, said, sample["by"])
    shots, shot_sizes = draw(_shots(left, strata), sample["images"], seed, AGREEMENT)
    looked_for = _placed(REMAINING, chosen.rename(columns={"unit": "subject"}), _faces(left, seed), "subject")
    drawn_again = _placed(AGREEMENT, shots.rename(columns={"unit": "image"}), left, "image")
    checked, checked_sizes = _checked(left, annotated, strata, sample["annotations"], seed)
    asked = [*map(_look, looked_for.itertuples()), *_outline(drawn_again, sample["reviewers"]), *_judge(checked, left)]
    counts = [sizes.assign(sample=REMAINING), shot_sizes.assign(sample=AGREEMENT), *checked_sizes]
    drawn = pd.concat([looked_for, drawn_again, checked[DRAWN]])
    return Sample(
        table.rows(sorted(asked), Items), table.check(drawn, Drawn, "sample"),
        table.check(pd.concat(counts), Strata, "sample"),
    )  # fmt: skip


def _subjects(images: pd.DataFrame) -> pd.DataFrame:
    subjects = images.sort_values("image").drop_duplicates("subject")
    return pd.DataFrame({"unit": subjects["subject"], "stratum": subjects["vendor"]})


def _strata(images: pd.DataFrame, people: pd.DataFrame, attributes: pd.DataFrame, by: str) -> pd.DataFrame:
    """image, subject, stratum of everyone in the images: the vendor and the person's group; of several the first."""
    groups = groups_of(people, attributes, by).sort_values("group").drop_duplicates(["image", "subject"])
    everyone = people[["image", "subject"]].merge(images[["image", "vendor"]], on="image")
    named = everyone.merge(groups[["image", "subject", "group"]], on=["image", "subject"], how="left")
    strata = named["vendor"] + ", " + named["group"].fillna(NOT_GIVEN)
    return named[ON].assign(stratum=strata.astype("str"))


def _shots(images: pd.DataFrame, strata: pd.DataFrame) -> pd.DataFrame:
    """Images with the stratum of their primary subject."""
    named = images.merge(strata, on=ON, how="left")
    plain = (named["vendor"] + ", " + NOT_GIVEN).astype("str")
    return pd.DataFrame({"unit": named["image"], "stratum": named["stratum"].fillna(plain)})


def _checked(
    images: pd.DataFrame, annotated: pd.DataFrame, strata: pd.DataFrame, count: int, seed: int
) -> tuple[pd.DataFrame, list[pd.DataFrame]]:
    """The drawings of each type to be looked at (Drawn, and their region), and how many there are of each stratum."""
    here = table.is_in(annotated["image"], images["image"])
    chosen, sizes = [], []
    for kind in ANNOTATIONS:
        own = annotated[here & (annotated["kind"] == kind)].merge(strata, on=ON)
        own = own.assign(unit=own["image"] + " " + own["subject"])
        taken, counts = draw(own[["unit", "stratum"]], count, seed, kind)
        chosen.append(own[own["unit"].isin(taken["unit"])].assign(sample=kind))
        sizes.append(counts.assign(sample=kind))
    return pd.concat(chosen, ignore_index=True)[[*DRAWN, "region"]], sizes


def _faces(images: pd.DataFrame, seed: int) -> pd.DataFrame:
    """One image of each subject, chosen by lot."""
    ranked = images.assign(rank=[number(seed, "image", image) for image in images["image"]])
    return ranked.sort_values("rank").drop_duplicates("subject")


def _placed(name: str, chosen: pd.DataFrame, images: pd.DataFrame, on: str) -> pd.DataFrame:
    found = chosen.merge(images[["image", "subject"]], on=on).assign(sample=name)
    return found[DRAWN].sort_values("image", ignore_index=True)


def _judge(checked: pd.DataFrame, images: pd.DataFrame) -> list[tuple]:
    """Items about drawings. An item is of the image's primary subject, whoever is drawn."""
    primary = checked.drop(columns="subject").merge(images[ON], on="image")
    return [
        _item(
            ANNOTATIONS_QUEUE, row, row.region, WRONG, row.sample,
            f"drawn at random: is the annotation ({row.sample.replace('_', ' ')}) right?",
        )
        for row in primary.itertuples()
    ]  # fmt: skip


def _look(row: Any) -> tuple:
    return _item(WEB, row, REGION, SAMPLED, "subject", LOOK)


def _outline(rows: pd.DataFrame, reviewers: int) -> list[tuple]:
    return [
        _item(
            AGREEMENT_QUEUE, row, f"{kind}/{turn}", AGREED, kind,
            f"draw the {kind.replace('_', ' ')} of the main person, as drawing {turn} of {reviewers}",
        )
        for row in rows.itertuples()
        for kind in DRAWN_AGAIN
        for turn in range(1, reviewers + 1)
    ]  # fmt: skip


def _item(queue: str, row: Any, region: str, check: str, kind: str, reason: str) -> tuple:
    item = item_id(queue, row.image, "", region)
    return item, queue, row.image, row.subject, "", region, check, kind, [], None, None, reason
