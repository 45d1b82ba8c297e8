"""The Merkle tree over the ledger's commitments; all hashes as hexadecimal digits, as receipts carry them."""

from accord.sealing import merkle


def root(commitments: list[str]) -> str:
    """The hash of the tree over commitments, oldest first."""
    return merkle.root([_leaf(one) for one in commitments]).hex()


def path(commitments: list[str], index: int) -> list[str]:
    """The inclusion proof of commitment `index`: sibling hashes from the leaf up."""
    return [sibling.hex() for sibling in merkle.inclusion([_leaf(one) for one in commitments], index)]


def root_of_path(commitment: str, index: int, size: int, siblings: list[str]) -> str:
    """The root that a proof leads to. Raises ValueError where the proof fits no tree of that size."""
    return merkle.root_from(size, _leaf(commitment), index, [bytes.fromhex(one) for one in siblings]).hex()


def _leaf(commitment: str) -> bytes:
    return merkle.leaf_hash(bytes.fromhex(commitment))
