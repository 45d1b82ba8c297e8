"""Random numbers that depend on what they are for, and on nothing else."""

from hashlib import blake2b

import numpy as np


def generator(seed: int, *names: str) -> np.random.Generator:
    """A generator of its own for each seed and purpose."""
    digest = blake2b("\0".join(names).encode(), digest_size=8, salt=seed.to_bytes(8, "big")).digest()
    return np.random.default_rng(int.from_bytes(digest, "big"))
