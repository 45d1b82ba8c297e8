"""`accord prune RELEASE --revocations FILE`: erase revoked data from a copy of a release, and verify it.

The folder may also be an export of one. With a release, the exports that are listed beside it are pruned, too.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from accord import command_line, commands
from accord.errors import AccordError, Problem, all_problems
from accord.files import replace
from accord.release import command
from accord.release.erasing import leaves, orders, prune
from accord.release.erasing.orders import Order
from accord.release.erasing.prune import Pruned
from accord.release.exporting import prune_copy, pruning
from accord.release.seal.verification import Verdict, verify
from accord.release.tree import stray_copies as copies
from accord.sealing import signing

UNKNOWN = "warning: {} leaves were erased in an earlier run: copies of them can't be found any more"
READABLE = "give an existing, readable file"


class Done(NamedTuple):
    """The outcome: what was asked and done, copies elsewhere and which of them are left, the release's verdict."""

    order: Order
    pruned: Pruned
    copies: list[Path]
    left: list[Path]
    problems: list[Problem]
    verdict: Verdict


def main(argv: list[str]) -> int:
    """Run the command; the exit code is the verdict: 0 where all that is revoked is gone and the release is valid."""
    flags = parser().parse_args(argv)
    _check(flags)
    key = _public(flags.key) if flags.key else None
    listed = bytes_of(flags.revocations, "--revocations")
    if pruning.is_copy(flags.release):
        return prune_copy.alone(flags, listed, key)
    order = orders.read(flags.release, listed, flags.revocations.name, key)
    notice = _notice(flags, order)
    found = copies.find(order, flags.release, flags.also)
    if flags.also and (unknown := order.erased_before()):
        print(UNKNOWN.format(unknown), file=sys.stderr)
    if flags.dry_run:
        _tell_plan(order, found, flags)
        return 0
    holder_key = _private(flags.holder_key) if flags.holder_key else None
    done = _carry_out(flags, order, found)
    version = (done.verdict.statement or {}).get("version", "")
    told = prune_copy.beside(flags.release, version, listed, flags.revocations.name)
    print(json.dumps(document(done), indent=1) if flags.json else command.printable("\n".join([*told, text(done)])))
    if holder_key is not None:
        _acknowledge(flags, order, notice, holder_key, done.pruned.problems)
    return 1 if done.problems or done.verdict.problems else 0


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = commands.begun("prune", "The exit code is the verdict.")
    parser.add_argument("release", type=Path, help="folder of your copy of a release, or of an export")
    parser.add_argument("--revocations", type=Path, required=True, help="list of revocations from the publisher")
    parser.add_argument("--key", type=Path, help="the publisher's public key (PEM), from a trusted channel")
    parser.add_argument("--also", type=Path, nargs="+", default=[], help="folders to search for copies of revoked data")
    parser.add_argument("--delete-copies", action="store_true", help="delete the copies found in these folders")
    parser.add_argument("--notice", type=Path, help="notice.json that came with the list")
    parser.add_argument("--acknowledge", type=Path, help="where to write the signed acknowledgement")
    parser.add_argument("--holder-key", type=Path, help="your private key (PEM), to sign the acknowledgement")
    parser.add_argument("--dry-run", action="store_true", help="show what would be erased, and change nothing")
    command_line.json_flag(parser)
    return parser


def _check(flags: argparse.Namespace) -> None:
    """Raises AccordError with all that is wrong with the flags themselves."""
    with all_problems() as problems:
        if bool(flags.acknowledge) != bool(flags.holder_key):
            hint = "accord holders key --out holder.pem makes a key"
            problems.add("--acknowledge", "needs --holder-key, and vice versa", hint)
        if flags.delete_copies and not flags.also:
            problems.add("--delete-copies", "needs --also", "give the folders with copies")
        folder = flags.acknowledge.resolve().parent if flags.acknowledge else None
        if folder and (not folder.is_dir() or folder.is_relative_to(flags.release.resolve())):
            hint = "give a file in an existing folder outside the release"
            problems.add(f"--acknowledge {flags.acknowledge}", "can't be written", hint)


