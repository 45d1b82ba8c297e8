"""Erasure of revoked leaves from a release: what they commit to goes, and a tombstone with the receipt stays.

Needs the release and the signed revocations alone. It can be stopped anywhere and run again: the leaves, which say what
is to go, are rewritten last. What is left depends on the revocations, not on the order in which they came.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from accord.errors import AccordError, Collector, Problem
from accord.files import PARTIAL, READ_ONLY, replace
from accord.release.erasing import leaves as erasing
from accord.release.erasing import orders
from accord.release.erasing.orders import Order
from accord.release.seal import held, leaves, revocations
from accord.release.seal.leaves import Leaf
from accord.release.tree import tree

KEPT = "revoked content may remain: fix this, and prune again"


class Pruned(NamedTuple):
    """What was done: leaves erased, rows deleted, files by what became of them (`erasing`), and what could not be."""

    leaves: int
    rows: int
    files: Counter
    problems: list[Problem]


def prune(folder: Path, envelope: bytes) -> int:
    """Erase what a revocation names; returns the number of leaves.

    The key is the release's own: whoever must know whose it is verifies the release with the publisher's key. Raises
    AccordError where it isn't of this release, or where something can't be erased (the rest is).
    """
    done = carry_out(folder, orders.read(folder, envelope))
    if done.problems:
        raise AccordError(done.problems)
    return done.leaves


def carry_out(folder: Path, order: Order) -> Pruned:
    """Erase what an order asks for. A leaf whose content can't be erased stays, and is a problem."""
    _clean(folder)
    problems = Collector()
    _write(folder / revocations.NAME, _lines(order.envelopes))
    files, kept = _erase_files(folder, order, problems)
    rows, kept_too = _erase_rows(folder, order, problems)
    stay = kept | kept_too
    fallen = [leaf for leaf in order.going() if leaf.hash not in stay]
    _rewrite_manifest(folder, order, fallen)
    _write(folder / leaves.NAME, _lines(leaves_after(order, stay)))
    if order.lost:
        what = f"lacks {order.lost} of the revoked leaves, so their files are unknown"
        problems.add(leaves.NAME, what, orders.FETCH)
    return Pruned(len(fallen), rows, files, list(problems))


def leaves_after(order: Order, stay: frozenset[bytes] | set[bytes] = frozenset()) -> Iterable[bytes]:
    """The lines of the leaves' file once an order is carried out, but for the leaves that must stay."""
    for text, leaf in order.lines:
        receipt = order.receipts.get(leaf.hash) if leaf and leaf.hash not in stay else None
        yield leaves.tombstone(leaf, receipt).removesuffix(b"\n") if leaf and receipt else text


def digest_after(order: Order) -> str:
    """The sha256 of the leaves' file once an order is carried out."""
    return hashlib.sha256(_lines(leaves_after(order))).hexdigest()


def _lines(texts: Iterable[bytes]) -> bytes:
    return b"".join(text + b"\n" for text in texts)


def _clean(folder: Path) -> None:
    """Take away the unfinished files of a run that was killed."""
    for name in (revocations.NAME, tree.MANIFEST, leaves.NAME, *leaves.TABLES):
        (folder / f"{name}{PARTIAL}").unlink(missing_ok=True)


def _write(path: Path, data: bytes) -> None:
    if not path.is_file() or path.read_bytes() != data:
        replace(path, data, READ_ONLY)


def _erase_files(folder: Path, order: Order, problems: Collector) -> tuple[Counter, set[bytes]]:
    """Delete the files of leaves that go; returns what became of them, and the leaves whose files are still there."""
    became, stay = Counter(), set()
    going = {leaf.content["path"]: leaf for leaf in order.going() if "row" not in leaf.content}
    for path, leaf in sorted(going.items()):
        try:
            became[erasing.file(folder, path, leaf.content["sha256"])] += 1
        except (OSError, ValueError) as error:
            problems.add(path, _why(error), KEPT)
            stay.add(leaf.hash)
    return became, stay


def _erase_rows(folder: Path, order: Order, problems: Collector) -> tuple[int, set[bytes]]:
    """Delete the rows of leaves that go; returns how many, and the leaves whose rows may still be there."""
    number, stay = 0, set()
    going, staying = _by_table(order.going()), _by_table(order.staying())
    for path, found in sorted(going.items()):
        try:
            left = erasing.rows(folder, path, found, staying.get(path, []))
            if left.erased:
                replace(folder / path, b"".join(left.kept), READ_ONLY)
        except (OSError, ValueError) as error:
            problems.add(path, _why(error), KEPT)
            stay |= {leaf.hash for leaf in found}
            continue
        if left.held:
            what = f"was changed: {len(left.held)} of the revoked rows can't be found in it"
            problems.add(path, what, KEPT)
        number += left.erased
        stay |= left.held
    return number, stay


def _why(error: OSError | ValueError) -> str:
    return f"can't be deleted ({error.strerror})" if isinstance(error, OSError) else str(error)


def _by_table(found: Iterable[Leaf]) -> dict[str, list[Leaf]]:
    tables: dict[str, list[Leaf]] = {}
    for leaf in found:
        if "row" in leaf.content and leaf.content["path"] in leaves.TABLES:
            tables.setdefault(leaf.content["path"], []).append(leaf)
    return tables


def _rewrite_manifest(folder: Path, order: Order, fallen: list[Leaf]) -> None:
    """The manifest that the remaining files have: its own entries, but those of the tables, which may have changed."""
    gone = {leaf.content["path"] for leaf in fallen if "row" not in leaf.content}
    touched = {leaf.content["path"] for leaf in order.going() if "row" in leaf.content}
    try:
        lines = (folder / tree.MANIFEST).read_bytes().splitlines()
        known = {entry["path"]: entry for entry in map(json.loads, lines)}
    except (OSError, ValueError, KeyError, TypeError):
        known = dict.fromkeys(leaf.content["path"] for leaf in order.staying())
    for path in [path for path, entry in known.items() if entry is None or path in touched]:
        known[path] = held.entry(path, folder / path) if (folder / path).is_file() else None
    entries = (entry for path, entry in known.items() if entry and path not in gone)
    _write(folder / tree.MANIFEST, tree.manifest(entries))
