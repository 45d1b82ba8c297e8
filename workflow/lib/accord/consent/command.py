"""`accord consent show|verify|withdraw`: look into the ledger, prove it whole, add a withdrawal."""

import argparse
from collections import Counter
from datetime import date
from pathlib import Path

from accord.consent import chain, grants, ledger
from accord.consent.ledger import ANNOTATOR, COMMAND, RIGHTSHOLDER, SUBJECT, WITHDRAWN, ConsentEvent, Depicts
from accord.errors import AccordError, Problem
from accord.shards import opaque_id

ROLES = (SUBJECT, ANNOTATOR, RIGHTSHOLDER)
DEMOGRAPHICS = "annotator_demographics"
WHOLE = {SUBJECT: grants.EVERYTHING, ANNOTATOR: DEMOGRAPHICS, RIGHTSHOLDER: grants.COPYRIGHT}
"""Scope of a withdrawal that names none."""
KNOWN = {
    SUBJECT: (grants.EVERYTHING, "publish_attr:*", "aggregate_attr:*", *grants.SCOPES),
    ANNOTATOR: (DEMOGRAPHICS,),
    RIGHTSHOLDER: (grants.COPYRIGHT,),
}


def main(argv: list[str]) -> int:
    """Run the command; returns the exit code."""
    flags = _parser().parse_args(argv)
    return {"show": _show, "verify": _verify, "withdraw": _withdraw}[flags.action](flags)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="accord consent", description=__doc__)
    actions = parser.add_subparsers(dest="action", required=True)
    show = actions.add_parser("show", help="what the ledger holds, of everybody or of one person")
    verify = actions.add_parser("verify", help="check the whole chain")
    withdraw = actions.add_parser("withdraw", help="record that somebody withdrew their consent")
    for action in (show, verify, withdraw):
        action.add_argument("--vault", type=Path, default=Path("vault"), help="the vault's folder (default: vault)")
    for action, needed in ((show, False), (withdraw, True)):
        action.add_argument("--vendor", required=needed, help="the vendor's name, as in delivery.yaml")
        action.add_argument("--subject", required=needed, help="the vendor's reference of the person")
    verify.add_argument("--head", default="", help="a hash that was noted earlier and must be in the chain")
    withdraw.add_argument("--role", choices=ROLES, default=SUBJECT, help="as what they withdraw (default: subject)")
    withdraw.add_argument("--scope", help="what they withdraw (default: everything)")
    withdraw.add_argument("--delivery", default="", help="the delivery of --image")
    withdraw.add_argument("--image", default="", help="the vendor's reference of the one image (default: all)")
    withdraw.add_argument("--on", type=date.fromisoformat, default=date.today(), help="day (default: today)")
    return parser


def _show(flags: argparse.Namespace) -> int:
    with ledger.reading(flags.vault) as opened:
        events, shown = ledger.read(opened, ConsentEvent), ledger.read(opened, Depicts)
        counts = {name: len(ledger.read(opened, kind)) for kind, name in ledger.TABLES.items()}
        entries, head = chain.head(opened)
    if flags.subject is None:
        print("\n".join(f"{name:14} {count}" for name, count in counts.items()))
        print(f"{'withdrawals':14} {Counter(event.state for event in events)[WITHDRAWN]}")
        print(f"{'entries':14} {entries}\n{'head':14} {head}")
        return 0
    subject = _subject(flags)
    print(f"person {subject}: in {len({d.image for d in shown if d.subject == subject})} image(s)")
    for event in (event for event in events if event.subject == subject):
        until = f" until {event.expires_on}" if event.expires_on else ""
        print(f"  {event.event_on} {event.state} {event.scope} for {event.image or 'all images'}{until}")
    return 0


def _verify(flags: argparse.Namespace) -> int:
    with ledger.reading(flags.vault, verified=False) as opened:
        problems = chain.verify(opened, flags.head)
        entries, head = chain.head(opened)
    if problems:
        raise AccordError(problems)
    print(f"{entries} entries, each as it was written; head {head}")
    return 0


def _withdraw(flags: argparse.Namespace) -> int:
    scope = flags.scope or WHOLE[flags.role]
    if scope not in KNOWN[flags.role]:
        raise AccordError(Problem("--scope", "is no scope", f"one of: {', '.join(KNOWN[flags.role])}"))
    if bool(flags.image) != bool(flags.delivery):
        raise AccordError(Problem("--image", "needs --delivery, and the other way round", "or leave both out"))
    subject = _subject(flags)
    image = opaque_id(flags.vendor, flags.delivery, flags.image) if flags.image else ""
    event = ConsentEvent(flags.role, subject, image, scope, WITHDRAWN, flags.on.isoformat(), "", COMMAND, "", "", "")
    with ledger.writing(flags.vault) as opened:
        known = any(party.subject == subject for party in ledger.read(opened, ledger.Party))
        new = ledger.append(opened, [event])
        entries, head = chain.head(opened)
    state = "recorded" if new else "recorded before"
    print(f"{state}: withdrawal of {scope} by {subject}; {entries} entries, head {head}")
    if not known and flags.role != ANNOTATOR:
        print("note: no form of this person is in the ledger: check --vendor and --subject")
    print("run the workflow again: their images and all that is made from them go")
    return 0


def _subject(flags: argparse.Namespace) -> str:
    if not flags.vendor or not flags.subject:
        raise AccordError(Problem("--subject", "needs --vendor, and the other way round", "name both"))
    return opaque_id(flags.vendor, flags.subject)
