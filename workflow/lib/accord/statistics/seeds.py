"""Random numbers and lots that depend on what they are for, and on nothing else."""

from hashlib import blake2b

import numpy as np


def generator(seed: int, *names: str) -> np.random.Generator:
    """A generator of its own for each seed and purpose."""
    digest = blake2b("\0".join(names).encode(), digest_size=8, salt=seed.to_bytes(8, "big")).digest()
    return np.random.default_rng(int.from_bytes(digest, "big"))


def lot(seed: int, name: str) -> str:
    """The lot of a name: drawn are those with the smallest, so that a name that leaves or comes moves no others."""
    return blake2b(f"{seed}:{name}".encode(), digest_size=16).hexdigest()
