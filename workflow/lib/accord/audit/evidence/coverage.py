"""Consent coverage of a release: everyone in it, when it was published and now. Numbers and days, no names."""

from collections import Counter
from datetime import date
from typing import Any

from accord.audit.evidence import consents
from accord.audit.evidence.consents import Consents, Moment, Standing
from accord.audit.records.index import Held
from accord.audit.records.receipts import Log
from accord.audit.targets.places import Places
from accord.audit.telling.checks import About, Check, Section
from accord.errors import AccordError

CONSENT = About("consent")
TO_ERASE = "accord erase run: it removes their leaves from this version and notifies its holders"
REBUILD = "run the workflow: the next version will not contain them"
LIMIT = 30
"""Days in which an erasure must be done."""


def of_release(
    held: Held | None, version: str, current: bool, places: Places, log: Log
) -> tuple[list[Check], list[Section]]:
    """Whether everyone in a version consented when it was published, as was known then, and does now."""
    if held is None:
        return [CONSENT.failed("now", "unknown without the private index", f"version {version}")], []
    try:
        with consents.opened(places.vault) as asked:
            then = _then(asked, version, log, places)
            told = [_published(held, asked, then, version)]
            return [*told, *_now(held, asked, version, current, places)], [_section(held, asked, then, places)]
    except AccordError as error:
        return CONSENT.held("now", error.problems, ""), []


def _then(asked: Consents, version: str, log: Log, places: Places) -> Moment | None:
    """When a version was published: the ledger as its receipt was signed over it; None where none says."""
    for entry in log.entries:
        body: dict[str, Any] = entry["body"]
        if body.get("kind") == "release" and body.get("version") == version and entry.get("ledger"):
            known = asked.known_at(entry["ledger"]["entries"])
            return Moment(_day(places) or known[:10], known)
    return None


def _day(places: Places) -> str:
    """The day that the results speak of, as their consent step recorded it."""
    from accord.audit.telling import reading

    for path in sorted(places.results.glob("consent/*/permits.parquet")):
        day = (reading.record(path) or {}).get("params", {}).get("as_of")
        if isinstance(day, str):
            return day
    return ""


def _published(held: Held, asked: Consents, then: Moment | None, version: str) -> Check:
    if then is None:
        return CONSENT.none(
            "when published", "no receipt records the state of the ledger at that time", f"version {version}"
        )
    wrong = sum(asked.ended(image, then) is not None for image in held.live)
    if wrong:
        hint = "it was published without consent, or the ledger was changed since"
        return CONSENT.failed(
            "when published", f"{wrong} of {len(held.live)} images lacked consent", f"version {version}", hint
        )
    what = f"everyone in {len(held.live)} images had consented, as far as was known then"
    return CONSENT.passed("when published", what, f"version {version}")


def _now(held: Held, asked: Consents, version: str, current: bool, places: Places) -> list[Check]:
    now = Moment(places.today)
    ended = {image: why for image in held.live if (why := asked.ended(image, now)) is not None}
    where = f"version {version}"
    if not ended:
        return [CONSENT.passed("now", f"everyone in {len(held.live)} images consents", where)]
    days = _days(ended.values(), places.today)
    longest = f", the earliest {days} days ago" if days is not None else ""
    states = ", ".join(
        f"{count} {state}" for state, count in sorted(Counter(one.state for one in ended.values()).items())
    )
    what = f"{len(ended)} images show a person whose consent has ended ({states}{longest}): to erase"
    late = current or days is None or days > LIMIT
    make = CONSENT.failed if late else CONSENT.warned
    return [make("now", what, where, f"{REBUILD}; {TO_ERASE}" if current else TO_ERASE)]


def _days(standings: Any, today: str) -> int | None:
    """Days since the first withdrawal; None where somebody has no day, or the clock is unset."""
    found: list[Standing] = list(standings)
    since = [one.since for one in found if one.since]
    if not since:
        return None
    return (date.fromisoformat(today) - date.fromisoformat(min(since)[:10])).days


def _section(held: Held, asked: Consents, then: Moment | None, places: Places) -> Section:
    rows = []
    for name, moment in (("when published", then), ("now", Moment(places.today))):
        if moment is not None:
            counts = Counter(s.state for image in held.live for _, s in asked.of_image(image, moment))
            rows.append((name, moment.day, *(counts[state] for state in consents.STATES)))
    return Section(
        "Consent of everyone in this version (people and copyrights, counted per image)",
        ("when", "day", *consents.STATES),
        rows,
    )
