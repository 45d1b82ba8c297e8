"""Shards: a subject, and all that is derived from them, lives in exactly one."""

import re
from hashlib import blake2b

MOST = 65_536
PER_SHARD, MOST_BY_IMAGES = 500, 2_000
"""Images of a shard unless a number of shards is configured, and the most shards then: gathers of many more fail
(docs/cluster.md)."""
SMALL, FEW = 100, 16
"""Images of a shard while there are so few shards: fewer would leave the cores of a machine idle."""
SHARD = re.compile(r"[0-9a-f]{2}([0-9a-f]{2})?")
"""The name of a shard of any number of them."""


def names(count: int) -> list[str]:
    """The names of all shards: two hexadecimal digits each, four of more than 256 shards.

    Raises ValueError unless 1 <= count <= 65,536.
    """
    if not 1 <= count <= MOST:
        raise ValueError(f"The number of shards is {count}, but must be between 1 and {MOST}")
    return [_name(index, count) for index in range(count)]


def by_images(images: int) -> int:
    """The number of shards for so many images."""
    few, many = (-(-images // each) for each in (SMALL, PER_SHARD))
    return max(1, min(few, FEW), min(many, MOST_BY_IMAGES))


def shard_of(subject: str, count: int) -> str:
    """The shard of a subject: the first 64 bits of its BLAKE2b digest, modulo the number of shards."""
    digest = blake2b(subject.encode(), digest_size=8).digest()
    return _name(int.from_bytes(digest, "big") % count, count)


def opaque_id(*parts: str) -> str:
    """A 16-digit id for a thing that a vendor names by `parts`: the name itself does not go on."""
    return blake2b("\0".join(parts).encode(), digest_size=8).hexdigest()


def _name(index: int, count: int) -> str:
    # Projects of up to 256 shards have files named by two digits.
    return f"{index:02x}" if count <= 256 else f"{index:04x}"
