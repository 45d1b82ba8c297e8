"""What may pass: the images whose everyone consents, and the scopes that they grant."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from pandera.typing import DataFrame

from accord import table
from accord.consent import eligible, grants, ledger
from accord.consent.eligible import Depicted, Terms
from accord.consent.grants import COPYRIGHT, Event
from accord.consent.ledger import ANNOTATOR, COMMAND, GRANTED, RIGHTSHOLDER, SUBJECT, WITHDRAWN, ConsentEvent, IprForm
from accord.consent.record import event_of
from accord.consent.tables import Annotators, Findings, Images, Permits
from accord.errors import AccordError, Problem
from accord.intake.tables import Forms, People, Refused
from accord.kinds import Private

Events = dict[str, list[Event]]


class Consent(NamedTuple):
    """The images that may pass, why others may not, what is granted, and annotators without what they withdrew."""

    images: DataFrame[Images]
    findings: DataFrame[Findings]
    permits: DataFrame[Permits]
    annotators: DataFrame[Annotators]


class Known(NamedTuple):
    """What the ledger says: events of subjects and of rightsholders, by their ids; annotators who withdrew."""

    subjects: Events
    rightsholders: Events
    annotators: frozenset[str]


def run(
    images: DataFrame[Images],
    people: DataFrame[People],
    forms: DataFrame[Forms],
    annotators: DataFrame[Annotators],
    refused: DataFrame[Refused],
    *,
    vault: Private,
    as_of: str,
    min_age: int,
) -> Consent:
    """Images whose everyone grants collection and publication on the day `as_of` and is `min_age` years old.

    Everyone: all in `people`, and all whom `refused` names as drawn in an image without being known. Permits are told
    of passing images alone. Raises AccordError where the ledger lacks a form, or was tampered with.
    """
    known = _known(forms, vault)
    born = {row.subject: row.birth_date for row in forms.itertuples() if row.birth_date}
    cast = people.groupby("image")["subject"].agg(list).to_dict()
    strangers = refused[refused["item"] == "person"].groupby("image")["subject"].nunique().to_dict()
    findings, permits, passing = [], [], []
    for row in images.itertuples():
        shown = cast.get(row.image, [])
        depicted = [Depicted(known.subjects.get(subject, []), born.get(subject, "")) for subject in shown]
        day = eligible.captured(row.user_date_captured, row.captured_at)
        judged = eligible.judge(row.image, day, depicted, strangers.get(row.image, 0) + (not shown),
                                _rights(row, known.rightsholders), Terms(as_of, min_age))  # fmt: skip
        findings += judged
        if eligible.passes(judged):
            passing.append(row.image)
            permits += _permits(row.image, zip(shown, depicted, strict=True), as_of)
    return Consent(
        images[images["image"].isin(passing)].sort_values("image", ignore_index=True),
        table.rows(sorted(findings), Findings),
        table.rows(sorted(permits), Permits),
        _blanked(annotators, known.annotators),
    )


def _known(forms: DataFrame[Forms], vault: Private) -> Known:
    """The ledger's events of this shard's forms, and all that came by command."""
    with ledger.reading(vault) as opened:
        events, rights = ledger.read(opened, ConsentEvent), ledger.read(opened, IprForm)
    wanted = {event_of(row) for row in forms.itertuples()}
    missing = len(wanted - set(events) - set(rights))
    if missing:
        hint = "delete results/consent/import.json and run again, so that the forms are imported"
        raise AccordError(Problem(ledger.NAME, f"lacks {missing} scope(s) of this shard's forms", hint))
    subjects, holders, left = defaultdict(list), defaultdict(list), set()
    for e in events:
        if e in wanted or (e.source == COMMAND and e.role == SUBJECT):
            subjects[e.subject].append(Event(e.image, e.scope, e.state, e.event_on, e.expires_on))
        elif e.source == COMMAND and e.role == RIGHTSHOLDER:
            holders[e.subject].append(Event(e.image, e.scope, e.state, e.event_on, e.expires_on))
        elif e.source == COMMAND and e.role == ANNOTATOR and e.state == WITHDRAWN:
            left.add(e.subject)
    for form in wanted & set(rights):
        holders[form.subject].append(Event(form.image, COPYRIGHT, GRANTED, form.event_on, form.expires_on))
    return Known(subjects, holders, frozenset(left))


def _rights(row, holders: Events) -> list[list[Event]]:
    """The copyright events about an image, by rightsholder: a form for all images is for those of whoever signed it."""
    return [
        [e for e in events if e.state == WITHDRAWN or e.image == row.image or holder == row.subject]
        for holder, events in holders.items()
    ]


def _permits(image: str, people: Iterable[tuple[str, Depicted]], as_of: str) -> Iterator[tuple[str, str, str]]:
    for subject, person in people:
        # Events that name an image are rare: without one, what is granted is the same for all of a person's images.
        named = image if any(event.image == image for event in person.events) else ""
        for scope in _granted(tuple(person.events), named, as_of):
            yield image, subject, scope


@lru_cache(maxsize=1024)
def _granted(events: tuple[Event, ...], image: str, as_of: str) -> list[str]:
    return [scope for scope in grants.SCOPES if grants.granted(events, image, scope, as_of)]


def _blanked(annotators: DataFrame[Annotators], left: frozenset[str]) -> DataFrame[Annotators]:
    """The annotators; of those who withdrew, nothing that they disclosed."""
    gone = annotators["annotator"].isin(left) | ~annotators["consents"]
    blank = annotators.assign(consents=~gone)
    blank.loc[gone, ["pronoun", "age_group", "ancestry", "nationality"]] = ""
    return blank.sort_values("annotator", ignore_index=True)
