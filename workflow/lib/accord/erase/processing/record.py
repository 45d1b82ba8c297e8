"""The record of processing activities (GDPR, Article 30(1)): what the project knows, and what its controller states.

What only the controller can know (who it is, purposes, transfers, periods of storage) comes from a file of statements;
what is missing there is told as missing, and never made up.
"""

from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from accord.checks.tables.findings import VideoWaterfall
from accord.consent.deciding import grants
from accord.consent.ledger import ledger
from accord.consent.ledger.records import GRANTED, ConsentEvent, Depicts, Party
from accord.engine import table, yaml_files
from accord.erase.cases.clock import DAYS
from accord.erase.cases.places import Places
from accord.errors import AccordError, Problem
from accord.holders.register import listing
from accord.release.exporting import register
from accord.release.seal import versions

VIDEOS = Path("privacy/videos/waterfall.parquet")
"""Below the results: the account of videos."""
STATED = {
    "controller": "30(1)(a): name and contact details of the controller",
    "representative": "30(1)(a): joint controllers and the representative, or none",
    "officer": "30(1)(a): the data-protection officer",
    "purposes": "30(1)(b): purposes of the processing",
    "transfers": "30(1)(e): transfers to third countries and their safeguards, or none",
    "storage": "30(1)(f): periods after which each category is erased",
    "measures": "30(1)(g): organisational measures, and technical ones outside of this project",
}
"""What the controller states -> where Article 30 asks for it."""
SPECIAL = frozenset({
    "ancestry", "nationality", "natural_skin_color", "apparent_skin_color", "disability", "pregnancy", "facial_marks",
    "relationships",
})  # fmt: skip
"""Attributes that can reveal what Article 9(1) protects: origin, health or sex life."""
MEASURES = (
    "an append-only, hash-chained ledger of consent; `accord consent verify` checks it",
    "signed releases with random ids of people; `accord release verify` checks them",
    "files of the vault that their owner alone can read; `accord audit` checks it",
    f"erasure within {DAYS} days of a recorded withdrawal, with revocations to recipients; `accord erase status`",
)


def make(places: Places, stated: dict[str, str]) -> dict[str, Any]:
    """The record as a document; it names recipients and nobody else."""
    people, scopes, last_days = _of_ledger(places.vault)
    attributes = _attributes(places.results)
    return {
        "stated": {name: stated.get(name) for name in STATED},
        "missing": [name for name in STATED if not stated.get(name)],
        "data_subjects": people,
        "consented_to": scopes,
        "consents_with_a_last_day": last_days,
        "categories_of_data": _categories(places.results),
        "videos": _videos(places.results),
        "attributes": attributes,
        "possibly_special": sorted(SPECIAL & set(attributes)),
        "recipients": _recipients(places.vault),
        "exports": len(register.read(places.vault / register.NAME)),
        "versions": [entry["version"] for entry in versions.history(places.vault)],
        "erasure_days": DAYS,
        "measures": list(MEASURES),
    }


def statements(path: Path) -> dict[str, str]:
    """The controller's statements, from a YAML file. Raises AccordError with all keys that aren't known, or no text."""
    hint = f"the keys are {', '.join(STATED)}; each has a text"
    told = yaml_files.read(path, "statements", hint)
    if not isinstance(told, dict):
        raise AccordError(Problem(str(path), "is not a map of statements", hint))
    bad = [Problem(f"{path}, {name}", "is unknown", hint) for name in told if name not in STATED]
    bad += [
        Problem(f"{path}, {name}", "is not a text", hint)
        for name, value in told.items()
        if name in STATED and not isinstance(value, str)
    ]
    if bad:
        raise AccordError(bad)
    return {name: value.strip() for name, value in told.items()}


def _of_ledger(vault: Path) -> tuple[dict[str, int], dict[str, int], int]:
    """People by role, people by scope in force today, and how many consents have a last day."""
    if not ledger.exists(vault):
        return {}, {}, 0
    with ledger.reading(vault) as opened:
        parties, events = ledger.read(opened, Party), ledger.read(opened, ConsentEvent)
        depicted = {one.subject for one in ledger.read(opened, Depicts)}
    roles = Counter(role for role, _ in {(one.role, one.subject) for one in parties})
    mine: dict[str, list[ConsentEvent]] = {}
    for one in events:
        mine.setdefault(one.subject, []).append(one)
    scopes = Counter(scope for found in mine.values() for scope in _in_force(found))
    told = dict(sorted(roles.items())) | {"depicted": len(depicted)}
    return told, dict(sorted(scopes.items())), sum(bool(one.expires_on) for one in events if one.state == GRANTED)


def _in_force(mine: list[ConsentEvent]) -> set[str]:
    """The scopes that one person's events grant today, for all images."""
    today = date.today().isoformat()
    told = [grants.Event(one.image, one.scope, one.state, one.event_on, one.expires_on) for one in mine]
    granted = {one.scope for one in mine if one.state == GRANTED}
    return {scope for scope in granted if grants.in_force(told, "", scope, today)}


def _categories(results: Path) -> dict[str, int]:
    """Table of intake -> rows: what kinds of data there are, and how much."""
    found: Counter[str] = Counter()
    for file in sorted(results.glob("intake/*/*.parquet")):
        found[file.stem] += pq.read_metadata(file).num_rows
    return {name: count for name, count in sorted(found.items()) if count}


def _videos(results: Path) -> dict[str, int]:
    """How many videos were delivered, how many each room stopped, and how many are left, by the last run."""
    file = results / VIDEOS
    if not file.is_file():
        return {}
    steps = table.read(file, VideoWaterfall).sort_values("order")
    stopped = steps.groupby("room", sort=False)["stopped"].sum()
    delivered, left = int(steps["images_in"].iloc[0]), int(steps["images_out"].iloc[-1])
    return {"delivered": delivered, **{f"stopped_by_{room}": int(n) for room, n in stopped.items() if n}, "left": left}


def _attributes(results: Path) -> list[str]:
    found: set[str] = set()
    for file in sorted(results.glob("intake/*/attributes.parquet")):
        found |= set(pq.read_table(file, columns=["attribute"])["attribute"].to_pylist())
    return sorted(found)


def _recipients(vault: Path) -> list[dict[str, Any]]:
    return [
        {"name": one["name"] or "(forgotten)", "versions": [held["version"] for held in one["releases"]]}
        for one in listing.holders(vault)
    ]
