"""`accord consent ...`: record what people request, look into the ledger, prove it whole, write receipts.

Exit code 3: what was wished is recorded, and open, as nobody is known by that reference (docs/consent.md).
"""

import argparse
import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from accord import command_line
from accord.command_line import OPEN
from accord.consent.ledger import ledger, proof, receipt
from accord.consent.requests import imports, settings, unmatched, unread, wishes
from accord.consent.requests.settings import Settings
from accord.consent.requests.suppression import WHOLE
from accord.consent.requests.wishes import CODE, EXPIRE, GRANT, WITHDRAW, Wish
from accord.consent.showing import show
from accord.consent.showing.flags import parser
from accord.consent.showing.show import LATEST, Moment
from accord.errors import AccordError, Problem
from accord.sealing import signing
from accord.text import days
from accord.text.references import person

RECEIPT = ("entry", "recorded_at")
NAMES = {WITHDRAW: "withdrawal", GRANT: "grant", EXPIRE: "end", CODE: "code"}


def main(argv: list[str]) -> int:
    """Run the command; returns the exit code."""
    flags = parser().parse_args(argv)
    if flags.do == "verify" and flags.key:
        _verify_alone(flags)
        return 0
    given = settings.read(flags.config, flags.vault)
    return ACTIONS.get(flags.do, _wish)(flags, given) or 0


def _wish(flags: argparse.Namespace, given: Settings) -> int:
    said = {name: value for name in Wish._fields if (value := getattr(flags, name, None)) is not None}
    made = proof.new_code() if flags.do == CODE and not flags.proof else ""
    code = made or (sys.stdin.readline().strip() if flags.proof == "-" else flags.proof)
    wish = wishes.wish(**{**said, "action": flags.do, "proof": code})
    if faults := wishes.faults(wish):
        raise AccordError([Problem(f"--{field}", what, hint) for field, what, hint in faults])
    file = getattr(flags, "evidence", None)
    evidence = hashlib.sha256(_bytes(file, "--evidence")).hexdigest() if file else ""
    new = imports.record(given.vault, wish, proof_required=given.proof_required, evidence=evidence)
    with ledger.reading(given.vault, verified=False) as opened:
        head, waiting = ledger.head(opened), unmatched.wishes(opened, given.vault)
        known = any(party.subject == wish.person for party in ledger.read(opened, ledger.Party))
    what = NAMES[flags.do] + ("" if flags.do == CODE else f" of {wish.scope or WHOLE[wish.role]}")
    print(f"recorded{'' if new else ' before'}: {what} by {wish.person}; {head.entries} entries, head {head.hash}")
    if made:
        print(f"code: {made}\nGive it to that person alone: it is shown this once, and the ledger has only a digest.")
    if flags.do == CODE:
        if not known:
            print("note: no form of this person is in the ledger: check --vendor and --subject")
        return 0
    mine = [one for one in waiting if one.event == wishes.event(wish, evidence)]
    return _told_open(mine)


def _told_open(found: list[unmatched.Open]) -> int:
    """Tell of requests that are for nobody; returns the exit code."""
    if found:
        print(f"{unmatched.text(found)}\n  Check --vendor, --subject, --delivery and --image: case counts.")
    return OPEN if found else 0


def _import(flags: argparse.Namespace, given: Settings) -> int:
    path: Path = flags.path
    names = sorted(p for p in path.iterdir() if p.suffix.lower() == ".csv") if path.is_dir() else [path]
    files = [imports.named(name) for name in names]
    done = imports.run(given.vault, files, proof_required=given.proof_required)
    with ledger.reading(given.vault, verified=False) as opened:
        named = set(imports.wanted(opened, given.vault, files, proof_required=given.proof_required))
        waiting = [one for one in unmatched.wishes(opened, given.vault) if one.event in named]
    print(f"{done.files} file(s), {done.rows} good row(s) read; {done.new} new entries; {len(done.problems)} refused")
    if done.problems:
        print(unmatched.text(waiting))
        raise AccordError(done.problems)
    return _told_open(waiting)


def _settle(flags: argparse.Namespace, given: Settings) -> None:
    count = unmatched.settle(given.vault, flags.event, flags.how)
    print(f"settled {count} request(es) as {flags.how}: they still take effect if a delivery brings the person")


def _show(flags: argparse.Namespace, given: Settings) -> None:
    if bool(flags.subject) != bool(flags.vendor):
        raise AccordError(Problem("--subject", "needs --vendor, and vice versa", "give both"))
    subject = person(flags.vendor, flags.subject) if flags.subject else None
    with ledger.reading(given.vault) as opened:
        if flags.as_of or flags.known_at != LATEST:
            moment = Moment(flags.as_of or days.today(), flags.known_at)
            tell = show.scopes if flags.json else show.in_force
            told = tell(opened, given.vault, moment, subject)
        elif subject is None:
            told = (show.counts if flags.json else show.totals)(opened, given.vault)
        else:
            told = (show.history if flags.json else show.person)(opened, given.vault, subject)
    command_line.say(told, str(told), flags)
    if subject is None and (refused := unread.refused(given.vault, given.inbox, proof_required=given.proof_required)):
        print(unread.text(refused), file=sys.stderr if flags.json else sys.stdout)


def _receipt(flags: argparse.Namespace, given: Settings) -> None:
    with ledger.reading(given.vault) as opened:
        made = receipt.signed(receipt.make(opened, flags.event), signing.signing_key(given.vault))
    with command_line.writing(flags.out):
        flags.out.write_text(json.dumps(made, indent=1) + "\n")
    print(receipt.text(made))


def _verify(flags: argparse.Namespace, given: Settings) -> None:
    kept = _kept(flags.receipt) if flags.receipt else None
    with ledger.reading(given.vault, verified=False) as opened:
        problems, head = ledger.problems(given.vault, opened, flags.head), ledger.head(opened)
        if kept:
            problems += receipt.check(kept, signing.signing_key(given.vault).public_key())
            problems += receipt.check_against(kept, opened)
    if problems:
        raise AccordError(problems)
    lines = [f"{head.entries} entries, each as it was written; head {head.hash}"]
    told: dict[str, Any] = {"entries": head.entries, "head": head.hash}
    if kept:
        lines.append(
            f"the receipt holds: entry {kept['entry']} was recorded at {kept['recorded_at']} and is in the ledger"
        )
        told["receipt"] = {name: kept[name] for name in RECEIPT}
    command_line.say(told, "\n".join(lines), flags)


def _verify_alone(flags: argparse.Namespace) -> None:
    """Check a receipt with a public key and nothing else."""
    file, key = flags.receipt, flags.key
    if file is None:
        raise AccordError(Problem("--key", "only applies to a receipt", "give --receipt"))
    kept = _kept(file)
    try:
        public = signing.read_public(_bytes(key, "--key"))
    except ValueError as error:
        raise AccordError(Problem("--key", str(error), "a public key is a PEM file: a release's release.pub")) from None
    if problems := receipt.check(kept, public):
        raise AccordError(problems)
    text = f"the receipt holds: entry {kept['entry']} was recorded at {kept['recorded_at']}, says who has this key"
    command_line.say({"receipt": {name: kept[name] for name in RECEIPT}}, text, flags)


def _kept(file: Path) -> dict:
    return receipt.load(_bytes(file, "--receipt"), str(file))


def _bytes(file: Path, flag: str) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise AccordError(
            Problem(flag, f"can't be read ({error.strerror})", "give an existing, readable file")
        ) from None


ACTIONS = {
    "import": _import, "settle": _settle, "show": _show, "receipt": _receipt, "verify": _verify,
}  # fmt: skip
