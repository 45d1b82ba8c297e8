"""Trained models: whether each learnt from nobody who withdrew, and from no picture whose terms forbid it."""

from collections.abc import Iterator
from pathlib import Path

from accord.audit.evidence import consents
from accord.audit.evidence.consents import Moment
from accord.audit.records import rows_of_images
from accord.audit.targets.places import Places
from accord.audit.telling.checks import About, Check
from accord.consent.ledger import ledger
from accord.engine import provenance
from accord.errors import AccordError, Problem
from accord.text.nouns import counted

MODELS = About("models")
PICTURES = "pictures.parquet"
TRAINED = "train/*/model.safetensors"
HISTORY = "history.parquet"
"""Made with the model; its record has the sha256 of the model, and of the list of pictures that was learnt from."""
TERMS = "release/*/terms.parquet"
AGAIN = (
    "run the workflow: it trains the model again without them, or refuses (train.on_withdrawal); `accord erase run` \
deletes its file and all predictions by it"
)


def checks(places: Places) -> list[Check]:
    """One check of all trained models of the results; none where nothing was trained."""
    models = sorted(places.results.glob(TRAINED))
    if not models:
        return []
    unknown = [model for model in models if not _is_of_its_pictures(model)]
    tables = [model.with_name(PICTURES) for model in models if model not in unknown]
    others = (Problem(model.as_posix(), f"was not trained on the list in its {PICTURES}", AGAIN) for model in unknown)
    problems = [*others, *_terms(tables, places), *_withdrawn(tables, places)]
    return MODELS.held("learnt from", problems, f"{counted(len(models), 'model')} learnt from pictures that allow it")


def _is_of_its_pictures(model: Path) -> bool:
    """Whether the list of pictures beside a model is the one that it learnt from.

    A training that is refused, or stopped, leaves the model of before beside a new list.
    """
    pictures, history = model.with_name(PICTURES), model.with_name(HISTORY)
    try:
        told = provenance.of(history) or {}
        [listed] = told["arguments"]["pictures"]
        seen = told["inputs"][listed], told["outputs"]["model"]
        return seen == (provenance.sha256(pictures), provenance.sha256(model))
    except (AccordError, OSError, KeyError, ValueError, TypeError):
        return False


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
