"""Trained models: whether each learnt from nobody who withdrew, and from no picture whose terms forbid it."""

from collections.abc import Iterator
from pathlib import Path

from accord.audit.evidence import consents
from accord.audit.evidence.consents import Moment
from accord.audit.records import rows_of_images
from accord.audit.targets.places import Places
from accord.audit.telling.checks import About, Check
from accord.consent.ledger import ledger
from accord.errors import Problem

MODELS = About("models")
PICTURES = "train/*/pictures.parquet"
TERMS = "release/*/terms.parquet"
AGAIN = (
    "run the workflow: it trains the model again without them, or refuses (train.on_withdrawal); `accord erase run` \
deletes its file and all predictions by it"
)


def checks(places: Places) -> list[Check]:
    """One check of all trained models of the results; none where nothing was trained."""
    tables = sorted(places.results.glob(PICTURES))
    if not tables:
        return []
    problems = [*_terms(tables, places), *_withdrawn(tables, places)]
    return MODELS.held("learnt from", problems, f"{len(tables)} models learnt from pictures that allow it")


def _terms(tables: list[Path], places: Places) -> Iterator[Problem]:
    """Pictures that aren't in the release any more, or that may not be learnt from now."""
    rows = [row for path in sorted(places.results.glob(TERMS)) for row in rows_of_images.rows(path, {})]
    may = {row["image"] for row in rows if row["train"]}
    for path in tables:
        if gone := set(rows_of_images.named(path)) - may:
            yield Problem(path.as_posix(), f"{len(gone)} of its pictures may not be learnt from (any more)", AGAIN)


def _withdrawn(tables: list[Path], places: Places) -> Iterator[Problem]:
    """Pictures that the ledger knows of people whose consent has ended."""
    if not ledger.exists(places.vault):
        return
    with consents.opened(places.vault) as asked:
        for path in tables:
            images = [image for image in set(rows_of_images.named(path)) if image in asked.depicted]
            ended = sum(asked.ended(image, Moment(places.today)) is not None for image in images)
            if ended:
                yield Problem(path.as_posix(), f"{ended} of its pictures show somebody whose consent has ended", AGAIN)
