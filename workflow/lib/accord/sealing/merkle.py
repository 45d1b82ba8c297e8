"""Merkle trees as in RFC 9162, section 2.1: SHA-256, leaves and nodes told apart by their first byte.

Hashes are 32 bytes. A tree is given as the list of its leaves' hashes.
"""

import hashlib
from collections.abc import Sequence

LEAF, NODE = b"\x00", b"\x01"


def leaf_hash(data: bytes) -> bytes:
    """The hash of a leaf that holds data."""
    return hashlib.sha256(LEAF + data).digest()


def root(hashes: Sequence[bytes]) -> bytes:
    """The hash of the whole tree; of an empty one SHA-256 of nothing."""
    level = list(hashes)
    if not level:
        return hashlib.sha256().digest()
    while len(level) > 1:
        level = _above(level)
    return level[0]


class Growing:
    """A tree that leaves are added to one by one: it keeps the roots of its whole subtrees alone."""

    def __init__(self) -> None:
        self.size = 0
        self._whole: list[bytes] = []

    def add(self, digest: bytes) -> None:
        """Add a leaf's hash behind all others."""
        self.size += 1
        for _ in range((self.size & -self.size).bit_length() - 1):
            digest = _node(self._whole.pop(), digest)
        self._whole.append(digest)

    def root(self) -> bytes:
        """The hash of the tree so far, as `root` has it."""
        if not self._whole:
            return root([])
        *others, found = self._whole
        for left in reversed(others):
            found = _node(left, found)
        return found


def inclusion(hashes: Sequence[bytes], index: int) -> list[bytes]:
    """The proof that a leaf is in the tree: the siblings on its way up (section 2.1.3.1)."""
    if not 0 <= index < len(hashes):
        raise IndexError(f"a tree of {len(hashes)} leaves has no leaf {index}")
    level, path = list(hashes), []
    while len(level) > 1:
        path += level[index ^ 1 : (index ^ 1) + 1]
        level, index = _above(level), index >> 1
    return path


def consistency(hashes: Sequence[bytes], first: int) -> list[bytes]:
    """The proof that the tree of the `first` leaves is a beginning of this one (section 2.1.4.1)."""
    if not 0 < first <= len(hashes):
        raise IndexError(f"a tree of {len(hashes)} leaves has no beginning of {first}")
    return _subproof(hashes, first, True)


def root_from(size: int, leaf: bytes, index: int, path: Sequence[bytes]) -> bytes:
    """The root that an inclusion proof leads to (section 2.1.3.2).

    Raises ValueError where a tree of that size has no such leaf, or the proof has another length.
    """
    if not 0 <= index < size:
        raise ValueError(f"There is not a valid leaf {index} in a tree of {size}")
    at, last, found = index, size - 1, leaf
    for sibling in path:
        if not last:
            raise ValueError("The proof is too long")
        if at & 1 or at == last:
            found = _node(sibling, found)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            found = _node(found, sibling)
        at, last = at >> 1, last >> 1
    if last:
        raise ValueError("The proof is too short")
    return found


def includes(tree: bytes, size: int, leaf: bytes, index: int, path: Sequence[bytes]) -> bool:
    """Whether the tree of that root and size has the leaf at the index."""
    try:
        return root_from(size, leaf, index, path) == tree
    except ValueError:
        return False


def consistent(first: int, first_root: bytes, second: int, second_root: bytes, path: Sequence[bytes]) -> bool:
    """Whether the tree of `first` leaves is a beginning of that of `second` leaves (section 2.1.4.2)."""
    if first == second:
        return not path and first_root == second_root
    proof = [first_root, *path] if first & (first - 1) == 0 else list(path)
    if not 0 < first < second or not path:
        return False
    at, last = first - 1, second - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    old = new = proof[0]
    for sibling in proof[1:]:
        if not last:
            return False
        if at & 1 or at == last:
            old, new = _node(sibling, old), _node(sibling, new)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            new = _node(new, sibling)
        at, last = at >> 1, last >> 1
    return last == 0 and old == first_root and new == second_root


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(NODE + left + right).digest()


def _above(level: list[bytes]) -> list[bytes]:
    """The level above: pairs are joined, one that is left over goes up as it is."""
    joined = [_node(left, right) for left, right in zip(level[::2], level[1::2], strict=False)]
    return joined + level[2 * len(joined) :]


def _subproof(hashes: Sequence[bytes], first: int, whole: bool) -> list[bytes]:
    if first == len(hashes):
        return [] if whole else [root(hashes)]
    split = 1 << (len(hashes) - 1).bit_length() - 1
    if first <= split:
        return [*_subproof(hashes[:split], first, whole), root(hashes[split:])]
    return [*_subproof(hashes[split:], first - split, False), root(hashes[:split])]
