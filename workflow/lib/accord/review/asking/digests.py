"""Digests of what was decided, shard by shard: read when the workflow starts, so that a decision reruns its shards."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

from accord.review.database import store
from accord.shards import names, shard_of

CHECKS, PRIVACY = ROOMS = ("checks", "privacy")
INPAINTING = "inpainting"
"""The one queue that the privacy room asks; accord.review.tables has all, and takes long to import."""


def digests(vault: str, shards: int) -> Mapping[str, Mapping[str, str]]:
    """Shard -> room -> a digest of the decisions about its subjects; "" where there are none."""
    found = {name: {room: hashlib.sha256() for room in ROOMS} for name in names(shards)}
    any_of = set()
    if store.exists(Path(vault)):
        with store.reading(Path(vault)) as db:
            asked = "SELECT queue, subject, item, entry FROM item WHERE state = 'settled' ORDER BY item"
            for queue, subject, item, entry in db.execute(asked):
                shard, room = shard_of(subject, shards), PRIVACY if queue == INPAINTING else CHECKS
                found[shard][room].update(f"{item} {entry}\n".encode())
                any_of.add((shard, room))
    return {
        shard: {room: digest.hexdigest() if (shard, room) in any_of else "" for room, digest in of.items()}
        for shard, of in found.items()
    }
