"""What may pass: the images whose everyone consents, and the scopes that they grant."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from pandera.typing import DataFrame

from accord.consent.deciding import eligible, evidence, grants
from accord.consent.deciding.eligible import Depicted, Terms
from accord.consent.deciding.grants import COPYRIGHT, Event
from accord.consent.ledger import ledger
from accord.consent.ledger.ledger import (
    ANNOTATOR,
    COMMAND,
    GRANTED,
    RIGHTSHOLDER,
    SUBJECT,
    WITHDRAWN,
    ConsentEvent,
    IprForm,
)
from accord.consent.record import event_of, is_erased
from accord.consent.requests import suppression
from accord.consent.requests.suppression import DEMOGRAPHICS, Book
from accord.consent.tables import Annotators, Findings, Images, Permits
from accord.engine import table
from accord.engine.parameter_types import Private
from accord.errors import AccordError, Problem
from accord.findings import FAIL
from accord.intake.delivered.spelled import SPELLING
from accord.intake.tables import Forms, People, Refused

Events = dict[str, list[Event]]


class Consent(NamedTuple):
    """The images that may pass, why others may not, what is granted, and annotators without what they withdrew."""

    images: DataFrame[Images]
    findings: DataFrame[Findings]
    permits: DataFrame[Permits]
    annotators: DataFrame[Annotators]


class Delivered(NamedTuple):
    """What intake took of a shard, and what it refused."""

    images: DataFrame[Images]
    people: DataFrame[People]
    forms: DataFrame[Forms]
    annotators: DataFrame[Annotators]
    refused: DataFrame[Refused]


class Held(NamedTuple):
    """What a ledger holds: events, copyright forms, and whom it refuses."""

    events: list[ConsentEvent]
    rights: list[IprForm]
    book: Book


class Known(NamedTuple):
    """What the ledger says: events of subjects and of rightsholders, by their ids; annotators who withdrew; whose forms
    are disputed (`evidence.disputed`)."""

    subjects: Events
    rightsholders: Events
    annotators: frozenset[str]
    disputed: frozenset[str] = frozenset()


def run(
    images: DataFrame[Images],
    people: DataFrame[People],
    forms: DataFrame[Forms],
    annotators: DataFrame[Annotators],
    refused: DataFrame[Refused],
    *,
    vault: Private,
    as_of: str,
    held_on: str,
    min_age: int,
) -> Consent:
    """Images whose everyone grants collection and publication on the day `as_of` and is `min_age` years old.

    held_on: the day by which no consent that counts may have ended (`grants.held_on`).
    Everyone: all in `people`, and all whom `refused` names as drawn in an image without being known. Permits are told
    of passing images alone. Raises AccordError where the ledger lacks a form, or was tampered with.
    """
    return judge(Delivered(images, people, forms, annotators, refused), held(vault), Terms(as_of, min_age, held_on))


def held(vault: Path) -> Held:
    """What the ledger in a vault holds. Raises AccordError where it was tampered with."""
    with ledger.reading(vault) as opened:
        events, rights = [event for _, _, event in ledger.heard(opened)], ledger.read(opened, IprForm)
        return Held(events, rights, ledger.book(vault, opened))


def judge(delivered: Delivered, held: Held, terms: Terms) -> Consent:
    """What may pass of what was delivered, by what a ledger holds. Raises AccordError where it lacks a form."""
    images, people, _, annotators, refused = delivered
    known = _known(delivered, held, terms)
    everyone = _everyone(delivered, known, terms)
    cast = people.groupby("image")["subject"].agg(list).to_dict()
    strangers = refused[refused["item"] == "person"].groupby("image")["subject"].nunique().to_dict()
    findings, permits, passing = [], [], []
    for row in images.itertuples():
        shown = cast.get(row.image, [])
        depicted = [everyone[subject] for subject in shown]
        day = eligible.captured(row.user_date_captured, row.captured_at, terms.as_of)
        judged = eligible.judge(row.image, day, depicted, strangers.get(row.image, 0) + (not shown),
                                _rights(row, known.rightsholders), terms)  # fmt: skip
        is_disputed = bool(known.disputed & {row.subject, *shown})
        findings += [_explained(finding) if is_disputed else finding for finding in judged]
        if eligible.passes(judged):
            passing.append(row.image)
            permits += _permits(row.image, zip(shown, depicted, strict=True), terms)
    return Consent(
        images[images["image"].isin(passing)].sort_values("image", ignore_index=True),
        table.rows(sorted(findings), Findings),
        table.rows(sorted(permits), Permits),
        _blanked(annotators, known.annotators),
    )


def held_of(forms: DataFrame[Forms]) -> Held:
    """What a new ledger holds of some forms: all of them, of people of whom nobody withdrew."""
    records = list(dict.fromkeys(map(event_of, forms.itertuples())))
    events = [record for record in records if isinstance(record, ConsentEvent)]
    return Held(events, [record for record in records if isinstance(record, IprForm)], Book(Path(), [], []))


def depicted_in(delivered: Delivered, held: Held, terms: Terms) -> dict[str, Depicted]:
    """Everyone who is in an image, by id, with their events and date of birth."""
    return _everyone(delivered, _known(delivered, held, terms), terms)


def _everyone(delivered: Delivered, known: Known, terms: Terms) -> dict[str, Depicted]:
    born = {row.subject: row.birth_date for row in delivered.forms.itertuples() if row.birth_date}
    return {
        one: Depicted(known.subjects.get(one, []), born.get(one, ""))
        for one in sorted(set(delivered.people["subject"]))
    }


def _known(delivered: Delivered, held: Held, terms: Terms) -> Known:
    """The ledger's events of this shard's forms, as far as they count, and all that came by command."""
    (events, rights, book), forms, annotators = held, delivered.forms, delivered.annotators
    spelled = delivered.refused[delivered.refused["check"] == SPELLING]
    current_ids = dict(zip(spelled["reference"], spelled["subject"], strict=True))
    wanted = {record for row in forms.itertuples() if not is_erased(record := event_of(row), book)}
    joint = set(forms.loc[forms["joint"], "evidence_sha256"])
    disputed = evidence.disputed(wanted, [*events, *rights], book, joint, current_ids)
    missing = len(wanted - set(events) - set(rights))
    if missing:
        hint = "delete results/consent/<shard>/import.json and run again, so that the forms are imported"
        raise AccordError(Problem(ledger.NAME, f"lacks {missing} scope(s) of this shard's forms", hint))
    signed, said = defaultdict(list), defaultdict(list)
    for e in events:
        if e in disputed:
            continue
        if e in wanted:
            signed[SUBJECT, e.subject].append(_event(e))
        elif e.source == COMMAND:
            said[e.role, e.subject].append(_event(e))
    for form in (wanted & set(rights)) - disputed:
        signed[RIGHTSHOLDER, form.subject].append(Event(form.image, COPYRIGHT, GRANTED, form.event_on, form.expires_on))
    told = {
        who: [*suppression.admitted(signed[who], book.of(*who)), *said[who]]
        for who in sorted({*signed, *said, *((ANNOTATOR, one) for one in annotators["annotator"])})
    }
    left = {who for (role, who), events in told.items() if role == ANNOTATOR and not _stays(events, terms)}
    subjects = frozenset(record.subject for record in disputed)
    return Known(_of_role(told, SUBJECT), _of_role(told, RIGHTSHOLDER), frozenset(left), subjects)


def _explained(finding: eligible.Finding) -> eligible.Finding:
    """A finding of an image with a disputed form: why it fails may be that."""
    image, check, score, threshold, verdict, reason = finding
    return image, check, score, threshold, verdict, f"{reason}{evidence.REASON}" if verdict == FAIL else reason


def _event(event: ConsentEvent) -> Event:
    return Event(event.image, event.scope, event.state, event.event_on, event.expires_on)


def _of_role(told: dict[tuple[str, str], list[Event]], role: str) -> Events:
    return {subject: events for (of, subject), events in told.items() if of == role}


def _stays(events: list[Event], terms: Terms) -> bool:
    """Whether an annotator, who consents by being delivered with a `true`, still does."""
    delivered = Event("", DEMOGRAPHICS, GRANTED, "0000-00-00")
    return grants.granted([delivered, *events], "", DEMOGRAPHICS, terms.as_of, terms.held_on)


def _rights(row: Any, holders: Events) -> list[list[Event]]:
    """The copyright events about an image, by rightsholder: a form for all images is for those of whoever signed it."""
    return [
        [e for e in events if e.state == WITHDRAWN or e.image == row.image or holder == row.subject]
        for holder, events in holders.items()
    ]


def _permits(image: str, people: Iterable[tuple[str, Depicted]], terms: Terms) -> Iterator[tuple[str, str, str]]:
    for subject, person in people:
        # Events that name an image are rare: without one, what is granted is the same for all of a person's images.
        events = eligible.of_age(person, terms.min_age)
        named = image if any(event.image == image for event in events) else ""
        for scope in _granted(tuple(events), named, terms):
            yield image, subject, scope


@lru_cache(maxsize=1024)
def _granted(events: tuple[Event, ...], image: str, terms: Terms) -> list[str]:
    told = (terms.as_of, terms.held_on)
    return [scope for scope in grants.SCOPES if grants.granted(events, image, scope, *told)]


def _blanked(annotators: DataFrame[Annotators], left: frozenset[str]) -> DataFrame[Annotators]:
    """The annotators; of those who withdrew, nothing that they disclosed."""
    gone = annotators["annotator"].isin(left) | ~annotators["consents"]
    blank = annotators.assign(consents=~gone)
    blank.loc[gone, ["pronoun", "age_group", "ancestry", "nationality"]] = ""
    return blank.sort_values("annotator", ignore_index=True)
