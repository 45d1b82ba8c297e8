"""Forms of which several deliveries together show that they are no evidence, and the shards that have them."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from accord.intake.delivered import columns, parts
from accord.intake.delivered.parts import Part
from accord.intake.reading import evidence
from accord.intake.reading.evidence import Signature


class Disputes(NamedTuple):
    """keys: what all deliveries are known by; shards: of each shard with such forms, a digest of them and the keys of
    the deliveries that have them."""

    keys: list[str]
    shards: dict[str, tuple[str, list[str]]]


def read(delivered: Sequence[tuple[Path, str, Part]], count: int, memory: Disputes) -> Disputes:
    """The disputed forms of deliveries (folder, key, part) in `count` shards. memory: what was read before."""
    keys = [key for _, key, _ in delivered]
    if len(keys) < 2 or keys == memory.keys:
        return memory if keys == memory.keys else Disputes(keys, {})
    conflicts, holders = _conflicts(delivered)
    forms: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for root, key, part in delivered:
        if any(key in holders[sha256] for sha256 in conflicts):
            for shard, facts in parts.disputed(root, part.vendor, count, conflicts).items():
                forms[shard] += facts
    return Disputes(keys, {shard: (_digest(facts), _holders(facts, holders)) for shard, facts in forms.items()})


def _conflicts(delivered: Sequence[tuple[Path, str, Part]]) -> tuple[dict[str, str], dict[str, set[str]]]:
    """Sha256 of forms whose file or text several deliveries have -> why they are no evidence; of all -> holders."""
    signatures: list[Signature] = []
    holders: dict[str, set[str]] = defaultdict(set)
    alike: dict[str, set[str]] = defaultdict(set)
    for root, key, part in delivered:
        for signature in columns.signatures(root, part.vendor, sound=part.sound):
            holders[signature.sha256].add(key)
            alike[signature.text].add(key)
            signatures.append(signature)
    for signature in signatures:
        holders[signature.sha256] |= alike[signature.text] if signature.text else set()
    reasons = evidence.conflicts(signatures)
    return {sha256: reason for sha256, reason in reasons.items() if len(holders[sha256]) > 1}, holders


def _holders(facts: list[tuple[str, str]], holders: dict[str, set[str]]) -> list[str]:
    return sorted(set().union(*(holders[sha256] for sha256, _ in facts)))


def _digest(facts: list[tuple[str, str]]) -> str:
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()
