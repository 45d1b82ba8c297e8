"""`accord holders ...`: grants of releases, notices of erasures, acknowledgements, and overdue notices."""

import argparse
import json
from datetime import date
from pathlib import Path

from accord import command_line, commands
from accord.consent.requests import settings
from accord.engine import configuration
from accord.errors import AccordError, Problem
from accord.holders.notifying import answers, keys, mail, outbox
from accord.holders.register import grants, listing, overdue
from accord.release.command import printable
from accord.sealing import signing

HELP = {
    "grant": "grant a release to a recipient, and write the signed grant",
    "list": "list recipients and their releases, by name",
    "end": "record that a holder deleted their copies; they get no more notices",
    "outbox": "list open notices, sent or not",
    "send": "send the notices that were not sent yet by e-mail",
    "sent": "record that a notice was sent",
    "acknowledge": "verify and record a holder's acknowledgement",
    "overdue": "list overdue notices; exit code 1 if there are any",
    "key": "for holders: create the key that signs acknowledgements",
}
MISSING = "give an existing, readable file"


def main(argv: list[str]) -> int:
    """Run the command; returns the exit code."""
    flags = parser().parse_args(argv)
    if flags.do == "key":
        made = keys.make(flags.out)
        print(f"wrote {flags.out} (keep it secret) and {flags.out.with_suffix('.pub')} (send it to the publisher)")
        print(f"fingerprint {signing.fingerprint(made)}")
        return 0
    flags.vault = settings.read(flags.config, flags.vault).vault
    return ACTIONS[flags.do](flags) or 0


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = commands.begun("holders")
    of = command_line.actions(parser, HELP)
    for name in HELP.keys() - {"key"}:
        of[name].add_argument("--vault", type=Path, help="vault folder (default: as configured)")
        command_line.config_flag(of[name])
    for name in ("grant", "end"):
        of[name].add_argument("--release", required=name == "grant", default="", help="version of the release")
    of["grant"].add_argument("--name", required=True, help="name of the person or institution")
    of["grant"].add_argument("--contact", required=True, help="contact for notices, such as an e-mail address")
    of["grant"].add_argument("--key", type=Path, help="their public key (PEM), for signed acknowledgements")
    of["grant"].add_argument("--until", type=command_line.day, help="last day of the grant (default: none)")
    of["grant"].add_argument("--releases", type=Path, help="folder of the releases (default: as configured)")
    of["end"].add_argument("--holder", required=True, help="id of the holder, from `list` (default release: all)")
    of["end"].add_argument("--forget", action="store_true", help="also delete their name, contact and key")
    of["send"].add_argument("--smtp", required=True, help="mail server: smtps://host or smtp://host:port")
    of["send"].add_argument("--from", dest="sender", required=True, help="your e-mail address")
    of["sent"].add_argument("--notice", required=True, help="id of the notice, from `outbox`")
    of["acknowledge"].add_argument("file", type=Path, help="acknowledgement file from the holder")
    of["key"].add_argument("--out", type=Path, required=True, help="where to write the private key (PEM)")
    for name in ("end", "send", "sent", "acknowledge", "overdue"):
        of[name].add_argument("--on", type=command_line.day, default=date.today(), help="day (default: today)")
    for name in ("list", "outbox", "overdue"):
        command_line.json_flag(of[name])
    return parser


def _grant(flags: argparse.Namespace) -> None:
    key = keys.read_public(_bytes(flags.key, "--key"), f"--key {flags.key}") if flags.key else None
    config = configuration.read(configuration.used(flags.config))
    release = configuration.folder(config, "releases", flags.releases) / flags.release
    path = grants.grant(flags.vault, release, flags.name, flags.contact, key=key, until=flags.until)
    print(f"granted: give {path} to the holder")


def _end(flags: argparse.Namespace) -> None:
    if not flags.release and not flags.forget:
        raise AccordError(Problem("--release", "is missing", "give the version, or --forget the holder"))
    if flags.release and flags.forget:
        raise AccordError(
            Problem("--release", "can't be combined with --forget", "--forget ends all of the holder's grants")
        )
    number = grants.end(flags.vault, flags.holder, flags.release, today=flags.on, forget=flags.forget)
    print(f"ended: {number} release(s)" + ("; name, contact and key are deleted" if flags.forget else ""))


def _list(flags: argparse.Namespace) -> None:
    found = listing.holders(flags.vault)
    if flags.json:
        print(json.dumps(found, indent=1, ensure_ascii=False))
        return
    for one in found:
        print(printable(f"{one['holder']}  {one['name'] or '(forgotten)'}  {one['contact']}"))
        for held in one["releases"]:
            days = [f"until {held['until']}" * bool(held["until"]), f"ended {held['ended']}" * bool(held["ended"])]
            days.append(f"{held['open_notices']} open notice(s)" * bool(held["open_notices"]))
            print("    " + ", ".join([held["version"], *filter(None, days)]))
    print(f"{len(found)} holder(s)")


def _outbox(flags: argparse.Namespace) -> None:
    found = outbox.waiting(flags.vault)
    if flags.json:
        print(json.dumps(found, indent=1, ensure_ascii=False))
        return
    for one in found:
        state = f"sent {one['sent']}" if one["sent"] else "TO BE SENT"
        print(printable(f"{one['folder']}\n    {state}, due {one['due']}, release {one['version']}"))
        print(printable(f"    to {one['name']}, {one['contact']}"))
    print(f"{len(found)} notice(s)")


def _send(flags: argparse.Namespace) -> int:
    sent, without = outbox.send(flags.vault, mail.Server.of(flags.smtp), flags.sender, today=flags.on)
    print(f"{sent} sent; {without} without an e-mail address: send these another way, then `accord holders sent`")
    return command_line.OPEN if without else command_line.DONE


def _sent(flags: argparse.Namespace) -> None:
    outbox.sent(flags.vault, flags.notice, today=flags.on)


def _acknowledge(flags: argparse.Namespace) -> None:
    done = answers.receive(flags.vault, _bytes(flags.file, "FILE"), today=flags.on)
    print(f"{'recorded' if done.new else 'recorded before'}: holder {done.holder}, release {done.version}")
    print(f"notices closed: {', '.join(done.closed) or 'none'}")
    if done.still_open:
        print(f"still open, since they name more: {', '.join(done.still_open)}")
    if done.first_use:
        print(f"note: the key was unknown and is trusted from now on; that it is this holder's, nothing has shown.\n"
              f"Ask them for its fingerprint by another way: {done.key}")  # fmt: skip
    if not done.compared:
        print("note: their leaves' file could not be compared, since ours was damaged when this was announced")


def _overdue(flags: argparse.Namespace) -> int:
    found = overdue.overdue(flags.vault, flags.on)
    if flags.json:
        print(json.dumps(found, indent=1))
    else:
        for one in found:
            state = f"sent {one['sent']}" if one["sent"] else "never sent"
            print(
                f"{one['notice']}  holder {one['holder']}  release {one['version']}  {state}  {one['days']} day(s) over"
            )
        print(f"{len(found)} overdue")
    return 1 if found else 0


ACTIONS = {
    "grant": _grant,
    "list": _list,
    "end": _end,
    "outbox": _outbox,
    "send": _send,
    "sent": _sent,
    "acknowledge": _acknowledge,
    "overdue": _overdue,
}


def _bytes(path: Path, flag: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise AccordError(Problem(f"{flag} {path}", f"can't be read ({error.strerror})", MISSING)) from None
