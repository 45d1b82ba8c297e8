"""Digests of what deliveries hold for each shard, so that a change of one shard's part reruns that shard alone.

Read when the workflow is parsed: only light modules are imported, and no image is opened. What a delivery holds is read
once, and again when a byte of its tables or its description is another; times of files have no part in it.
"""

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from accord.engine import at_start, source
from accord.errors import AccordError, Collector, Problem, all_problems
from accord.intake.delivered import columns, delivery, disputes, files, parts, shares, sheets
from accord.intake.delivered.disputes import Disputes
from accord.intake.delivered.files import FileRefusedError
from accord.intake.delivered.parts import Part
from accord.intake.delivered.shares import ANNOTATOR, PERSON
from accord.shards import names as shard_names
from accord.text.identity import clashes, near
from accord.text.references import lookalikes


class Delivered(NamedTuple):
    """A delivery in a folder, known by a digest of its tables and its description, and its part in the shards."""

    root: Path
    key: str
    part: Part


class Content(NamedTuple):
    """For each shard: a digest of what deliveries hold for it, the last days of its forms, and the folders that it has
    to be read from (`_folders`); of: the deliveries, by vendor and name."""

    digests: dict[str, str]
    ends: dict[str, frozenset[str]]
    folders: dict[str, list[str]]
    of: list[Delivered]

    @property
    def keys(self) -> list[str]:
        """What the deliveries are known by."""
        return [one.key for one in self.of]

    @property
    def has_videos(self) -> bool:
        """Whether any delivery has videos."""
        return any(one.part.videos for one in self.of)


class Known(NamedTuple):
    """What was read before. parts: key of a delivery -> its part; alike: vendor -> the keys of all
    its deliveries, and a digest for each shard that has references which look like others; disputed: forms that
    are no evidence by several deliveries."""

    parts: dict[str, Part]
    alike: dict[str, tuple[list[str], dict[str, str]]]
    disputed: Disputes


def read(roots: Iterable[str], count: int, memory: Path | None = None) -> Content:
    """What the deliveries in the folders `roots` hold for each of `count` shards.

    memory: the file where it is kept what was read, and taken from. Rows count by their content; files by the sha256
    that rows give them, and by the size that they had when the tables were read. Raises AccordError where a folder is
    no delivery, or one vendor seems to have two names; all else that is wrong is left to the step that reads it.
    """
    of = [count, source.digest("intake.delivered.digests"), _sum(delivery.SCHEMA.read_bytes())]
    known = _known(at_start.read(memory, of) if memory else None)
    delivered = _delivered([Path(root) for root in roots], count, known.parts)
    _check_vendors({one.part.vendor for one in delivered})
    of_vendor = groupby(delivered, key=lambda one: one.part.vendor)
    alike = {vendor: _alike(vendor, list(theirs), count, known) for vendor, theirs in of_vendor}
    disputed = disputes.read(delivered, count, known.disputed)
    if memory:
        # One that was changed meanwhile was read of other tables than it is known by.
        same = [one for one in delivered if one.part is known.parts.get(one.key) or _key(one.root) == one.key]
        at_start.keep(memory, of, Known({one.key: one.part for one in same}, alike, disputed))
    facts = {vendor: of_shards for vendor, (_, of_shards) in alike.items()}
    shared = {shard: digest for shard, (digest, _) in disputed.shards.items()}
    digests, ends = _joined(delivered, [*facts.values(), shared], count)
    return Content(digests, ends, _folders(delivered, facts, disputed.shards, count), delivered)


def subjects(content: Content, count: int) -> dict[str, frozenset[str]]:
    """For each shard, the ids of the people whom its images show."""
    found: dict[str, set[str]] = {shard: set() for shard in shard_names(count)}
    for root, _, part in content.of:
        for shard, people in columns.shown(root, part.vendor, count, sound=part.sound).items():
            found[shard] |= people
    return {shard: frozenset(people) for shard, people in found.items()}


def _known(told: list | None) -> Known:
    given, alike, disputed = told or ({}, {}, ([], {}))
    return Known({key: Part(*part) for key, part in given.items()}, alike, Disputes(disputed[0], disputed[1]))


def _delivered(roots: list[Path], count: int, known: dict[str, Part]) -> list[Delivered]:
    keys = {root: _key(root) for root in roots}
    found = {root: part for root in roots if (part := _taken_over(root, known.get(keys[root])))}
    with all_problems() as problems:
        told = {root: _description(root, problems) for root in roots if root not in found}
    # One after the other, so that the rows of one alone are in memory.
    found |= {root: parts.read(root, said, count) for root, said in told.items() if said is not None}
    delivered = [Delivered(root, keys[root], found[root]) for root in roots]
    return sorted(delivered, key=lambda one: (one.part.vendor, one.part.name, one.key))


