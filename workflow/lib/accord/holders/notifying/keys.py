"""The key that a holder signs acknowledgements with: Ed25519, theirs alone; the publisher knows its public half."""

from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from accord.errors import AccordError, Problem
from accord.files import PRIVATE_FILE, replace
from accord.sealing import signing

HINT = "accord holders key --out holder.pem makes one"


def make(path: Path) -> Ed25519PublicKey:
    """Make a private key, which its owner alone can read, and its public half beside it; returns that.

    Raises AccordError where a file is there already: a key that is lost can't be made again.
    """
    public = path.with_suffix(".pub")
    for there in (path, public):
        if there.exists():
            raise AccordError(Problem(str(there), "already exists", "choose another name, or use that key"))
    key = Ed25519PrivateKey.generate()
    replace(path, signing.private_text(key), PRIVATE_FILE)
    replace(public, signing.public_text(key.public_key()))
    return key.public_key()


def read(data: bytes, name: str) -> Ed25519PrivateKey:
    """The private key in a PEM that somebody named. Raises AccordError where it is none."""
    try:
        return signing.read_private(data)
    except ValueError as error:
        raise AccordError(Problem(name, str(error), HINT)) from None


def read_public(data: bytes, name: str) -> Ed25519PublicKey:
    """The public key in a PEM that somebody named. Raises AccordError where it is none."""
    try:
        return signing.read_public(data)
    except ValueError as error:
        raise AccordError(Problem(name, str(error), f"{HINT}; the holder sends holder.pub")) from None
