"""The flags of `accord consent ...`."""

import argparse
from datetime import UTC, date, datetime, time
from pathlib import Path

from accord import command_line, commands
from accord.consent.ledger.ledger import SUBJECT
from accord.consent.requests import unmatched, wishes
from accord.consent.requests.suppression import WHOLE
from accord.consent.requests.wishes import CODE, EXPIRE, GRANT, WITHDRAW
from accord.consent.showing.show import LATEST
from accord.text import days

WAITS = "Exit code 3: what was wished is recorded, and open, as nobody is known by that reference (docs/consent.md)."
HELP = {
    WITHDRAW: "record that somebody withdrew their consent",
    GRANT: "record that somebody granted it, also anew after a withdrawal",
    EXPIRE: "record the last day on which somebody's consent holds",
    CODE: "give out a code with which a person proves who they are",
    "import": "record the wishes of a CSV file, or of all CSV files of a folder",
    "settle": "close wishes for nobody, after somebody looked into them",
    "show": "what the ledger holds, of everybody or of one person; or what was in force on a day",
    "receipt": "write what a person can keep of one event",
    "verify": "check the whole chain, or a receipt against it",
}


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = commands.begun("consent", WAITS)
    of = command_line.actions(made, HELP)
    for name, action in of.items():
        needed = name in wishes.ACTIONS
        action.add_argument("--vault", type=Path, help="the vault's folder (default: as configured)")
        command_line.config_flag(action)
        if needed or name == "show":
            action.add_argument("--vendor", required=needed, default="", help="the vendor's name, as in delivery.yaml")
            action.add_argument("--subject", required=needed, default="", help="the vendor's reference of the person")
    for name in (WITHDRAW, GRANT, EXPIRE):
        _add_wish(of[name])
    of[GRANT].add_argument("--until", type=_day, help="the last day (default: none)")
    of[GRANT].add_argument("--evidence", type=Path, help="a signed document; its sha256 is recorded")
    of[CODE].add_argument("--proof", default="", help="the code, where the vendor made it (default: a new one)")
    of["settle"].add_argument("--event", type=int, nargs="+", required=True, help="numbers of entries, from `show`")
    of["settle"].add_argument("--as", dest="how", choices=unmatched.HOW, required=True, help="what came of them")
    of["import"].add_argument("path", type=Path, help="a CSV file or a folder of them")
    of["show"].add_argument("--as-of", type=_day, help="the day to ask about")
    of["show"].add_argument("--known-at", type=_moment, default=LATEST, help="only what was recorded by then")
    of["receipt"].add_argument("--event", type=int, required=True, help="the number of its entry, from `show`")
    of["receipt"].add_argument("--out", type=Path, required=True, help="the JSON file to write")
    for name in ("show", "verify"):
        command_line.json_flag(of[name])
    of["verify"].add_argument("--head", default="", help="a hash that was noted earlier and must be in the chain")
    of["verify"].add_argument("--receipt", type=Path, help="a receipt's JSON file")
    of["verify"].add_argument("--key", type=Path, help="check the receipt with this public key alone, without a vault")
    return made


def _add_wish(action: argparse.ArgumentParser) -> None:
    action.add_argument("--role", choices=tuple(WHOLE), default=SUBJECT, help="as what (default: subject)")
    action.add_argument("--scope", default="", help="what (default: everything)")
    action.add_argument("--delivery", default="", help="the delivery of --image")
    action.add_argument("--image", default="", help="the vendor's reference of the one image (default: all)")
    action.add_argument("--on", type=_day, default=days.today(), help="day (default: today)")
    action.add_argument("--proof", default="", help="the code that the person was given; - reads it from the input")


def _day(text: str) -> str:
    return date.fromisoformat(text).isoformat()


def _moment(text: str) -> str:
    """A time as UTC; a day is its end, a time without zone is UTC."""
    if text == LATEST:
        return text
    given = datetime.fromisoformat(text)
    if len(text) == len("2026-11-01"):
        given = datetime.combine(given, time(23, 59, 59))
    given = given.replace(tzinfo=UTC) if given.tzinfo is None else given.astimezone(UTC)
    return given.isoformat(timespec="seconds")