def _carry_out(flags: argparse.Namespace, order: Order, found: list[Path]) -> Done:
    """Copies go first: the release knows them only as long as it has what they are copies of."""
    problems = copies.delete(found) if flags.delete_copies else []
    left = [path for path in found if path.exists()]
    try:
        pruned = prune.carry_out(flags.release, order)
    except OSError as error:
        what = f"can't be written to ({error.strerror}): it was not pruned, or not to the end"
        raise AccordError(Problem(str(flags.release), what, "fix it and run this again")) from None
    return Done(order, pruned, found, left, [*problems, *pruned.problems], verify(flags.release, flags.key))


def _notice(flags: argparse.Namespace, order: Order) -> dict | None:
    if not flags.notice:
        return None
    from accord.holders.notifying import notices

    return notices.held(bytes_of(flags.notice, "--notice"), flags.notice.name, order)


def _acknowledge(
    flags: argparse.Namespace, order: Order, notice: dict | None, key: Ed25519PrivateKey, problems: list[Problem]
) -> None:
    """Write the acknowledgement. Raises AccordError where not all that is revoked is gone."""
    from accord.holders.notifying import acknowledgements

    if problems:
        what = "was not written: some revoked data is left"
        raise AccordError(Problem(str(flags.acknowledge), what, "fix the problems above, and prune again"))
    replace(flags.acknowledge, acknowledgements.make(flags.release, order, key, notice) + b"\n")


def text(done: Done) -> str:
    """The outcome in words."""
    order, pruned, files = done.order, done.pruned, done.pruned.files
    lines = [
        f"revoked   {len(order.asked)} revocation(s), {order.carried_out} of them carried out or begun before",
        f"erased    {pruned.leaves} leaves: {files[leaves.ERASED] + files[leaves.CHANGED]} files, {pruned.rows} rows",
    ]
    if files[leaves.CHANGED]:
        lines.append(f"          {files[leaves.CHANGED]} of the files had been changed, and were erased all the same")
    if files[leaves.MISSING]:
        lines.append(f"          {files[leaves.MISSING]} more files were not there any more")
    lines += _of_copies(done.copies, done.left)
    if done.pruned.problems or done.problems:
        lines += ["NOT ALL IS ERASED", str(AccordError(done.problems))]
    return "\n".join([*lines, "", command.text(done.verdict)])


def _of_copies(found: list[Path], left: list[Path]) -> list[str]:
    if not found:
        return []
    told = f"copies    {len(found)} found, {len(found) - len(left)} deleted"
    return [told, *(f"          delete it yourself: {path}" for path in left)]


def document(done: Done) -> dict:
    """The outcome as JSON."""
    return {
        "revocations": len(done.order.asked),
        "carried_out_before": done.order.carried_out,
        "leaves": done.pruned.leaves,
        "rows": done.pruned.rows,
        "files": {name: done.pruned.files[name] for name in (leaves.ERASED, leaves.CHANGED, leaves.MISSING)},
        "copies": [str(path) for path in done.copies],
        "copies_left": [str(path) for path in done.left],
        "problems": [{"where": p.where, "what": p.what, "hint": p.hint} for p in done.problems],
        "release": command.document(done.verdict),
    }


def _tell_plan(order: Order, found: list[Path], flags: argparse.Namespace) -> None:
    going = list(order.going())
    rows = sum("row" in leaf.content for leaf in going)
    lines = [f"would erase {len(going)} leaves: {len(going) - rows} files, {rows} rows; nothing was touched"]
    lines += [f"leaves.jsonl lacks {order.lost} of the revoked leaves: {orders.FETCH}"] if order.lost else []
    lines += [f"copy: {path}" for path in found]
    told = {"leaves": len(going), "rows": rows, "lost": order.lost, "copies": found}
    command_line.say({"would_erase": told}, command.printable("\n".join(lines)), flags)


def bytes_of(path: Path, flag: str) -> bytes:
    """The bytes of a file that a flag names. Raises AccordError where it can't be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise AccordError(Problem(f"{flag} {path}", f"can't be read ({error.strerror})", READABLE)) from None


def _public(path: Path):
    try:
        return signing.read_public(bytes_of(path, "--key"))
    except ValueError as error:
        hint = "a public key is a PEM file: release.pub, from the publisher"
        raise AccordError(Problem(f"--key {path}", str(error), hint)) from None


def _private(path: Path):
    from accord.holders.notifying import keys

    return keys.read(bytes_of(path, "--holder-key"), f"--holder-key {path}")
