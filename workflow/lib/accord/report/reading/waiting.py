"""What waits for people after a run: per queue, how many items there are, how many wait, and the policy meanwhile.

Read from the results alone.
"""

import json
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from accord.checks.sample import AGREED, SAMPLED, WRONG
from accord.consent.tables import OpenWishes
from accord.engine import provenance, table
from accord.queues import QUEUES
from accord.release import list_sources
from accord.review.tables import Decisions, Items
from accord.text.nouns import counted

ITEMS = {"checks": ("checks/items.parquet",), "privacy": ("privacy/*/items.parquet", "privacy/*/video_items.parquet")}
"""Room -> its tables of items."""
DECISIONS, SETTLED = "*/*decisions.parquet", "*/*settled.parquet"
"""In the folder of a room."""
BY_LOT, HOLDS_NOTHING = (SAMPLED, AGREED, WRONG), "random sample, blocks nothing"


class Waiting(NamedTuple):
    """A queue of a run: items, those that nobody decided on yet, and the policy for these."""

    queue: str
    items: int
    waiting: int
    policy: str


class Counts(NamedTuple):
    """Requests for nobody, rows and files of requests that were refused, erased people who were delivered again, and
    lines of an archive's withdrawn.csv that name nobody in it."""

    open_wishes: int
    refused_wishes: int
    delivered_again: int
    unmatched_lines: list[int]


def counts(results: Path) -> Counts:
    """What else somebody must look into, by the last run."""
    unmatched = list_sources.unmatched(results) or []
    return Counts(open_wishes(results), refused_wishes(results), delivered_again(results), unmatched)


def waiting(results: Path) -> list[Waiting]:
    """The queues that have items, in their order; none where the results have no tables of items."""
    found = [one for room, patterns in ITEMS.items() for one in _of_room(results, room, patterns)]
    return sorted(found, key=lambda one: QUEUES.index(one.queue))


def open_wishes(results: Path) -> int:
    """How many requests are for nobody, by the last run."""
    path = results / "consent/waiting.parquet"
    return int(table.read([path], OpenWishes)["wishes"].sum()) if path.is_file() else 0


def refused_wishes(results: Path) -> int:
    """How many rows and files of the watched folder the last run refused."""
    path = results / "consent/inbox.json"
    return int(json.loads(path.read_text())["refused"]) if path.is_file() else 0


def delivered_again(results: Path) -> int:
    """How many people who were erased the last run found in its deliveries, in each shard."""
    return sum(json.loads(path.read_text()).get("erased", 0) for path in results.glob("consent/*/import.json"))


def lines(found: list[Waiting]) -> Iterator[str]:
    """What a person reads."""
    for one in found:
        policy = one.policy if one.policy == HOLDS_NOTHING else f"policy {one.policy}"
        rest = policy if one.waiting else "all decided"
        yield f"  {one.queue}: {counted(one.items, 'item')}, {one.waiting} waiting ({rest})"


def how(found: list[Waiting], given: Sequence[str] = ()) -> Iterator[str]:
    """The commands with which a person decides on what waits; nothing where nothing does.

    They name the first queue that holds images, else a sample. given: the flags that say which run is meant.
    """
    left = sorted((one for one in found if one.waiting), key=lambda one: one.policy == HOLDS_NOTHING)
    if left:
        yield "to decide, as reviewer NAME (docs/review.md)"
        for words in ("add --name NAME", f"assign --queue {left[0].queue} --reviewer NAME", "serve"):
            yield f"  {shlex.join(['accord', 'review', *words.split(), *given])}"


def _of_room(results: Path, room: str, patterns: Sequence[str]) -> Iterator[Waiting]:
    files = sorted(file for pattern in patterns for file in results.glob(pattern))
    if not files:
        return
    items = table.read(files, Items)
    decided = table.read(sorted((results / room).glob(DECISIONS)), Decisions)["item"]
    policies = _policies(results / room)
    for (queue, by_lot), asked in items.assign(by_lot=items["check"].isin(BY_LOT)).groupby(["queue", "by_lot"]):
        left = int((~asked["item"].isin(decided)).sum())
        policy = HOLDS_NOTHING if by_lot else policies.get(str(queue), "unknown")
        yield Waiting(str(queue), asked["item"].nunique(), left, policy)


def _policies(room: Path) -> dict[str, str]:
    """The policies that the room's verdicts were made with."""
    told = [provenance.of(path) or {} for path in sorted(room.glob(SETTLED))[:1]]
    return told[0].get("params", {}).get("policies", {}) if told else {}
