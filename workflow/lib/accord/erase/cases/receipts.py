"""`accord erase receipt`: write the signed receipt of an erasure, or verify one."""

import argparse
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from accord import command_line
from accord.erase.cases import case as cases
from accord.erase.cases import places, receipt
from accord.erase.cases.case import ENVELOPE
from accord.erase.cases.places import Places
from accord.erase.executing.effects import Effects
from accord.errors import AccordError, Problem
from accord.sealing import signing


def tell(flags: argparse.Namespace, effects: Effects) -> int:
    """Verify the receipt that is given, or write that of a case; returns the exit code."""
    given = places.read(flags.config)
    if flags.verify:
        kept = _checked(_bytes(flags.verify, "--verify"), flags.key, given)
        command_line.say(kept, f"{receipt.text(kept)}\nthe receipt is authentic", flags)
        return 0
    if not flags.case or not flags.out:
        hint = "--case C --out FILE writes a receipt, --verify FILE verifies one"
        raise AccordError(Problem("accord erase receipt", "needs --case and --out, or --verify", hint))
    path = cases.named(given.cases, flags.case)[0].folder / ENVELOPE
    if not path.is_file():
        raise AccordError(Problem(f"case {flags.case}", "has no receipt yet", "continue it with `accord erase run`"))
    with command_line.writing(flags.out):
        flags.out.write_bytes(path.read_bytes())
    made = _checked(path.read_bytes(), None, given)
    command_line.say(made, receipt.text(made), flags)
    return 0


def _checked(envelope: bytes, key: Path | None, given: Places) -> dict:
    """What a receipt says, checked with a public key, or with that of the vault."""
    try:
        public = signing.read_public(_bytes(key, "--key")) if key else _own(given)
        return receipt.check(envelope, public)
    except ValueError as error:
        hint = "the file was changed, or the key belongs to another publisher"
        raise AccordError(Problem("receipt", str(error), hint)) from None


def _own(given: Places) -> Ed25519PublicKey:
    """The vault's own public key; none is made here."""
    if not (given.vault / signing.FOLDER / signing.NAME).is_file():
        hint = "give the publisher's public key: the release.pub of a release that you trust"
        raise AccordError(Problem("--key", "is required, since there is no vault here", hint))
    return signing.signing_key(given.vault).public_key()


def _bytes(file: Path, flag: str) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise AccordError(Problem(flag, f"can't be read ({error.strerror})", "give an existing file")) from None
