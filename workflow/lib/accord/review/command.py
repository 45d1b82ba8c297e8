"""`accord review ...`: let people decide what the checks leave to them, on a page or in Label Studio."""

import argparse
import getpass
import json
import sys
from collections.abc import Mapping
from pathlib import Path

from accord import command_line, commands
from accord.errors import AccordError, Problem
from accord.review.database import accounts, store
from accord.review.database.accounts import ROLES
from accord.sealing import chained

HELP = {
    "serve": "serve the review page until it is stopped",
    "add": "create an account, change its password, or deactivate it",
    "assign": "load new review items from the results, and assign a queue to reviewers",
    "export": "export the items of a queue to Label Studio",
    "import": "import annotations from Label Studio",
    "status": "show the progress of each queue, inter-annotator agreement, and accounts",
    "verify": "verify that no decision was changed; exit code 2 otherwise",
}
HOST, PORT = "127.0.0.1", 8765
MOST_PASSWORD = 4096


def main(argv: list[str]) -> int:
    """Run the command; returns the exit code."""
    flags = parser().parse_args(argv)
    if flags.do == "serve":
        _serve(flags)
        return 0
    from accord.review.page import server

    at = server.places(flags.config, flags.vault)
    flags.vault, flags.results = at.vault, flags.results or at.results
    ACTIONS[flags.do](flags)
    return 0


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = commands.begun("review", "On a page, or in Label Studio.")
    of = command_line.actions(parser, HELP)
    for action in of.values():
        action.add_argument("--vault", type=Path, help="vault folder (default: as configured)")
        action.add_argument("--results", type=Path, help="results folder (default: as configured)")
        command_line.config_flag(action)
    _serve_flags(of["serve"])
    of["add"].add_argument("--name", required=True, help="user name")
    of["add"].add_argument("--role", choices=ROLES, help="role of a new account (default: reviewer)")
    of["add"].add_argument(
        "--password-file", type=Path, help="file with the password in its first line (default: prompt)"
    )
    of["add"].add_argument("--new-password", action="store_true", help="change the password of an existing account")
    of["add"].add_argument("--deactivate", action="store_true", help="deactivate the account; its decisions are kept")
    _work_flags(of)
    command_line.json_flag(of["status"])
    command_line.json_flag(of["verify"])
    of["verify"].add_argument("--head", default="", help="hash noted earlier, which must be in the chain")
    return parser


def _work_flags(of: Mapping[str, argparse.ArgumentParser]) -> None:
    for name in ("assign", "export"):
        of[name].add_argument("--queue", required=name == "export", default="", help="queue: logos, duplicates, ...")
    of["assign"].add_argument(
        "--reviewer", nargs="+", default=[], help="reviewers to assign (default: none, only load items)"
    )
    of["assign"].add_argument("--votes", type=int, help="votes per item; 2 for blind double review (default: 1)")
    of["assign"].add_argument("--seed", type=int, help="random seed of the assignment (default: 0)")
    of["export"].add_argument("--out", type=Path, required=True, help="new or empty folder")
    of["export"].add_argument("--prefix", default="", help="prefix of picture URLs (default: none)")
    of["export"].add_argument("--settled", action="store_true", help="export settled items, with the votes that count")
    of["import"].add_argument("file", type=Path, help="JSON export of a Label Studio project")
    of["import"].add_argument("--as", dest="everybody", default="", help="account that made all annotations")
    of["import"].add_argument(
        "--annotator", nargs="+", default=[], metavar="NUMBER=NAME", help="account of each annotator number"
    )


def _serve_flags(action: argparse.ArgumentParser) -> None:
    action.add_argument("--host", default=HOST, help=f"address to listen on (default: {HOST}, local only)")
    action.add_argument("--port", type=int, default=PORT, help=f"port to listen on (default: {PORT})")
    action.add_argument("--cert", type=Path, help="TLS certificate (PEM)")
    action.add_argument("--key", type=Path, help="key of the certificate (PEM)")
    action.add_argument("--url", default="", help="public URL of the page, behind a proxy")


def _serve(flags: argparse.Namespace) -> None:
    from accord.review.page import server

    where = {name: getattr(flags, name) for name in ("vault", "results", "cert", "key", "url")}
    server.serve(flags.config, flags.host, flags.port, **where)


