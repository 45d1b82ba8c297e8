"""What signed revocations ask of a release's folder, read and held against it before anything is touched."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from accord.errors import AccordError, Collector, Problem
from accord.release.seal import leaves, revocations, seal
from accord.release.seal.leaves import Leaf
from accord.sealing import merkle, signing

FETCH = "download it, or the release, again"


class Line(NamedTuple):
    """A line of the leaves' file, without its end, and the leaf in it: None where the line is damaged."""

    text: bytes
    leaf: Leaf | None


class Order(NamedTuple):
    """What is to be done to a folder.

    `envelopes`: all revocations that it will hold; `asked`: those of the list; `carried_out`: how many of them it held
    before; `receipts`: receipt by leaf's hash; `lines`: those of the leaves' file; `lost`: how many revoked leaves are
    not there, so that nothing says what they were.
    """

    key: Ed25519PublicKey
    root: str
    envelopes: list[bytes]
    asked: list[bytes]
    carried_out: int
    receipts: dict[bytes, str]
    lines: list[Line]
    lost: int

    def going(self) -> Iterator[Leaf]:
        """The leaves that are to fall and still stand. Their hash, which is signed, vouches for what they say."""
        return (leaf for _, leaf in self.lines if leaf and leaf.record and leaf.hash in self.receipts)

    def staying(self) -> Iterator[Leaf]:
        """The leaves that stand and stay."""
        return (leaf for _, leaf in self.lines if leaf and leaf.record and leaf.hash not in self.receipts)

    def erased_before(self) -> int:
        """How many of the leaves that are to fall have fallen."""
        return sum(leaf is not None and not leaf.record and leaf.hash in self.receipts for _, leaf in self.lines)


def read(folder: Path, data: bytes, name: str = "revocation", key: Ed25519PublicKey | None = None) -> Order:
    """What a list of revocations asks of a folder; `name` is what problems call the list; the key: else the folder's.

    A damaged folder is read as far as it goes. Raises AccordError with all problems, where any line of the list isn't
    the publisher's word about this release.
    """
    problems = Collector()
    public = _key(folder, key)
    lines = _lines(folder)
    root = _root(folder, public, lines)
    asked = dict(revocations.listed(data, name, public, root, problems))
    if not asked and not problems:
        problems.add(name, "contains no revocation", revocations.HINT)
    if problems:
        raise AccordError(problems)
    known = dict(revocations.listed(_bytes(folder / revocations.NAME), "", public, root, Collector()))
    receipts = _receipts([*known.values(), *asked.values()])
    there = {leaf.hash for _, leaf in lines if leaf}
    told = [*known, *(line for line in asked if line not in known)]
    before = sum(line in known for line in asked)
    return Order(public, root, told, list(asked), before, receipts, lines, len(receipts.keys() - there))


def _receipts(found: list[revocations.Revocation]) -> dict[bytes, str]:
    """The receipt of each leaf: where several name it, the least, so that the order in which they came is all one."""
    receipts: dict[bytes, str] = {}
    for one in sorted(found, key=lambda one: one.receipt, reverse=True):
        receipts |= dict.fromkeys(map(bytes.fromhex, one.leaves), one.receipt)
    return receipts


def _key(folder: Path, given: Ed25519PublicKey | None) -> Ed25519PublicKey:
    """The key that was given, which the folder's own, if it can be read, must equal; else the folder's own."""
    if not folder.is_dir():
        hint = "give a release's folder, the one with release.dsse.json"
        raise AccordError(Problem(str(folder), "no such folder", hint))
    try:
        own = signing.read_public((folder / seal.PUBLIC_KEY).read_bytes())
    except (OSError, ValueError) as error:
        if given:
            return given
        told = error if isinstance(error, ValueError) else "can't be read"
        raise AccordError(Problem(seal.PUBLIC_KEY, str(told), "give the publisher's key with --key")) from None
    if given and signing.fingerprint(given) != signing.fingerprint(own):
        hint = "either --key belongs to another publisher, or somebody else signed this release"
        raise AccordError(Problem(seal.PUBLIC_KEY, "differs from the given key", hint))
    return own


def _lines(folder: Path) -> list[Line]:
    """The leaves' file, of which damaged lines are kept as they are."""
    try:
        texts = (folder / leaves.NAME).read_bytes().splitlines()
    except OSError:
        what = "can't be read, so the revoked files are unknown"
        raise AccordError(Problem(leaves.NAME, what, FETCH)) from None
    return [Line(text, leaf_of(text)) for text in texts]


def leaf_of(text: bytes) -> Leaf | None:
    """The leaf of a line; None where the line is damaged."""
    try:
        return leaves.parse(text)
    except ValueError:
        return None


def _root(folder: Path, key: Ed25519PublicKey, lines: list[Line]) -> str:
    """The release's root, from its signed statement; where that is damaged, from leaves that are all there."""
    try:
        return seal.read((folder / seal.ENVELOPE).read_bytes(), key)["root"]
    except (OSError, ValueError) as error:
        told = error if isinstance(error, ValueError) else "can't be read"
        if any(leaf is None for _, leaf in lines):
            what = f"{told}; the leaves are damaged too, so the release can't be identified"
            raise AccordError(Problem(seal.ENVELOPE, what, FETCH)) from None
    return merkle.root([leaf.hash for _, leaf in lines if leaf]).hex()


def _bytes(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""
