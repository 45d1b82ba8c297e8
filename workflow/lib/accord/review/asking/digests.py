"""Digests of what was decided, shard by shard, and of all votes that count each: read when the workflow starts, so that
what is said reruns what reads it."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

from accord import queues
from accord.queues import RATED
from accord.review.database import store
from accord.shards import names, shard_of

CHECKS, PRIVACY, VIDEOS = PARTS = ("checks", "privacy", "videos")
"""Parts of the flow that read decisions: those on videos are of the privacy room, and repaint no picture."""
PART_OF = {queues.INPAINTING: PRIVACY, queues.VIDEOS: VIDEOS}
"""Queue -> the part that asks it, where it isn't CHECKS."""


def digests(vault: str, shards: int) -> Mapping[str, Mapping[str, str]]:
    """Shard -> part -> a digest of the decisions about its subjects; "" where there are none."""
    found = {name: {part: hashlib.sha256() for part in PARTS} for name in names(shards)}
    any_of = set()
    if store.exists(Path(vault)):
        with store.reading(Path(vault)) as db:
            asked = f"""SELECT queue, subject, item, entry FROM item
                        WHERE state = 'settled' AND queue NOT IN ({", ".join("?" * len(RATED))}) ORDER BY item"""
            for queue, subject, item, entry in db.execute(asked, RATED):
                shard, part = shard_of(subject, shards), PART_OF.get(queue, CHECKS)
                found[shard][part].update(f"{item} {entry}\n".encode())
                any_of.add((shard, part))
    return {
        shard: {part: digest.hexdigest() if (shard, part) in any_of else "" for part, digest in of.items()}
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
