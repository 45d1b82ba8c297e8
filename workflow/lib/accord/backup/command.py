"""`accord backup make|restore|verify|list`: deliveries as ciphertext that a destroyed key makes unreadable for ever."""

import argparse
from dataclasses import asdict
from pathlib import Path

from accord import command_line, commands
from accord.backup.archive import index, keys
from accord.backup.archive.make import make
from accord.backup.archive.restore import Verdict, restore, verify
from accord.engine import configuration


def main(argv: list[str]) -> int:
    """Run the command; returns 0 where all is well, 1 where something is wrong with a backup."""
    flags = parser().parse_args(argv)
    config = configuration.read(configuration.used(flags.config))
    vault = flags.vault or Path(str(config.get("vault", "vault")))
    if flags.action == "make":
        deliveries = configuration.section(config, "intake").get("deliveries") or []
        return _make(vault, [Path(path) for path in deliveries], flags.to)
    if flags.action == "restore":
        return _told(restore(vault, flags.source, flags.to, despite=flags.despite), "restored", flags)
    return _told(verify(vault, flags.source), "intact", flags) if flags.action == "verify" else _list(vault, flags)


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = commands.begun("backup")
    told = {
        "make": "back up the deliveries of a configuration",
        "restore": "write the deliveries of a backup to a new folder",
        "verify": "verify every object; writes nothing",
        "list": "count the objects of each delivery; names nobody",
    }
    added = command_line.actions(parser, told, dest="action")
    for name, action in added.items():
        command_line.config_flag(action)
        action.add_argument("--vault", type=Path, help="vault with the keys (default: as configured)")
        if name != "make":
            action.add_argument("--from", dest="source", type=Path, required=True, help="folder of the backup")
            command_line.json_flag(action)
    added["make"].add_argument("--to", type=Path, required=True, help="folder of the backup")
    added["restore"].add_argument("--to", type=Path, required=True, help="folder to create")
    added["restore"].add_argument("--despite", action="store_true", help="leave out broken objects")
    return parser


def _make(vault: Path, deliveries: list[Path], folder: Path) -> int:
    made = make(vault, deliveries, folder, _refused(vault))
    print(f"{folder}: {made.objects} objects, {made.written} of them new; {made.removed} old ones removed")
    if made.refused:
        print(f"left out: {made.refused} objects of people who were erased and are delivered all the same")
    return 0


def _refused(vault: Path):
    """Whether somebody (an opaque id) was erased, by the ledger of the vault, and not let in again."""
    from accord.consent.ledger import ledger
    from accord.consent.requests import suppression

    if not ledger.exists(vault):
        return lambda subject: False
    with ledger.reading(vault) as opened:
        book = ledger.book(vault, opened)
    return lambda subject: suppression.is_erased(book.of(ledger.SUBJECT, subject))


def _told(verdict: Verdict, done: str, flags: argparse.Namespace) -> int:
    good = verdict.objects - verdict.gone - _broken(verdict)
    lines = [f"  - {problem}" for problem in verdict.problems]
    lines.append(f"{good} of {verdict.objects} objects {done}; {verdict.gone} unrecoverable, by erasure")
    problems = [asdict(problem) for problem in verdict.problems]
    told = {"objects": verdict.objects, done: good, "unrecoverable": verdict.gone, "problems": problems}
    command_line.say(told, "\n".join(lines), flags)
    return command_line.FAILED if problems else command_line.DONE


def _broken(verdict: Verdict) -> int:
    return sum(problem.where != index.INDEX for problem in verdict.problems)


def _list(vault: Path, flags: argparse.Namespace) -> int:
    folder, ring, lines, told = flags.source, keys.read(vault), [], []
    for held in index.read(folder, ring.general):
        paths = [index.path(folder, one.name) for one in held.items if one.name]
        size = sum(path.stat().st_size for path in paths if path.is_file()) / 1e6
        gone = sum(not one.name or any(name not in ring.keys for name in one.keys) for one in held.items)
        lines.append(f"{held.folder}: {len(held.items)} objects, {size:.1f} MB; {gone} unrecoverable, by erasure")
        told.append({"delivery": held.folder, "objects": len(held.items), "megabytes": size, "unrecoverable": gone})
    command_line.say(told, "\n".join(lines), flags)
    return command_line.DONE
