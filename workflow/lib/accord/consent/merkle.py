"""Merkle trees over the ledger's commitments, and proofs that one of them is in a tree (RFC 9162, section 2.1)."""

import hashlib


def root(commitments: list[str]) -> str:
    """The hash of the tree over commitments (hexadecimal digits), oldest first."""
    return _root([_leaf(one) for one in commitments]).hex()


def path(commitments: list[str], index: int) -> list[str]:
    """The inclusion proof of commitment `index`: sibling hashes from the leaf up (RFC 9162, 2.1.3.1)."""
    leaves, found = [_leaf(one) for one in commitments], []
    while len(leaves) > 1:
        half = _split(len(leaves))
        left, right = leaves[:half], leaves[half:]
        found.append(_root(right if index < half else left).hex())
        leaves, index = (left, index) if index < half else (right, index - half)
    return found[::-1]


def root_of_path(commitment: str, index: int, size: int, siblings: list[str]) -> str:
    """The root that a proof leads to (RFC 9162, 2.1.3.2). Raises ValueError where the proof has another length."""
    if not 0 <= index < size:
        raise ValueError(f"There is no entry {index} in a tree of {size}")
    turns, low, high = [], 0, size
    while high - low > 1:
        half = low + _split(high - low)
        turns.append(index < half)
        low, high = (low, half) if index < half else (half, high)
    found = _leaf(commitment)
    for is_left, sibling in zip(reversed(turns), siblings, strict=True):
        other = bytes.fromhex(sibling)
        found = _node(found, other) if is_left else _node(other, found)
    return found.hex()


def _root(leaves: list[bytes]) -> bytes:
    """Levels from below, an odd last node carried up: the same tree as by splitting at the largest power of two."""
    if not leaves:
        return hashlib.sha256().digest()
    while len(leaves) > 1:
        pairs = [_node(*leaves[i : i + 2]) for i in range(0, len(leaves) - 1, 2)]
        leaves = pairs + leaves[len(leaves) & ~1 :]
    return leaves[0]


def _split(size: int) -> int:
    """The largest power of two below `size`."""
    return 1 << (size - 1).bit_length() - 1


def _leaf(commitment: str) -> bytes:
    return hashlib.sha256(b"\0" + bytes.fromhex(commitment)).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()
