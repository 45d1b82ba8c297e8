"""Digests of what was decided, shard by shard, and of all votes that count each: read when the workflow starts, so that
what is said reruns what reads it."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

from accord.queues import RATED
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
            asked = f"""SELECT queue, subject, item, entry FROM item
                        WHERE state = 'settled' AND queue NOT IN ({", ".join("?" * len(RATED))}) ORDER BY item"""
            for queue, subject, item, entry in db.execute(asked, RATED):
                shard, room = shard_of(subject, shards), PRIVACY if queue == INPAINTING else CHECKS
                found[shard][room].update(f"{item} {entry}\n".encode())
                any_of.add((shard, room))
    return {
        shard: {room: digest.hexdigest() if (shard, room) in any_of else "" for room, digest in of.items()}
        for shard, of in found.items()
    }


def of_rated_votes(vault: str, queue: str) -> str:
    """A digest of all votes of a queue of RATED, and of whether their items are asked now; "" where there are none."""
    if not store.exists(Path(vault)):
        return ""
    asked = """SELECT chain.hash, gone FROM vote JOIN chain USING (seq) JOIN item USING (item)
               WHERE item.queue = ? ORDER BY seq"""
    with store.reading(Path(vault)) as db:
        found = [f"{entry} {gone}\n" for entry, gone in db.execute(asked, (queue,))]
    return hashlib.sha256("".join(found).encode()).hexdigest() if found else ""
