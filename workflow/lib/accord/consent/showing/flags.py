"""The flags of `accord consent ...`."""

import argparse
from datetime import UTC, datetime, time
from pathlib import Path

from accord import command_line, commands
from accord.consent.ledger.ledger import SUBJECT
from accord.consent.requests import unmatched, wishes
from accord.consent.requests.suppression import WHOLE
from accord.consent.requests.wishes import CODE, EXPIRE, GRANT, WITHDRAW
from accord.consent.showing.show import LATEST
from accord.text import days

WAITS = "Exit code 3: the request matches nobody in any delivery, or an answer is incomplete (docs/consent.md)."
HELP = {
    WITHDRAW: "record a withdrawal of consent",
    GRANT: "record a grant of consent, also after a withdrawal",
    EXPIRE: "record the last day of somebody's consent",
    CODE: "issue a code with which a person can prove their identity",
    "import": "record the requests of a CSV file, or of all CSV files of a folder",
    "settle": "close unmatched requests after checking them",
    "show": "show the ledger's records, for everybody or one person, or the scopes in force on a day",
    "access": "write all that is held about a person into a zip file, for the person",
    "receipt": "write a signed receipt of one event, for the person",
    "verify": "verify the whole chain, or a receipt",
}


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = commands.begun("consent", WAITS)
    of = command_line.actions(made, HELP)
    for name, action in of.items():
        needed = name in (*wishes.ACTIONS, "access")
        action.add_argument("--vault", type=Path, help="vault folder (default: as configured)")
        command_line.config_flag(action)
        if needed or name == "show":
            action.add_argument("--vendor", required=needed, default="", help="name of the vendor, as in delivery.yaml")
            action.add_argument("--subject", required=needed, default="", help="the vendor's reference of the person")
    for name in (WITHDRAW, GRANT, EXPIRE):
        _add_wish(of[name])
    of[GRANT].add_argument("--until", type=_day, help="last day of the grant (default: none)")
    of[GRANT].add_argument("--evidence", type=Path, help="signed document; its sha256 is recorded")
    of[CODE].add_argument("--proof", default="", help="code issued by the vendor (default: generate one)")
    of["settle"].add_argument("--event", type=int, nargs="+", required=True, help="entry numbers, from `show`")
    of["settle"].add_argument("--as", dest="how", choices=unmatched.HOW, required=True, help="outcome")
    of["import"].add_argument("path", type=Path, help="CSV file, or a folder of CSV files")
    of["show"].add_argument("--as-of", type=_day, help="effective date of the query")
    of["show"].add_argument("--known-at", type=_moment, default=LATEST, help="only records made by that time")
    of["access"].add_argument("--out", type=Path, required=True, help="zip file to write; must not exist yet")
    of["receipt"].add_argument("--event", type=int, required=True, help="entry number, from `show`")
    of["receipt"].add_argument("--out", type=Path, required=True, help="JSON file to write")
    for name in ("show", "verify", "access"):
        command_line.json_flag(of[name])
    of["verify"].add_argument("--head", default="", help="hash noted earlier, which must be in the chain")
    of["verify"].add_argument("--receipt", type=Path, help="JSON file of a receipt")
    of["verify"].add_argument("--key", type=Path, help="verify the receipt with this public key only, without a vault")
    return made


def _add_wish(action: argparse.ArgumentParser) -> None:
    action.add_argument("--role", choices=tuple(WHOLE), default=SUBJECT, help="role of the person (default: subject)")
    action.add_argument("--scope", default="", help="scope of the request (default: everything)")
    action.add_argument("--delivery", default="", help="delivery of --image")
    action.add_argument("--image", default="", help="the vendor's reference of an image (default: all images)")
    action.add_argument("--on", type=_day, default=days.today(), help="effective date (default: today)")
    action.add_argument("--proof", default="", help="code that the person was given; - reads it from standard input")


def _day(text: str) -> str:
    return command_line.day(text).isoformat()


def _moment(text: str) -> str:
    """A time as UTC; a day is its end, a time without zone is UTC."""
    if text == LATEST:
        return text
    try:
        given = datetime.fromisoformat(text)
    except ValueError:
        what = f"{text!r} is neither {LATEST} nor a day or time written YYYY-MM-DD or YYYY-MM-DDThh:mm:ss"
        raise argparse.ArgumentTypeError(what) from None
    if len(text) == len("2026-11-01"):
        given = datetime.combine(given, time(23, 59, 59))
    given = given.replace(tzinfo=UTC) if given.tzinfo is None else given.astimezone(UTC)
    return given.isoformat(timespec="seconds")
