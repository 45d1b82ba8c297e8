"""Shards: a subject, and all that is derived from them, lives in exactly one."""

from hashlib import blake2b


def names(count: int) -> list[str]:
    """The names of all shards: two hexadecimal digits each. Raises ValueError unless 1 <= count <= 256."""
    if not 1 <= count <= 256:
        raise ValueError(f"The number of shards is {count}, but must be between 1 and 256")
    return [f"{index:02x}" for index in range(count)]


def shard_of(subject: str, count: int) -> str:
    """The shard of a subject: the first 64 bits of its BLAKE2b digest, modulo the number of shards."""
    digest = blake2b(subject.encode(), digest_size=8).digest()
    return f"{int.from_bytes(digest, 'big') % count:02x}"


def opaque_id(*parts: str) -> str:
    """A 16-digit id for a thing that a vendor names by `parts`: the name itself does not go on."""
    return blake2b("\0".join(parts).encode(), digest_size=8).hexdigest()
