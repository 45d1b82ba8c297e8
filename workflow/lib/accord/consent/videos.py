"""Which videos may pass: those whose everyone consents, judged as images are."""

from typing import NamedTuple

from pandera.typing import DataFrame

from accord.consent import apply
from accord.consent.apply import Delivered
from accord.consent.deciding.eligible import Terms
from accord.consent.tables import Findings, Permits
from accord.engine import table
from accord.engine.parameter_types import Private
from accord.intake.tables import Annotators, Forms, People, Refused, Videos


class Consent(NamedTuple):
    """The videos that may pass, why others may not, and what is granted."""

    videos: DataFrame[Videos]
    findings: DataFrame[Findings]
    permits: DataFrame[Permits]


def run(
    videos: DataFrame[Videos],
    people: DataFrame[People],
    forms: DataFrame[Forms],
    refused: DataFrame[Refused],
    *,
    vault: Private,
    as_of: str,
    held_on: str,
    min_age: int,
) -> Consent:
    """Videos whose everyone grants collection and publication on the day `as_of` and is `min_age` years old.

    As consent.apply, of which the scope publish_image speaks of videos too; the day of capture is the declared one.
    """
    terms = Terms(as_of, min_age, held_on)
    return judge(Delivered(videos, people, forms, table.empty(Annotators), refused), apply.held(vault), terms)


def judge(delivered: Delivered, held: apply.Held, terms: Terms) -> Consent:
    """What may pass of videos, in the place of images, by what a ledger holds."""
    made = apply.judge(delivered._replace(images=timeless(delivered.images)), held, terms)
    return Consent(made.images.drop(columns="captured_at"), made.findings, made.permits)


def timeless(videos: DataFrame[Videos]) -> DataFrame:
    """Videos as images of which no camera says the time: what a container says of it is not read."""
    return videos.assign(captured_at="")