def _check_vendors(vendors: set[str]) -> None:
    """Raises AccordError where one vendor seems to have two names: a withdrawal would reach the people of one alone."""
    if several := clashes(sorted(vendors), near):
        names = "; ".join(" and ".join(spellings) for spellings in several)
        problem = f"{names}: names of vendors that differ only in case or leading zeros"
        hint = "write a vendor in one way in all of its deliveries: the same person would be two"
        raise AccordError(Problem("intake.deliveries", problem, hint))


def _taken_over(root: Path, part: Part | None) -> Part | None:
    """What was read of the tables of a delivery, where the files that they name are those that were there."""
    return part if part and (not part.there or part.there == parts.listing(root)) else None


def _key(root: Path) -> str:
    """A digest of all bytes that a delivery's part follows from, pictures and notices apart."""
    hashed = hashlib.sha256()
    for name in (delivery.DESCRIPTION, *sheets.SHEETS) if root.is_dir() else ():
        limit = delivery.MAX_DESCRIPTION if name == delivery.DESCRIPTION else delivery.MAX_TABLE
        try:
            hashed.update(b"+" + files.sha256(root, name, limit))
        except FileRefusedError as refused:
            hashed.update(b"-" + _sum(refused.reason.encode()).encode())
    return hashed.hexdigest()


def _description(root: Path, problems: Collector) -> dict | None:
    if not root.is_dir():
        hint = "correct intake.deliveries in the config; `accord delivery validate FOLDER` checks a delivery"
        problems.add(str(root), "the delivery is not a folder", hint)
        return None
    return delivery.describe(root, delivery.SCHEMA, problems)


def _alike(vendor: str, delivered: list[Delivered], count: int, known: Known) -> tuple[list[str], dict[str, str]]:
    """The keys of a vendor's deliveries; shard -> a digest of the people and annotators who look like others."""
    keys = [one.key for one in delivered]
    if keys == known.alike.get(vendor, ([], {}))[0]:
        return keys, known.alike[vendor][1]
    told = [columns.references(one.root, sound=one.part.sound) for one in delivered]
    alike = {
        shares.scope(kind, vendor, ""): lookalikes(set().union(*(of[kind] for of in told)))
        for kind in (PERSON, ANNOTATOR)
    }
    found = defaultdict(list)
    for one in delivered if any(alike.values()) else ():
        for shard, facts in parts.others_alike(one.root, vendor, count, alike).items():
            found[shard] += [one.part.name, facts]
    return keys, {shard: _sum(json.dumps(facts).encode()) for shard, facts in found.items()}


def _folders(
    delivered: list[Delivered], alike: dict[str, dict[str, str]], disputed: dict[str, tuple[str, list[str]]], count: int
) -> dict[str, list[str]]:
    """Shard -> the folders of deliveries that say something of it, so that what comes for others leaves its job alone.

    Each shard has to see what may be wrong as a whole, and what comes twice; a shard with references that look like
    others, all of their vendor; one with disputed forms, all that have them. A shard of which nothing says anything
    has the first.
    """
    twice = Counter((one.part.vendor, one.part.name) for one in delivered)
    found: dict[str, list[str]] = {shard: [] for shard in shard_names(count)}
    for root, key, part in delivered:
        is_whole = not part.sound or part.others or not part.shards or twice[part.vendor, part.name] > 1
        shared = {shard for shard, (_, keys) in disputed.items() if key in keys}
        for shard in found if is_whole else part.shards.keys() | alike[part.vendor].keys() | shared:
            found[shard].append(str(root))
    return {shard: roots or [str(one.root) for one in delivered[:1]] for shard, roots in found.items()}


def _joined(
    delivered: list[Delivered], alike: list[dict[str, str]], count: int
) -> tuple[dict[str, str], dict[str, frozenset[str]]]:
    """For each shard, a digest of what deliveries hold for it, and the last days of its forms."""
    said: dict[str, list[str]] = {shard: [] for shard in shard_names(count)}
    ends: dict[str, set[str]] = {shard: set() for shard in shard_names(count)}
    for part in (one.part for one in delivered):
        for shard in said if part.others else part.shards:
            said[shard].append(part.shards.get(shard) or part.others)
        for shard, days in part.ends.items():
            ends[shard].update(days)
    for facts in alike:
        for shard, digest in facts.items():
            said[shard].append(digest)
    digests = {shard: _sum("\n".join(of).encode())[:32] for shard, of in said.items()}
    return digests, {shard: frozenset(days) for shard, days in ends.items()}


def _sum(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
