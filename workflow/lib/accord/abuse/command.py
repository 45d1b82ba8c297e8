"""`accord safety ...`: what was found of known abuse material, what was reported; lists to compare with."""

import argparse
import json
from pathlib import Path

from accord import command_line, commands
from accord.abuse import hash_exchange, quarantine

HELP = {
    "alarm": "print what must be reported at once; prints nothing if there are no matches",
    "status": "list matches and whether they were reported; exit code 1 if any was not",
    "show": "show the record of one image, as JSON; never a picture",
    "report": "record that an image was reported: to whom, under which reference, by whom",
    "fetch": "download a hash list from an exchange; needs network access, never run in a job",
}


def main(argv: list[str]) -> int:
    """Run the command; returns the exit code."""
    flags = parser().parse_args(argv)
    if flags.do == "fetch":
        count = hash_exchange.fetch(flags.exchange, flags.to, address=flags.address, group=flags.group)
        print(f"{count} hashes in {flags.to}")
        return 0
    vault, officer = quarantine.settings(flags.config)
    vault = flags.vault or vault
    if flags.do == "report":
        quarantine.report(vault, flags.image, to=flags.to, reference=flags.reference, by=flags.by)
        return 0
    found = quarantine.records(vault)
    if flags.do == "alarm":
        print(quarantine.alarm(vault, officer), end="\n" * bool(found))
        return 0
    if flags.do == "show":
        print(json.dumps([one for one in found if one["image"] == flags.image], indent=1, sort_keys=True))
        return 0
    if flags.json:
        print(command_line.as_json(found))
        return _code(found)
    return _status(vault, officer, found)


def _status(vault: Path, officer: str, found: list[dict]) -> int:
    print(quarantine.alarm(vault, officer) or "nothing was found")
    for one in found:
        lists = ", ".join(sorted({match["list"] for match in one["matches"]}))
        told = "; ".join(f"{report['to']} {report['reference']}" for report in one["reports"]) or "NOT REPORTED"
        print(f"{one['image']}  {one['vendor']}/{one['delivery']}  found {one['found']}  on {lists}  {told}")
    return _code(found)


def _code(found: list[dict]) -> int:
    return command_line.FAILED if quarantine.unreported(found) else command_line.DONE


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = commands.begun("safety", "Also downloads hash lists.")
    of = command_line.actions(parser, HELP)
    for name in ("alarm", "status", "show", "report"):
        of[name].add_argument("--vault", type=Path, help="vault folder (default: as configured)")
        command_line.config_flag(of[name])
    command_line.json_flag(of["status"])
    for name in ("show", "report"):
        of[name].add_argument("image", help="id of the image")
    of["report"].add_argument("--to", required=True, help="hotline or authority")
    of["report"].add_argument("--reference", required=True, help="their reference number")
    of["report"].add_argument("--by", required=True, help="name of the person who reported")
    of["fetch"].add_argument("exchange", choices=hash_exchange.EXCHANGES)
    of["fetch"].add_argument("--to", type=Path, required=True, help="file to write; add it to checks.hash_lists")
    of["fetch"].add_argument("--address", help="URL of the exchange (default: its own)")
    of["fetch"].add_argument("--group", type=int, default=0, help="threatexchange: id of the privacy group")
    return parser
