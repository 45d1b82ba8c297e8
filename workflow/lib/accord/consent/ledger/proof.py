"""Proofs: codes that people were given, so that nobody else speaks for them. The ledger holds salted digests alone."""

import hashlib
import hmac
import secrets
from collections.abc import Iterable

from accord.consent.ledger.records import Proof

ALPHABET = "ABCDEFGHJKMNPQRSTVWXYZ23456789"
GROUPS, LENGTH = 4, 4
SHORTEST = 8
"""Characters of the shortest code taken."""


def new_code() -> str:
    """A code of four groups of four letters and digits (78 bits), none of which look alike."""
    return "-".join("".join(secrets.choice(ALPHABET) for _ in range(LENGTH)) for _ in range(GROUPS))


def of_code(subject: str, code: str) -> Proof:
    """The record of a code that a person (an opaque id) was given."""
    salt = secrets.token_hex(16)
    return Proof(subject, salt, _digest(salt, code))


def fits(proof: Proof, code: str) -> bool:
    """Whether a code is the one of a record. Case, spaces and hyphens don't count."""
    return hmac.compare_digest(proof.code_digest, _digest(proof.code_salt, code))


def newest(proofs: Iterable[Proof]) -> dict[str, Proof]:
    """The record that counts for each person: the last one."""
    return {proof.subject: proof for proof in proofs}


def plain(code: str) -> str:
    """A code as it is compared."""
    return "".join(sign for sign in code.upper() if sign.isalnum())


def _digest(salt: str, code: str) -> str:
    # scrypt (RFC 7914): vendors' codes may be short, and a fast digest of a short code can be guessed.
    return hashlib.scrypt(plain(code).encode(), salt=bytes.fromhex(salt), n=2**12, r=8, p=1, dklen=32).hex()