def _add(flags: argparse.Namespace) -> None:
    if flags.new_password + flags.deactivate + bool(flags.role) > 1:
        raise AccordError(Problem("--role, --new-password, --deactivate", "can't be combined", "give one of them"))
    with store.opened(flags.vault) as db:
        if flags.deactivate:
            accounts.deactivate(db, flags.name)
            print("inactive: its decisions are kept; use `accord review assign` to give its open items to others")
        elif flags.new_password:
            accounts.known(db, flags.name)
            accounts.set_password(db, flags.name, _password(flags.password_file))
            print("the password was changed")
        else:
            made = accounts.add(db, flags.name, flags.role or accounts.REVIEWER, _password(flags.password_file))
            print(f"created an account with the role {made.role}")


def _password(file: Path | None) -> str:
    """From a file or typed twice: on the command line, others could read it."""
    if file is not None:
        try:
            lines = file.read_text("utf-8-sig")[:MOST_PASSWORD].splitlines()
        except (OSError, UnicodeDecodeError):
            hint = "give a readable text file"
            raise AccordError(Problem(f"--password-file {file}", "can't be read", hint)) from None
        return lines[0] if lines else ""
    if not sys.stdin.isatty():
        hint = "give --password-file with a file that only you can read"
        raise AccordError(Problem("password", "can't be prompted for: there is no terminal", hint))
    typed = getpass.getpass("password: ")
    if typed != getpass.getpass("repeat: "):
        raise AccordError(Problem("password", "differs from the first one", "try again"))
    return typed


def _assign(flags: argparse.Namespace) -> None:
    from accord.review.asking import asked
    from accord.review.database import work

    if flags.reviewer and not flags.queue:
        raise AccordError(Problem("--queue", "is missing", "give the queue to assign"))
    alone = [f"--{name}" for name in ("votes", "seed") if getattr(flags, name) is not None]
    if alone and not flags.reviewer:
        raise AccordError(Problem("--reviewer", f"is missing beside {', '.join(alone)}", "name who is to vote"))
    table, queues = asked.items(flags.results)
    with store.opened(flags.vault) as db:
        new = work.add_items(db, table, queues)
        print(f"{len(table)} review item(s), {new} of them new")
        if flags.reviewer:
            votes = 1 if flags.votes is None else flags.votes
            count = work.assign(db, flags.queue, flags.reviewer, votes, flags.seed or 0)
            print(f"{count} more vote(s) requested in {flags.queue}")


def _export(flags: argparse.Namespace) -> None:
    from accord.review.labelstudio import exchange

    if flags.out.exists() and (not flags.out.is_dir() or any(flags.out.iterdir())):
        raise AccordError(Problem(f"--out {flags.out}", "already exists", "give a new or empty folder"))
    with store.opened(flags.vault) as db:
        told = exchange.export(db, flags.queue, flags.out, flags.results, flags.prefix, settled=flags.settled)
    print(f"{told.tasks} task(s) written to {flags.out}; {told.without} item(s) have no picture in the results")
    print("It contains pictures of people: protect it like the vault, and delete it when the answers are imported.")


def _import(flags: argparse.Namespace) -> None:
    from accord.review.labelstudio import exchange

    people = dict(pair.split("=", 1) for pair in flags.annotator if "=" in pair)
    if len(people) < len(flags.annotator) or (people and flags.everybody):
        hint = "--annotator 3=ada 4=bob, or --as ada"
        raise AccordError(Problem("--annotator", "must be NUMBER=NAME, and can't be combined with --as", hint))
    try:
        data = flags.file.read_bytes()
    except OSError as error:
        raise AccordError(Problem(str(flags.file), f"can't be read ({error.strerror})", "give the export")) from None
    with store.opened(flags.vault) as db:
        told = exchange.take_in(db, data, exchange.naming(db, flags.everybody, people))
    print(f"{told.new} vote(s) recorded, {told.known} already known, {told.cancelled} cancelled")


def _status(flags: argparse.Namespace) -> None:
    from accord.review.asking import status

    with store.reading(flags.vault) as db:
        told = status.document(db)
    print(json.dumps(told, indent=1) if flags.json else status.text(told))


def _verify(flags: argparse.Namespace) -> None:
    from accord.review.database import chain

    with store.reading(flags.vault) as db:
        if problems := chain.verify(db, flags.head):
            raise AccordError(problems)
        count, head = chained.head(db)
    told = f"{count} entries, none changed; head {head}"
    command_line.say({"entries": count, "head": head}, told, flags)


ACTIONS = {
    "add": _add,
    "assign": _assign,
    "export": _export,
    "import": _import,
    "status": _status,
    "verify": _verify,
}
